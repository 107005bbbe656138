"""A transformer of scikit-learn that protects what it is fitted to."""

from __future__ import annotations

from typing import Any, Optional

import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

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
        frame = self._frame(X)
        held = frame.copy()
        class_ = None
        if y is not None:
            class_ = "class" if "class" not in held else "class_"
            held[class_] = pd.Series(list(y)).astype("string")
        release = protect(
            held, class_, method=self.method, seed=self.seed, keep_order=True, **(self.flags or {})
        )
        self.release_ = release
        self.n_features_in_ = frame.shape[1]
        self.feature_names_in_ = frame.columns.to_numpy(dtype=object)
        self.protected_y_ = None if class_ is None else release.data[class_].to_numpy()
        self._original = frame
        return self

    def transform(self, X: Any) -> Any:
        """The release of the table that it was fitted to."""
        check_is_fitted(self, "release_")
        frame = self._frame(X)
        if not frame.equals(self._original):
            raise UsageError("a Protector transforms the table that it was fitted to: fit_transform(X)")
        names = [c for c in self.feature_names_in_ if c in self.release_.data]
        return self.release_.data[names]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of the release: identifiers are left out."""
        check_is_fitted(self, "release_")
        return pd.Index([c for c in self.feature_names_in_ if c in self.release_.data]).to_numpy(dtype=object)

    @staticmethod
    def _frame(X: Any) -> pd.DataFrame:
        if isinstance(X, pd.DataFrame):
            return X.reset_index(drop=True)
        return pd.DataFrame(X).rename(columns=lambda c: f"x{c}")
