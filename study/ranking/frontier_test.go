package ranking

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

var (
	riskAxis    = Axis{Margin: 1}
	utilityAxis = Axis{Higher: true, Margin: 1}
)

func within(mean, half float64) Estimate { return Estimate{mean, mean - half, mean + half} }

func drawEstimate(t *rapid.T) Estimate {
	return within(float64(rapid.IntRange(0, 12).Draw(t, "mean")),
		rapid.SampledFrom([]float64{0, 0.4, 1, 3, math.NaN()}).Draw(t, "half"))
}

// TestAboveIsAnOrder checks that being clearly above has no cycles of two and three, and is transitive.
func TestAboveIsAnOrder(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		a, b, c := drawEstimate(t), drawEstimate(t), drawEstimate(t)
		m := rapid.SampledFrom([]float64{0, 1, 2.5}).Draw(t, "margin")
		if a.Above(a, m) || a.Above(b, m) && b.Above(a, m) {
			t.Fatal("an estimate is above itself")
		}
		if a.Above(b, m) && b.Above(c, m) && !a.Above(c, m) {
			t.Fatal("not transitive")
		}
		if a.Above(b, m) && !(a.Mean-b.Mean > m*0.999) {
			t.Fatalf("a difference of %v counts at a margin of %v", a.Mean-b.Mean, m)
		}
	})
}

// TestEnds: an interval that is not known, endless, or does not hold its mean counts for nothing.
func TestEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		e      Estimate
		lo, hi float64
	}{{within(5, 2), 3, 7}, {Estimate{5, math.NaN(), math.NaN()}, 5, 5}, {Estimate{5, -inf, inf}, 5, 5},
		{Estimate{5, 6, 7}, 5, 5}, {Estimate{5, 3, 4}, 5, 5}} {
		if lo, hi := c.e.Ends(); lo != c.lo || hi != c.hi {
			t.Errorf("%v: %v to %v, want %v to %v", c.e, lo, hi, c.lo, c.hi)
		}
	}
	if Nothing().Known() || (Estimate{Mean: inf}).Known() || !within(0, 0).Known() {
		t.Error("what is known is a finite mean")
	}
}

// TestStandings compares with a twin that writes the definition down: beaten in the means, dominated when clearly so.
func TestStandings(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		m := Map{X: riskAxis, Y: utilityAxis}
		for range rapid.IntRange(1, 9).Draw(t, "points") {
			m.Points = append(m.Points, Point{X: drawEstimate(t), Y: drawEstimate(t)})
		}
		flatX, flatY := len(m.Points) > 1, len(m.Points) > 1
		for _, p := range m.Points {
			for _, q := range m.Points {
				flatX, flatY = flatX && !p.X.Above(q.X, 1), flatY && !p.Y.Above(q.Y, 1)
			}
		}
		front := 0
		for i, got := range m.Standings() {
			want := Frontier
			p := m.Points[i]
			for _, q := range m.Points {
				x, y := q.X.Mean <= p.X.Mean || flatX, q.Y.Mean >= p.Y.Mean || flatY
				if !x || !y || (q.X.Mean == p.X.Mean || flatX) && (q.Y.Mean == p.Y.Mean || flatY) {
					continue
				}
				want = min(want, Close)
				if p.X.Above(q.X, 1) || q.Y.Above(p.Y, 1) {
					want = Dominated
				}
			}
			if got != want {
				t.Fatalf("point %d of %v: %v, want %v", i, m.Points, got, want)
			}
			if got == Frontier {
				front++
			}
		}
		if front == 0 {
			t.Fatal("no frontier")
		}
	})
}

// TestFlatAxis is SERS: differences of thousandths of a bit must not put a useless technique on the frontier.
func TestFlatAxis(t *testing.T) {
	m := Map{
		X: Axis{Higher: true, Margin: 0.09},
		Y: utilityAxis,
		Points: []Point{{X: within(9.243, 0.001), Y: within(94, 1)},
			{X: within(9.248, 0.001), Y: within(93.5, 1)}, {X: within(9.251, 0.001), Y: within(75, 1)}},
	}
	if got := m.Standings(); !slices.Equal(got, []Standing{Frontier, Close, Dominated}) {
		t.Errorf("standings %v", got)
	}
	if x, y := m.Flat(); !x || y {
		t.Errorf("flat: %v and %v, want the risk alone", x, y)
	}
	if !m.Dominates(0, 2) || m.Dominates(2, 0) || m.Dominates(0, 1) {
		t.Error("the technique with the clearly best utility must dominate the last alone")
	}
}

// TestAside: what is missing has no standing, and what is there to compare with neither stands nor beats.
func TestAside(t *testing.T) {
	m := Map{
		X: riskAxis,
		Y: utilityAxis,
		Points: []Point{{X: Nothing(), Y: within(1, 1)}, {X: within(10, 1), Y: within(50, 1)},
			{X: within(0, 0), Y: within(99, 1), Aside: true}},
	}
	if got := m.Standings(); !slices.Equal(got, []Standing{Unknown, Frontier, Aside}) {
		t.Errorf("standings %v", got)
	}
	if m.Dominates(2, 1) || m.Dominates(1, 0) {
		t.Error("a baseline or what is missing takes part")
	}
}
