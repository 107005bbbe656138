package additivenoise

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The noise is that of SADP with the share that the bound allows, value by value: chance 0.2, 50 records and an error
// of 0.1 allow 0.2 * 50 * 0.1^2 = 0.1 of the variance.
func TestItIsSADPWithTheSharesOfTheBound(t *testing.T) {
	tab := protecttest.Mixed(500)
	q, twin := newBound(), newShare(false)
	q.Chance, q.Records, q.Error, twin.Noise = 0.2, 50, 0.1, 0.2*50*0.1*0.1
	a, b := released(t, q, tab), released(t, twin, tab)
	for j := range tab.Width() {
		if tab.Attr(j).Kind != table.Numeric {
			continue
		}
		for i, v := range a.Num(j) {
			if w := b.Num(j)[i]; v != w && (v == v || w == w) {
				t.Fatalf("column %d, row %d: %v, SADP has %v", j, i, v, w)
			}
		}
	}
}

// The bound holds: of 2,000 means of 100 records with chance 0.3 at most 30 % may be off by the error; normal noise at
// the bound is at 1/sqrt(0.3) standard deviations, 6.8 %. Between 4 % and 9.6 % lie five standard errors (0.56 %): a
// right program fails once in a million.
func TestChebyshev(t *testing.T) {
	const means, records = 2000, 100
	r := rand.New(rand.NewPCG(5, 6))
	x := make([]float64, means*records)
	for i := range x {
		x[i] = 10 * r.ExpFloat64()
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0, x))
	q := newBound()
	q.Records, q.Error, q.Chance = records, 0.05, 0.3
	out := released(t, q, tab)
	sd, off := stat.StdDev(x, nil), 0
	for k := range means {
		a, b := k*records, (k+1)*records
		if math.Abs(stat.Mean(out.Num(0)[a:b], nil)-stat.Mean(x[a:b], nil)) >= q.Error*sd {
			off++
		}
	}
	want := 2 * distuv.UnitNormal.Survival(1/math.Sqrt(q.Chance))
	if share := float64(off) / means; share > q.Chance || math.Abs(share-want) > 0.028 {
		t.Errorf("%.3f of the means are off, the bound is %v and normal noise gives %.3f", share, q.Chance, want)
	}
}

func TestTraubSentences(t *testing.T) {
	p := must.Get(newBound().Fit(context.Background(), protecttest.Mixed(50), protecttest.Seed(1)))(t)
	notes := p.(protect.Noted).Notes()
	if len(notes) == 0 || !strings.Contains(notes[0].String(), "0.25 of each variance: the mean of 1,000 records or "+
		"more is off by 0.05 standard deviations or more") {
		t.Errorf("%q", notes)
	}
	if c := p.(protect.Corrected).Corrections(); len(c) < 4 || c[1].String() != "divide the variance of a perturbed "+
		"column by 1 + 0.25 = 1.25" {
		t.Errorf("%q", c)
	}
	q := newBound()
	q.Error = 100
	if _, err := q.Fit(context.Background(), protecttest.Mixed(50), protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "times the variance") {
		t.Errorf("a bound that allows a million times the variance: %v", err)
	}
	plan := *p.(*TraubPlan)
	if plan.Noise *= 2; plan.Check() == nil {
		t.Error("a plan with more noise than its bound allows is not refused")
	}
}
