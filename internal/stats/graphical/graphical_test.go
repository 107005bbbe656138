package graphical

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// measured returns noisy tables over scopes of records drawn from a random law.
func measured(r *rand.Rand, d Domain, scopes [][]int, records int, sigma float64) (all []Measurement, law []float64) {
	law = make([]float64, d.cells(joint(d)))
	sum := 0.0
	for i := range law {
		law[i] = r.ExpFloat64()
		sum += law[i]
	}
	for i := range law {
		law[i] /= sum
	}
	for k, scope := range scopes {
		s := sigma * float64(1+k)
		counts := d.Sum(law, joint(d), scope)
		for i := range counts {
			counts[i] = counts[i]*float64(records) + s*r.NormFloat64()
		}
		all = append(all, Measurement{Scope: scope, Counts: counts, Variance: s*s + 1e-3})
	}
	return all, law
}

// loss returns what an estimate minimises, for tables of fitted counts by measurement.
func loss(all []Measurement, fitted func(scope []int) []float64) (sum float64) {
	for k := range all {
		for i, c := range fitted(all[k].Scope) {
			off := c - all[k].Counts[i]
			sum += off * off / all[k].variance(i) / 2
		}
	}
	return sum
}

// plainEstimate minimises the same loss over tables of everything, by the multiplicative steps of mirror descent.
func plainEstimate(d Domain, all []Measurement, total float64, steps int) (law []float64) {
	law = make([]float64, d.cells(joint(d)))
	for i := range law {
		law[i] = 1 / float64(len(law))
	}
	lossOf := func(p []float64) float64 {
		return loss(all, func(scope []int) []float64 { return scaled(d.Sum(p, joint(d), scope), total) })
	}
	step := 1.0
	now := lossOf(law)
	for range steps {
		slope := make([]float64, len(law))
		for k := range all {
			fitted := d.Sum(law, joint(d), all[k].Scope)
			for i, j := range d.onto(joint(d), all[k].Scope) {
				slope[i] += (fitted[j]*total - all[k].Counts[j]) / all[k].variance(int(j)) / total
			}
		}
		for step *= 2; step > 1e-30; step /= 2 {
			next, sum := make([]float64, len(law)), 0.0
			for i := range law {
				next[i] = law[i] * math.Exp(-step*slope[i])
				sum += next[i]
			}
			for i := range next {
				next[i] /= sum
			}
			if l := lossOf(next); l <= now {
				law, now = next, l
				break
			}
		}
	}
	return law
}

// The estimate is that of the twin, whose table holds everything: as small a loss and the same marginals.
func TestEstimateIsTheMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		d, scopes := random(r)
		all, _ := measured(r, d, scopes, 1000, 10)
		m := must.Get(Estimate(t.Context(), d, all, 1000, nil, Search{Steps: 3000}))(t)
		law := plainEstimate(d, all, 1000, 2000)
		plain := func(scope []int) []float64 { return scaled(d.Sum(law, joint(d), scope), 1000) }
		if got, want := loss(all, m.Marginals().Of), loss(all, plain); got > want+1e-3*(1+want) {
			t.Errorf("%v %v: the loss is %.8g, expected %.8g", d, scopes, got, want)
		}
		for k, scope := range scopes {
			near(t, "a measured table", m.Marginals().Of(scope), plain(scope), math.Sqrt(all[k].Variance)/8)
		}
	}
}

// Two measurements of one table count by inverse variance; a merged cell has the variance of all its cells.
func TestUnequalVariances(t *testing.T) {
	d := Domain{2}
	all := []Measurement{
		{Scope: []int{0}, Counts: []float64{30, 70}, Variance: 1},
		{Scope: []int{0}, Counts: []float64{60, 40}, Variance: 4},
		{Scope: []int{0}, Counts: []float64{10, 90}, Variance: 1, Merged: []float64{1, 3}},
	}
	m := must.Get(Estimate(t.Context(), d, all, 100, nil, Search{Steps: 1000}))(t)
	// x minimises (x-30)^2 + (x-60)^2/4 + (x-10)^2 and, for 100 - x, (x-30)^2 + (x-60)^2/4 + (x-10)^2/3
	x := (30 + 60/4.0 + 10 + 30 + 60/4.0 + 10/3.0) / (1 + 1/4.0 + 1 + 1 + 1/4.0 + 1/3.0)
	near(t, "counts", m.Marginals().Of([]int{0}), []float64{x, 100 - x}, 1e-4)
	if n := Total([]Measurement{
		{Scope: []int{0}, Counts: []float64{40, 80}, Variance: 1},
		{Scope: []int{0}, Counts: []float64{40, 40}, Variance: 2, Merged: []float64{1, 2}},
	}); math.Abs(n-110) > 1e-9 { // variances 2 and 6
		t.Errorf("the total is %g, expected 110", n)
	}
	if n := Total([]Measurement{{Scope: []int{0}, Counts: []float64{-40, -80}, Variance: 1}}); n != 1 {
		t.Errorf("the total of noise below 0 is %g", n)
	}
}

// What was fitted before is where descent starts, also where the new measurement joins other cliques.
func TestDescentGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	d := Domain{3, 4, 2, 5}
	all, _ := measured(r, d, [][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}}, 500, 2)
	before := must.Get(Estimate(t.Context(), d, all[:4], 0, nil, Search{Steps: 500}))(t)
	start := must.Get(Estimate(t.Context(), d, all[:4], before.Total, before, Search{}))(t)
	if a, b := loss(all[:4], before.Marginals().Of), loss(all[:4], start.Marginals().Of); math.Abs(a-b) > 1e-9*a {
		t.Errorf("the loss was %g and is %g", a, b)
	}
	from := must.Get(Estimate(t.Context(), d, all, before.Total, before, Search{}))(t)
	for _, scope := range [][]int{{0, 1}, {0, 3}, {0, 2}} {
		near(t, "the start", from.Marginals().Of(scope), before.Marginals().Of(scope), 1e-9)
	}
}

// Every value gets the whole part of its share or one more, inside what its law is given, and the whole is drawn with
// the right mean: the mean of 2,000 draws is within 5 standard errors in all of 6 cells, by chance in all but 4e-6.
func TestSample(t *testing.T) {
	d := Domain{2, 3}
	n := Network{{Of: 0, Law: []float64{0.3, 0.7}}, {Of: 1, Given: []int{0}, Law: []float64{0.5, 0.5, 0, 0.2, 0.3, 0.5}}}
	must.NoError(t, n.Check(d))
	mean := make([]float64, 6)
	for s := range 2000 {
		columns := n.Sample(d, 13, rng.New([32]byte{byte(s), byte(s >> 8)}))
		first, both := d.Count(columns, []int{0}), d.Count(columns, []int{0, 1})
		for x, p := range n[0].Law {
			if float64(first[x]) < math.Floor(13*p) || float64(first[x]) > math.Ceil(13*p) {
				t.Fatalf("value %d occurs %d times of 13, with probability %g", x, first[x], p)
			}
			for y, q := range n[1].Law[3*x : 3*x+3] {
				share := float64(first[x]) * q
				if c := float64(both[3*x+y]); c < math.Floor(share) || c > math.Ceil(share) {
					t.Fatalf("values %d, %d occur %g times of %d, with probability %g", x, y, c, first[x], q)
				}
				mean[3*x+y] += float64(both[3*x+y]) / 2000
			}
		}
	}
	near(t, "the mean", mean, []float64{1.95, 1.95, 0, 1.82, 2.73, 4.55}, 5*0.5/math.Sqrt(2000))
	// records are in no order: what comes first says nothing
	columns := n.Sample(d, 1000, rng.New([32]byte{9}))
	if k := slices.Index(columns[0], 1); k > 40 {
		t.Errorf("the first %d records have value 0", k)
	}
}

// The bits do not depend on the number of cores.
func TestCores(t *testing.T) {
	var first Network
	for _, cores := range []int{1, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		r := rand.New(rand.NewPCG(7, 8))
		d := Domain{3, 4, 2, 5}
		all, _ := measured(r, d, [][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, 500, 2)
		m := must.Get(Estimate(t.Context(), d, all, 0, nil, Search{Steps: 100}))(t)
		n := m.Network()
		for k := range first {
			if !slices.Equal(first[k].Law, n[k].Law) {
				t.Errorf("law %d differs on %d cores", k, cores)
			}
		}
		first = n
	}
}

func TestRefuses(t *testing.T) {
	d := Domain{2, 3}
	ok := Measurement{Scope: []int{0}, Counts: []float64{1, 2}, Variance: 1}
	for what, m := range map[string]Measurement{
		"no variance":       {Scope: []int{0}, Counts: []float64{1, 2}},
		"too few counts":    {Scope: []int{1}, Counts: []float64{1, 2}, Variance: 1},
		"no such attribute": {Scope: []int{2}, Counts: []float64{1, 2}, Variance: 1},
		"scope descends":    {Scope: []int{1, 0}, Counts: make([]float64, 6), Variance: 1},
		"variance missing":  {Scope: []int{0}, Counts: []float64{1, 2}, Variance: 1, Merged: []float64{1}},
	} {
		if _, err := Estimate(t.Context(), d, []Measurement{ok, m}, 0, nil, Search{}); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := Estimate(t.Context(), d, nil, 0, nil, Search{}); err == nil {
		t.Error("no measurement: no error")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Estimate(stopped, d, []Measurement{ok}, 0, nil, Search{Steps: 5}); err == nil {
		t.Error("a context that has ended: no error")
	}
	for what, n := range map[string]Network{
		"twice":       {{Of: 0, Law: []float64{1, 0}}, {Of: 0, Law: []float64{1, 0}}},
		"not before":  {{Of: 0, Given: []int{1}, Law: make([]float64, 6)}, {Of: 1, Law: []float64{1, 0, 0}}},
		"sum":         {{Of: 0, Law: []float64{1, 1}}, {Of: 1, Law: []float64{1, 0, 0}}},
		"below 0":     {{Of: 0, Law: []float64{2, -1}}, {Of: 1, Law: []float64{1, 0, 0}}},
		"one missing": {{Of: 0, Law: []float64{1, 0}}},
		"short":       {{Of: 0, Law: []float64{1}}, {Of: 1, Law: []float64{1, 0, 0}}},
	} {
		if n.Check(d) == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
