package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var nan = math.NaN()

var sameTable = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

func columns(t *table.Table) []table.Column {
	cols := make([]table.Column, t.Width())
	for j := range cols {
		cols[j] = t.Column(j)
	}
	return cols
}

// people is a row as another program writes it.
type people struct {
	Zip     string    `parquet:"zip,dict"`
	Age     *int32    `parquet:"age,optional"`
	Height  float32   `parquet:"height"`
	Income  *float64  `parquet:"a yearly income,optional"`
	Member  *bool     `parquet:"member,optional"`
	Born    int32     `parquet:"born,date"`
	Seen    time.Time `parquet:"seen,timestamp(microsecond)"`
	Balance int64     `parquet:"balance,decimal(2:10)"`
	ID      int64     `parquet:"id"`
	Small   uint8     `parquet:"small"`
}

func TestReadTypes(t *testing.T) {
	seen := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	var out bytes.Buffer
	must.NoError(t, parquet.Write(&out, []people{
		{"02134", ptr[int32](39), 1.8, ptr(1234.5), ptr(true), 19000, seen, 12345, 1 << 60, 200},
		{"02135", nil, 1.75, nil, nil, 0, seen, -5, 2, 0},
		{"02134", ptr[int32](50), 0.1, ptr(math.NaN()), ptr(false), -1, seen, 0, 3, 1},
	}))
	got, info, err := Read(context.Background(), out.Bytes(), dialect.Options{})
	must.NoError(t, err)
	want := must.Get(table.New(table.CatColumn("zip", []string{"02134", "02135"}, []int32{0, 1, 0}),
		table.NumColumn("age", 1, []float64{39, nan, 50}), table.NumColumn("height", 0.01, []float64{1.8, 1.75, 0.1}),
		table.NumColumn("a yearly income", 0.1, []float64{1234.5, nan, nan}),
		table.CatColumn("member", []string{"false", "true"}, []int32{1, -1, 0}),
		table.DateColumn("born", "yyyy-mm-dd", []float64{19000, 0, -1}),
		table.DateColumn("seen", "yyyy-mm-ddThh:mm:ss.fffZ", slices.Repeat([]float64{float64(seen.UnixMilli())}, 3)),
		table.NumColumn("balance", 0.01, []float64{123.45, -0.05, 0}),
		table.CatColumn("id", []string{"1152921504606846976", "2", "3"}, []int32{0, 1, 2}),
		table.NumColumn("small", 1, []float64{200, 0, 1})))(t)
	if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	types := map[string]string{
		"zip":             "string",
		"age":             "int32",
		"height":          "float",
		"a yearly income": "double",
		"member":          "boolean",
		"born":            "date",
		"seen":            "timestamp[us,utc]",
		"balance":         "decimal(10,2)",
		"id":              "int64",
		"small":           "uint8",
	}
	if d := cmp.Diff(types, info.Types); d != "" {
		t.Errorf("types (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{`column "id": integers beyond 2^53; it is read as categories`}, dialect.Texts(info.Notes)); d != "" {
		t.Error(d)
	}
	// Written like its original, it has the same columns, types and order.
	again := formattest.Written(t, Format, info.Like(dialect.Options{}), columns(got)...)
	back, info2, err := Read(context.Background(), again, dialect.Options{})
	must.NoError(t, err)
	if d := cmp.Diff(columns(got), columns(back), sameTable); d != "" {
		t.Errorf("-read +read back:\n%s", d)
	}
	if d := cmp.Diff(info.Types, info2.Types); d != "" {
		t.Errorf("types (-read +read back):\n%s", d)
	}
}

func ptr[T any](v T) *T { return &v }

// givenWay are columns whose values do not fit the wished type, with the type that they get.
var givenWay = []struct {
	wish, want string
	col        table.Column
}{
	{"int32", "int32", table.NumColumn("a", 1, []float64{5, nan})},
	{"int8", "int64", table.NumColumn("a", 1, []float64{200})},
	{"uint8", "uint8", table.NumColumn("a", 1, []float64{200})},
	{"uint64", "int64", table.NumColumn("a", 1, []float64{-1})},
	{"uint32", "uint32", table.NumColumn("a", 1, []float64{1<<32 - 1})},
	{"int64", "double", table.NumColumn("a", 0.1, []float64{1.5})},
	{"float", "float", table.NumColumn("a", 0.1, []float64{1.5, 0.1})},
	{"float", "double", table.NumColumn("a", 0, []float64{math.Pi})},
	{"float", "double", table.NumColumn("a", 0, []float64{1e300})},
	{"decimal(4,2)", "decimal(4,2)", table.NumColumn("a", 0.01, []float64{99.99, -0.01})},
	{"decimal(4,2)", "double", table.NumColumn("a", 0.01, []float64{100})},
	{"decimal(4,2)", "double", table.NumColumn("a", 0.001, []float64{0.001})},
	{"date", "date", table.CatColumn("a", []string{"2026-02-28"}, []int32{0})},
	{"date", "string", table.CatColumn("a", []string{"2026-02-30"}, []int32{0})},
	{"timestamp[ms]", "timestamp[ms]", table.CatColumn("a", []string{"2026-02-28T01:02:03.004"}, []int32{0})},
	{"timestamp[ms]", "string", table.CatColumn("a", []string{"2026-02-28T01:02:03.0045"}, []int32{0})},
	{"date", "date", table.DateColumn("a", "dd.mm.yyyy", []float64{20455, nan, -1})},
	{"string", "string", table.DateColumn("a", "dd.mm.yyyy", []float64{20455, nan, -1})},
	{"", "date", table.DateColumn("a", "dd.mm.yyyy", []float64{20455, nan, -1})},
	{"int32", "int32", table.DateColumn("a", "yyyymmdd", []float64{20455, nan, -1})},
	{"int8", "date", table.DateColumn("a", "yyyymmdd", []float64{20455, nan, -1})},
	{"date", "timestamp[ms]", table.DateColumn("a", "yyyy-mm-dd hh:mm", []float64{1, nan, -1})},
	{"timestamp[us,utc]", "timestamp[us,utc]", table.DateColumn("a", "yyyy-mm-dd hh:mm", []float64{1, nan, -1})},
	{"timestamp[ms]", "timestamp[us]", table.DateColumn("a", "yyyy-mm-dd hh:mm:ss.ffffff", []float64{1, nan, -1})},
	{"timestamp[ns]", "timestamp[ns]", table.DateColumn("a", "yyyy-mm-dd hh:mm:ss.ffffff", []float64{1, nan, -1})},
	{"date", "date", table.DateColumn("a", "d/m/yyyy h:mm", []float64{1440, nan, -1440})},
	{"timestamp[ns]", "date", table.DateColumn("a", "yyyy-mm-dd", []float64{2_932_896})}, // in the year 9999
	{"boolean", "string", table.CatColumn("a", []string{"true", "maybe"}, []int32{0})},
	{"int64", "string", table.CatColumn("a", []string{"12", "x"}, []int32{0, 1})},
	{"int32", "string", table.CatColumn("a", []string{"12"}, []int32{0})},
	{"string", "double", table.NumColumn("a", 0.1, []float64{1.5})},
	{"", "int64", table.NumColumn("a", 1, []float64{1})},
	{"", "double", table.NumColumn("a", 0, []float64{1.5})},
	{"", "string", table.CatColumn("a", nil, []int32{-1})},
	{"nonsense", "double", table.NumColumn("a", 1, []float64{1e17})},
}

// A value that does not fit the wished type changes the type, never the value.
func TestTypesGiveWay(t *testing.T) {
	for _, c := range givenWay {
		data := formattest.Written(t, Format, dialect.Options{Types: map[string]string{"a": c.wish}}, c.col)
		opt := dialect.Options{}
		if c.col.Dates != "" {
			opt.Dates = map[string]calendar.Notation{"a": c.col.Dates}
		}
		got, info, err := Read(context.Background(), data, opt)
		if err != nil {
			t.Errorf("%s: %v", c.wish, err)
			continue
		}
		if info.Types["a"] != c.want {
			t.Errorf("wished %s, got %s, want %s", c.wish, info.Types["a"], c.want)
		}
		if c.col.Kind == table.Numeric && !cmp.Equal(c.col.Num, got.Num(0), cmpopts.EquateNaNs()) {
			t.Errorf("%s: values %v, want %v", c.wish, got.Num(0), c.col.Num)
		}
		for i, code := range c.col.Cat {
			if code >= 0 && texts(got)[i] != c.col.Labels[code] {
				t.Errorf("%s: another label in row %d", c.wish, i+1)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		col  table.Column
		want string
	}{
		{table.NumColumn("a", 1, []float64{math.Inf(1)}), `column "a" is infinite in row 1`},
		{table.CatColumn("a", []string{"\xff"}, []int32{0}), `column "a" has a label that is not UTF-8 text`},
		{table.CatColumn("\xff", []string{"x"}, []int32{0}), `column "\xff" has a name that is not UTF-8 text`},
	} {
		tb := tabletest.Of(t, c.col)
		if err := Write(context.Background(), new(bytes.Buffer), tb, dialect.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Many rows make several row groups, each with its own dictionary; many labels overflow a dictionary.
func TestRowGroups(t *testing.T) {
	long.Only(t, "several groups of rows")
	const rows = 2*groupRows + 5
	num, few, many := make([]float64, rows), make([]int32, rows), make([]int32, rows)
	labels := make([]string, rows)
	for i := range rows {
		num[i], few[i], many[i] = float64(i%1000)/4, int32(i/(rows/2+1)), int32(i)
		labels[i] = fmt.Sprintf("a rather long label of person %d", i)
		if i%10 == 3 {
			few[i], num[i] = -1, nan
		}
	}
	data := formattest.Written(t, Format, dialect.Options{}, table.NumColumn("n", 0.01, num),
		table.CatColumn("few", []string{"x", "y"}, few), table.CatColumn("many", labels, many))
	got, _, err := Read(context.Background(), data, dialect.Options{Missing: []string{"y"}})
	must.NoError(t, err)
	if !cmp.Equal(num, got.Num(0), cmpopts.EquateNaNs()) {
		t.Error("numbers differ")
	}
	for i := range rows {
		if few[i] == 1 {
			few[i] = -1 // the mark
		}
	}
	if !cmp.Equal(few, got.Cat(1)) || !cmp.Equal([]string{"x"}, got.Attr(1).Labels) {
		t.Error("few labels differ")
	}
	if !cmp.Equal(many, got.Cat(2)) || !cmp.Equal(labels, got.Attr(2).Labels) {
		t.Error("many labels differ")
	}
}

// A file cut short gives an error: its end says where everything is.
func TestCutShort(t *testing.T) {
	data := formattest.Written(t, Format, dialect.Options{}, table.NumColumn("n", 1, []float64{1, 2, nan}),
		table.CatColumn("c", []string{"x", "y"}, []int32{0, 1, -1}))
	for n := range len(data) {
		if _, _, err := Read(context.Background(), data[:n], dialect.Options{}); err == nil {
			t.Fatalf("%d of %d bytes were accepted", n, len(data))
		}
	}
}

// Writing ends between two row groups when its context does, and tells how many rows are done.
func TestCancelledBetweenGroups(t *testing.T) {
	tb := tabletest.Of(t, table.NumColumn("n", 1, make([]float64, groupRows+10)))
	ctx, cancel := context.WithCancel(context.Background())
	var told []int64
	opt := dialect.Options{Progress: func(done, total int64) {
		told = append(told, done, total)
		cancel()
	}}
	if err := Write(ctx, new(bytes.Buffer), tb, opt); err != context.Canceled ||
		!cmp.Equal(told, []int64{groupRows, groupRows + 10}) {
		t.Errorf("%v, progress %v", err, told)
	}
	ctx, cancel = context.WithCancel(context.Background())
	told = nil
	var out bytes.Buffer
	opt.Progress = func(done, total int64) { told = append(told, done, total) }
	if err := Write(ctx, &out, tb, opt); err != nil ||
		!cmp.Equal(told, []int64{groupRows, groupRows + 10, groupRows + 10, groupRows + 10}) {
		t.Errorf("%v, progress %v", err, told)
	}
	cancel()
	if _, _, err := Read(ctx, out.Bytes(), dialect.Options{}); !errors.Is(err, context.Canceled) ||
		err.Error() != `column "n": context canceled` {
		t.Errorf("a cancelled reader says %v", err)
	}
}
