// Command parquetfiles writes the Parquet files that the reader of package format/parquet is tested with, by another
// writer than its own: a file for each version of pages and each compression, with a column for each type and each
// encoding that it may have. It is a module of its own, so that nothing else depends on that writer.
//
//	go run -C tools/parquetfiles . ../../format/parquet/testdata/golden
//	python3 tools/parquetfiles/more.py format/parquet/testdata/golden format/arrow/testdata
//
// The second command writes those of pyarrow and DuckDB (pip install pyarrow duckdb).
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// rows is how many records a file has: enough for several pages, and runs of packed values that end early.
const rows = 75

var codecs = []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Gzip,
	compress.Codecs.Brotli, compress.Codecs.Zstd, compress.Codecs.Lz4Raw}

const dictionary = "DICTIONARY"

var (
	plain   = parquet.Encodings.Plain.String()
	split   = parquet.Encodings.ByteStreamSplit.String()
	deltas  = parquet.Encodings.DeltaBinaryPacked.String()
	lengths = parquet.Encodings.DeltaLengthByteArray.String()
)

// kinds are the types with their encodings; DELTA_BYTE_ARRAY is left to more.py, as this writer's is unsound.
var kinds = []struct {
	typ       parquet.Type
	encodings []string
}{
	{parquet.Types.Boolean, []string{plain, parquet.Encodings.RLE.String()}},
	{parquet.Types.Int32, []string{plain, dictionary, deltas, split}},
	{parquet.Types.Int64, []string{plain, dictionary, deltas, split}},
	{parquet.Types.Int96, []string{plain, dictionary}},
	{parquet.Types.Float, []string{plain, dictionary, split}},
	{parquet.Types.Double, []string{plain, dictionary, split}},
	{parquet.Types.ByteArray, []string{plain, dictionary, lengths}},
	{parquet.Types.FixedLenByteArray, []string{plain, dictionary, split}},
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("give the folder to write to")
	}
	for version, pages := range map[string]parquet.DataPageVersion{"v1": parquet.DataPageV1, "v2": parquet.DataPageV2} {
		for _, codec := range codecs {
			name := filepath.Join(os.Args[1], strings.ToLower(fmt.Sprintf("%s-%s.parquet", version, codec)))
			f, err := os.Create(name)
			if err != nil {
				log.Fatal(err)
			}
			if err := write(f, pages, codec); err != nil {
				log.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// write writes a file. Every second column has no nulls, and each encoding has one of both.
func write(w io.Writer, pages parquet.DataPageVersion, codec compress.Compression) error {
	var fields schema.FieldList
	props := []parquet.WriterProperty{parquet.WithVersion(parquet.V2_LATEST), parquet.WithDataPageVersion(pages),
		parquet.WithCompression(codec), parquet.WithDataPageSize(100), parquet.WithBatchSize(20), parquet.WithStats(false),
		parquet.WithDictionaryDefault(false), parquet.WithCreatedBy("arrow-go")}
	for _, k := range kinds {
		for _, encoding := range k.encodings {
			for _, repetition := range []parquet.Repetition{parquet.Repetitions.Optional, parquet.Repetitions.Required} {
				name := fmt.Sprintf("%s %s %s", k.typ, encoding, repetition)
				node, err := schema.NewPrimitiveNode(name, repetition, k.typ, -1, 4)
				if err != nil {
					return err
				}
				fields = append(fields, node)
				if encoding == dictionary {
					props = append(props, parquet.WithDictionaryFor(name, true))
					continue
				}
				props = append(props, parquet.WithEncodingFor(name, named(encoding)))
			}
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	out := file.NewParquetWriter(w, root, file.WithWriterProps(parquet.NewWriterProperties(props...)))
	group := out.AppendRowGroup()
	for range fields {
		c, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := column(c); err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return out.Close()
}

// named returns the encoding of that name.
func named(name string) parquet.Encoding {
	for _, e := range []parquet.Encoding{parquet.Encodings.Plain, parquet.Encodings.RLE, parquet.Encodings.ByteStreamSplit,
		parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray} {
		if e.String() == name {
			return e
		}
	}
	panic("no encoding " + name)
}

// column writes the values, a few at a time so that there are several pages: what golden_test.go of the reader expects.
func column(c file.ColumnChunkWriter) error {
	for lo := 0; lo < rows; lo += 20 {
		hi := min(rows, lo+20)
		levels := make([]int16, 0, hi-lo)
		for i := lo; i < hi; i++ {
			levels = append(levels, 1)
			if i%7 == 3 && c.Descr().MaxDefinitionLevel() > 0 {
				levels[i-lo] = 0
			}
		}
		if err := batch(c, levels, lo); err != nil {
			return err
		}
	}
	return nil
}

// batch writes some values, of which the first is that of row lo.
func batch(c file.ColumnChunkWriter, levels []int16, lo int) (err error) {
	switch c := c.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) bool { return i/20%2 == 0 || i%5 == 0 }), levels, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) int32 { return int32(i*i*i%1009) - 500 }), levels, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) int64 { return int64(i%9-4) * 1e12 }), levels, nil)
	case *file.Int96ColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) parquet.Int96 {
			var v parquet.Int96 // nanoseconds of the day, and the Julian day
			v.SetNanoSeconds(int64(i%9) * 1_000_001_000)
			binary.LittleEndian.PutUint32(v[8:], uint32(2_440_588+i%9-4))
			return v
		}), levels, nil)
	case *file.Float32ColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) float32 { return float32(i%9)/10 - 0.3 }), levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) float64 { return float64(i%9)/8 - 0.25 }), levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) parquet.ByteArray {
			return parquet.ByteArray("label"[:i%6] + strings.Repeat("é", i%4))
		}), levels, nil)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(some(levels, lo, func(i int) parquet.FixedLenByteArray {
			return parquet.FixedLenByteArray(fmt.Sprintf("x%03d", i%30))
		}), levels, nil)
	}
	return err
}

// some are the values of the rows that have one.
func some[T any](levels []int16, lo int, value func(i int) T) (out []T) {
	for k, level := range levels {
		if level > 0 {
			out = append(out, value(lo+k))
		}
	}
	return out
}
