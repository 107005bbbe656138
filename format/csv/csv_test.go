package csv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var nan = math.NaN()

// sameTable compares tables, with equal missing values and no difference between no labels and an empty list.
var sameTable = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

func columns(t *table.Table) []table.Column {
	cols := make([]table.Column, t.Width())
	for j := range cols {
		cols[j] = t.Column(j)
	}
	return cols
}

// equal is cmp.Equal for large tables.
func equal(a, b *table.Table) bool {
	if a.Width() != b.Width() {
		return false
	}
	for j := range a.Width() {
		if !cmp.Equal(*a.Attr(j), *b.Attr(j), sameTable) || !slices.Equal(a.Cat(j), b.Cat(j)) ||
			!slices.EqualFunc(a.Num(j), b.Num(j), func(x, y float64) bool { return x == y || x != x && y != y }) {
			return false
		}
	}
	return true
}

func mustRead(t testing.TB, text string, opt dialect.Options, workers int) (*table.Table, *dialect.Info) {
	t.Helper()
	tb, info, err := read(context.Background(), []byte(text), opt, workers)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return tb, info
}

func num(name string, step float64, v ...float64) table.Column { return table.NumColumn(name, step, v) }

func cat(name, labels string, codes ...int32) table.Column {
	return table.CatColumn(name, strings.Fields(labels), codes)
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        dialect.Options
		want       []table.Column
	}{
		{"plain", "a,b\n1,x\n2,y\n3,x\n", dialect.Options{}, []table.Column{num("a", 1, 1, 2, 3), cat("b", "x y", 0, 1, 0)}},
		{"no line feed at the end", "a,b\n1,x", dialect.Options{}, []table.Column{num("a", 1, 1), cat("b", "x", 0)}},
		{"carriage returns", "a,b\r\n1,x\r\n2,y\r\n", dialect.Options{},
			[]table.Column{num("a", 1, 1, 2), cat("b", "x y", 0, 1)}},
		{"byte order mark", "\ufeffa,b\n1,x\n", dialect.Options{}, []table.Column{num("a", 1, 1), cat("b", "x", 0)}},
		{"semicolons", "a;b\n1;x,y\n", dialect.Options{}, []table.Column{num("a", 1, 1), cat("b", "x,y", 0)}},
		{"tabs", "a\tb\n1\tx\n", dialect.Options{}, []table.Column{num("a", 1, 1), cat("b", "x", 0)}},
		{"bars", "a|b\n1|x\n", dialect.Options{}, []table.Column{num("a", 1, 1), cat("b", "x", 0)}},
		{"a given delimiter", "a,b\n1,x\n", dialect.Options{Delimiter: ';'}, []table.Column{cat("a,b", "1,x", 0)}},
		{"a blank as delimiter", "a b\n1 x\n", dialect.Options{Delimiter: ' '},
			[]table.Column{num("a", 1, 1), cat("b", "x", 0)}},
		{"decimals", "a,b\n1.50,1e3\n2,7\n", dialect.Options{}, []table.Column{num("a", 0.1, 1.5, 2), num("b", 0, 1000, 7)}},
		{"missing", "a,b\n?,NA\n1,\nNaN,x\n", dialect.Options{},
			[]table.Column{num("a", 1, nan, 1, nan), cat("b", "x", -1, -1, 0)}},
		{"given marks", "a,b\n-9,NA\n1,?\n", dialect.Options{Missing: []string{"-9"}},
			[]table.Column{num("a", 1, nan, 1), cat("b", "NA ?", 0, 1)}},
		{"a quoted mark is a value", "a,b\n\"?\",\"\"\n?,x\n", dialect.Options{},
			[]table.Column{cat("a", "?", 0, -1), table.CatColumn("b", []string{"", "x"}, []int32{0, 1})}},
		{"quoted numbers", "a,b\n\"1\",\"2.5\"\n3,4\n", dialect.Options{},
			[]table.Column{num("a", 1, 1, 3), num("b", 0.1, 2.5, 4)}},
		{"quotes", "a,b\n\"x,\"\"y\"\"\",\"p\nq\"\nr,\"s\"\r\n", dialect.Options{},
			[]table.Column{cat("a", "x,\"y\" r", 0, 1), table.CatColumn("b", []string{"p\nq", "s"}, []int32{0, 1})}},
		{"quoted names", "\"a,b\",\"c\nd\"\n1,2\n", dialect.Options{}, []table.Column{num("a,b", 1, 1), num("c\nd", 1, 2)}},
		{"blanks around cells", " a , b\n 1 , x\n 2, ?\n", dialect.Options{},
			[]table.Column{num("a", 1, 1, 2), cat("b", "x", 0, -1)}},
		{"blanks around quotes", "a,b\n \" x\" ,1\n", dialect.Options{},
			[]table.Column{table.CatColumn("a", []string{" x"}, []int32{0}), num("b", 1, 1)}},
		{"codes are text", "a,b,c,d\n00123,1234567890123456,+01,Inf\n5,5,5,5\n", dialect.Options{},
			[]table.Column{cat("a", "00123 5", 0, 1), cat("b", "1234567890123456 5", 0, 1), cat("c", "+01 5", 0, 1),
				cat("d", "Inf 5", 0, 1)}},
		{"plus signs", "a,b\n+12,+1.5\n-3,2\n", dialect.Options{},
			[]table.Column{num("a", 1, 12, -3), num("b", 0.1, 1.5, 2)}},
		{"zeros at the end make no grid", "a,b,c\n1.0,1.50,1.05\n2.0,2.50,2.00\n", dialect.Options{},
			[]table.Column{num("a", 1, 1, 2), num("b", 0.1, 1.5, 2.5), num("c", 0.01, 1.05, 2)}},
		{"kind of no column", "a\n1\n", dialect.Options{Kinds: map[string]table.Kind{"b": table.Categorical}},
			[]table.Column{num("a", 1, 1)}},
		{"text after numbers", "a,b\n1,1\n2,2\nx,?\n?,3\n", dialect.Options{},
			[]table.Column{cat("a", "1 2 x", 0, 1, 2, -1), num("b", 1, 1, 2, nan, 3)}},
		{"all missing", "a,b\n?,1\n,2\n", dialect.Options{}, []table.Column{cat("a", "", -1, -1), num("b", 1, 1, 2)}},
		{"header only", "a,b\n", dialect.Options{}, []table.Column{cat("a", ""), cat("b", "")}},
		{"one column", "a\n1\n2\n", dialect.Options{}, []table.Column{num("a", 1, 1, 2)}},
		{"an empty line is a missing value of one column", "a\n1\n\n2\n\n", dialect.Options{},
			[]table.Column{num("a", 1, 1, nan, 2, nan)}},
		{"empty lines between records", "a,b\n\n1,x\n\r\n2,y\n\n\n", dialect.Options{},
			[]table.Column{num("a", 1, 1, 2), cat("b", "x y", 0, 1)}},
		{"forced categories", "a\n1\n1.0\n?\n", dialect.Options{Kinds: map[string]table.Kind{"a": table.Categorical}},
			[]table.Column{cat("a", "1 1.0", 0, 1, -1)}},
		{"forced numbers", "a,b\n?,x\n", dialect.Options{Kinds: map[string]table.Kind{"a": table.Numeric}},
			[]table.Column{num("a", 1, nan), cat("b", "x", 0)}},
		{"decimal commas", "a;b;c\n1,5;x;1\n-2,25;y;2\n?;z;3\n", dialect.Options{},
			[]table.Column{num("a", 0.01, 1.5, -2.25, nan), cat("b", "x y z", 0, 1, 2), num("c", 1, 1, 2, 3)}},
		{"decimal commas beside points", "a;b\n1,5;1.5\n", dialect.Options{},
			[]table.Column{cat("a", "1,5", 0), num("b", 0.1, 1.5)}},
		{"decimal commas and text", "a;b\n1,5;1\nx;2\n", dialect.Options{},
			[]table.Column{cat("a", "1,5 x", 0, 1), num("b", 1, 1, 2)}},
		{"decimal commas in a file of commas", "a,b\n\"1,5\",1\n", dialect.Options{DecimalComma: true},
			[]table.Column{num("a", 0.1, 1.5), num("b", 1, 1)}},
	} {
		for workers := 1; workers <= 4; workers++ {
			got, _ := mustRead(t, c.text, c.opt, workers)
			want := tabletest.Of(t, c.want...)
			if d := cmp.Diff(columns(want), columns(got), sameTable); d != "" {
				t.Errorf("%s, %d workers (-want +got):\n%s", c.name, workers, d)
			}
		}
	}
}

func TestInfo(t *testing.T) {
	_, info := mustRead(t, "\ufeffa;b\r\n1,5;NA\r\n2;?\r\n", dialect.Options{}, 2)
	want := &dialect.Info{Format: "csv", Delimiter: ';', DecimalComma: true, CRLF: true, BOM: true,
		SignKnown: true, Missing: "NA",
		Marks:     dialect.Marks{Met: []string{"NA", "?"}, Count: map[string]map[string]int{"b": {"NA": 1, "?": 1}}},
		FirstLine: 2,
		Notes:     []dialect.Note{{Says: message.Say("read.comma")}, {Says: message.Say("read.empty").Name("column", "b")}}}
	if d := cmp.Diff(want, info); d != "" {
		t.Error(d)
	}
	_, info = mustRead(t, "a,b\n1,x\n", dialect.Options{}, 1)
	if d := cmp.Diff(&dialect.Info{Format: "csv", Delimiter: ',', FirstLine: 2}, info); d != "" {
		t.Error(d)
	}
}

// The line of the first record is told where it tells that of every other one, whatever stands before and in quotes.
func TestFirstLine(t *testing.T) {
	for _, c := range []struct {
		text string
		opt  dialect.Options
		want int
	}{
		{"a,b\n1,x\n2,y\n", dialect.Options{}, 2},
		{"a,b\n1,\"x, z\"\n2,y\n", dialect.Options{}, 2},
		{"remark\n\na,b\n1,x\n2,y\n", dialect.Options{Skip: 2}, 4},
		{"a,b\n1,x\n\n2,y\n", dialect.Options{}, 0},
		{"a,b\n1,\"x\nz\"\n2,y\n", dialect.Options{}, 0},
		{"a,b\n", dialect.Options{}, 0},
	} {
		for workers := 1; workers <= 3; workers++ {
			if _, info := mustRead(t, c.text, c.opt, workers); info.FirstLine != c.want {
				t.Errorf("%q, %d workers: line %d, want %d", c.text, workers, info.FirstLine, c.want)
			}
		}
	}
}

func TestWideTable(t *testing.T) {
	const width = 10_000
	var b bytes.Buffer
	for row := range 4 {
		for j := range width {
			if j > 0 {
				b.WriteByte(',')
			}
			switch {
			case row == 0:
				fmt.Fprintf(&b, "c%d", j)
			case row == 3 && j%7 == 0:
				b.WriteString("x")
			default:
				fmt.Fprint(&b, j*row)
			}
		}
		b.WriteByte('\n')
	}
	tb, _ := mustRead(t, b.String(), dialect.Options{}, 2)
	if tb.Width() != width || tb.Rows() != 3 || tb.Attr(7).Kind != table.Categorical || tb.Num(8)[1] != 16 {
		t.Errorf("%d columns, %d rows", tb.Width(), tb.Rows())
	}
}

func TestManyCategories(t *testing.T) {
	const rows = 300_000
	var b bytes.Buffer
	b.WriteString("id,n\n")
	for i := range rows {
		fmt.Fprintf(&b, "P%d,%d\n", (i*7919)%rows, i)
	}
	tb, _ := mustRead(t, b.String(), dialect.Options{}, 3)
	if n := len(tb.Attr(0).Labels); n != rows {
		t.Fatalf("%d labels, want %d", n, rows)
	}
	for i, c := range tb.Cat(0) {
		if c != int32(i) || tb.Attr(0).Labels[c] != fmt.Sprintf("P%d", (i*7919)%rows) {
			t.Fatalf("row %d has code %d, label %q", i, c, tb.Attr(0).Labels[c])
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Read(ctx, []byte("a,b\n1,2\n"), dialect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Read: %v", err)
	}
	tb, _ := mustRead(t, "a,b\n1,2\n", dialect.Options{}, 1)
	if err := Write(ctx, new(bytes.Buffer), tb, dialect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Write: %v", err)
	}
}

func TestProgress(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1234567,some text\n", 200_000)
	for _, text := range []string{text, text + "1,\"x\"\n"} {
		last := int64(0)
		opt := dialect.Options{Progress: func(done, total int64) {
			if done < last || done > total || total != int64(len(text)) {
				t.Fatalf("progress went from %d to %d of %d", last, done, total)
			}
			last = done
		}}
		mustRead(t, text, opt, 3)
		if last < int64(len(text))-10 {
			t.Errorf("progress ended at %d of %d", last, len(text))
		}
	}
}

// A real file is read the same by any number of cores, written back byte for byte, and takes little memory besides its
// text.
func TestAdult(t *testing.T) {
	data := must.Get(os.ReadFile(dataset.File(t, "adult/adult.csv")))(t)
	want, info := mustRead(t, string(data), dialect.Options{}, 1)
	if want.Rows() != 32561 || want.Width() != 15 {
		t.Fatalf("%d rows, %d columns", want.Rows(), want.Width())
	}
	for _, workers := range []int{2, 3, 16} {
		got, _ := mustRead(t, string(data), dialect.Options{}, workers)
		if !equal(want, got) {
			t.Fatalf("%d workers: another table", workers)
		}
	}
	var out bytes.Buffer
	must.NoError(t, Write(context.Background(), &out, want, info.Like(dialect.Options{})))
	if !bytes.Equal(out.Bytes(), data) {
		t.Error("the file written back differs")
	}
}

// All that Read allocates stays below twice the text, so that the text and the table together stay below three times.
func TestMemory(t *testing.T) {
	data := must.Get(os.ReadFile(dataset.File(t, "adult/adult.csv")))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := read(context.Background(), data, dialect.Options{}, 2); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 2*uint64(len(data)) {
		t.Errorf("reading %d bytes allocated %d", len(data), got)
	}
}
