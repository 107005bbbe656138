package gadp

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// related returns n records of the confidential columns a and b~c and the open column s, which correlate by 0.5.
func related(t testing.TB, n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, 3)
	for j := range cols {
		cols[j] = make([]float64, n)
	}
	for i := range n {
		common := r.NormFloat64()
		for j := range cols {
			cols[j][i] = 10 + float64(j+1)*(common+r.NormFloat64())
		}
	}
	a, b, s := table.NumColumn("a", 0, cols[0]), table.NumColumn("b~c", 0, cols[1]), table.NumColumn("s", 0, cols[2])
	a.Role, b.Role = table.Confidential, table.Confidential
	return tabletest.Of(t, a, b, s)
}

// Muralidhar, Parsa & Sarathy 1999: the release has the covariances that are wanted, among the confidential columns and
// with the open one, and the original's where nothing is said. Of 40,000 records five standard errors of a correlation
// are 0.025, and of a variance 3.5 %; the seed is fixed.
func TestWantedCovariances(t *testing.T) {
	tab := related(t, 40_000)
	q := NewGADP()
	q.Correlations = []string{"a~b~c=-0.2", "s~a = 0.1"}
	q.Covariances = []string{"a~a=9"}
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	means, cov := moment(t, out.Num(0), out.Num(1), out.Num(2))
	was, before := moment(t, tab.Num(0), tab.Num(1), tab.Num(2))
	r := func(i, j int) float64 { return cov.At(i, j) / math.Sqrt(cov.At(i, i)*cov.At(j, j)) }
	protecttest.Near(t, "correlation of a and b~c", r(0, 1), -0.2, 0.025)
	protecttest.Near(t, "correlation of a and s", r(0, 2), 0.1, 0.025)
	kept := before.At(1, 2) / math.Sqrt(before.At(1, 1)*before.At(2, 2))
	protecttest.Near(t, "correlation of b~c and s", r(1, 2), kept, 0.025)
	protecttest.Near(t, "variance of a", cov.At(0, 0), 9, 0.35)
	protecttest.Near(t, "variance of b~c", cov.At(1, 1), before.At(1, 1), 0.035*before.At(1, 1))
	protecttest.Near(t, "mean of a", means[0], was[0], 5*3/200.0)
	if notes := strings.Join(written(p), " "); !strings.Contains(notes, `the covariances of "a", "b~c", "s" are the wanted`) {
		t.Error(notes)
	}
	if c := p.(*GADPPlan).Corrections(); c != nil {
		t.Errorf("the release is said to have the original's covariances: %v", c)
	}
}

// A wanted variance alone leaves the correlations of its column as they are.
func TestWantedVarianceKeepsCorrelations(t *testing.T) {
	tab := related(t, 40_000)
	q := NewGADP()
	q.Covariances = []string{"a~a=9"}
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	_, cov := moment(t, out.Num(0), out.Num(1), out.Num(2))
	_, before := moment(t, tab.Num(0), tab.Num(1), tab.Num(2))
	protecttest.Near(t, "variance of a", cov.At(0, 0), 9, 0.35)
	for j, name := range []string{"b~c", "s"} {
		r := func(m *mat.SymDense) float64 { return m.At(0, j+1) / math.Sqrt(m.At(0, 0)*m.At(j+1, j+1)) }
		protecttest.Near(t, "correlation of a and "+name, r(cov), r(before), 0.025)
	}
}

func written(p protect.Plan) (out []string) {
	for _, s := range p.(protect.Noted).Notes() {
		out = append(out, s.String())
	}
	return out
}

// What no table has is refused with the columns that contradict each other; so are pairs that are not there.
func TestWantedRefused(t *testing.T) {
	tab := related(t, 500)
	for want, change := range map[string]func(q *GADPTechnique){
		`those of "a", "b~c", "s" are not positive definite`: func(q *GADPTechnique) {
			q.Correlations = []string{"a~b~c=0.9", "a~s=-0.9"}
		},
		`"covariances": no table has`:              func(q *GADPTechnique) { q.Covariances = []string{"a~b~c=1000"} },
		`neither of the columns "s" and "s" is`:    func(q *GADPTechnique) { q.Covariances = []string{"s~s=1"} },
		`"a~b" does not name two numeric columns`:  func(q *GADPTechnique) { q.Correlations = []string{"a~b=0.5"} },
		`is not a correlation of two columns`:      func(q *GADPTechnique) { q.Correlations = []string{"a~s=1.5"} },
		`has no "="; expected column~column=value`: func(q *GADPTechnique) { q.Correlations = []string{"a~s"} },
		`"a~a=-1" is no variance`:                  func(q *GADPTechnique) { q.Covariances = []string{"a~a=-1"} },
		`"x" is not a number`:                      func(q *GADPTechnique) { q.Covariances = []string{"a~s=x"} },
		`"security": expected 1 where covariances`: func(q *GADPTechnique) {
			q.Correlations, q.Security = []string{"a~s=0.1"}, 0.9
		},
	} {
		q := NewGADP()
		change(q)
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	q := NewGADP()
	q.Correlations = []string{"a~s=0.1"}
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	bad := p.(*GADPPlan)
	if bad.Wanted = bad.Wanted[1:]; bad.Check() == nil {
		t.Error("a plan with too few wanted covariances is accepted")
	}
}
