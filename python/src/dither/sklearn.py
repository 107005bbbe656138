"""A transformer of scikit-learn that protects what it is fitted to."""

from __future__ import annotations

import numbers
from typing import Any, Optional

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dither._api import Seed, protect
from dither._errors import UsageError


class Protector(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Release the table that it is fitted to: fit_transform(X, y) gives its protected records, in their order.

    transform of the same table gives the same release; of another table it is refused, because a release is judged as
    a whole. y, where it is given, is the class: its values are protected with the rest, and protected_y_ has them. A
    release that may not go out raises dither.Withheld.

    The order of the records stays, as a pipeline pairs them with y: anyone who holds the original can pair the rows. A
    release that is handed out is made by dither.protect.
    """

    def __init__(self, method: Optional[str] = None, seed: Optional[Seed] = None, flags: Optional[dict[str, Any]] = None):
        self.method = method
        self.seed = seed
        self.flags = flags

    def fit(self, X: Any, y: Any = None) -> Protector:
        """Make the release of a table."""
        frame = self._frame(X, reset=True)
        held = frame.copy()
        class_ = None
        if y is not None:
            class_ = "class" if "class" not in held else "class_"
            held[class_] = pd.Series(np.asarray(y)).astype("string")
        release = protect(
            held, class_, method=self.method, seed=self.seed, keep_order=True, **(self.flags or {})
        )
        self.release_ = release
        self.protected_y_ = None if class_ is None else release.data[class_].to_numpy()
        self._original = frame
        return self

    def transform(self, X: Any) -> Any:
        """The release of the table that it was fitted to."""
        check_is_fitted(self, "release_")
        frame = self._frame(X, reset=False)
        if not frame.equals(self._original):
            raise UsageError("a Protector transforms the table that it was fitted to: fit_transform(X)")
        return self.release_.data[list(self.get_feature_names_out())]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of the release: identifiers are left out."""
        check_is_fitted(self, "release_")
        return pd.Index([c for c in self._original if c in self.release_.data]).to_numpy(dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []  # frames come out, whose columns have types of their own
        return tags

    def _frame(self, X: Any, *, reset: bool) -> pd.DataFrame:
        """The table as a frame; the columns of an array are x0, x1 and so on."""
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, reset=reset, skip_check_array=True)  # pyright: ignore[reportArgumentType]
            frame = X.reset_index(drop=True)
        else:
            values = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")
            frame = pd.DataFrame(values).infer_objects().rename(columns=lambda c: f"x{c}")
            for name in frame.columns[frame.dtypes == object]:
                if not frame[name].map(lambda v: isinstance(v, (str, bytes, numbers.Number)) or v is None).all():
                    raise TypeError(f"column {name}: argument must be a string or a number")
        if len(frame) < 2:
            raise UsageError(f"n_samples = {len(frame)}: nobody is hidden in a table of so few")
        return frame
