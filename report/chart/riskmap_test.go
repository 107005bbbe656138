package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"pgregory.net/rapid"
)

var (
	riskAxis    = Axis{Title: "Record linkage, %", Good: "safer", Decimals: 1, Range: table.Interval{Lo: 0, Hi: 100}, Margin: 1}
	utilityAxis = Axis{Title: "Prediction accuracy, %", Good: "more useful", Higher: true, Decimals: 1, Range: table.Interval{Lo: 0, Hi: 100}, Margin: 1}
)

func within(mean, half float64) Estimate { return Estimate{mean, mean - half, mean + half} }

func drawEstimate(t *rapid.T) Estimate {
	return within(float64(rapid.IntRange(0, 12).Draw(t, "mean")), rapid.SampledFrom([]float64{0, 0.4, 1, 3, math.NaN()}).Draw(t, "half"))
}

// TestAboveIsAnOrder checks that being clearly above has no cycles of two and three, and is transitive.
func TestAboveIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
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

// TestStandings compares with a twin that writes the definition down: beaten in the means, dominated when clearly so.
func TestStandings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
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
	m := Map{X: Axis{Higher: true, Margin: 0.09}, Y: utilityAxis, Points: []Point{{X: within(9.243, 0.001), Y: within(94, 1)},
		{X: within(9.248, 0.001), Y: within(93.5, 1)}, {X: within(9.251, 0.001), Y: within(75, 1)}}}
	if got := m.Standings(); !slices.Equal(got, []Standing{Frontier, Close, Dominated}) {
		t.Errorf("standings %v", got)
	}
	if !m.Dominates(0, 2) || m.Dominates(2, 0) || m.Dominates(0, 1) {
		t.Error("the technique with the clearly best utility must dominate the last alone")
	}
}

func TestMissingHasNoStanding(t *testing.T) {
	m := Map{X: riskAxis, Y: utilityAxis, Points: []Point{{X: Nothing(), Y: within(1, 1)}, {X: within(1, 1), Y: within(1, 1)}}}
	if got := m.Standings(); !slices.Equal(got, []Standing{Unknown, Frontier}) {
		t.Errorf("standings %v", got)
	}
	m.Points[1].Y = Nothing()
	inspect(t, "no values", m.Draw("m"))
}

// randomMap is a map of k settings, some on paths, some missing, in a cloud or all in one place.
func randomMap(r *rand.Rand, k int, spread float64, name func(int) string) Map {
	m := Map{Title: "Risk and utility", X: riskAxis, Y: utilityAxis, Original: &Point{Label: "original", Name: "Original", X: within(100, 0), Y: within(95, 0.5)}}
	m.X.Higher, m.Y.Higher = r.IntN(4) == 0, r.IntN(8) != 0
	for i := range k {
		p := Point{Label: name(i), Name: name(i), X: within(clamp(30+spread*r.NormFloat64(), 0, 100), r.Float64()), Y: within(clamp(80+spread*r.NormFloat64(), 0, 100), 2*r.Float64())}
		if i%3 == 1 {
			p.Path, p.Label = 1+i/10, fmt.Sprint(5*i)
		}
		if r.IntN(15) == 0 {
			p.Y = Nothing()
		}
		m.Points = append(m.Points, p)
	}
	return m
}

// TestMapLabels draws maps from 1 to 30 settings, narrow and wide: no label may leave the drawing or touch another, and every setting is named
// beside its point or in the list.
func TestMapLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	plain := func(i int) string { return fmt.Sprintf("Framework (spread %d)", i) }
	odd := func(i int) string { return awkward[i%len(awkward)] + fmt.Sprint(i) }
	for _, k := range []int{1, 2, 3, 5, 8, 13, 30} {
		for _, spread := range []float64{0, 0.01, 3, 15} {
			for _, width := range []float64{0, 780} {
				for n, name := range []func(int) string{plain, odd} {
					m := randomMap(r, k, spread, name)
					m.Width = width
					title := fmt.Sprintf("%d settings, spread %v, width %v, names %d", k, spread, width, n)
					labels := inspect(t, title, m.Draw("m"))
					all := ""
					for _, l := range labels {
						all += l.text + "\n"
					}
					for i, s := range m.Standings() {
						if p := m.Points[i]; n == 0 && s != Unknown && width > 0 && !strings.Contains(all, p.Label+"\n") && !strings.Contains(all, p.Name+"\n") {
							t.Errorf("%s: %q is not named", title, p.Name)
						}
					}
				}
			}
		}
	}
}

// TestMapSpan holds small differences small: an axis spans at least a twentieth of what is possible, and stays inside it.
func TestMapSpan(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		es     []Estimate
		orig   Estimate
		lo, hi float64
	}{
		{utilityAxis, []Estimate{within(50, 0)}, Nothing(), 47.5, 52.5},
		{utilityAxis, []Estimate{within(99.9, 0.5)}, Nothing(), 95, 100},
		{riskAxis, []Estimate{within(0, 0)}, Nothing(), 0, 5},
		{riskAxis, []Estimate{within(10, 0), within(20, 0)}, within(100, 0), 10, 20},
		{riskAxis, []Estimate{within(10, 0), within(20, 0)}, within(30, 0), 10, 30},
		{Axis{}, []Estimate{within(9.24, 0)}, Nothing(), 9.24 * (1 - 0.025), 9.24 * (1 + 0.025)},
		{Axis{}, []Estimate{within(0, 0)}, Nothing(), -0.5, 0.5},
		{Axis{Range: table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}}, []Estimate{within(-40, 1)}, Nothing(), -41.025, -38.975},
	} {
		if lo, hi := c.axis.frame(c.es, c.orig); math.Abs(lo-c.lo) > 1e-9 || math.Abs(hi-c.hi) > 1e-9 {
			t.Errorf("%v and original %v: %v to %v, want %v to %v", c.es, c.orig.Mean, lo, hi, c.lo, c.hi)
		}
	}
}

// TestPlacer compares the test of a line against a box with a walk along the line, and checks that no two spots meet.
func TestPlacer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := func(name string) float64 { return float64(rapid.IntRange(0, 20).Draw(t, name)) }
		s := segment{v("x1"), v("y1"), v("x2"), v("y2")}
		r := region{v("left"), v("top"), 0, 0}
		r.x1, r.y1 = r.x0+v("width")+1, r.y0+v("height")+1
		walk := false
		for k := range 1001 {
			f := float64(k) / 1000
			x, y := s.x1+f*(s.x2-s.x1), s.y1+f*(s.y2-s.y1)
			walk = walk || x > r.x0+1e-9 && x < r.x1-1e-9 && y > r.y0+1e-9 && y < r.y1-1e-9
		}
		if walk && !s.crosses(r) {
			t.Fatalf("%v runs through %v", s, r)
		}
		wide := region{r.x0 - .05, r.y0 - .05, r.x1 + .05, r.y1 + .05}
		if s.crosses(r) && !s.crosses(wide) {
			t.Fatalf("%v meets %v and not a larger box", s, r)
		}
	})
	p := placer{area: region{0, 0, 200, 100}}
	p.taken = append(p.taken, region{96, 46, 104, 54})
	n := 0
	for range 40 {
		if _, ok := p.place(100, 50, 4, 40, 10, len(offsets)); ok {
			n++
		}
	}
	for i, a := range p.taken {
		for _, b := range p.taken[:i] {
			if a.meets(b) || !p.area.holds(a) {
				t.Fatalf("%v and %v", a, b)
			}
		}
	}
	if n < 4 {
		t.Errorf("found room for %d labels, want at least the four directions", n)
	}
}
