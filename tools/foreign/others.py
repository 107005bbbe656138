"""Prints what DuckDB reads of a Parquet or JSON file, or pyarrow of an Arrow file, for the program beside this file."""

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


def duck(source):
    """What DuckDB reads: the texts of its values; bytes where they are text, and no intervals and nothing nested."""
    duckdb.sql("set TimeZone = 'UTC'")
    table = duckdb.sql(f"from {source}")
    out = {"Names": [], "Cells": [], "Left": []}
    for name, kind in zip(table.columns, map(str, table.types)):
        column = '"' + name.replace('"', '""') + '"'
        if "[" in kind or kind.startswith(("STRUCT", "MAP", "UNION", "INTERVAL", "GEOMETRY")) or kind == "JSON":
            out["Left"].append(name)
            continue
        try:
            value = f"decode({column})" if kind == "BLOB" else f"{column}::varchar"
            rows = duckdb.sql(f"select {value} from {source}").fetchall()
            out["Cells"].append([None if row[0] in ("nan", "-nan") else row[0] for row in rows])
            out["Names"].append(name)
        except duckdb.ConversionException:
            out["Left"].append(name)
    return out


def parquet(source):
    """What DuckDB reads, or else pyarrow, which reads some files that DuckDB does not."""
    try:
        return duck(source)
    except Exception as refused:
        try:
            return wanted(pyarrow.parquet.ParquetFile(path).read())
        except Exception:
            raise refused


try:
    quoted = path.replace("'", "''")
    if path.endswith(".parquet"):
        out = parquet(f"read_parquet('{quoted}')")
    elif path.endswith(("json", "jsonl")):
        out = duck(f"read_json_auto('{quoted}', sample_size = -1)")
    else:
        try:
            out = wanted(pa.ipc.open_file(path).read_all())
        except pa.ArrowInvalid:
            out = wanted(pa.ipc.open_stream(path).read_all())
except Exception as e:
    out = {"Error": f"{type(e).__name__}: {e}"[:200]}
json.dump(out, sys.stdout)
