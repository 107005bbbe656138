"""Writes Parquet files, and Arrow files, as pyarrow and DuckDB write them: what main.go says."""

import sys
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1]
rows = range(75)


def some(value):
    return [None if i % 7 == 3 else value(i) for i in rows]


texts = pa.table({
    "BYTE_ARRAY DELTA_BYTE_ARRAY OPTIONAL": pa.array(some(lambda i: "label"[:i % 6] + "é" * (i % 4))),
    "FIXED_LEN_BYTE_ARRAY DELTA_BYTE_ARRAY OPTIONAL": pa.array(some(lambda i: b"x%03d" % (i % 30)), pa.binary(4)),
})
for version in "1.0", "2.0":
    for codec in "none", "zstd", "lz4":
        pq.write_table(texts, f"{folder}/pyarrow-{version[0]}-{codec}.parquet", data_page_version=version, compression=codec,
                       use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY", data_page_size=200, write_batch_size=20,
                       write_statistics=False, store_schema=False)

types = pa.table({
    "null": pa.nulls(75),
    "time32": pa.array(some(lambda i: time(i % 24, i % 60, 1, 5000)), pa.time32("ms")),
    "time64": pa.array(some(lambda i: time(i % 24, i % 60, 1, 5)), pa.time64("us")),
    "decimal9": pa.array(some(lambda i: Decimal(i - 30) / 4), pa.decimal128(9, 2)),
    "decimal18": pa.array(some(lambda i: Decimal(i - 30) / 4), pa.decimal128(18, 2)),
    "decimal38": pa.array(some(lambda i: Decimal(i - 30) / 4), pa.decimal128(38, 18)),
    "wide": pa.array(some(lambda i: Decimal(10**30 + i)), pa.decimal128(38, 0)),
    "half": pa.array(some(lambda i: (i - 30) / 8), pa.float32()).cast(pa.float16()),
    "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array(some(lambda i: UUID(int=i << 64).bytes), pa.binary(16))),
    "date": pa.array(some(lambda i: date(2026, 1, 1 + i % 28))),
    "bytes": pa.array(some(lambda i: b"\xff\xfe")),
    "floats": pa.array(some(lambda i: [0.5])),
    "map": pa.array(some(lambda i: [("a", i)]), pa.map_(pa.string(), pa.int32())),
    "struct": pa.array(some(lambda i: {"x": i, "y": "z"})),
    "last": pa.array(some(lambda i: i)),
})
pq.write_table(types, f"{folder}/pyarrow-types.parquet", compression="lz4", write_statistics=False, store_schema=False)
pq.write_table(pa.table({"int96": pa.array(some(lambda i: datetime(2026, 1, 1, i % 24, 0, 1, 5)))}),
               f"{folder}/pyarrow-int96.parquet", use_deprecated_int96_timestamps=True, store_schema=False)

text = pa.array(some(lambda i: "c"))
lists = pa.array(some(lambda i: [i, None, 7]), pa.list_(pa.int16()))
numbers = pa.array(range(75), pa.int32())
arrow = pa.table({
    "list": lists,
    "null": pa.nulls(75),
    "large list": lists.cast(pa.large_list(pa.int16())),
    "time32": types["time32"],
    "fixed list": pa.array(some(lambda i: [0.5, 1.5]), pa.list_(pa.float64(), 2)),
    "time64": types["time64"],
    "list view": pa.array(some(lambda i: ["a longer text than twelve", "b"]), pa.list_view(pa.string_view())),
    "decimal32": pa.array(some(lambda i: Decimal(i - 30) / 4), pa.decimal32(9, 2)),
    "struct": pa.StructArray.from_arrays([lists, text.dictionary_encode()], ["x", "y"]),
    "decimal128": types["decimal38"],
    "map": types["map"],
    "wide": pa.array(some(lambda i: Decimal(-(10**30) - i)), pa.decimal128(38, 0)),
    "sparse union": pa.UnionArray.from_sparse(pa.array([0, 1, 0] * 25, pa.int8()), [numbers, text]),
    "wider": pa.array(some(lambda i: Decimal(10**50 + i)), pa.decimal256(60, 0)),
    "dense union": pa.UnionArray.from_dense(pa.array([0, 1, 0] * 25, pa.int8()), numbers, [numbers, text]),
    "uuid": types["uuid"],
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([30, 75], pa.int16()), pa.array(["a", "b"])),
    "fixed": pa.array(some(lambda i: b"x%03d" % i), pa.binary(4)),
    "duration": pa.array(some(lambda i: i), pa.duration("ms")),
    "binary": pa.array(some(lambda i: b"b%d" % i), pa.binary()),
    "interval": pa.array(some(lambda i: (1, i, 2)), pa.month_day_nano_interval()),
    "large": pa.array(some(lambda i: b"b%d" % i), pa.large_binary()),
    "bytes": types["bytes"],
    "view": pa.array(some(lambda i: b"a longer text %d" % i), pa.binary_view()),
    "coded list": pa.DictionaryArray.from_arrays(pa.array([0, 1, 0] * 25, pa.int8()), pa.array([[1], [2, 3]])),
    "coded": pa.array(some(lambda i: Decimal(2 * (i % 3) + 1) / 2), pa.decimal128(10, 2)).dictionary_encode(),
    "infinite": pa.array(some(lambda i: float("inf"))),
    "last": types["last"],
})
for name, new in ("types.arrow", pa.ipc.new_file), ("types.arrows", pa.ipc.new_stream):
    with new(f"{sys.argv[2]}/{name}", arrow.schema) as sink:
        sink.write_table(arrow, max_chunksize=40)

made = """select i as i32, i * 1000000::bigint as i64, case when i % 7 <> 3 then i // 20 % 2 = 0 or i % 5 = 0 end as b,
    case when i % 7 <> 3 then 'label' || (i % 9) end as s, i / 8 as d, (i / 4)::decimal(10, 2) as dec,
    timestamp '2026-01-01' + interval (i) second as at, time '08:30:00' + interval (i) second as tod,
    ('00000000-0000-0000-0000-0000000000' || (10 + i))::uuid as u, (i::hugeint * 10 ** 20)::decimal(38, 0) as huge
    from (select range::int as i from range(75))"""
for version in "V1", "V2":
    duckdb.sql(f"copy ({made}) to '{folder}/duckdb-{version.lower()}.parquet' (format parquet, parquet_version {version})")
