package sullivanfuller

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The rule holds for 90 % of the records, and not with less noise: distances by the inverse of the correlation matrix,
// and the expected length of the noise by simulation.
func TestRuleHolds(t *testing.T) {
	expected := simulated(2)
	for _, hidden := range []string{"0.5", "0.9", "1"} {
		tab := people(40)
		p := fit(t, tab, map[string]string{"hidden": hidden, "except": "loss"})
		_, z := p.scores(tab, protecttest.Seed(1))
		held := func(noise float64) float64 {
			n := 0.0
			for i := range tab.Rows() {
				if math.Sqrt(noise)*expected >= bruteNearest(z, i) {
					n++
				}
			}
			return n / float64(tab.Rows())
		}
		if got := held(p.Noise * 1.01); got < p.Rule.Hidden {
			t.Errorf("hidden = %s: the rule holds for a share %v of the records", hidden, got)
		}
		if got := held(p.Noise * 0.9); got >= p.Rule.Hidden {
			t.Errorf("hidden = %s: less noise would do: %v", hidden, got)
		}
		if p.Noise <= least || p.Rule.Asked != 40 || p.Rule.Among != 40 {
			t.Errorf("the noise is %v, asked for %d among %d", p.Noise, p.Rule.Asked, p.Rule.Among)
		}
	}
}

// simulated returns the mean length of 1,000,000 normal vectors, within 0.0007 at one standard error.
func simulated(dims int) float64 {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 1_000_000
	sum := 0.0
	for range n {
		s := 0.0
		for range dims {
			v := r.NormFloat64()
			s += v * v
		}
		sum += math.Sqrt(s) / n
	}
	return sum
}

func bruteNearest(z [][]float64, i int) float64 {
	cols := mat.NewDense(len(z[0]), len(z), nil)
	for k := range z {
		cols.SetCol(k, z[k])
	}
	r := mat.NewSymDense(len(z), nil)
	stat.CorrelationMatrix(r, cols, nil)
	var ch mat.Cholesky
	ch.Factorize(r)
	best := math.Inf(1)
	for j := range z[0] {
		if j != i {
			best = min(best, stat.Mahalanobis(cols.RowView(i), cols.RowView(j), &ch))
		}
	}
	return best
}

// Length of a standard normal vector: sqrt(2/pi) in one dimension, sqrt(pi/2) in two.
func TestLength(t *testing.T) {
	protecttest.Near(t, "length", length(1), math.Sqrt(2/math.Pi), 1e-12)
	protecttest.Near(t, "length", length(2), math.Sqrt(math.Pi/2), 1e-12)
	protecttest.Near(t, "length", length(10_000), math.Sqrt(10_000-0.5), 1e-4)
}

// Nearest by comparing everything.
func TestNearestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		k, n := rapid.IntRange(1, 4).Draw(r, "k"), rapid.IntRange(2, 40).Draw(r, "n")
		points := make([]float64, k*n)
		for i := range points {
			points[i] = float64(rapid.IntRange(-9, 9).Draw(r, "value")) / 3
		}
		some := []int{0, n - 1, n / 2}
		for a, got := range nearest(points, k, some) {
			best := math.Inf(1)
			for j := range n {
				s := 0.0
				for c := range k {
					s += math.Pow(points[j*k+c]-points[some[a]*k+c], 2)
				}
				if j != some[a] {
					best = min(best, math.Sqrt(s))
				}
			}
			if math.Abs(got-best) > 1e-12 {
				r.Fatalf("point %d: %v, expected %v", some[a], got, best)
			}
		}
	})
}

// What the rule does where it has little to go by: nothing that varies, one record, all records incomplete, all alike,
// very many.
func TestRuleAtTheEdges(t *testing.T) {
	n := math.NaN()
	constant := table.NumColumn("constant", 1, []float64{5, 5, 5, 5})
	alike := make([]float64, 2000)
	for i := range alike {
		alike[i] = float64(i % 2)
	}
	for name, c := range map[string]struct {
		t     *table.Table
		ties  string
		noise float64
		among int
	}{
		"no column varies":    {tabletest.Must(constant), cell, without, 0},
		"one record":          {people(1), cell, without, 0},
		"no record":           {people(1).Slice(0, 0), cell, without, 0},
		"no complete records": {tabletest.Must(gaps("a", n, 1, n, 2), gaps("b", 2, n, 5, n)), cell, without, 0},
		"records alike":       {tabletest.Must(table.NumColumn("a", 0, alike)), middle, least, 2000},
		"many":                {tabletest.Must(table.NumColumn("a", 0, people(3000).Num(0))), cell, least, 3000},
	} {
		p := fit(t, c.t, map[string]string{"ties": c.ties})
		if p.Noise != c.noise || p.Rule.Among != c.among {
			t.Errorf("%s: the noise is %v, looked for among %d records; expected %v, %d", name, p.Noise, p.Rule.Among,
				c.noise, c.among)
		}
		if len(p.Notes()) != 2 {
			t.Errorf("%s: the notes are %q", name, p.Notes())
		}
	}
	// A column that does not vary has no say.
	tab := tabletest.Must(people(300).Columns()[:2]...)
	five := table.NumColumn("five", 1, make([]float64, 300))
	with := tabletest.Must(append(tab.Columns(), five)...)
	if a, b := fit(t, tab, nil).Noise, fit(t, with, nil).Noise; a != b {
		t.Errorf("a constant column turns the noise from %v to %v", a, b)
	}
}

func gaps(name string, values ...float64) table.Column { return table.NumColumn(name, 0, values) }

// Two columns of which one is a function of the other lie in one dimension less.
func TestRuleOnCollinearColumns(t *testing.T) {
	tab := people(300)
	double := tab.Column(0)
	double.Name = "double"
	two, three := tabletest.Must(tab.Columns()[:2]...), tabletest.Must(append(tab.Columns()[:2], double)...)
	for _, c := range []*table.Table{two, three} {
		p := &Plan{Attrs: c.Attrs(), Ties: cell}
		for j := range c.Width() {
			p.Numeric = append(p.Numeric, j)
		}
		_, z := p.scores(c, protecttest.Seed(1))
		if _, _, dims, err := whitened(context.Background(), z); dims != 2 || err != nil {
			t.Errorf("%d columns lie in %d dimensions: %v", c.Width(), dims, err)
		}
	}
	protecttest.Near(t, "noise", fit(t, three, nil).Noise, fit(t, two, nil).Noise, 0.3*fit(t, two, nil).Noise)
}
