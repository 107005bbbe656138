"""Protector in pipelines."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

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


# What these ask for a Protector refuses, as a release is judged as a whole: to transform a part of the table that it was
# fitted to, or its rows in another order.
REFUSED = "it transforms the table that it was fitted to, and no other"
APART = {
    "check_methods_sample_order_invariance": REFUSED,
    "check_methods_subset_invariance": REFUSED,
    "check_fit_idempotent": REFUSED,
}


def test_checks_of_estimators() -> None:
    made = Protector(seed=SEED, flags={"limits": "none"})
    done = check_estimator(made, expected_failed_checks=APART, on_skip=None, on_fail="raise")
    failed = {c["check_name"] for c in done if c["status"] == "xfail"}
    assert failed == set(APART), "a check that passes now is no longer set apart"
    assert sum(c["status"] == "passed" for c in done) > 35


def test_of_another_table() -> None:
    df = people(300)[["age", "weight"]]
    p = Protector("rankswap", seed=SEED, flags={"limits": "none"}).fit(df)
    pd.testing.assert_frame_equal(p.transform(df), p.release_.data)
    with pytest.raises(dither.UsageError, match="fitted to"):
        p.transform(df.head(10))
    assert clone(p).get_params() == p.get_params()
