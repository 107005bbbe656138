package bestorrest

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestMORPHConformance(t *testing.T) {
	protecttest.Run(t, MORPH, protecttest.Options{})
	t.Run("cliff", func(t *testing.T) {
		set := map[string]string{"cliff": "30", "bins": "4", "most": "0.5", "except": "income"}
		protecttest.Run(t, MORPH, protecttest.Options{Set: set, Samples: true})
	})
}

func FuzzMORPHPlan(f *testing.F) {
	protecttest.FuzzPlan(f, MORPH, protecttest.Options{Set: map[string]string{"cliff": "50", "bins": "2"}, Samples: true})
}

func morphFit(t testing.TB, tab *table.Table, set map[string]string) *MORPHPlan {
	t.Helper()
	q := MORPHNew()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*MORPHPlan)
}

func morphClass(codes ...int32) table.Column {
	c := table.CatColumn("class", []string{"a", "b", "c"}, codes)
	c.Role = table.Class
	return c
}

// morphDraw returns a small table of two classes at least, with a number on a grid, a continuous one, a category and
// missing values.
func morphDraw(r *rapid.T) *table.Table {
	n := rapid.IntRange(2, 25).Draw(r, "rows")
	codes := func(name string, least, most int32) []int32 {
		return rapid.SliceOfN(rapid.Int32Range(least, most), n, n).Draw(r, name)
	}
	v, u := make([]float64, n), make([]float64, n)
	for i, c := range codes("v", -1, 30) {
		if v[i] = float64(c); c < 0 {
			v[i] = math.NaN()
		}
	}
	for i, c := range codes("u", -9, 9) {
		u[i] = float64(c) / 7
	}
	k := codes("class", -1, 2)
	k[0], k[1] = 0, 1
	return tabletest.Of(r, table.NumColumn("v", 1, v), table.NumColumn("u", 0, u),
		table.CatColumn("w", []string{"p", "q"}, codes("w", -1, 1)), morphClass(k...))
}

// squared is the squared distance of two records, written out.
func squared(t *table.Table, a, b int) float64 {
	sum := 0.0
	for j := range 3 {
		switch {
		case t.MissingAt(a, j) || t.MissingAt(b, j):
			sum++
		case t.Attr(j).Kind == table.Categorical:
			if t.Cat(j)[a] != t.Cat(j)[b] {
				sum++
			}
		default:
			if lo, hi := table.Range(t.Num(j)); hi > lo {
				e := t.Num(j)[a]/(hi-lo) - t.Num(j)[b]/(hi-lo)
				sum += float64(e * e)
			}
		}
	}
	return sum
}

// TestMORPHTwin compares neighbours with those found by comparing all records, and checks every released value: at its
// grid and in its domain, moved by least to most of the way to the neighbour's up to half a step, and by half of it at
// most.
func TestMORPHTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := morphDraw(r)
		q := MORPHNew()
		q.Most = rapid.SampledFrom([]float64{0.15, 0.35, 0.5}).Draw(r, "most")
		fitted := must.Get(q.Fit(context.Background(), tab, rng.Source{}))(r)
		p := fitted.(*MORPHPlan)
		unlike := must.Get(p.unlike(context.Background(), tab))(r)
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(r)
		c := tab.Cat(3)
		for i := range tab.Rows() {
			nearest := -1
			for k := range c {
				if c[k] >= 0 && c[k] != c[i] && (nearest < 0 || squared(tab, i, k) < squared(tab, i, nearest)) {
					nearest = k
				}
			}
			z := int(unlike[i]) // as near, but for the order in which distances are added up
			if squared(tab, i, z) > squared(tab, i, nearest)*(1+1e-12) || c[z] < 0 || c[z] == c[i] {
				r.Fatalf("record %d has neighbour %d, expected %d", i, z, nearest)
			}
			for j := range 2 {
				x, y, z := tab.Num(j)[i], out.Num(j)[i], tab.Num(j)[unlike[i]]
				moved, gap, step, d := math.Abs(y-x), math.Abs(x-z), max(tab.Attr(j).Step, 1e-9), tab.Attr(j).Domain
				switch {
				case x != x || z != z:
					if y == y && y != x || x != x && y == y {
						r.Fatalf("record %d: %v becomes %v without a neighbour's value", i, x, y)
					}
				case moved > gap/2+1e-9 || moved > q.Most*gap+step/2+1e-9:
					r.Fatalf("record %d: %v becomes %v, too far on the way to %v", i, x, y, z)
				case moved < q.Least*gap-step/2-1e-9 && y > d.Lo+1e-9 && y < d.Hi-1e-9:
					r.Fatalf("record %d: %v becomes %v, not far enough on the way to %v", i, x, y, z)
				case !d.Contains(y) || math.Abs(tab.Attr(j).Snap(y)-y) > 0:
					r.Fatalf("record %d: %v is outside its domain or grid", i, y)
				}
			}
			if out.Cat(2)[i] != tab.Cat(2)[i] || out.Cat(3)[i] != c[i] {
				r.Fatalf("record %d: a category is changed", i)
			}
		}
	})
}

// Peters & Menzies 2012: y = x ± |x - z| r with r uniform in [0.15, 0.35]. Over 4000 records the signs balance, moves
// have mean 0.25 and variance 0.2²/12 of the gap, each within five standard errors; false alarm rate 2e-6, and the seed
// is fixed. The declared domain leaves room.
func TestMORPHLaw(t *testing.T) {
	const n = 4000
	v, k := make([]float64, n), make([]int32, n)
	for i := range v {
		v[i], k[i] = float64(1000*(i%2)), int32(i%2)
	}
	col := table.NumColumn("v", 0, v)
	col.Declared, col.Domain = true, table.Interval{Lo: -1000, Hi: 2000}
	tab := tabletest.Of(t, col, morphClass(k...))
	out := must.Get(morphFit(t, tab, nil).Apply(tab, protecttest.Seed(4)))(t)
	up, sum, squares := 0.0, 0.0, 0.0
	for i, y := range out.Num(0) {
		r := (y - v[i]) / 1000
		if r > 0 {
			up++
		}
		if r = math.Abs(r); r < 0.15-1e-9 || r > 0.35+1e-9 {
			t.Fatalf("a value moves by %v of the gap", r)
		}
		sum += r
		squares += (r - 0.25) * (r - 0.25)
	}
	protecttest.Near(t, "moves up", up, n/2, 5*math.Sqrt(n)/2)
	protecttest.Near(t, "mean move", sum/n, 0.25, 5*math.Sqrt(0.04/12/n))
	// that of u² of a uniform u
	protecttest.Near(t, "variance of moves", squares/n, 0.04/12, 5*math.Sqrt(0.2*0.2*0.2*0.2/180/n))
}

// Steps are rounded to the nearest, ties towards x, and never more than half way.
func TestSteps(t *testing.T) {
	d := domain(0, 100, 1)
	for _, c := range []struct{ x, z, share, want float64 }{
		{0, 1, 0.35, 0}, {0, 1, 0.5, 0}, {0, 2, 0.3, 1}, {0, 2, 0.25, 0}, {5, 2, 0.5, 1}, {0, 10, 0.35, 3}, {10, 0, 0.35, 3},
		{0, 10, 0.36, 4},
		{7, 7, 0.5, 0}, {math.NaN(), 7, 0.5, 0}, {7, math.NaN(), 0.5, 0},
	} {
		if got := steps(&d, c.x, c.z, c.share); got != c.want {
			t.Errorf("from %v to %v by %v: %v steps, expected %v", c.x, c.z, c.share, got, c.want)
		}
	}
}

// With cliff the release is that of CLIFF, moved: the same records, and the same values when the ranges are those of
// the whole table.
func TestCliff(t *testing.T) {
	tab := protecttest.AdultLike(t, 1500)
	p := morphFit(t, tab, map[string]string{"cliff": "20"})
	got := must.Get(p.Apply(tab, protecttest.Seed(5)))(t)
	first := must.Get(CLIFFNew().Fit(context.Background(), tab, rng.Source{}))(t)
	kept := must.Get(first.Apply(tab, protecttest.Seed(5)))(t)
	then := morphFit(t, kept, nil)
	then.Range = p.Range
	want := must.Get(then.Apply(kept, protecttest.Seed(5)))(t)
	if got.Rows() != want.Rows() || got.Rows() > 302 {
		t.Fatalf("%d records, expected %d, at most a fifth of every class", got.Rows(), want.Rows())
	}
	for i := range got.Rows() {
		for _, j := range p.Columns {
			if got.ID(i) != want.ID(i) || got.Num(j)[i] != want.Num(j)[i] {
				t.Fatalf("record %d, column %q: %v, expected %v", got.ID(i), tab.Attr(j).Name, got.Num(j)[i], want.Num(j)[i])
			}
		}
	}
}

// Clipped at the observed ends; the domain does not change.
func TestClipped(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("v", 1, []float64{0, 10, 0, 10, 0, 10}), morphClass(0, 1, 0, 1, 0, 1))
	for seed := range byte(10) {
		out := must.Get(morphFit(t, tab, nil).Apply(tab, protecttest.Seed(seed)))(t)
		for i, y := range out.Num(0) {
			if m := math.Abs(y - tab.Num(0)[i]); y < 0 || y > 10 || m != 0 && (m < 1 || m > 4) {
				t.Errorf("%v becomes %v", tab.Num(0)[i], y)
			}
		}
	}
}

// The notes name the columns that hardly move.
func TestMORPHNotes(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("v", 1, []float64{0, 10, 20, 30}),
		table.NumColumn("flag", 1, []float64{0, 1, 0, 1}), morphClass(0, 1, 0, 1))
	p := morphFit(t, tab, nil)
	if n := p.Notes(); len(n) != 2 || !strings.HasSuffix(n[0].String(), "most of those of flag (100 %)") ||
		!strings.Contains(n[1].String(), "v have few distinct whole numbers, like codes: values between") {
		t.Errorf("notes %q", n)
	}
	p.Cliff = 12.5
	if d := p.Describe(); !strings.HasSuffix(d.String(), "(MORPH), of the 12.5 % of the records most "+
		"representative of their class (CLIFF)") || len(p.Notes()) != 3 {
		t.Errorf("described as %q with notes %q", d, p.Notes())
	}
}

// Codes are few whole numbers with room between them; a column without any room is none, nor one of many values or of
// fractions.
func TestCodes(t *testing.T) {
	gap := math.NaN()
	many := make([]float64, 12)
	for i := range many {
		many[i] = float64(3 * i)
	}
	for _, c := range []struct {
		column table.Column
		want   bool
	}{
		{table.NumColumn("gaps", 1, []float64{1, 3, 7, gap}), true},
		{table.NumColumn("fine", 0, []float64{1, 2, 3, 2}), true},
		{table.NumColumn("dense", 1, []float64{1, 2, 3, 2}), false},
		{table.NumColumn("half", 0.5, []float64{1, 2.5, 3, 2}), false},
		{table.NumColumn("one", 1, []float64{7, 7, gap, 7}), false},
		{table.NumColumn("many", 1, many), false},
	} {
		if got := codes(tabletest.Of(t, c.column), []int{0}); (len(got) == 1) != c.want {
			t.Errorf("column %q: codes %v", c.column.Name, got)
		}
	}
}

func TestMORPHErrors(t *testing.T) {
	v := table.NumColumn("v", 1, []float64{1, 2, 3})
	for _, c := range []struct {
		want string
		set  map[string]string
		cols []table.Column
	}{
		{`class "class" has one value in the 3 records, expected two or more`, nil, []table.Column{v, morphClass(1, 1, 1)}},
		{`class "class" has one value in the 3 records, expected two or more`, nil, []table.Column{v, morphClass(-1, 1, 1)}},
		{`class "class" has one value in the 3 records, expected two or more`, nil, []table.Column{v, morphClass(-1, -1, -1)}},
		{`parameter "least" is 0.3, expected at most "most", 0.2`, map[string]string{"least": "0.3", "most": "0.2"}, []table.Column{v, morphClass(0, 1, 1)}},
	} {
		q := MORPHNew()
		must.NoError(t, q.Params().Apply(c.set))
		if _, err := q.Fit(context.Background(), tabletest.Of(t, c.cols...), rng.Source{}); err == nil ||
			err.Error() != c.want {
			t.Errorf("error %v, expected %q", err, c.want)
		}
	}
}
