"""What files of pandas and polars keep on their way through the command, which is all that other languages have."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dither._call import program
from test_dither import people


def protect(folder: Path, name: str, *flags: str) -> str:
    """Releases in.NAME as out.NAME, and returns the notes."""
    command = [program(), "protect", f"in.{name}", "-o", f"out.{name}", "--limits", "none", "--seed", "1", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("name", ["parquet", "feather"])
def test_types_of_pandas_stay(tmp_path: Path, name: str) -> None:
    df = people(300).assign(note=pd.array(["a", "b", None] * 100, dtype="string"), day=dt.date(2024, 1, 2))
    df.attrs["source"] = "confidential"
    df["visits"] = df["visits"].astype("Int8")
    df["small"] = (np.arange(300) % 50).astype("uint16")
    if name == "parquet":
        df.set_index(pd.RangeIndex(7000, 7300, name="pid")).to_parquet(tmp_path / "in.parquet")
    else:
        df.to_feather(tmp_path / "in.feather")
    protect(tmp_path, name, "--class", "ill")
    got = (pd.read_parquet if name == "parquet" else pd.read_feather)(tmp_path / f"out.{name}")
    for column in df.columns:
        if not isinstance(df[column].dtype, pd.CategoricalDtype):
            assert got[column].dtype == df[column].dtype, column
    assert isinstance(got["sex"].dtype, pd.CategoricalDtype)
    assert got.index.equals(pd.RangeIndex(300)) and got.index.name is None, "a fresh index"
    assert got.attrs == {}
    if name == "feather":
        assert list(got["size"].cat.categories) == ["s", "m", "l"] and got["size"].cat.ordered
    else:
        assert set(got["size"].cat.categories) == {"s", "m"} and not got["size"].cat.ordered
    raw = (tmp_path / f"out.{name}").read_bytes()
    assert b"confidential" not in raw and b"7000" not in raw and b"pid" not in raw


def test_what_no_longer_holds_is_not_said(tmp_path: Path) -> None:
    df = people(300)[["age", "visits", "seen", "ill"]].assign(name=[f"P{i:04d}x" for i in range(300)])
    df.to_parquet(tmp_path / "in.parquet", index=False)
    protect(tmp_path, "parquet", "--class", "ill", "--cut", "visits=2,5", "--role", "name=identifier")
    noted = json.loads(pq.read_schema(tmp_path / "out.parquet").metadata[b"pandas"])
    assert [c["field_name"] for c in noted["columns"]] == ["age", "seen", "ill"]
    assert b"P0001x" not in (tmp_path / "out.parquet").read_bytes()
    assert pd.read_parquet(tmp_path / "out.parquet")["visits"].dtype.kind in "OTU"


def test_columns_that_no_table_holds_are_named_at_once(tmp_path: Path) -> None:
    n = 200
    held = {"age": [i % 90 for i in range(n)], "ill": ["p", "q"] * (n // 2), "none": pa.nulls(n)}
    nested = {"s": pa.array([{"q": 1}] * n), "m": pa.array([[("a", 1)]] * n, pa.map_(pa.string(), pa.int64()))}
    table = pa.table({**held, **nested, "clock": pa.array([dt.time(1, 2, i % 60) for i in range(n)])})
    pq.write_table(table, tmp_path / "in.parquet")
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as w:
        w.write_table(table)
    for name in ("parquet", "arrow"):
        notes = protect(tmp_path, name, "--class", "ill")
        assert 'column "s" is left out' in notes and 'column "m" is left out' in notes
        assert "left out" not in protect(tmp_path, name, "--class", "ill", "--leave-out", "s,m", "--force")
    got = pq.read_table(tmp_path / "out.parquet")
    assert got.column_names == ["age", "ill", "none", "clock"] and got["clock"].type == pa.time64("us")


def test_numbers_beyond_the_mantissa_leave_with_a_note(tmp_path: Path) -> None:
    keys = [2**60 + 7 * i for i in range(200)]
    pd.DataFrame({"key": keys, "age": range(200), "ill": ["p", "q"] * 100}).to_parquet(tmp_path / "in.parquet")
    assert 'column "key"' in protect(tmp_path, "parquet", "--class", "ill")
    assert "key" not in pd.read_parquet(tmp_path / "out.parquet")


@pytest.mark.parametrize("packed", ["lz4", "zstd", "uncompressed"])
def test_files_of_polars(tmp_path: Path, packed: str) -> None:
    df = pl.from_pandas(people(300).drop(columns="size")).with_columns(
        pl.Series("grade", ["a", "b", "a"] * 100, dtype=pl.Enum(["a", "b", "c"])))
    df.write_ipc(tmp_path / "in.arrow", compression=packed)  # type: ignore[arg-type]
    df.write_parquet(tmp_path / "in.parquet", compression=packed)  # type: ignore[arg-type]
    for name in ("arrow", "parquet"):
        protect(tmp_path, name, "--class", "ill")
    got = pl.read_ipc(tmp_path / "out.arrow")
    assert {c: t for c, t in got.schema.items() if c != "grade"} == {c: t for c, t in df.schema.items() if c != "grade"}
    assert pl.read_parquet(tmp_path / "out.parquet")["seen"].dtype == df["seen"].dtype


def test_standard_output_has_any_format(tmp_path: Path) -> None:
    people(200).to_parquet(tmp_path / "in.parquet")
    for name, read in (("arrow", pd.read_feather), ("parquet", pd.read_parquet)):
        for place in ("-", "/dev/stdout"):
            if place != "-" and os.name == "nt":
                continue
            with (tmp_path / "piped").open("wb") as f:
                done = subprocess.run(
                    [program(), "protect", "in.parquet", "--class", "ill", "-o", place, "--format", name, "--json",
                     "--limits", "none", "--seed", "1"], cwd=tmp_path, stdout=f, stderr=subprocess.PIPE, check=True)
            assert json.loads(done.stderr)["verdict"]["state"] == "not judged"
            assert len(read(tmp_path / "piped")) == 200
