package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/study/ranking"
	"github.com/dither-data/dither/table"
	"pgregory.net/rapid"
)

var (
	riskAxis = Axis{
		Title:    "Record linkage, %",
		Better:   "safer to the left",
		Decimals: 1,
		Range:    table.Interval{Lo: 0, Hi: 100},
		Margin:   1,
	}
	utilityAxis = Axis{
		Title:    "Prediction accuracy, %",
		Better:   "more useful upwards",
		Higher:   true,
		Decimals: 1,
		Range:    table.Interval{Lo: 0, Hi: 100},
		Margin:   1,
	}
)

func within(mean, half float64) Estimate {
	return Estimate{Mean: mean, Lo: mean - half, Hi: mean + half}
}

// TestNothingToDraw: a map none of whose settings has both values says so.
func TestNothingToDraw(t *testing.T) {
	m := Map{
		X:      riskAxis,
		Y:      utilityAxis,
		Points: []Point{{X: ranking.Nothing(), Y: within(1, 1)}, {X: within(1, 1), Y: ranking.Nothing()}},
	}
	inspect(t, "no values", m.Draw("m"))
}

// randomMap is a map of k settings, some on paths, some missing, in a cloud or all in one place.
func randomMap(r *rand.Rand, k int, spread float64, name func(int) string) Map {
	m := Map{
		Title:    "Risk and utility",
		X:        riskAxis,
		Y:        utilityAxis,
		Original: &Point{Label: "original", Name: "Original", X: within(100, 0), Y: within(95, 0.5)},
	}
	m.X.Higher, m.Y.Higher = r.IntN(4) == 0, r.IntN(8) != 0
	for i := range k {
		p := Point{
			Label: name(i),
			Name:  name(i),
			X:     within(clamp(30+spread*r.NormFloat64(), 0, 100), r.Float64()),
			Y:     within(clamp(80+spread*r.NormFloat64(), 0, 100), 2*r.Float64()),
		}
		if i%3 == 1 {
			p.Path, p.Label = 1+i/10, fmt.Sprint(5*i)
		}
		if r.IntN(15) == 0 {
			p.Y = ranking.Nothing()
		}
		p.Aside = p.X.Mean > 40
		m.Points = append(m.Points, p)
	}
	limit := 40.0
	m.X.Limit = &limit
	return m
}

// TestMapLabels draws maps from 1 to 40 settings, some of which may not go out, with a limit, narrow and wide: no label
// may leave the drawing or touch another, and every setting is named beside its point or in the list.
func TestMapLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	plain := func(i int) string { return fmt.Sprintf("Framework (spread %d)", i) }
	odd := func(i int) string { return awkward[i%len(awkward)] + fmt.Sprint(i) }
	for _, k := range []int{1, 2, 3, 5, 8, 13, 40} {
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
					for i, s := range m.figures().Standings() {
						if p := m.Points[i]; n == 0 && s != ranking.Unknown && width > 0 && !strings.Contains(all, p.Label+"\n") &&
							!strings.Contains(all, p.Name+"\n") {
							t.Errorf("%s: %q is not named", title, p.Name)
						}
					}
				}
			}
		}
	}
}

// TestMapSpan holds small differences small: an axis spans at least a twentieth of what is possible, and stays inside
// it.
func TestMapSpan(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		es     []Estimate
		orig   Estimate
		lo, hi float64
	}{
		{utilityAxis, []Estimate{within(50, 0)}, ranking.Nothing(), 47.5, 52.5},
		{utilityAxis, []Estimate{within(99.9, 0.5)}, ranking.Nothing(), 95, 100},
		{riskAxis, []Estimate{within(0, 0)}, ranking.Nothing(), 0, 5},
		{riskAxis, []Estimate{within(10, 0), within(20, 0)}, within(100, 0), 10, 20},
		{riskAxis, []Estimate{within(10, 0), within(20, 0)}, within(30, 0), 10, 30},
		{Axis{}, []Estimate{within(9.24, 0)}, ranking.Nothing(), 9.24 * (1 - 0.025), 9.24 * (1 + 0.025)},
		{Axis{}, []Estimate{within(0, 0)}, ranking.Nothing(), -0.5, 0.5},
		{Axis{Range: table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}}, []Estimate{within(-40, 1)}, ranking.Nothing(),
			-41.025, -38.975},
	} {
		if lo, hi := c.axis.frame(c.es, c.orig); math.Abs(lo-c.lo) > 1e-9 || math.Abs(hi-c.hi) > 1e-9 {
			t.Errorf("%v and original %v: %v to %v, want %v to %v", c.es, c.orig.Mean, lo, hi, c.lo, c.hi)
		}
	}
}

// TestPlacer compares the test of a line against a box with a walk along the line, and checks that no two spots meet.
func TestPlacer(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
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
