"""Writes Parquet files as pyarrow and DuckDB write them: what main.go says."""

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

made = """select i as i32, i * 1000000::bigint as i64, case when i % 7 <> 3 then i // 20 % 2 = 0 or i % 5 = 0 end as b,
    case when i % 7 <> 3 then 'label' || (i % 9) end as s, i / 8 as d, (i / 4)::decimal(10, 2) as dec,
    timestamp '2026-01-01' + interval (i) second as at, time '08:30:00' + interval (i) second as tod,
    ('00000000-0000-0000-0000-0000000000' || (10 + i))::uuid as u, (i::hugeint * 10 ** 20)::decimal(38, 0) as huge
    from (select range::int as i from range(75))"""
for version in "V1", "V2":
    duckdb.sql(f"copy ({made}) to '{folder}/duckdb-{version.lower()}.parquet' (format parquet, parquet_version {version})")
