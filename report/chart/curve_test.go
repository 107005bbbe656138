package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var attr = regexp.MustCompile(` d="([^"]*)"`)

// inPlot fails when a path of a small multiple leaves the plot.
func inPlot(t *testing.T, name, svg string) {
	t.Helper()
	for _, d := range attr.FindAllStringSubmatch(svg, -1) {
		for _, step := range regexp.MustCompile(`[ML](-?[\d.]+) (-?[\d.]+)`).FindAllStringSubmatch(d[1], -1) {
			x, _ := strconv.ParseFloat(step[1], 64)
			y, _ := strconv.ParseFloat(step[2], 64)
			if x < plotLeft-0.1 || x > plotRight+0.1 || y < plotTop-0.1 || y > plotBottom+4.1 {
				t.Fatalf("%s: the point %g,%g leaves the plot: %.200s", name, x, y, d[1])
			}
		}
	}
}

func TestCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	rising := func(n int) (x, y []float64, names []string) {
		for k := range n {
			x, y, names = append(x, float64(k)), append(y, 14*r.Float64()), append(names, fmt.Sprint("point ", k))
		}
		slices.Sort(y)
		return x, y, names
	}
	long := strings.Repeat("a very long label ", 20)
	for _, n := range []int{0, 1, 2, 5, few, few + 1, 201} {
		x, y, names := rising(n)
		falling := slices.Clone(y)
		slices.Reverse(falling)
		for name, c := range map[string]Curve{
			"alone": {X: x, Released: y, Names: names, Unit: " bits", UnitX: " %",
				Marks: []Mark{{3, "3 % below 3 bits", true}, {14.88, "all alike", false}}},
			"both":    {X: x, Released: y, Original: falling, Names: names, Step: 1, Unit: " bits"},
			"falling": {X: x, Released: falling, Original: falling, Marks: []Mark{{2, "two", false}}},
			"marks close by": {X: x, Released: y,
				Marks: []Mark{{5, "five", true}, {5.1, "five and a bit", false}, {5, "five", false}}},
			"mark far above": {X: x, Released: y, Marks: []Mark{{1e9, long, true}}},
			"mark at nothing": {X: x, Released: y,
				Marks: []Mark{{0, "0", true}, {nan, "none", true}, {-1, "below", true}, {math.Inf(1), "over", true}}},
			"all below": {X: x, Released: y, Marks: []Mark{{100, "everybody", true}}},
			"nothing":   {X: x, Released: make([]float64, n), Original: make([]float64, n), Unit: " bits"},
			"tiny":      {X: x, Released: scaled(y, 1e-9), Unit: " bits"},
			"huge":      {X: x, Released: scaled(y, 1e12), Unit: " bits"},
			"one place": {X: make([]float64, n), Released: y, Names: names},
			"awkward":   {X: x, Released: y, Names: awkward, Marks: []Mark{{5, awkward[3], false}, {9, awkward[8], true}}},
		} {
			c.Title = name
			name := fmt.Sprint(name, " of ", n)
			svg := c.Draw("c")
			inspect(t, name, svg)
			inPlot(t, name, string(svg))
		}
	}
}

func scaled(v []float64, by float64) []float64 {
	out := slices.Clone(v)
	for k := range out {
		out[k] *= by
	}
	return out
}

// Values that are no numbers are left out, with their tooltips.
func TestCurveLeavesOut(t *testing.T) {
	c := Curve{
		X:        []float64{0, 1, 2, 3, nan},
		Released: []float64{1, nan, 3, math.Inf(1), 5},
		Original: []float64{1, 2, 3, 4, 5},
		Names:    []string{"a", "b", "c", "d", "e"},
	}
	svg := string(c.Draw("c"))
	inspect(t, "holes", c.Draw("c"))
	for _, name := range c.Names {
		if got, want := strings.Contains(svg, "<title>"+name+"</title>"), name == "a" || name == "c"; got != want {
			t.Errorf("point %s is told of: %t", name, got)
		}
	}
	if len(c.X) != 5 || len(c.Released) != 5 {
		t.Error("the curve was changed")
	}
}

// TestUnder recounts the area below a mark: its width is that of the part of the curve that is lower.
func TestUnder(t *testing.T) {
	for _, c := range []struct {
		heights []float64
		mark    float64
		want    float64 // share of the width
	}{
		{[]float64{0, 10}, 2.5, 0.25}, {[]float64{10, 0}, 2.5, 0.25}, {[]float64{0, 10, 0}, 5, 0.5},
		{[]float64{10, 0, 10}, 5, 0.5},
		{[]float64{1, 1, 1}, 2, 1}, {[]float64{3, 3, 3}, 2, 0}, {[]float64{2, 2, 2}, 2, 0}, {[]float64{0, 0, 4, 4}, 2, 0.5},
	} {
		g := curve{Curve: Curve{Released: c.heights}, top: 10}
		for k := range c.heights {
			g.X = append(g.X, float64(k))
		}
		width := 0.0
		for _, m := range regexp.MustCompile(`M([\d.]+) [\d.]+V[\d.]+L([\d.]+) `).FindAllStringSubmatch(g.under(c.mark), -1) {
			x0, _ := strconv.ParseFloat(m[1], 64)
			x1, _ := strconv.ParseFloat(m[2], 64)
			width += x1 - x0
		}
		if got := width / (plotRight - plotLeft); math.Abs(got-c.want) > 0.002 {
			t.Errorf("%v below %v: %.3f of the width, want %.3f", c.heights, c.mark, got, c.want)
		}
	}
}

// TestCurveScale: small heights are not drawn as large ones.
func TestCurveScale(t *testing.T) {
	c := Curve{X: []float64{2, 3}, Released: []float64{0.5, 0}, Unit: " %", UnitX: " clusters", Scale: 10}
	svg := string(c.Draw("c"))
	inspect(t, "scale", c.Draw("c"))
	if !strings.Contains(svg, ">10 %</text>") || !strings.Contains(svg, ">3 clusters</text>") {
		t.Errorf("%s", svg)
	}
	if c.Released[0] = 50; !strings.Contains(string(c.Draw("c")), ">40 %</text>") &&
		!strings.Contains(string(c.Draw("c")), ">50 %</text>") {
		t.Errorf("%s", c.Draw("c"))
	}
}

func TestCurveSaysItAll(t *testing.T) {
	svg := string(
		Curve{
			Title:    "Doubt",
			X:        []float64{0, 1, 2},
			Released: []float64{9.229, 7, 6.643},
			Original: []float64{9.229, 2, 0},
			Unit:     " bits",
			Marks:    []Mark{{2.45, "threshold", false}},
			Names:    []string{"", "one known", ""},
		}.Draw("k"),
	)
	for _, want := range []string{`<title id="k-t">Doubt</title>`, "Curve of 3 points, released (line) from 9.229 to " +
		"6.643 bits, original (grey area) from 9.229 to 0 bits. Dashed line: threshold.",
		"<title>one known</title>", `class="before"`, `class="after"`, `class="ref"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	if n := strings.Count(svg, "hit"); n != 1 {
		t.Errorf("%d tooltips for one name", n)
	}
}
