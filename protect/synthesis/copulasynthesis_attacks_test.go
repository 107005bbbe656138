package synthesis

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func drawn(t *testing.T, tab *table.Table, set map[string]string) (*CopulaPlan, *table.Table) {
	t.Helper()
	q := CopulaNew()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p.(*CopulaPlan), out
}

// No number that one person has stands in the plan, but single values that enough people have.
func TestPlanHasNobodysNumber(t *testing.T) {
	tab := protecttest.Mixed(700)
	p, out := drawn(t, tab, nil)
	ratio := tab.Find("ratio")
	own := map[float64]bool{}
	for _, v := range tab.Num(ratio) {
		own[v] = true
	}
	for _, v := range p.Variables {
		if v.Column != ratio || v.Gap {
			continue
		}
		for _, c := range v.Cells {
			if own[c.Lo] || own[c.Hi] || c.Records < protect.Common {
				t.Fatal("the plan has somebody's ratio, or a run of fewer people than it needs")
			}
		}
	}
	for _, v := range out.Num(ratio) {
		if v == v && own[v] {
			t.Fatal("the release has somebody's ratio")
		}
	}
}

// Known answer: of two halves of a normal variable scores are correlated by 2 asin(rho)/pi (Sheppard 1899), and of many
// cells as the variables are.
func TestCorrelationBehindScores(t *testing.T) {
	half := Variable{Cells: []Cell{{Records: 500}, {Records: 500}}}
	var many Variable
	for range 400 {
		many.Cells = append(many.Cells, Cell{Records: 3})
	}
	half.ready()
	many.ready()
	a, b := half.series(), many.series()
	for _, rho := range []float64{-0.8, -0.3, 0, 0.2, 0.5, 0.8} {
		if got := behind(&a, &a, 2*math.Asin(rho)/math.Pi); math.Abs(got-rho) > 2e-3 {
			t.Errorf("halves: %.4f, expected %.2f", got, rho)
		}
		if got := behind(&b, &b, rho); math.Abs(got-rho) > 5e-3 {
			t.Errorf("many cells: %.4f, expected %.2f", got, rho)
		}
	}
}

// What the package says is kept is kept: rank correlations of numbers, of a number and a category, and which values are
// missing with what; what three columns have together and no two of them is not. Standard errors are below 0.018 for
// 3,000 records; five are allowed.
func TestKeptAndNotKept(t *testing.T) {
	r := protecttest.Seed(3).Rand()
	const n = 3000
	x, y := make([]float64, n), make([]float64, n)
	var cats [4][]int32
	for i := range n {
		z := r.NormFloat64()
		x[i], y[i] = math.Round(100*math.Exp(z))/100, math.Round(20*(0.8*z+0.6*r.NormFloat64()))
		g := int32(1)
		if z > 0.7 {
			g = 0
		} else if z > -0.5 {
			g = 2
		}
		if z > 0 && r.IntN(2) == 0 {
			y[i] = math.NaN()
		}
		a, b := int32(r.IntN(2)), int32(r.IntN(2))
		for k, v := range []int32{g, a, b, a ^ b} {
			cats[k] = append(cats[k], v)
		}
	}
	cols := []table.Column{table.NumColumn("x", 0.01, x), table.NumColumn("y", 1, y),
		table.CatColumn("g", []string{"top", "low", "middle"}, cats[0])}
	for k, name := range []string{"a", "b", "c"} {
		cols = append(cols, table.CatColumn(name, []string{"no", "yes"}, cats[1+k]))
	}
	tab := tabletest.Must(cols...)
	_, out := drawn(t, tab, nil)
	spearman := func(t *table.Table) float64 {
		a, b := []float64{}, []float64{}
		for i, v := range t.Num(1) {
			if v == v {
				a, b = append(a, t.Num(0)[i]), append(b, v)
			}
		}
		return rank.Spearman(rank.OfAll([][]float64{a, b})).At(0, 1)
	}
	if was, is := spearman(tab), spearman(out); math.Abs(was-is) > 0.09 {
		t.Errorf("rank correlation %.3f, drawn %.3f", was, is)
	}
	shares := func(t *table.Table) (gaps, top, odd float64) {
		high := 0.0
		for i := range t.Rows() {
			if t.Num(0)[i] > 1 {
				high++
				if t.MissingAt(i, 1) {
					gaps++
				}
				if t.Cat(2)[i] == 0 {
					top++
				}
			}
			if t.Cat(3)[i]^t.Cat(4)[i] == t.Cat(5)[i] {
				odd++
			}
		}
		return gaps / high, top / high, odd / float64(t.Rows())
	}
	gaps, top, _ := shares(tab)
	g, o, odd := shares(out)
	if math.Abs(gaps-g) > 0.09 || math.Abs(top-o) > 0.12 {
		t.Errorf("of high x %.3f lack y, drawn %.3f; %.3f are at the top, drawn %.3f", gaps, g, top, o)
	}
	if math.Abs(odd-0.5) > 0.05 {
		t.Errorf("what three columns have together is kept in %.3f", odd)
	}
}
