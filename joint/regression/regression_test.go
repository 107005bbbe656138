package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

var columns = []joint.Column{
	{Name: "age", Max: 100}, {Name: "dose", Min: -5, Max: 5, Decimals: 1},
	{Name: "cost", Max: 1000, Decimals: 2, Role: joint.Class},
}

// records are age, dose, cost.
func records(n int, seed uint64) [][3]float64 {
	draw := rand.New(rand.NewPCG(seed, 3))
	out := make([][3]float64, n)
	for i := range out {
		age, dose := float64(20+draw.IntN(60)), math.Round(draw.NormFloat64()*10)/10
		cost := 300 + 2*age - 7*dose + draw.NormFloat64()*20
		out[i] = [3]float64{age, max(-5, min(5, dose)), math.Round(cost*100) / 100}
	}
	return out
}

func tableOf(list [][3]float64, which ...int) *table.Table {
	var cols []table.Column
	for _, c := range which {
		v := make([]float64, len(list))
		for i := range v {
			v[i] = list[i][c]
		}
		cols = append(cols, table.NumColumn(columns[c].Name, 0.01, v))
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// plain is the regression by deviations from means: two explaining columns have a closed form.
func plain(list [][3]float64) (constant, age, dose, rest float64) {
	n := float64(len(list))
	var mean [3]float64
	for _, r := range list {
		for c := range mean {
			mean[c] += r[c] / n
		}
	}
	var s [3][3]float64
	for _, r := range list {
		for i := range s {
			for j := range s {
				s[i][j] += (r[i] - mean[i]) * (r[j] - mean[j])
			}
		}
	}
	det := s[0][0]*s[1][1] - s[0][1]*s[0][1]
	age = (s[0][2]*s[1][1] - s[1][2]*s[0][1]) / det
	dose = (s[1][2]*s[0][0] - s[0][2]*s[0][1]) / det
	return mean[2] - age*mean[0] - dose*mean[1], age, dose, s[2][2] - age*s[0][2] - dose*s[1][2]
}

func want(list [][3]float64) *joint.Result {
	c, age, dose, rest := plain(list)
	v := rest / float64(len(list)-3)
	row := func(name string, b float64) []any { return []any{name, b, math.NaN()} }
	return &joint.Result{
		Figures: []joint.Figure{{Name: "records", Value: int64(len(list))}, {Name: "sum of squared residuals", Value: rest},
			{Name: "residual variance", Value: v}},
		Tables: []joint.ResultTable{{Name: "coefficients", Columns: []string{"column", "coefficient", "standard error"},
			Rows: [][]any{row("constant", c), row("age", age), row("dose", dose)}}},
	}
}

// withErrors puts standard errors into a result: those of a fit without parties, which TestVector checks.
func withErrors(t *testing.T, r *joint.Result, list [][3]float64) *joint.Result {
	m := newMoments(columns)
	x := make([][]int64, 3)
	for c := range x {
		for _, rec := range list {
			x[c] = append(x[c], int64(math.Round(rec[c]*math.Pow10(columns[c].Decimals))))
		}
	}
	m.add(x, len(list))
	fit := must.Get(m.fit())(t)
	for i := range r.Tables[0].Rows {
		r.Tables[0].Rows[i][2] = fit.Tables[0].Rows[i][2]
	}
	return r
}

func TestConformance(t *testing.T) {
	all := records(60, 1)
	pooledCase := jointtest.Case{Name: "three", Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"),
		Columns: columns}, Want: []*joint.Result{withErrors(t, want(all), all)}, Tolerance: 1e-9,
		Tables: []*table.Table{tableOf(all[:9], 0, 1, 2), tableOf(all[9:30], 0, 1, 2), tableOf(all[30:], 0, 1, 2)}}
	alike, part := pooledCase, tableOf(all[:20], 0, 1, 2)
	alike.Name, alike.Plain, alike.Tables = "identical", true, []*table.Table{part, part, part}
	thrice := slices.Concat(all[:20], all[:20], all[:20])
	alike.Want = []*joint.Result{withErrors(t, want(thrice), thrice)}
	owned := append([]joint.Column{}, columns...)
	owned[0].Owner, owned[1].Owner, owned[2].Owner = "ada", "bob", "ada"
	two := jointtest.Case{Name: "two", Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: owned},
		Tables: []*table.Table{tableOf(all, 0, 2), tableOf(all, 1)}, Tolerance: 1e-9,
		Want: []*joint.Result{withErrors(t, want(all), all)}}
	c, age, dose, rest := plain(all)
	coefficients := func(rows ...[]any) *joint.Result {
		return &joint.Result{Figures: []joint.Figure{{Name: "sum of squared residuals", Value: rest}},
			Tables: []joint.ResultTable{{Name: "coefficients", Columns: []string{"column", "coefficient"}, Rows: rows}}}
	}
	lines := two
	lines.Want = []*joint.Result{coefficients([]any{"age", age}, []any{"constant", c}), coefficients([]any{"dose", dose})}
	lines.Tolerance = 1e-5
	jointtest.Family(t, Protocols, map[string][]jointtest.Case{
		"regression": {pooledCase, alike}, "verticalregression": {two}, "powellregression": {lines},
	})
}

// Four records by hand: X'X is 4, 10, 30, X'y 14 and 39; the coefficients are 1.5 and 0.8, the squared residuals 1.8
// and their variance 0.9, and so the standard errors the roots of 0.9 x 1.5 and 0.9 x 0.2.
func TestVector(t *testing.T) {
	m := newMoments([]joint.Column{{Name: "x", Max: 9}, {Name: "y", Max: 9, Role: joint.Class}})
	m.add([][]int64{{1, 2, 3, 4}, {2, 3, 5, 4}}, 4)
	r := must.Get(m.fit())(t)
	near := func(what string, got any, want float64) {
		if g, ok := got.(float64); !ok || math.Abs(g-want) > 1e-12 {
			t.Errorf("%s is %v, expected %v", what, got, want)
		}
	}
	near("the sum", r.Figures[1].Value, 1.8)
	near("the variance", r.Figures[2].Value, 0.9)
	near("the constant", r.Tables[0].Rows[0][1], 1.5)
	near("the slope", r.Tables[0].Rows[1][1], 0.8)
	near("the constant's error", r.Tables[0].Rows[0][2], math.Sqrt(0.9*1.5))
	near("the slope's error", r.Tables[0].Rows[1][2], math.Sqrt(0.9*0.2))
}

// A party with as few records as columns is refused: its sums could be solved. So are columns that depend on each
// other.
func TestRefused(t *testing.T) {
	all := records(60, 1)
	c := jointtest.Case{Name: "few",
		Plan:   joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: columns},
		Tables: []*table.Table{tableOf(all[:3], 0, 1, 2), tableOf(all[3:30], 0, 1, 2), tableOf(all[30:], 0, 1, 2)}}
	if err := jointtest.Ends(t, &Protocols[0], c); err == nil {
		t.Error("three records for three columns are taken")
	}
	for i := range all {
		all[i][1] = 1
	}
	c.Tables = []*table.Table{tableOf(all[:20], 0, 1, 2), tableOf(all[20:30], 0, 1, 2), tableOf(all[30:], 0, 1, 2)}
	if err := jointtest.Ends(t, &Protocols[0], c); err == nil {
		t.Error("a column that is the constant is taken")
	}
}

// Twenty columns of three times a million records.
func BenchmarkRegression(b *testing.B) {
	const n = 1_000_000
	draw := rand.New(rand.NewPCG(1, 1))
	var plan []joint.Column
	for c := range 20 {
		plan = append(plan, joint.Column{Name: string(rune('a' + c)), Max: 1000})
	}
	plan[19].Role = joint.Class
	c := jointtest.Case{Name: "large", Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: plan}}
	for range 3 {
		var cols []table.Column
		for k := range plan {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(draw.IntN(1000))
			}
			cols = append(cols, table.NumColumn(plan[k].Name, 1, v))
		}
		t := must.Get(table.New(cols...))(b)
		c.Tables = append(c.Tables, t)
	}
	for b.Loop() {
		jointtest.Results(b, &Protocols[0], c, 1)
	}
}
