"""Tables of several libraries as Arrow tables, and back as they came."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
import pyarrow as pa

from dither._errors import UsageError

# What the program reads by itself: a file, or the address of a table in a database.
Place = Union[str, "os.PathLike[str]"]


class Source:
    """A table that a caller gave, and how to give one like it back."""

    def __init__(self, data: Any) -> None:
        self.place: Optional[str] = None
        self.table: Optional[pa.Table] = None
        self.notes: list[str] = []
        self._back: Callable[[pa.Table], Any] = lambda t: t
        if isinstance(data, (str, os.PathLike)):
            self.place = os.fspath(data)
            return
        library = type(data).__module__.split(".")[0]
        if library == "pandas":
            self._pandas(data)
        elif library == "polars":
            self._polars(data)
        elif isinstance(data, pa.RecordBatch):
            self.table = pa.Table.from_batches([data])
            self._back = _one_batch
        elif isinstance(data, pa.Table):
            self.table = data
        elif hasattr(data, "__arrow_c_stream__") or isinstance(data, pa.RecordBatchReader):
            self.table = pa.table(data)
        else:
            raise UsageError(
                f"{type(data).__module__}.{type(data).__name__} is no table: give a pandas or polars frame, an Arrow "
                "table, anything with __arrow_c_stream__, a path or the address of a database"
            )

    @property
    def argument(self) -> str:
        """What stands for the table among the arguments."""
        return "-" if self.place is None else self.place

    def file(self, path: os.PathLike[str]) -> str:
        """The path of a file with the table: its own, or this one, which is written."""
        if self.table is None:
            return self.argument
        with pa.ipc.new_stream(os.fspath(path), self.table.schema) as w:
            w.write_table(self.table)
        return os.fspath(path)

    def back(self, table: pa.Table) -> Any:
        """A table of the kind that the caller gave."""
        return self._back(table)

    def _polars(self, data: Any) -> None:
        import polars as pl

        frame = data.collect() if isinstance(data, pl.LazyFrame) else data
        schema = frame.schema
        self.table = frame.to_arrow()

        def back(table: pa.Table) -> Any:
            out = pl.DataFrame(pl.from_arrow(table))
            for name, typ in schema.items():
                if name not in out.columns or out.schema[name] == typ:
                    continue
                with contextlib.suppress(pl.exceptions.PolarsError):  # else values of the release do not fit the type
                    out = out.with_columns(pl.col(name).cast(typ, strict=True))
            return out

        self._back = back

    def _pandas(self, data: Any) -> None:
        import pandas as pd

        if not isinstance(data, pd.DataFrame):
            raise UsageError(f"a pandas {type(data).__name__} is no table: give a DataFrame (Series.to_frame())")
        if not all(isinstance(c, str) for c in data.columns):
            raise UsageError("the names of columns must be texts: df.columns = df.columns.astype(str)")
        frame = data.reset_index(drop=True)
        for name in frame.columns:
            if isinstance(frame[name].dtype, (pd.PeriodDtype, pd.IntervalDtype)):
                frame[name] = frame[name].astype("string")
        plain = isinstance(data.index, pd.RangeIndex) and data.index.name is None
        if not plain:
            self.notes.append(
                "the index is not released: df.reset_index() makes a column of it; index=\"keep\" with "
                "keep_order=True gives it back"
            )
        if data.attrs:
            self.notes.append("df.attrs are not released")
        self.table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
        dtypes = {name: _declared(frame[name]) for name in frame.columns}
        self._back = lambda table: _like_pandas(table, dtypes)


def _one_batch(table: pa.Table) -> pa.RecordBatch:
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)


def _like_pandas(table: pa.Table, dtypes: dict[str, Any]) -> Any:
    """A frame of the types that columns of these names had, where their values allow that."""
    import pandas as pd

    columns = {}
    for name in table.column_names:
        values, dtype = table.column(name), dtypes.get(name)
        columns[name] = _like_series(values, dtype, pd)
    return pd.DataFrame(columns, columns=table.column_names, copy=False)


def _like_series(values: pa.ChunkedArray, dtype: Any, pd: Any) -> Any:
    if isinstance(dtype, _Categories):
        return _like_categories(values, dtype, pd)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    nullable = {
        "Int8": pd.Int8Dtype, "Int16": pd.Int16Dtype, "Int32": pd.Int32Dtype, "Int64": pd.Int64Dtype,
        "UInt8": pd.UInt8Dtype, "UInt16": pd.UInt16Dtype, "UInt32": pd.UInt32Dtype, "UInt64": pd.UInt64Dtype,
        "boolean": pd.BooleanDtype, "Float32": pd.Float32Dtype, "Float64": pd.Float64Dtype,
    }
    made = nullable.get(str(dtype))
    if made is not None:
        try:
            return pd.Series(made().__from_arrow__(values.cast(_arrow_of(str(dtype)))))
        except pa.ArrowInvalid:  # a value does not fit
            return values.to_pandas()
    series = values.to_pandas()
    if dtype is None or series.dtype == dtype:
        return series
    try:
        typed = series.astype(dtype)
    except (TypeError, ValueError):  # missing values among whole numbers, say
        return series
    return typed if _same(series, typed) else series


def _same(series: Any, typed: Any) -> bool:
    """Whether a change of the type changed no value. A floating-point number may lose digits, and nothing else may."""
    missing = series.isna()
    if not missing.equals(typed.isna()):  # a missing truth value would be False
        return False
    if typed.dtype.kind == "f" and series.dtype.kind == "f":
        return bool(np.isfinite(typed[~missing]).equals(np.isfinite(series[~missing])))
    return bool((series[~missing] == typed[~missing]).all())


def _arrow_of(name: str) -> pa.DataType:
    if name == "boolean":
        return pa.bool_()
    return pa.type_for_alias(name.lower().replace("float32", "float").replace("float64", "double"))


def _declared(column: Any) -> Any:
    """The type of a column. Its categories are those that some record holds, unless some are there that none holds.

    A list with unused categories was declared, so it tells nothing of the records and is given back whole. One without
    may come from the records: a category that the release lacks would tell that somebody had it.
    """
    import pandas as pd

    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column.dtype
    codes = column.cat.codes.to_numpy()
    whole = not np.bincount(codes[codes >= 0], minlength=len(column.cat.categories)).all()
    return _Categories(column.dtype.categories, bool(column.dtype.ordered), whole)


@dataclass
class _Categories:
    """Categories, and whether all of them belong to the type whatever the records hold."""

    categories: Any
    ordered: bool
    whole: bool


def _like_categories(values: pa.ChunkedArray, dtype: _Categories, pd: Any) -> Any:
    """Categories in the order that they had; new ones, such as ranges of numbers, behind them."""
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    coded = values.unify_dictionaries().combine_chunks()
    if isinstance(coded, pa.ChunkedArray):  # of no records
        coded = pa.array([], type=values.type)
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    labels = coded.dictionary.to_pandas()
    known = dtype.categories
    if labels.dtype != known.dtype:
        try:
            labels = labels.astype(known.dtype)
        except (TypeError, ValueError):
            return values.to_pandas()
    held = np.bincount(codes[codes >= 0], minlength=len(labels)) > 0
    if not dtype.whole:
        known = known[known.isin(labels[held])]
    fresh = labels[held & ~labels.isin(known).to_numpy()]
    if len(fresh):
        known = known.append(pd.Index(fresh.sort_values()))
    places = np.append(known.get_indexer(labels), -1)  # the last one is that of a missing value
    places = places.astype(np.min_scalar_type(-len(known) - 1))
    return pd.Series(pd.Categorical.from_codes(places[codes], categories=known, ordered=dtype.ordered, validate=False))
