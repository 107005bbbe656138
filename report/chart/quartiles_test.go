package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// example is the treatment of figure 4.2 of Peters 2011.
var example = Spread{Label: "sap1", Values: 50, Q1: 39, Median: 49, Q3: 59, Rank: 1}

func TestQuartiles(t *testing.T) {
	for _, k := range []int{0, 1, 2, 5, 30} {
		for name, of := range map[string]Spread{
			"usual": example, "wide": {Q1: 0, Median: 50, Q3: 100, Rank: 12}, "points": {Q1: 100, Median: 100, Q3: 100},
			"nothing": {Q1: nan, Median: nan, Q3: nan},
			"outside": {Q1: -5, Median: math.Inf(1), Q3: 1e300, Rank: 1},
		} {
			g := Quartiles{Title: name}
			for i := range k {
				of.Label, of.Original = awkward[i%len(awkward)], i == 0
				g.Rows = append(g.Rows, of)
			}
			inspect(t, fmt.Sprintf("%s, %d rows", name, k), g.Draw("q"))
			for _, l := range g.Lines() {
				if strings.ContainsAny(l, "\n\t") || strings.Contains(l, "NaN") {
					t.Errorf("line %q", l)
				}
			}
		}
	}
}

func TestQuartilesTell(t *testing.T) {
	g := Quartiles{Title: "pd", Rows: []Spread{example, {Label: "none", Q1: nan, Median: nan, Q3: nan}}}
	svg := string(g.Draw("q"))
	for _, want := range []string{"sap1: median 49.0 %, quartiles 39.0 and 59.0 %, 50 values, rank 1", "no values",
		"<circle", ">100 %<", ">49.0<", ">rank<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the chart lacks %q", want)
		}
	}
	want := []string{
		"rank  treatment   25 %   50 %   75 %  0                        50                      100",
		"   1  sap1        39.0   49.0   59.0  |                   -----●-----                   |",
		"      none       no values",
	}
	for k, l := range g.Lines() {
		if l != want[k] {
			t.Errorf("line %d\n%q, expected\n%q", k, l, want[k])
		}
	}
}

// TestQuartileScale: the dash runs from quartile to quartile, the dot is on it, and bars stand at 0, 50 and 100 where
// the dot does not.
func TestQuartileScale(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		a, b, c := rapid.IntRange(
			0,
			50,
		).Draw(t, "q1"), rapid.IntRange(0, 50).Draw(t, "median"), rapid.IntRange(0, 50).Draw(t, "q3")
		lo, hi := min(a, b, c), max(a, b, c)
		mid := a + b + c - lo - hi
		s := Spread{Q1: 2 * float64(lo), Median: 2 * float64(mid), Q3: 2 * float64(hi)}.scale()
		if utf8.RuneCountInString(s) != textScale {
			t.Fatalf("%q has %d characters", s, utf8.RuneCountInString(s))
		}
		for k, r := range []rune(s) {
			want := ' '
			switch {
			case k == mid:
				want = '●'
			case k%25 == 0:
				want = '|'
			case lo <= k && k <= hi:
				want = '-'
			}
			if r != want {
				t.Fatalf("%q: %q at %d, expected %q", s, r, k, want)
			}
		}
	})
}
