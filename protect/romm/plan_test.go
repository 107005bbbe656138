package romm

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Constant columns, sums of other columns and a column of S twice keep the moments.
func TestCollinear(t *testing.T) {
	const n = 30
	r := rand.New(rand.NewPCG(7, 8))
	c, sum, flat := normals(r, 3, n), make([]float64, n), make([]float64, n)
	for i := range n {
		sum[i], flat[i] = c[0][i]+c[1][i], 7
	}
	u := [][]float64{sum, c[0], c[1], flat, c[2], c[2]}
	for _, lambda := range []float64{0.01, 1, 100} {
		y := released(t, u, normals(r, 4, n), lambda)
		if mean, cov := orthobasis.Drift(u, append(y, u[4:]...)); mean > 1e-12 || cov > 1e-12 {
			t.Errorf("lambda %v: means drift by %.2g, covariances by %.2g", lambda, mean, cov)
		}
		for i, v := range y[0] {
			if math.Abs(v-y[1][i]-y[2][i]) > 1e-12 || y[3][i] != 7 {
				t.Fatalf("row %d: %v is not the sum of %v and %v, or %v not constant", i, v, y[1][i], y[2][i], y[3][i])
			}
		}
	}
}

// Moments are exact for the complete records; the others follow the law of GADP with these moments.
func TestMissing(t *testing.T) {
	const n, gap = 40, 13
	r := rand.New(rand.NewPCG(9, 10))
	u, z := correlated(r, 3, n), normals(r, 2, n)
	u[1][gap] = math.NaN()
	y := released(t, u, z, 0.1)
	if mean, cov := orthobasis.Drift(u, append(y, u[2])); mean > 1e-12 || cov > 1e-12 {
		t.Errorf("means drift by %.2g, covariances by %.2g", mean, cov)
	}
	mean, whole, row, dice := make([]float64, 3), columns(3, 0), columns(3, 1), columns(2, 1)
	for j := range whole {
		whole[j] = append(append(whole[j], u[j][:gap]...), u[j][gap+1:]...)
		mean[j], row[j][0] = stat.Mean(whole[j], nil), u[j][gap]
	}
	dice[0][0], dice[1][0] = z[0][gap], z[1][gap]
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, dense(whole), nil)
	a := Dial(0.1, n-1-2)
	law := must.Get(mvnorm.NewLaw(mean, &cov, []float64{a, a}))(t)
	want := columns(2, 1)
	must.NoError(t, law.Draw(want, row, dice))
	if y[1][gap] == y[1][gap] || math.Abs(y[0][gap]-want[0][0]) > 1e-9*math.Abs(want[0][0]) {
		t.Errorf("released %v and %v, by the law %v and a missing value", y[0][gap], y[1][gap], want[0][0])
	}
}

// fitted fits to n records of k confidential columns and q others, and applies.
func fitted(t *testing.T, k, q, n int, set map[string]string) (*Plan, *table.Table, *table.Table) {
	t.Helper()
	var cols []table.Column
	for j, c := range correlated(rand.New(rand.NewPCG(11, 12)), k+q, n) {
		col := table.NumColumn(string(rune('a'+j)), 0, c)
		if j < k {
			col.Role = table.Confidential
		}
		cols = append(cols, col)
	}
	tab := tabletest.Of(t, cols...)
	tech := New()
	must.NoError(t, tech.Params().Apply(set))
	p := must.Get(tech.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p.(*Plan), tab, out
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		n    int
		note string
	}{
		{102, "with lambda 0.1 on 102 records, the part of a value that the other columns do not explain " +
			"correlates by about 0.71"},
		{3, "means are released"},
		{1, "that of a single record is the record"},
	} {
		p, tab, out := fitted(t, 2, 1, c.n, map[string]string{"lambda": "0.1"})
		if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, c.note) {
			t.Errorf("%d records: notes %s", c.n, notes)
		}
		if c.n < 100 {
			continue
		}
		u := [][]float64{tab.Num(0), tab.Num(1), tab.Num(2)}
		// of the implied grid
		if mean, cov := orthobasis.Drift(u, [][]float64{out.Num(0), out.Num(1), out.Num(2)}); mean > 1e-10 || cov > 1e-10 {
			t.Errorf("the table drifts by %.2g, covariances by %.2g", mean, cov)
		}
	}
}

// An intruder who knows lambda reads the release as the original plus noise of the variance that the plan tells. With
// 4,000 records both the mean and the ratio of variances have standard deviations below 0.03; a right program fails at
// five of them once in a million.
func TestAdditiveAndCorrections(t *testing.T) {
	p, tab, out := fitted(t, 1, 1, 4000, map[string]string{"lambda": "0.01"})
	names, z, noise, err := p.Additive(out)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	e := make([]float64, 4000)
	for i, v := range z[0] {
		e[i] = v - tab.Num(0)[i]
	}
	if ratio := stat.Variance(e, nil) / noise.At(0, 0); math.Abs(ratio-1) > 0.15 {
		t.Errorf("the variance of the noise is %v of what the plan says", ratio)
	}
	if c := strings.Join(message.Written(p.Corrections()), "\n"); !strings.Contains(c, "regression on b,") {
		t.Errorf("corrections %s", c)
	}
	few, _, out := fitted(t, 2, 1, 4, nil)
	if names, _, _, err := few.Additive(out); len(names) > 0 || err != nil || few.Corrections() != nil {
		t.Errorf("means are original plus noise for %q, %v", names, err)
	}
}

func TestCheck(t *testing.T) {
	good, _, _ := fitted(t, 2, 2, 20, nil)
	must.NoError(t, good.Check())
	for what, spoil := range map[string]func(p *Plan){
		"lambda":    func(p *Plan) { p.Lambda = -1 },
		"no lambda": func(p *Plan) { p.Lambda = math.NaN() },
		"outside":   func(p *Plan) { p.Outside = fence.OutsideRedraw },
		"no facts":  func(p *Plan) { p.Facts = nil },
		"columns":   func(p *Plan) { p.Columns = []int{1, 0} },
		"both":      func(p *Plan) { p.Others = []int{1, 2} },
		"figures":   func(p *Plan) { p.Facts = &orthobasis.Facts{Records: 20} },
	} {
		p := *good
		spoil(&p)
		if p.Check() == nil {
			t.Errorf("a plan with bad %s is accepted", what)
		}
	}
}
