"""Protector in pipelines."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import dither
from dither.sklearn import Protector
from test_dither import SEED, people


def test_in_a_pipeline() -> None:
    df = people(300)
    X, y = df[["age", "weight"]], df["ill"]
    made = make_pipeline(Protector(seed=SEED, flags={"limits": "none"}), FunctionTransformer(lambda t: t * 2))
    out = made.fit_transform(X, y)
    assert out.shape == X.shape and not out["age"].equals(X["age"] * 2)
    assert list(made[0].get_feature_names_out()) == ["age", "weight"]
    assert set(made[0].protected_y_) == {"yes", "no"}


def test_of_another_table() -> None:
    df = people(300)[["age", "weight"]]
    p = Protector("rankswap", seed=SEED, flags={"limits": "none"}).fit(df)
    pd.testing.assert_frame_equal(p.transform(df), p.release_.data)
    with pytest.raises(dither.UsageError, match="fitted to"):
        p.transform(df.head(10))
    assert clone(p).get_params() == p.get_params()
