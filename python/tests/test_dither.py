"""What a data scientist meets in going from a frame to dither and back. DITHER names the program."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dither
from dither._call import private

SEED = "11" * 32


def people(n: int = 600) -> pd.DataFrame:
    r = np.random.default_rng(7)
    ill = r.random(n) < 0.4
    return pd.DataFrame({
        "age": r.integers(18, 90, n).astype("int16"),
        "sex": pd.Categorical(r.choice(["f", "m"], n)),
        "size": pd.Categorical(r.choice(["s", "m"], n), categories=["s", "m", "l"], ordered=True),
        "weight": np.round(r.normal(70, 12, n), 1).astype("float32"),
        "visits": pd.array(np.where(r.random(n) < 0.1, None, r.integers(0, 9, n)), dtype="Int64"),
        "smokes": pd.array([None if x < 0.1 else bool(x < 0.5) for x in r.random(n)], dtype="boolean"),
        "seen": pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta(r.integers(0, 700, n), unit="D"))
        .dt.tz_localize("Europe/Berlin"),
        "stay": pd.to_timedelta(r.integers(1, 400, n), unit="h"),
        "ill": np.where(ill, "yes", "no"),
    })


@pytest.fixture(scope="module")
def release() -> dither.Release:
    return dither.protect(people(), "ill", seed=SEED, limits="none")


def test_types_come_back(release: dither.Release) -> None:
    df, got = people(), release.data
    assert list(got.columns) == list(df.columns)
    for name in df.columns:
        assert got[name].dtype.kind == df[name].dtype.kind, name
        if name != "sex":
            assert got[name].dtype == df[name].dtype, name
    assert list(got["size"].cat.categories) == ["s", "m", "l"], "a list with an unused category was declared"
    assert len(got) == len(df)
    assert not got["age"].equals(df["age"])


def test_a_category_that_nobody_holds_is_not_told() -> None:
    from dither._tables import Source

    df = pd.DataFrame({"c": pd.Categorical(["a", "b", "rare"])})
    got = Source(df).back(pa.table({"c": ["a", "b", "b"]}))
    assert list(got["c"].cat.categories) == ["a", "b"]


def test_seed_gives_the_same_release(release: dither.Release) -> None:
    again = dither.protect(people(), "ill", seed=SEED, limits="none")
    assert again.stream == release.stream
    pd.testing.assert_frame_equal(again.data, release.data)


def test_a_short_seed_is_withheld(tmp_path: Path) -> None:
    df = people().drop(columns="seen")
    with pytest.raises(dither.Withheld, match="short seed"):
        dither.protect(df, "ill", seed=42)
    made = dither.protect(df, "ill", seed=np.int64(42), accept="seed", record=True)
    assert made.verdict.state == "release with care" and "short seed" in str(made)
    assert made.record is not None and b'"seed":"short"' in made.record and b'"shortSeed": true' in (made.plan or b"")
    bits = hashlib.sha256(b"dither short seed 1\n42").hexdigest()
    assert dither.protect(df, "ill", seed=bits).stream == made.stream, "the same 256 bits as the command's"
    with pytest.raises(dither.Withheld, match="short seed"):
        dither.judge(df, made, "ill")


def test_other_libraries() -> None:
    df = people(200).drop(columns=["size"])
    frame = pl.from_pandas(df)
    got = dither.protect(frame, "ill", limits="none").data
    assert isinstance(got, pl.DataFrame) and got.schema == frame.schema
    table = dither.protect(frame.to_arrow(), "ill", limits="none").data
    assert isinstance(table, pa.Table) and table.num_rows == 200
    lazy = dither.protect(frame.lazy(), "ill", limits="none").data
    assert isinstance(lazy, pl.DataFrame)

    class Capsule:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return frame.to_arrow().__arrow_c_stream__(requested_schema)

    assert isinstance(dither.protect(Capsule(), "ill", limits="none").data, pa.Table)
    with pytest.raises(dither.UsageError, match="is no table"):
        dither.protect([1, 2], "ill")


def test_a_path(tmp_path: Path) -> None:
    people(200).to_csv(tmp_path / "p.csv", index=False)
    got = dither.protect(tmp_path / "p.csv", "ill", limits="none").data
    assert isinstance(got, pa.Table) and got.num_rows == 200


def test_withheld() -> None:
    df = people(300)
    with pytest.raises(dither.Withheld) as e:
        dither.protect(df, "ill", method="rankswap", set={"p": 1})
    assert e.value.verdict.state == "withheld" and "withheld" in str(e.value)
    kept = dither.protect(df, "ill", method="rankswap", set={"p": 1}, on_withheld="return")
    assert kept.data is None and kept.verdict.state == "withheld"
    with pytest.raises(dither.UsageError, match="withheld"):
        dither.evaluate(df, kept, "ill")


def test_evaluate_knows_who_is_who(release: dither.Release) -> None:
    e = dither.evaluate(people(), release, "ill", measure=["found", "accuracy"], limits="none")
    assert not any("SHA-256" in n for n in e.notes), e.notes
    frame = e.to_frame()
    assert set(frame["name"]) == {"found", "accuracy"} and frame["score"].notna().any()
    assert release._repr_html_().count("<details>") >= 1


def test_index_and_attributes() -> None:
    df = people(200).set_index(pd.Index(range(1000, 1200), name="pid"))
    df.attrs["source"] = "secret"
    out = dither.protect(df, "ill", limits="none")
    assert out.data.index.equals(pd.RangeIndex(200)) and out.data.attrs == {}
    assert any("index is not released" in n for n in out.notes) and any("attrs" in n for n in out.notes)
    kept = dither.protect(df, "ill", limits="none", keep_order=True, index="keep")
    assert kept.data.index.equals(df.index)
    with pytest.raises(dither.UsageError, match="keep_order"):
        dither.protect(df, "ill", index="keep")


def test_errors_name_what_is_wrong() -> None:
    df = people(100)
    with pytest.raises(dither.DitherError, match='did you mean "ill"'):
        dither.protect(df, "il")
    with pytest.raises(dither.UsageError, match="unknown flag"):
        dither.protect(df, "ill", no_such_flag=True)
    with pytest.raises(dither.UsageError, match="64 hexadecimal digits"):
        dither.protect(df, "ill", seed=4.2)  # type: ignore[arg-type]
    with pytest.raises(dither.DitherError, match="whole number"):
        dither.protect(df, "ill", seed=-1)
    with pytest.raises(dither.UsageError, match="names of columns"):
        dither.protect(df.rename(columns={"age": 3}), "ill")


def test_progress_and_report() -> None:
    seen: list[tuple[str, int, int]] = []
    out = dither.protect(people(), "ill", limits="none", report=True, record=True,
                         progress=lambda work, done, total: seen.append((work, done, total)))
    assert any(work == "protecting" for work, _, _ in seen)
    assert out.report is not None and "<iframe" in out.report._repr_html_()
    assert out.record is not None and dither.verify(out.record).result == "PASS"
    assert out.report.chart("no such chart") == ""


def drawn(page: str) -> list[str]:
    """The texts of the charts that a notebook shows."""
    svgs = [base64.b64decode(x) for x in re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)]
    return [" ".join("".join(e.itertext()) for e in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))
            for svg in svgs]


def test_charts_in_a_notebook(tmp_path: Path, release: dither.Release) -> None:
    assert drawn(release._repr_html_()) == []  # no report was asked for
    out = dither.protect(people(), "ill", report=True, on_withheld="return")
    charts = drawn(out._repr_html_())
    assert len(charts) == 1 and "An intruder finds" in charts[0] and "What survives" in charts[0]
    asked: dict[str, Any] = {"method": ["framework", "gadp"], "folds": 2, "repeats": 1}
    c = dither.compare(people(), "ill", report=tmp_path / "c.html", **asked)
    charts = drawn(c._repr_html_())
    assert len(charts) == 1 and "better" in charts[0]
    assert c.report is not None and (tmp_path / "c.html").read_text() == c.report.text
    bare = dither.compare(people(), "ill", report=False, **asked)
    assert bare.report is None and drawn(bare._repr_html_()) == []


def test_the_other_verbs() -> None:
    df = people(300)
    assert dither.inspect(df, "ill").roles["age"] == ["quasi-identifier"]
    assert dither.mine("tree", df, "ill").document.class_ == "ill"
    rules = dither.mine("rules", df[["sex", "size", "ill"]], support=0.1, confidence=0.5)
    assert {"confidence", "lift"} <= set(rules.to_frame().columns)
    c = dither.compare(df, "ill", method=["rnat", "rankswap"], folds=2, repeats=1, measure="bias")
    assert len(c.to_frame()) > 0
    with pytest.raises(dither.Withheld):
        dither.judge(df, df, "ill", paired=True)


def test_nothing_is_left_behind() -> None:
    with private() as folder:
        assert folder.stat().st_mode & 0o077 == 0
        beside = folder.parent
    before = {p for p in beside.glob("dither-*")}
    dither.protect(people(100), "ill", limits="none", report=True)
    with pytest.raises(dither.DitherError):
        dither.protect(people(100), "absent")
    assert {p for p in beside.glob("dither-*")} <= before


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_ends_the_program() -> None:
    script = (
        "import dither, numpy as np, pandas as pd, sys\n"
        "r = np.random.default_rng(1); n = 200_000\n"
        "df = pd.DataFrame({c: r.normal(size=n) for c in 'abcdefgh'}); df['y'] = r.choice(['p', 'q'], n)\n"
        "print('begun', flush=True)\n"
        "try: dither.compare(df, 'y', method=['framework', 'gadp'], repeats=20)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    below = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    for _ in range(600):
        if not below.exists() or below.read_text().strip():
            break
        time.sleep(0.1)
    program = below.read_text().split() if below.exists() else []
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=120)
    assert "interrupted" in out
    for _ in range(600):  # one whose start was interrupted ends when its pipes are closed
        if not [p for p in program if Path(f"/proc/{p}").exists()]:
            break
        time.sleep(0.1)
    else:
        pytest.fail("the program goes on")


def test_calls_from_several_threads() -> None:
    got: list[dither.Release] = []
    threads = [
        threading.Thread(target=lambda: got.append(dither.protect(people(100), "ill", limits="none", seed=SEED)))
        for _ in range(3)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len({g.stream for g in got}) == 1


def test_dates_without_a_zone() -> None:
    df = people(200)[["age", "ill"]].assign(day=[dt.date(2024, 1, 1) + dt.timedelta(days=i) for i in range(200)])
    got = dither.protect(df, "ill", limits="none").data
    assert isinstance(got["day"][0], dt.date)


def test_a_value_that_does_not_fit_is_not_bent() -> None:
    from dither._tables import Source

    df = pd.DataFrame({
        "b": [True, False, True], "i": np.array([1, 2, 3], dtype="int8"), "n": pd.array([1, 2, None], dtype="Int8"),
    })
    got = Source(df).back(pa.table({"b": pa.array([True, None, False]), "i": [1, 300, 3], "n": pa.array([1, 300, None])}))
    assert got["b"].isna().tolist() == [False, True, False], "a value that was suppressed is not False"
    assert got["i"].tolist() == [1, 300, 3] and got["n"][1] == 300
    frame = pl.DataFrame({"i": pl.Series([1, 2], dtype=pl.Int8), "e": pl.Series(["a", "b"]).cast(pl.Enum(["a", "b"]))})
    back = Source(frame).back(pa.table({"i": [300, 1], "e": ["a", "[a, b]"]}))
    assert back["i"].to_list() == [300, 1] and back["e"].to_list() == ["a", "[a, b]"]


def test_what_was_not_judged_is_not_passed() -> None:
    df = people(300)
    made = dither.protect(df, "ill", limits="none", seed=SEED)
    with pytest.raises(dither.Withheld):
        dither.judge(df, made, "ill", measure="uniqueness")
    assert dither.judge(df, made, "ill", measure="uniqueness", limits="none").verdict.state == "not judged"


def test_no_candidate_of_choose() -> None:
    with pytest.raises(dither.Withheld) as e:
        dither.choose(people(200), "ill", method="rankswap", set={"p": 1})
    assert str(e.value)


def test_errors_beside_a_call() -> None:
    def broken(work: str, done: int, total: int) -> None:
        raise RuntimeError("of the caller")

    with pytest.raises(RuntimeError, match="of the caller"):
        dither.protect(people(100), "ill", limits="none", progress=broken)
    with pytest.raises(dither.UsageError, match="output is no argument"):
        dither.protect(people(100), "ill", output="release.csv")


def test_files_that_are_kept(tmp_path: Path) -> None:
    made = dither.protect(people(), "ill", limits="none", plan_out=tmp_path / "plan.json", record=tmp_path / "run.json")
    assert made.plan == (tmp_path / "plan.json").read_bytes() and made.record == (tmp_path / "run.json").read_bytes()


def test_half_a_table_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from dither import _call

    def half(pipe: object, table: pa.Table) -> None:
        with pipe, pa.ipc.new_stream(pipe, table.schema) as w:  # type: ignore[attr-defined]
            w.write_table(table.slice(0, table.num_rows // 2))
            raise OSError("no memory")

    monkeypatch.setattr(_call, "_send", half)
    with pytest.raises(OSError, match="no memory"):
        dither.protect(people(200), "ill", limits="none")
