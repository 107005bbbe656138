package parquet

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// The end of a file says how long its footer is; it must lie inside.
func TestFooterFits(t *testing.T) {
	data := mustWrite(t, dialect.Options{}, table.NumColumn("n", 1, []float64{1, 2}))
	if !footerFits(data) {
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
		if got := footerFits(c.bend(bytes.Clone(data))); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// Sizes that cannot be true are found before anything is allocated for them.
func TestStatedSizes(t *testing.T) {
	data := mustWrite(t, dialect.Options{}, table.NumColumn("n", 1, []float64{1, 2, nan}), table.CatColumn("c", []string{"x", "y"}, []int32{0, 1, -1}))
	for _, c := range []struct {
		name string
		bend func(f *parquet.File)
	}{
		{"a row too many", func(f *parquet.File) { f.Metadata().RowGroups[0].NumRows++ }},
		{"a row too few", func(f *parquet.File) { f.Metadata().RowGroups[0].NumRows-- }},
		{"less than no row", func(f *parquet.File) { f.Metadata().RowGroups[0].NumRows = -3 }},
		{"rows without end", func(f *parquet.File) { f.Metadata().RowGroups[0].NumRows = 1 << 62 }},
		{"a column is lacking", func(f *parquet.File) {
			g := &f.Metadata().RowGroups[0]
			g.Columns = g.Columns[:1]
		}},
		{"a group twice", func(f *parquet.File) {
			m := f.Metadata()
			m.RowGroups = append(m.RowGroups, m.RowGroups[0])
		}},
		{"a chunk before the file", func(f *parquet.File) { f.Metadata().RowGroups[0].Columns[0].MetaData.DataPageOffset = -1 }},
		{"a chunk behind the file", func(f *parquet.File) {
			f.Metadata().RowGroups[0].Columns[0].MetaData.DataPageOffset = int64(len(data)) + 1
		}},
		{"a chunk of a negative size", func(f *parquet.File) { f.Metadata().RowGroups[0].Columns[0].MetaData.TotalCompressedSize = -1 }},
		{"a chunk that is larger than the file", func(f *parquet.File) {
			f.Metadata().RowGroups[0].Columns[0].MetaData.TotalCompressedSize = int64(len(data))
		}},
		{"a chunk of 2^63 bytes", func(f *parquet.File) { f.Metadata().RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 1<<63 - 1 }},
		{"a chunk that begins in a page", func(f *parquet.File) { f.Metadata().RowGroups[0].Columns[0].MetaData.DataPageOffset++ }},
		{"an empty chunk", func(f *parquet.File) { f.Metadata().RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 0 }},
		{"the dictionary of another column", func(f *parquet.File) {
			m := &f.Metadata().RowGroups[0]
			m.Columns[1].MetaData.DictionaryPageOffset = m.Columns[0].MetaData.DataPageOffset
		}},
	} {
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := checkPages(f, data); err != nil {
			t.Fatalf("a sound file: %v", err)
		}
		c.bend(f)
		if err := checkPages(f, data); err == nil {
			t.Errorf("%s: nothing is seen", c.name)
		}
	}
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
