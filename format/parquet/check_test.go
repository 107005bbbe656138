package parquet

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// The end of a file says how long its footer is; it must lie inside.
func TestFooterLies(t *testing.T) {
	data := formattest.Written(t, Format, dialect.Options{}, table.NumColumn("n", 1, []float64{1, 2}))
	if !footerLies(data) {
		t.Fatal("a sound file is refused")
	}
	size := len(data) - 8
	for _, c := range []struct {
		name string
		bend func(d []byte) []byte
		want bool
	}{
		{"no beginning", func(d []byte) []byte { return d[1:] }, false},
		{"no end", func(d []byte) []byte { return d[:len(d)-1] }, false},
		{"another end", func(d []byte) []byte { return append(d[:len(d)-1], 'E') }, false},
		{"the marks alone", func([]byte) []byte { return []byte("PAR1PAR1") }, false},
		{"an empty footer", func([]byte) []byte { return []byte("PAR1\x00\x00\x00\x00PAR1") }, true},
		{"a footer as long as the file allows", func(d []byte) []byte {
			binary.LittleEndian.PutUint32(d[size:], uint32(len(d)-12))
			return d
		}, true},
		{"a footer that is longer by a byte", func(d []byte) []byte {
			binary.LittleEndian.PutUint32(d[size:], uint32(len(d)-11))
			return d
		}, false},
		{"a footer of four gigabytes", func(d []byte) []byte {
			binary.LittleEndian.PutUint32(d[size:], 0xffffffff)
			return d
		}, false},
	} {
		if got := footerLies(c.bend(bytes.Clone(data))); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// Sizes that cannot be true are found before anything is allocated for them.
func TestStatedSizes(t *testing.T) {
	data := formattest.Written(t, Format, dialect.Options{}, table.NumColumn("n", 1, []float64{1, 2, nan}),
		table.CatColumn("c", []string{"x", "y"}, []int32{0, 1, -1}))
	for _, c := range []struct {
		name string
		bend func(m *format.FileMetaData)
	}{
		{"a row too many", func(m *format.FileMetaData) { m.RowGroups[0].NumRows++ }},
		{"a row too few", func(m *format.FileMetaData) { m.RowGroups[0].NumRows-- }},
		{"less than no row", func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -3 }},
		{"rows without end", func(m *format.FileMetaData) { m.RowGroups[0].NumRows = 1 << 62 }},
		{"a column is lacking", func(m *format.FileMetaData) {
			g := &m.RowGroups[0]
			g.Columns = g.Columns[:1]
		}},
		{"a group twice", func(m *format.FileMetaData) {
			m.RowGroups = append(m.RowGroups, m.RowGroups[0])
		}},
		{"a chunk before the file", func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.DataPageOffset = -1
		}},
		{"a chunk behind the file", func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.DataPageOffset = int64(len(data)) + 1
		}},
		{"a chunk of a negative size", func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = -1
		}},
		{"a chunk that is larger than the file", func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = int64(len(data))
		}},
		{"chunks that lie over each other", func(m *format.FileMetaData) {
			m.NumRows *= 200
			for range 199 {
				m.RowGroups = append(m.RowGroups, m.RowGroups[0])
			}
		}},
		{"a chunk of 2^63 bytes", func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 1<<63 - 1
		}},
		{"a chunk that begins in a page", func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.DataPageOffset++
		}},
		{"an empty chunk", func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 0 }},
		{"the dictionary of another column", func(m *format.FileMetaData) {
			g := &m.RowGroups[0]
			g.Columns[1].MetaData.DictionaryPageOffset = g.Columns[0].MetaData.DataPageOffset
		}},
	} {
		if err := readBent(t, data, func(*format.FileMetaData) {}); err != nil {
			t.Fatalf("a sound file: %v", err)
		}
		if err := readBent(t, data, c.bend); err == nil {
			t.Errorf("%s: nothing is seen", c.name)
		}
	}
}

// readBent reads a file whose footer says something else.
func readBent(t *testing.T, data []byte, bend func(m *format.FileMetaData)) error {
	t.Helper()
	f := must.Get(open(data))(t)
	bend(f.meta)
	if err := f.checkSize(); err != nil {
		return err
	}
	cols := must.Get(f.columns(&dialect.Options{}))(t)
	return readAll(t.Context(), f, cols, nil)
}

// A file of few bytes that unpacks to gigabytes is refused before they are allocated: runs of one value take a few
// bytes however long they are. A sound file of a million people with 100 flags that are hardly ever set is read.
func TestImplausibleSize(t *testing.T) {
	group := func(rows, columns int64) (g format.RowGroup) {
		g.NumRows, g.Columns = rows, make([]format.ColumnChunk, columns)
		return g
	}
	for _, c := range []struct {
		name   string
		groups []format.RowGroup
		size   int64
		want   error
	}{
		{"300 million rows in 1.2 kB", []format.RowGroup{group(300e6, 1)}, 1200, errImplausible},
		{"many columns", []format.RowGroup{group(1e5, 1000)}, 1200, errImplausible},
		{"many groups", slices.Repeat([]format.RowGroup{group(1e6, 1)}, 20), 1200, errImplausible},
		{"rows beyond 2^63", slices.Repeat([]format.RowGroup{group(1<<62, 1)}, 3), 1 << 20, errImplausible},
		{"a column of one value", []format.RowGroup{group(10e6, 1)}, 1200, nil},
		{"flags", []format.RowGroup{group(1e6, 102)}, 1e6, nil},
	} {
		if err := sizesOf(c.groups, c.size); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// sizesOf checks what a file of so many bytes states of some groups of rows.
func sizesOf(groups []format.RowGroup, size int64) error {
	f := &source{data: make([]byte, size), meta: &format.FileMetaData{RowGroups: groups}}
	for _, g := range groups {
		f.leaves = len(g.Columns)
		f.meta.NumRows += g.NumRows
	}
	return f.checkSize()
}

// A panic of the decoder is an error of one line; other errors stay.
func TestMend(t *testing.T) {
	stop := func() (err error) {
		defer mend(&err)
		var none []int
		_ = none[3]
		return nil
	}
	if err := stop(); err == nil || err.Error() != "not a sound Parquet file: the decoder stopped" {
		t.Errorf("got %v", err)
	}
	calm := func() (err error) {
		defer mend(&err)
		return errDamaged
	}
	if err := calm(); err != errDamaged {
		t.Errorf("got %v", err)
	}
}
