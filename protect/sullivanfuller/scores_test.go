package sullivanfuller

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Scores by counting: the share of the smaller values and half of the equal ones; with cells, somewhere between the
// share of the smaller ones and that of those that are not larger. Without noise everything comes back.
func TestScoresTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		for _, ties := range []string{cell, middle} {
			p := &Plan{Attrs: tab.Attrs(), Ties: ties}
			for j := range tab.Width() {
				if tab.Attr(j).Kind == table.Numeric {
					p.Numeric = append(p.Numeric, j)
				} else {
					p.Categorical = append(p.Categorical, j)
				}
			}
			ranks, z := p.scores(tab, protecttest.Seed(1))
			for k, j := range p.columns() {
				v, cells := numbers(tab, j), ties == cell || tab.Attr(j).Kind == table.Categorical
				back := inverse(ranks[k], tab.Attr(j).Kind, ties)
				for i, x := range v {
					smaller, equal := counted(v, x)
					lo, hi := smaller, smaller+equal
					if !cells || equal*float64(len(ranks[k].Order)) < 1.5 {
						lo, hi = smaller+equal/2, smaller+equal/2
					}
					u := distuv.UnitNormal.CDF(z[k][i])
					switch {
					case x != x && z[k][i] != z[k][i]:
					case !(u > lo-1e-12 && u < hi+1e-12):
						r.Fatalf("column %d, %v: F = %v, expected %v to %v", j, x, u, lo, hi)
					case cells && tab.Attr(j).Kind == table.Numeric &&
						(u < lo+0.5/float64(len(ranks[k].Order)) || u > hi-0.5/float64(len(ranks[k].Order))):
						// the last half rank on either side of a cell is the way to the next value
					case math.Abs(back(u)-x) > 1e-9*max(1, math.Abs(x)):
						r.Fatalf("column %d, ties %s: %v comes back as %v", j, ties, x, back(u))
					}
				}
			}
		}
	})
}

// counted returns the share of the known values that are smaller than x, and that of the equal ones.
func counted(v []float64, x float64) (smaller, equal float64) {
	n := 0.0
	for _, w := range v {
		switch {
		case w != w:
			continue
		case w < x:
			smaller++
		case w == x:
			equal++
		}
		n++
	}
	return smaller / n, equal / n
}

// The release from the masked scores, one value at a time by the sorted column.
func TestReleaseTwin(t *testing.T) {
	tab := protecttest.Mixed(400)
	p := fit(t, tab, map[string]string{"categories": "perturb", "noise": "0.3"})
	out := must.Get(p.Apply(tab, protecttest.Seed(4)))(t)
	_, z := p.scores(tab, protecttest.Seed(4))
	y := must.Get(p.masked(tab, protecttest.Seed(4), z))(t)
	for k, j := range p.columns() {
		was, is, a := numbers(tab, j), numbers(out, j), tab.Attr(j)
		sorted := slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(was), math.IsNaN)))
		n := float64(len(sorted))
		for i, x := range was {
			if x != x {
				if is[i] == is[i] {
					t.Errorf("column %s: a missing value becomes %v", a.Name, is[i])
				}
				continue
			}
			at := min(max(n*distuv.UnitNormal.CDF(y[k][i])-0.5, 0), n-1)
			lo := sorted[int(at)]
			want := lo + (at-math.Floor(at))*(sorted[int(math.Ceil(at))]-lo)
			if a.Kind == table.Categorical {
				want = sorted[int(at+0.5)]
			}
			if math.Abs(is[i]-want) > a.Step/2+1e-9 {
				t.Errorf("column %s: %v becomes %v, expected %v", a.Name, x, is[i], want)
			}
		}
	}
}

// quantile and probability undo each other, and both are finite.
func TestNormalLaw(t *testing.T) {
	for _, u := range []float64{1e-9, 0.01, 0.3, 0.5, 0.9, 1 - 1e-9} {
		protecttest.Near(t, "probability", probability(quantile(u)), u, 1e-14)
		protecttest.Near(t, "quantile", quantile(u), distuv.UnitNormal.Quantile(u), 1e-6)
	}
	if lo, hi := quantile(0), quantile(1); math.IsInf(lo, 0) || math.IsInf(hi, 0) || lo > -8 || hi < 8 {
		t.Errorf("the quantiles of 0 and 1 are %v and %v", lo, hi)
	}
}

// Columns that are equal stay so, up to rounding: their noise is the same. The correlation matrix is singular.
func TestEqualColumnsStayEqual(t *testing.T) {
	tab := people(200)
	twin := tab.Column(0)
	twin.Name = "twin"
	both := tabletest.Must(append(tab.Columns()[:2], twin)...)
	out := released(t, both, map[string]string{"noise": "1"})
	for i, v := range out.Num(0) {
		if w := out.Num(2)[i]; math.Abs(v-w) > 1e-5*max(1, v) {
			t.Errorf("row %d: %v and %v", i, v, w)
		}
	}
}

// Pairwise correlations of incomplete columns that no law has are repaired.
func TestIndefiniteCorrelations(t *testing.T) {
	x := columnsOf(3, 90)
	for i := range 90 {
		v := float64(i % 30)
		x[0][i], x[1][i], x[2][i] = v, v, v
		switch i / 30 { // correlations 1, 1 and -1
		case 0:
			x[2][i] = math.NaN()
		case 1:
			x[1][i] = math.NaN()
		default:
			x[0][i], x[2][i] = math.NaN(), -v
		}
	}
	tab := tabletest.Must(table.NumColumn("a", 1, x[0]), table.NumColumn("b", 1, x[1]), table.NumColumn("c", 1, x[2]))
	for _, noise := range []string{"0", "1"} {
		out := released(t, tab, map[string]string{"noise": noise})
		if slices.Equal(out.Num(0)[:30], x[0][:30]) {
			t.Errorf("noise %s changes nothing", noise)
		}
	}
}

// The release of a record does not depend on the order, to the last bit of a continuous column: sums that do are taken
// in the order of the identities.
func TestOrderIsOfNoAccount(t *testing.T) {
	tab := people(30_000)
	p := fit(t, tab, map[string]string{"noise": "0.5"})
	want := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	rows := protecttest.Seed(2).Rand().Perm(tab.Rows())
	got := must.Get(p.Apply(tab.Gather(rows), protecttest.Seed(1)))(t)
	for i, was := range rows {
		if got.ID(i) != want.ID(was) || got.Num(0)[i] != want.Num(0)[was] || got.Num(1)[i] != want.Num(1)[was] {
			t.Fatalf("record %d: %v in another order, expected %v", want.ID(was), got.Num(1)[i], want.Num(1)[was])
		}
	}
}

// Released numbers lie on the grid and inside the declared domain, which the originals leave.
func TestGridAndDomain(t *testing.T) {
	c := table.NumColumn("x", 0.5, []float64{-3, 0.1, 0.2, 0.7, 1.1, 1.4, 2, 9})
	c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 2}, true
	for i, v := range released(t, tabletest.Must(c), map[string]string{"noise": "1"}).Num(0) {
		if v < 0 || v > 2 || v != table.Snap(v, 0.5) {
			t.Errorf("row %d becomes %v", i, v)
		}
	}
}

// adjust leaves the noise alone where there are too few records, and else turns it; missing scores do no harm.
func TestAdjust(t *testing.T) {
	for _, rows := range []int{1, 2, 6, 7, 100} {
		z, g := columnsOf(3, rows), columnsOf(3, rows)
		for k := range g {
			rng.Normals[uint64](protecttest.Seed(byte(k)).Stream(), z[k], nil, 0)
			rng.Normals[uint64](protecttest.Seed(byte(9+k)).Stream(), g[k], nil, 0)
		}
		z[1][0] = math.NaN()
		before := slices.Clone(g[0])
		must.NoError(t, adjust(g, z))
		if same := slices.Equal(before, g[0]); same != (rows < 7) {
			t.Errorf("%d rows: the noise stays: %v", rows, same)
		}
		if slices.ContainsFunc(slices.Concat(g...), math.IsNaN) {
			t.Errorf("%d rows: missing noise", rows)
		}
		if rank.OfAll(g); !math.IsNaN(z[1][0]) {
			t.Errorf("%d rows: the missing score is filled in", rows)
		}
	}
}

func TestRefusals(t *testing.T) {
	for what, damage := range map[string]func(p *Plan){
		"no noise":             func(p *Plan) { p.Noise = 0 },
		"endless noise":        func(p *Plan) { p.Noise = math.Inf(1) },
		"noise that is none":   func(p *Plan) { p.Noise = math.NaN() },
		"unknown ties":         func(p *Plan) { p.Ties = "broken" },
		"a column twice":       func(p *Plan) { p.Numeric = []int{0, 0} },
		"a number as category": func(p *Plan) { p.Categorical = []int{0} },
		"a rule for nobody":    func(p *Plan) { p.Rule.Hidden = 0 },
		"a rule that is none":  func(p *Plan) { p.Rule.Asked = p.Rule.Among + 1 },
	} {
		p := fit(t, people(30), nil)
		damage(p)
		if p.Check() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	if _, err := fit(t, people(30), nil).Apply(protecttest.Mixed(30), protecttest.Seed(1)); err == nil {
		t.Error("another table is accepted")
	}
}

// numbers returns a column as numbers.
func numbers(t *table.Table, j int) []float64 {
	c := t.Column(j)
	return c.Numbers()
}
