package chart

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/study/ranking"
)

// TestGlance: nothing that is labelled leaves the drawing or touches another, shares beyond the scale stay on it, and
// every figure is told to readers who cannot see it.
func TestGlance(t *testing.T) {
	long := strings.Repeat("nonflavanoid phenols ", 9)
	g := Glance{Title: "t", Groups: []Glimpse{{long, []Pair{
		{"Found", 99.2, ranking.Estimate{Mean: 6.5, Lo: 1.3, Hi: 15}, 9},
		{long, nan, ranking.Estimate{Mean: 0, Lo: 0, Hi: 130}, nan},
		{"Less than nobody", 40, ranking.Estimate{Mean: -3, Lo: -8, Hi: 2}, 0},
	}}, {"What survives", []Pair{{long, 100, ranking.Estimate{Mean: 100, Lo: 100, Hi: 100}, nan}}}}}
	svg := string(g.Draw("g"))
	inspect(t, "glance", g.Draw("g"))
	for _, want := range []string{"Found: original 99.2 %, released 6.5 % (1.3 % to 15 %); at most 9 % is allowed.",
		"Less than nobody: original 40 %, released −3 %"} {
		if _, desc, _ := strings.Cut(svg, "<desc"); !strings.Contains(desc, want) {
			t.Errorf("nobody is told %q:\n%s", want, svg)
		}
	}
	if n := strings.Count(svg, `class="ref"`); n != 2 {
		t.Errorf("%d limits are drawn, of 2", n)
	}
}
