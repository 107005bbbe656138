package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// made is a file of one column with one page of values, made by hand.
type made struct {
	typ        format.Type
	length     int32 // of values of a fixed length
	dates      bool  // the values count milliseconds
	optional   bool
	encoding   format.Encoding
	codec      format.CompressionCodec
	second     bool  // a page of version 2
	values     int32 // that the header of the page states
	rows       int64 // that the footer states; 0: as many
	size       int32 // of the unpacked page, as its header states; 0: as it is packed
	page       []byte
	levels     []byte // of definition, in a page of version 2
	plainly    bool   // a page of version 2 says that it is not packed
	by         string // who made the file
	packed     bool   // the levels of a page of version 1 are packed from the highest bit on
	dictionary []byte // its page; nil: none
	entries    int32
	children   int32 // of the schema's root; 0: 1
}

// packed writes a value as Thrift does.
func packed(t *testing.T, v any) []byte {
	t.Helper()
	return must.Get(thrift.Marshal(new(thrift.CompactProtocol), v))(t)
}

func (m *made) file(t *testing.T) []byte {
	out := []byte("PAR1")
	chunk := format.ColumnMetaData{
		Type:         m.typ,
		Encoding:     []format.Encoding{m.encoding},
		PathInSchema: []string{"x"},
		Codec:        m.codec,
	}
	if m.dictionary != nil {
		chunk.DictionaryPageOffset = int64(len(out))
		n := int32(len(m.dictionary))
		h := format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: n, CompressedPageSize: n,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: m.entries, Encoding: format.Plain})}
		out = append(append(out, packed(t, &h)...), m.dictionary...)
	}
	chunk.DataPageOffset = int64(len(out))
	body := append(slices.Clone(m.levels), m.page...)
	h := format.PageHeader{
		Type:                 format.DataPage,
		UncompressedPageSize: int32(len(body)),
		CompressedPageSize:   int32(len(body)),
	}
	if m.size > 0 {
		h.UncompressedPageSize = m.size
	}
	if m.second {
		h.Type = format.DataPageV2
		h.DataPageHeaderV2 = thrift.New(
			format.DataPageHeaderV2{
				NumValues:                  m.values,
				NumRows:                    m.values,
				Encoding:                   m.encoding,
				DefinitionLevelsByteLength: int32(len(m.levels)),
				IsCompressed:               thrift.New(m.codec != format.Uncompressed && !m.plainly),
			},
		)
	} else {
		h.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: m.values, Encoding: m.encoding,
			DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})
		if m.packed {
			h.DataPageHeader.V.DefinitionLevelEncoding = format.BitPacked
		}
	}
	out = append(append(out, packed(t, &h)...), body...)
	rows := m.rows
	if rows == 0 {
		rows = int64(m.values)
	}
	chunk.NumValues, chunk.TotalCompressedSize, chunk.TotalUncompressedSize = rows, int64(len(out)-4), int64(len(out)-4)
	leaf := format.SchemaElement{Type: thrift.New(m.typ), RepetitionType: thrift.New(format.Required), Name: "x"}
	if m.optional {
		leaf.RepetitionType = thrift.New(format.Optional)
	}
	if m.length > 0 {
		leaf.TypeLength, leaf.LogicalType = thrift.New(m.length), format.LogicalType{Value: &format.DecimalType{Precision: 9}}
	}
	if m.dates {
		leaf.LogicalType = format.LogicalType{
			Value: &format.TimestampType{Unit: format.TimeUnit{Value: &format.MilliSeconds{}}},
		}
	}
	footer := packed(
		t,
		&format.FileMetaData{
			Version:   1,
			NumRows:   rows,
			CreatedBy: m.by,
			Schema:    []format.SchemaElement{{Name: "root", NumChildren: thrift.New(max(1, m.children))}, leaf},
			RowGroups: []format.RowGroup{
				{
					NumRows:       rows,
					TotalByteSize: chunk.TotalCompressedSize,
					Columns:       []format.ColumnChunk{{FileOffset: 4, MetaData: chunk}},
				},
			},
		},
	)
	return ended(append(out, footer...), len(footer))
}

// ended ends a file with the length of its footer.
func ended(data []byte, footer int) []byte {
	return append(binary.LittleEndian.AppendUint32(data, uint32(footer)), "PAR1"...)
}

// run is so many equal values.
func run(values uint64, value ...byte) []byte {
	return append(binary.AppendUvarint(nil, values<<1), value...)
}

// led is data behind their length.
func led(data []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...)
}

// differences are so many values, each so much more than the one before, that begin with one; they say that there are
// so many.
func differences(stated, values uint64, first, by int64) []byte {
	out := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, 1<<16), 4), stated)
	out = binary.AppendVarint(out, first)
	for n := uint64(1); n < values; n += 1 << 16 {
		out = append(binary.AppendVarint(out, by), 0, 0, 0, 0)
	}
	return out
}

// zipped packs data in a way.
func zipped(t *testing.T, codec format.CompressionCodec, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch codec {
	case format.Snappy:
		return snappy.Encode(nil, data)
	case format.Zstd:
		e := must.Get(zstd.NewWriter(nil))(t)
		return e.EncodeAll(data, nil)
	case format.Lz4Raw:
		out := make([]byte, lz4.CompressBlockBound(len(data)))
		n := must.Get(lz4.CompressBlock(data, out, nil))(t)
		return out[:n]
	case format.Gzip:
		w := gzip.NewWriter(&out)
		if _, err = w.Write(data); err == nil {
			err = w.Close()
		}
	case format.Brotli:
		w := brotli.NewWriter(&out)
		if _, err = w.Write(data); err == nil {
			err = w.Close()
		}
	}
	must.NoError(t, err)
	return out.Bytes()
}

// bombs are small files that state, in a place of their own each, what would take gigabytes.
func bombs(t *testing.T) map[string][]byte {
	const most = math.MaxInt32
	zeros, texts := make([]byte, 64<<20), prefixes(t, 1<<16, 1<<20)
	out := map[string][]byte{}
	for name, m := range map[string]made{
		"levels": {typ: format.Int32, optional: true, values: 3, page: append(led(run(most, 1)), make([]byte, 12)...)},
		"levels of version 2": {typ: format.Int32, optional: true, second: true, values: 3, levels: run(most, 1),
			page: make([]byte, 12)},
		"many runs of levels": {typ: format.Int32, optional: true, values: 3,
			page: append(led(bytes.Repeat(run(1<<24, 1), 100)), make([]byte, 12)...)},
		"indexes": {typ: format.ByteArray, encoding: format.RLEDictionary, values: 3,
			dictionary: led([]byte("a")), entries: 1, page: append([]byte{1}, run(most, 0)...)},
		"indexes of no bits": {typ: format.ByteArray, encoding: format.RLEDictionary, values: 3,
			dictionary: led([]byte("a")), entries: 1, page: append([]byte{0}, binary.AppendUvarint(nil, 1<<28|1)...)},
		"booleans":    {typ: format.Boolean, encoding: format.RLE, values: 3, page: led(run(most, 1))},
		"differences": {typ: format.Int32, encoding: format.DeltaBinaryPacked, values: 3, page: differences(most, 3, 1, 1)},
		"long differences": {typ: format.Int64, encoding: format.DeltaBinaryPacked, values: 3,
			page: differences(most, 3, 1, 1)},
		"whole differences": {typ: format.Int32, encoding: format.DeltaBinaryPacked, values: 3,
			page: differences(1<<28, 1<<28, 1, 0)},
		"lengths": {typ: format.ByteArray, encoding: format.DeltaLengthByteArray, values: 3,
			page: differences(most, 3, 0, 0)},
		"prefixes": {typ: format.ByteArray, encoding: format.DeltaByteArray, values: 1 << 16,
			codec: format.Zstd, size: int32(len(texts)), page: zipped(t, format.Zstd, texts)},
		"counts of prefixes": {typ: format.ByteArray, encoding: format.DeltaByteArray, values: 3,
			page: append(differences(3, 3, 0, 0), differences(most, 3, 0, 0)...)},
		"long values": {typ: format.FixedLenByteArray, length: most, encoding: format.DeltaByteArray, values: 3,
			page: append(differences(3, 3, 0, 0), differences(3, 3, 0, 0)...)},
		"a dictionary of entries": {typ: format.ByteArray, encoding: format.RLEDictionary, values: 3,
			dictionary: led([]byte("a")), entries: most, page: append([]byte{1}, run(3, 0)...)},
		"rows": {typ: format.Int64, encoding: format.DeltaBinaryPacked, values: most,
			page: differences(most, 1, 1, 1)},
		"rows of the footer": {typ: format.Int64, values: 3, rows: 1 << 40, page: make([]byte, 24)},
		"an unpacked size": {typ: format.Int64, values: 3, codec: format.Zstd, size: most,
			page: zipped(t, format.Zstd, make([]byte, 24))},
		"children": {typ: format.Int64, values: 3, children: most, page: make([]byte, 24)},
		"labels of differences": {typ: format.Int64, encoding: format.DeltaBinaryPacked, values: 10e6,
			page: differences(10e6, 10e6, 1<<60, 1)},
		"labels of dates": {typ: format.Int64, dates: true, encoding: format.DeltaBinaryPacked, values: 2e6,
			page: differences(2e6, 2e6, 1<<60, 1)},
		"more than 4 GB in Snappy": {typ: format.Int64, values: 3, codec: format.Snappy, size: 24,
			page: binary.AppendUvarint(nil, math.MaxUint32)},
	} {
		out[name] = m.file(t)
	}
	for _, codec := range []format.CompressionCodec{format.Snappy, format.Zstd, format.Gzip, format.Brotli,
		format.Lz4Raw} {
		m := made{typ: format.Int64, values: 3, codec: codec, size: 24, page: zipped(t, codec, zeros)}
		if codec == format.Snappy { // packs twenty bytes in one at most
			m.page = zipped(t, codec, zeros[:1<<20])
		}
		out["more than stated in "+codec.String()] = m.file(t)
	}
	deep := slices.Repeat(
		[]format.SchemaElement{{Name: "g", NumChildren: thrift.New[int32](1), RepetitionType: thrift.New(format.Required)}},
		30_000)
	deep = append(deep,
		format.SchemaElement{Type: thrift.New(format.Int32), Name: "x", RepetitionType: thrift.New(format.Required)})
	for name, footer := range map[string][]byte{
		"groups in groups":     packed(t, &format.FileMetaData{Version: 1, Schema: deep}),
		"a list in lists":      slices.Concat([]byte{0x15, 2, 0x19}, bytes.Repeat([]byte{0x19}, 1000)),
		"a map":                append([]byte{0x1b}, append(binary.AppendUvarint(nil, most), 0x55)...),
		"a schema of elements": append([]byte{0x15, 2, 0x19, 0xfc}, binary.AppendUvarint(nil, most)...),
		"row groups":           append([]byte{0x15, 2, 0x16, 6, 0x19, 0xfc}, binary.AppendUvarint(nil, most)...),
		"a name":               append([]byte{0x15, 2, 0x48}, binary.AppendUvarint(nil, most)...),
	} {
		out[name] = ended(append([]byte("PAR1"), footer...), len(footer))
	}
	return out
}

// prefixes are a text of so many bytes, so many times, each after the first by reference to the one before.
func prefixes(t *testing.T, values int, size int32) []byte {
	t.Helper()
	before, new := slices.Repeat([]int32{size}, values), make([]int32, values)
	before[0], new[0] = 0, size
	var out []byte
	for _, lengths := range [][]int32{before, new} {
		data := must.Get((&delta.BinaryPackedEncoding{}).EncodeInt32(nil, lengths))(t)
		out = append(out, data...)
	}
	return append(out, make([]byte, size)...)
}

// TestBombs: a file of few bytes is refused before memory is taken for what it states, wherever it states it.
func TestBombs(t *testing.T) {
	long.Only(t, "files that would fill the memory")
	for name, data := range bombs(t) {
		if len(data) > 300_000 {
			t.Errorf("%s: %d bytes are no small file", name, len(data))
		}
		if folder := os.Getenv("DITHER_BOMBS"); folder != "" {
			must.NoError(t, os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, " ", "_")+".parquet"), data, 0o600))
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, _, err := Read(t.Context(), data, dialect.Options{})
		runtime.ReadMemStats(&after)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %d rows are read, %v", name, got.Rows(), err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<29 {
			t.Errorf("%s: %d MB are taken for %d bytes", name, taken>>20, len(data))
		}
	}
}

// Files of old: LZ4 as Hadoop writes it, in one block or several, or bare; and levels packed from the highest bit on.
func TestOldWays(t *testing.T) {
	var numbers []byte
	for i := range 40 {
		numbers = binary.LittleEndian.AppendUint64(numbers, uint64(i%3))
	}
	block := func(data []byte) []byte {
		packed := zipped(t, format.Lz4Raw, data)
		out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		return append(binary.BigEndian.AppendUint32(out, uint32(len(packed))), packed...)
	}
	want := func(i int) string { return []string{"0", "1", "2"}[i%3] }
	for name, c := range map[string]struct {
		page []byte
		fits bool
	}{
		"bare":              {zipped(t, format.Lz4Raw, numbers), true},
		"a block":           {block(numbers), true},
		"two blocks":        {append(block(numbers[:72]), block(numbers[72:])...), true},
		"two, one cut off":  {append(block(numbers[:72]), block(numbers[72:])[:20]...), false},
		"less than is said": {block(numbers[:312]), false},
		"more than is said": {block(append(numbers, numbers...)), false},
	} {
		m := made{typ: format.Int64, values: 40, codec: format.Lz4, size: int32(len(numbers)), page: c.page}
		got, _, err := Read(t.Context(), m.file(t), dialect.Options{})
		if (err == nil) != c.fits {
			t.Errorf("%s: %v", name, err)
		}
		for i := range 40 {
			if c.fits && texts(got)[i] != want(i) {
				t.Fatalf("%s: row %d is %s", name, i+1, texts(got)[i])
			}
		}
	}
	long := made{typ: format.Int64, values: 40, codec: format.Snappy, size: int32(len(numbers)), second: true,
		plainly: true, page: zipped(t, format.Snappy, numbers), by: "parquet-cpp-arrow version 2.0.0"}
	if got, _, err := Read(t.Context(), long.file(t), dialect.Options{}); err != nil || texts(got)[4] != want(4) {
		t.Errorf("pages that are packed whatever they say: %v", err)
	}
	m := made{typ: format.Int32, optional: true, packed: true, values: 10,
		page: append([]byte{0b1011_0000, 0b0100_0000}, 7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0)}
	got, _, err := Read(t.Context(), m.file(t), dialect.Options{})
	must.NoError(t, err)
	if text := texts(got); !slices.Equal(text, []string{"7", "-", "8", "9", "-", "-", "-", "-", "-", "10"}) {
		t.Errorf("packed levels: %q", text)
	}
}

// Differences of all widths come out as the library packs them.
func TestDeltas(t *testing.T) {
	for width := range 64 {
		in := make([]int64, 300)
		for i := range in {
			in[i] = int64(uint64(i) * 0x9e3779b97f4a7c15 >> (63 - width))
		}
		data := must.Get(new(delta.BinaryPackedEncoding).EncodeInt64(nil, in))(t)
		out, rest, err := deltas(append(data, "rest"...), nil, len(in), len(in))
		if err != nil || !slices.Equal(in, out) || string(rest) != "rest" {
			t.Fatalf("%d bits: %v, %q behind", width+1, err, rest)
		}
		for n := range data { // what counts for nothing at the end may lack
			if out, _, err := deltas(data[:n], nil, len(in), len(in)); err == nil && !slices.Equal(in, out) {
				t.Fatalf("%d bits: %d of %d bytes give other values", width+1, n, len(data))
			}
		}
	}
}

// Fewer values than are needed are damage: of differences, of packed levels, and in a file whose footer states more.
func TestTooFewValues(t *testing.T) {
	in := []int64{3, 1, 4, 1, 5}
	data := must.Get(new(delta.BinaryPackedEncoding).EncodeInt64(nil, in))(t)
	if out, _, err := deltas(data, nil, len(in)+1, len(in)+1); err == nil {
		t.Errorf("five differences are %d", len(out))
	}
	levels := make([]byte, 16)
	packed := []byte{2<<1 | 1, 0x55, 0xaa} // two times eight values of a bit each
	if err := hybrid(packed, 1, levels); err != nil || levels[0] != 1 || levels[15] != 1 {
		t.Fatal(levels, err)
	}
	if err := hybrid(packed[:2], 1, levels); err == nil {
		t.Error("eight packed values are sixteen")
	}
	if err := hybrid(packed[:2], 1, levels[:8]); err != nil {
		t.Errorf("what counts for nothing lacks: %v", err)
	}
	plain := made{typ: format.Int32, encoding: format.Plain, values: 2, page: make([]byte, 8), rows: 3}
	if tab, _, err := Read(t.Context(), plain.file(t), dialect.Options{}); err == nil {
		t.Errorf("two values are %d records", tab.Rows())
	}
}
