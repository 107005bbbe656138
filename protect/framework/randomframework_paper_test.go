package framework

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func randomFrameworkFit(
	t *testing.T,
	tab *table.Table,
	set map[string]string,
) (*RandomFrameworkTechnique, *RandomFrameworkPlan) {
	t.Helper()
	q := NewRandomFramework()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	return q, p.(*RandomFrameworkPlan)
}

// TestRandomFrameworkSectionSevenThree perturbs 20,000 records of the Credit Risk data set as section 7.3.1 says: means
// of numeric attributes move to mid-domain, categorical values change with probability 0.1, and as many classes change
// as RPT would change (equation 4.1). Each figure is off by five standard errors with probability 6e-7.
func TestRandomFrameworkSectionSevenThree(t *testing.T) {
	const rows = 20_000
	tab := generate.CR(rows, rng.New([32]byte{1}))
	q, p := randomFrameworkFit(t, tab, nil)
	if got := p.Changes(); !slices.Equal(got, protect.Names(tab.Attrs(), []int{0, 1, 2, 3, 4, 5})) {
		t.Errorf("the plan changes %q", got)
	}
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{3}), protect.Options{}))(t)
	for j := range 4 {
		d := tab.Attr(j).Domain
		n := d.Hi - d.Lo + 1
		mean := 0.0
		for _, v := range out.Num(j) {
			mean += v / rows
		}
		// The law leaves out half of the old value's share, which moves the mean by less than 1/(2n) of the domain.
		if sd := math.Sqrt((n*n-1)/12) / math.Sqrt(rows); math.Abs(mean-(d.Lo+d.Hi)/2) > 5*sd+0.5 {
			t.Errorf("%s: mean %v, mid-domain %v", tab.Attr(j).Name, mean, (d.Lo+d.Hi)/2)
		}
	}
	in := must.Get(q.Segment(context.Background(), aggregate.Over(tab, rng.New([32]byte{5}))))(t)
	leaf := must.Get(in.Route(tab))(t)
	noise := 0.0
	for _, c := range in.Count(tab, leaf) {
		m, n := float64(c[0]), float64(c[1])
		if m+n > 0 {
			noise += 2 * m * n / (m + n) / rows
		}
	}
	near(t, "City", tab, out, 4, 0.1)
	near(t, "Credit Risk", tab, out, 5, noise)
}

func near(t *testing.T, what string, tab, out *table.Table, j int, want float64) {
	t.Helper()
	n := 0
	for i, v := range tab.Cat(j) {
		if out.Cat(j)[i] != v {
			n++
		}
	}
	rows := float64(tab.Rows())
	if got := float64(n) / rows; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/rows) {
		t.Errorf("%s: %v of the values changed, expected %v", what, got, want)
	}
}

// TestRandomFrameworkExcept checks that columns named in except stay, the class included; no tree is needed then.
func TestRandomFrameworkExcept(t *testing.T) {
	tab := generate.CR(500, rng.New([32]byte{1}))
	_, p := randomFrameworkFit(t, tab, map[string]string{"except": "Income, Credit Risk"})
	if got := strings.Join(p.Changes(), ","); got != "House Rent,Job Grade,No of Dependents,City" {
		t.Errorf("the plan changes %s", got)
	}
}

// BenchmarkApply perturbs a million records of six attributes: 1.2 times the time of sorting a million random numbers.
func BenchmarkApply(b *testing.B) {
	tab := generate.CR(1_000_000, rng.New([32]byte{1}))
	p := must.Get(NewRandomFramework().Fit(context.Background(), tab, rng.New([32]byte{5})))(b)
	for b.Loop() {
		must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{3}), protect.Options{}))(b)
	}
	yardstick.Report(b)
}
