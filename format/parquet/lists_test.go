package parquet

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// said is what is in each row of a column of sets, by name.
func said(t *table.Table, name string) (out []string) {
	c := t.Column(t.Find(name))
	for i := range t.Rows() {
		var words []string
		for _, v := range c.Sets.Present.Row(i) {
			words = append(words, c.Labels[v])
		}
		for _, v := range c.Sets.Unknown.Row(i) {
			words = append(words, "?"+c.Labels[v])
		}
		slices.Sort(words)
		if out = append(out, strings.Join(words, " ")); c.MissingAt(i) {
			out[i] = "missing"
		}
	}
	return out
}

// Lists as other programs write them: annotated or bare, of texts and whole numbers, with nulls wherever they may be,
// in dictionaries or plain.
func TestForeignLists(t *testing.T) {
	type row struct {
		Bare   []string  `parquet:"bare"`
		Listed []string  `parquet:"listed,list"`
		Maybe  []string  `parquet:"maybe,optional,list"`
		Null   []*string `parquet:"null,optional,list"`
		Whole  []int32   `parquet:"whole,list"`
		Large  []uint64  `parquet:"large,list"`
		N      int64     `parquet:"n"`
	}
	x := "x"
	rows := []row{
		{
			[]string{"b", "a", "b"},
			[]string{"x"},
			[]string{"u", "?v", "v", "?w"},
			[]*string{&x, nil},
			[]int32{-7, 10},
			[]uint64{1 << 63, 5},
			1,
		},
		{nil, nil, nil, nil, nil, nil, 2},
		{[]string{"c"}, []string{"", "?"}, []string{}, []*string{nil}, []int32{10}, []uint64{5}, 3},
	}
	for _, options := range [][]parquet.WriterOption{nil, {parquet.DataPageVersion(1)},
		{parquet.DefaultEncoding(&parquet.Plain)}, {parquet.PageBufferSize(1)}} {
		var out bytes.Buffer
		w := parquet.NewGenericWriter[row](&out, options...)
		must.Get(w.Write(rows))(t)
		must.NoError(t, w.Close())
		got, info, err := Read(context.Background(), out.Bytes(), dialect.Options{})
		must.NoError(t, err)
		for name, want := range map[string][]string{
			"bare": {"a b", "", "c"}, "listed": {"x", "", " ?"}, "maybe": {"?w u v", "missing", ""},
			"null": {"x", "missing", ""}, "whole": {"-7 10", "", "10"}, "large": {"5 9223372036854775808", "", "5"},
		} {
			if s := said(got, name); !slices.Equal(s, want) {
				t.Errorf("%s: %q, expected %q", name, s, want)
			}
		}
		if !slices.Equal(dialect.Texts(info.Notes),
			[]string{`column "null": 2 elements of its lists are null and left out`}) ||
			info.Types["whole"] != "list<int32>" {
			t.Errorf("%q, %v", info.Notes, info.Types)
		}
	}
}

// Whole numbers stay such while all items are, and become texts where one is none, is too large, or is unknown.
func TestListsKeepTheirType(t *testing.T) {
	whole := table.SetColumn("a", []string{"7", "10"}, table.SetsOf([][]int32{{0, 1}}, nil))
	for _, c := range []struct {
		col        table.Column
		wish, want string
	}{
		{whole, "list<int8>", "list<int8>"},
		{whole, "list<uint64>", "list<uint64>"},
		{whole, "", "list<string>"},
		{whole, "int32", "list<int32>"},
		{table.SetColumn("a", []string{"7", "300"}, table.SetsOf([][]int32{{0, 1}}, nil)), "list<uint8>", "list<string>"},
		{table.SetColumn("a", []string{"7", "07"}, table.SetsOf([][]int32{{0, 1}}, nil)), "list<int32>", "list<string>"},
		{table.SetColumn("a", []string{"7", "10"}, table.SetsOf([][]int32{{0}}, [][]int32{{1}})), "list<int32>",
			"list<string>"},
		{table.SetColumn("a", []string{"-1"}, table.SetsOf([][]int32{{0}}, nil)), "list<uint32>", "list<string>"},
	} {
		opt := dialect.Options{Types: map[string]string{"a": c.wish}}
		got, info, err := Read(context.Background(), formattest.Written(t, Format, opt, c.col), dialect.Options{})
		if err != nil || info.Types["a"] != c.want || !slices.Equal(said(got, "a"), said(tabletest.Of(t, c.col), "a")) {
			t.Errorf("%q: %v, %v", c.wish, info, err)
		}
	}
}
