"""Prints the content of a Parquet, Arrow or JSON file as pyarrow or DuckDB reads it, for the program beside this file."""

import datetime
import json
import sys

import duckdb
import pyarrow as pa
import pyarrow.compute
import pyarrow.feather
import pyarrow.parquet

path = sys.argv[1]


def text(value):
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)


def fits(kind):
    return not (pa.types.is_nested(kind) or pa.types.is_duration(kind) or pa.types.is_interval(kind))


def wanted(table):
    out = {"Names": [], "Cells": [], "Left": []}
    for name, column in zip(table.column_names, table.columns):
        kind = column.type
        if isinstance(kind, pa.ExtensionType) or pa.types.is_float32(kind) or pa.types.is_float16(kind):
            column = column.cast(kind.storage_type if isinstance(kind, pa.ExtensionType) else pa.string())
        if pa.types.is_timestamp(kind):
            column = column.cast(pa.timestamp(kind.unit)).cast(pa.string())
        if pa.types.is_time(kind) or pa.types.is_date(kind):
            column = column.cast(pa.string())
        if pa.types.is_floating(kind) and pa.types.is_string(column.type):
            column = pa.compute.if_else(pa.compute.equal(column, "nan"), None, column)
        try:
            if not fits(kind):
                raise UnicodeDecodeError("utf-8", b"", 0, 0, "nested")
            out["Cells"].append([text(v) for v in column.to_pylist()])
            out["Names"].append(name)
        except UnicodeDecodeError:
            out["Left"].append(name)
    return out


try:
    if path.endswith(".parquet"):
        out = wanted(pyarrow.parquet.ParquetFile(path).read())
    elif path.endswith(("json", "jsonl")):
        table = duckdb.sql(f"from read_json_auto('{path}', sample_size = -1)")
        out = {"Names": table.columns, "Left": [], "Cells": []}
        for name, kind in zip(table.columns, table.types):
            if "[" in str(kind) or "STRUCT" in str(kind) or "MAP" in str(kind) or str(kind) == "JSON":
                out["Left"].append(name)
        rows = duckdb.sql(f"select columns(*)::varchar from read_json_auto('{path}', sample_size = -1)").fetchall()
        out["Cells"] = [list(column) for column in zip(*rows)] or [[] for _ in table.columns]
    else:
        try:
            out = wanted(pa.ipc.open_file(path).read_all())
        except pa.ArrowInvalid:
            out = wanted(pa.ipc.open_stream(path).read_all())
except Exception as e:
    out = {"Error": f"{type(e).__name__}: {e}"[:200]}
json.dump(out, sys.stdout)
