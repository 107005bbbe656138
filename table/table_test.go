package table

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

var nan = math.NaN()

func mustNew(t testing.TB, cols ...Column) *Table {
	t.Helper()
	return must.Get(New(cols...))(t)
}

// numbered returns a table of n records whose values are their identities.
func numbered(t testing.TB, n int) *Table {
	num, cat := make([]float64, n), make([]int32, n)
	for i := range n {
		num[i], cat[i] = float64(i), int32(i%3)
	}
	return mustNew(t, NumColumn("n", 1, num), CatColumn("c", []string{"x", "y", "z"}, cat))
}

// check fails unless every record of a numbered table still has its own values.
func check(t *rapid.T, tb *Table, want []int) {
	if tb.Rows() != len(want) {
		t.Fatalf("%d rows, want %d", tb.Rows(), len(want))
	}
	ids, first := tb.IDs()
	for i, k := range want {
		if tb.ID(i) != RecordID(k) || tb.Num(0)[i] != float64(k) || tb.Cat(1)[i] != int32(k%3) {
			t.Fatalf("row %d is record %d with values %v, %d; want record %d", i, tb.ID(i), tb.Num(0)[i], tb.Cat(1)[i], k)
		}
		if ids != nil && ids[i] != tb.ID(i) || ids == nil && first+RecordID(i) != tb.ID(i) {
			t.Fatalf("IDs disagrees with ID in row %d", i)
		}
	}
}

// Any chain of slices, gatherings and concatenations keeps every record's values and identity together.
func TestRecordsKeepTheirIdentity(t *testing.T) {
	whole := numbered(t, 20)
	long.Check(t, func(t *rapid.T) {
		tb, want := whole, make([]int, whole.Rows())
		for i := range want {
			want[i] = i
		}
		for range rapid.IntRange(0, 5).Draw(t, "operations") {
			lo := rapid.IntRange(0, len(want)).Draw(t, "lo")
			hi := rapid.IntRange(lo, len(want)).Draw(t, "hi")
			switch rapid.IntRange(0, 2).Draw(t, "operation") {
			case 0:
				tb, want = tb.Slice(lo, hi), want[lo:hi]
			case 1:
				rows := rapid.Permutation(indexes(len(want))).Draw(t, "rows")[:hi]
				tb, want = tb.Gather(rows), pick(want, rows)
			case 2:
				var err error
				if tb, err = Concat(tb.Slice(lo, tb.Rows()), tb.Slice(0, lo)); err != nil {
					t.Fatal(err)
				}
				want = append(slices.Clone(want[lo:]), want[:lo]...)
			}
			check(t, tb, want)
		}
	})
}

func indexes(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func pick(s []int, rows []int) []int {
	out := make([]int, len(rows))
	for k, i := range rows {
		out[k] = s[i]
	}
	return out
}

// No operation writes into the table it starts from, and appending to a slice's values does not reach its neighbour.
func TestTablesAreImmutable(t *testing.T) {
	tb, same := numbered(t, 6), numbered(t, 6)
	part := tb.Slice(0, 3)
	_ = append(part.Num(0), 99)
	_ = append(part.Cat(1), 2)
	tb.WithNum(0, make([]float64, 6))
	tb.WithCat(1, make([]int32, 6))
	a := *tb.Attr(0)
	a.Name, a.Role = "other", Class
	if got := tb.WithAttr(0, a); got.Attr(0).Name != "other" || got.WithRole(Class) != 0 || got.Find("n") != -1 {
		t.Error("WithAttr")
	}
	tb.Attrs()[0].Name = "changed"
	if _, err := tb.Conform(tb.Attrs()[1:], true); err != nil {
		t.Error(err)
	}
	if _, err := tb.AsCategorical(0, 0); err != nil {
		t.Error(err)
	}
	for j := range tb.Width() {
		if d := cmp.Diff(same.Column(j), tb.Column(j)); d != "" {
			t.Error(d)
		}
	}
}

func TestWithSharesTheOtherColumns(t *testing.T) {
	tb := numbered(t, 4)
	got := tb.WithNum(0, []float64{5, 6, 7, 8})
	if &got.Cat(1)[0] != &tb.Cat(1)[0] || got.Num(0)[0] != 5 || got.Attr(0).Name != "n" {
		t.Error("WithNum copies other columns, or loses the attribute")
	}
	sel := tb.Select(1, 0)
	if sel.Attr(0).Name != "c" || &sel.Num(1)[0] != &tb.Num(0)[0] || sel.Rows() != 4 {
		t.Error("Select")
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		cols []Column
		want string
	}{
		{"nothing", nil, "a table needs at least one column"},
		{"no name", []Column{NumColumn("", 1, nil)}, "column 1 has no name"},
		{"twice", []Column{NumColumn("a", 1, nil), CatColumn("a", nil, nil)}, `column "a" occurs twice`},
		{"lengths", []Column{NumColumn("a", 1, []float64{1}), CatColumn("b", nil, nil)}, `column "b" has 0 values, expected 1`},
		{"code too large", []Column{CatColumn("a", []string{"x"}, []int32{0, 1})}, `column "a", row 2: code 1 is outside its 1 labels`},
		{"code too small", []Column{CatColumn("a", []string{"x"}, []int32{-2})}, `column "a", row 1: code -2 is outside its 1 labels`},
		{"both kinds", []Column{{Attribute: Attribute{Name: "a", Kind: Numeric}, Num: []float64{1}, Cat: []int32{0}}}, `column "a" holds values of another kind`},
	} {
		if _, err := New(c.cols...); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestWithColumnRefuses(t *testing.T) {
	tb := numbered(t, 2)
	for _, c := range []struct {
		col  Column
		want string
	}{
		{NumColumn("n", 1, []float64{1}), `column "n" has 1 values, expected 2`},
		{NumColumn("c", 1, []float64{1, 2}), `column "c" occurs twice`},
	} {
		if _, err := tb.WithColumn(0, c.col); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	defer func() {
		if p, ok := recover().(string); !ok || !strings.HasPrefix(p, "table: ") {
			t.Error("WithNum of the wrong length does not panic")
		}
	}()
	tb.WithNum(0, nil)
}

func TestConcatRefuses(t *testing.T) {
	tb := numbered(t, 2)
	for _, c := range []struct {
		parts []*Table
		want  string
	}{
		{nil, "nothing to concatenate"},
		{[]*Table{tb, tb.Select(0)}, "tables to concatenate differ in width"},
		{[]*Table{tb, tb.Select(1, 0)}, `tables to concatenate differ in column "n"`},
		{[]*Table{tb, mustNew(t, NumColumn("n", 1, nil), CatColumn("c", []string{"x"}, nil))}, `tables to concatenate differ in column "c"`},
	} {
		if _, err := Concat(c.parts...); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestMissing(t *testing.T) {
	tb := mustNew(t, NumColumn("n", 1, []float64{1, nan}), CatColumn("c", []string{"x"}, []int32{-1, 0}),
		NumColumn("m", 1, []float64{nan, nan}))
	want := [][]bool{{false, true, true}, {true, false, true}}
	for i := range want {
		for j := range want[i] {
			if tb.MissingAt(i, j) != want[i][j] {
				t.Errorf("MissingAt(%d, %d) = %v", i, j, !want[i][j])
			}
		}
	}
	if d := cmp.Diff(tb.Attr(0).Domain, Interval{Lo: 1, Hi: 1}); d != "" || tb.Attr(2).Domain != (Interval{}) {
		t.Error("the observed domain counts missing values")
	}
}

// As categories, numbers are in ascending order, and each record's label is its number.
func TestAsCategorical(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		num := rapid.SliceOfN(rapid.Map(rapid.IntRange(-8, 8), func(k int) float64 { return float64(k) / 4 }), 0,
			30).Draw(t, "num")
		for i := range num {
			if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
				num[i] = nan
			}
		}
		tb := must.Get(New(NumColumn("n", 0.25, num)))(t)
		got := must.Get(tb.AsCategorical(0, 0))(t)
		distinct := slices.DeleteFunc(slices.Clone(num), math.IsNaN)
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
		a := got.Attr(0)
		if a.Kind != Categorical || !a.Ordered || len(a.Labels) != len(distinct) {
			t.Fatalf("%+v", a)
		}
		for i, c := range got.Cat(0) {
			if c < 0 != math.IsNaN(num[i]) ||
				c >= 0 && (distinct[c] != num[i] || a.Labels[c] != string(AppendNumber(nil, num[i], 0.25))) {
				t.Fatalf("row %d: %v became code %d of %v", i, num[i], c, a.Labels)
			}
		}
		if len(distinct) > 0 {
			must.Get(tb.AsCategorical(0, len(distinct)))(t)
		}
		if n := len(distinct) - 1; n > 0 {
			if _, err := tb.AsCategorical(0, n); err == nil {
				t.Fatalf("%d numbers were accepted with a limit of %d", n+1, n)
			}
		}
	})
}

// A table conforms to a schema of reordered labels and columns without a record changing its label.
func TestConform(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		labels := []string{"a", "b", "c", "d"}
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 3), 0, 12).Draw(t, "codes")
		tb := must.Get(New(NumColumn("n", 1, make([]float64, len(codes))), CatColumn("c", labels, codes)))(t)
		to := rapid.Permutation(labels).Draw(t, "to")
		schema := []Attribute{
			{Name: "c", Kind: Categorical, Labels: to, Role: Class},
			{Name: "n", Kind: Numeric, Step: 0.5, Domain: Interval{Lo: -1, Hi: 1}, Declared: true},
		}
		got := must.Get(tb.Conform(schema, false))(t)
		if d := cmp.Diff(schema, got.Attrs()); d != "" {
			t.Fatal(d)
		}
		for i, c := range got.Cat(0) {
			if c < 0 != (codes[i] < 0) || c >= 0 && to[c] != labels[codes[i]] {
				t.Fatalf("row %d: code %d of %v became %d of %v", i, codes[i], labels, c, to)
			}
		}
	})
}

func TestConformUnknownLabels(t *testing.T) {
	tb := mustNew(t, NumColumn("n", 1, []float64{7, nan, 3}), CatColumn("c", []string{"secret", "x"}, []int32{1, 0, -1}))
	schema := []Attribute{
		{Name: "c", Kind: Categorical, Labels: []string{"x"}},
		{Name: "n", Kind: Categorical, Labels: []string{"7"}},
	}
	got := must.Get(tb.Conform(schema, true))(t)
	want := []Column{
		CatColumn("c", []string{"x", "secret"}, []int32{0, 1, -1}),
		CatColumn("n", []string{"7", "3"}, []int32{0, -1, 1}),
	}
	if d := cmp.Diff(want, []Column{got.Column(0), got.Column(1)}, cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
	if len(schema[0].Labels) != 1 || cap(schema[0].Labels) != 1 {
		t.Error("Conform wrote into the schema")
	}
	for _, c := range []struct {
		schema []Attribute
		want   string
	}{
		{schema[:1], `column "c", row 2: the value is not among the 1 expected categories`},
		{[]Attribute{{Name: "gone"}}, `column "gone" is missing`},
		{[]Attribute{{Name: "c", Kind: Numeric}}, `column "c" is categorical, expected numeric`},
	} {
		if _, err := tb.Conform(c.schema, false); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
