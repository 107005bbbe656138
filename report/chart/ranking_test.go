package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/study/ranking"
)

func TestRankings(t *testing.T) {
	for _, k := range []int{0, 1, 2, 12, 13, 30} {
		for _, c := range []struct {
			name      string
			value     func(int) Estimate
			reference float64
		}{
			{"usual", func(i int) Estimate { return within(90-float64(i), 1.5) }, 95},
			{"equal", func(int) Estimate { return within(9.24, 0) }, 9.24},
			{"zero", func(int) Estimate { return within(0, 0) }, 0},
			{"no interval", func(i int) Estimate { return Estimate{Mean: float64(i), Lo: nan, Hi: nan} }, nan},
			{"negative", func(i int) Estimate { return within(-float64(i)*1e4, 20) }, -5e4},
			{"failures", func(i int) Estimate {
				if i%2 == 0 {
					return ranking.Nothing()
				}
				return within(0.5, 0.1)
			}, nan},
			{"failures alone", func(int) Estimate { return ranking.Nothing() }, nan},
			{"infinite", func(int) Estimate { return Estimate{Mean: math.Inf(1), Hi: math.Inf(1)} }, math.Inf(1)},
			{"huge", func(i int) Estimate { return within(1e300*float64(i), 1e299) }, 1e300},
		} {
			g := Ranking{Title: c.name, Unit: "%", Decimals: 1, Reference: c.reference, Named: "original"}
			all := []Estimate{{Mean: c.reference, Lo: nan, Hi: nan}}
			for i := range k {
				g.Rows = append(
					g.Rows,
					Row{
						Label:  awkward[i%len(awkward)],
						Value:  c.value(i),
						Why:    strings.Repeat("no luck ", i+1),
						Strong: i == 0,
						Best:   i == 0,
					},
				)
				all = append(all, g.Rows[i].Value)
			}
			g.Lo, g.Hi = Span(all...)
			inspect(t, fmt.Sprintf("%s, %d rows", c.name, k), g.Draw("r"))
		}
	}
}

func TestRankingTells(t *testing.T) {
	g := Ranking{Title: "Accuracy on Wine", Unit: "%", Decimals: 1, Hi: 100, Reference: 95, Named: "original",
		Rows: []Row{
			{Label: "Framework", Value: within(94.12, 1.31), Best: true, Strong: true},
			{Label: "GADP", Value: ranking.Nothing(), Why: "not measured"},
		}}
	svg := string(g.Draw("r"))
	for _, want := range []string{"Framework: 94.1 (92.8 to 95.4) %", "original 95.0", "not measured", `class="b" text-anchor="end">94.1<`, `class="ref"`, `class="err"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("the ranking lacks %q", want)
		}
	}
}

func TestSpanHoldsZeroAndAll(t *testing.T) {
	if lo, hi := Span(within(5, 1), ranking.Nothing(), within(-2, 0.5)); lo != -2.5 || hi != 6 {
		t.Errorf("%v to %v", lo, hi)
	}
	if lo, hi := Span(); lo != 0 || hi != 1 {
		t.Errorf("%v to %v", lo, hi)
	}
}

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		v    float64
		d    int
		want string
	}{{94.06, 1, "94.1"}, {-0.04, 1, "0.0"}, {12345.6, 0, "12,346"}, {9.2, 3, "9.200"}, {nan, 1, "missing"},
		{-3, 1, "−3.0"}} {
		if got := numfmt.Fixed(c.v, c.d); got != c.want {
			t.Errorf("numeral.Fixed(%v, %d) = %q, want %q", c.v, c.d, got, c.want)
		}
	}
}
