package report

import "testing"

func TestGaugeFigures(t *testing.T) {
	c := compared(paperTrials, 1, 10, 1)
	for k, want := range []string{"94.1 %", "94.100 similarity", "94.100 bits", "94.1 %"} {
		g := gaugeAt(t, c, k)
		if got := g.full(94.1); got != want {
			t.Errorf("%s: %q, want %q", g.Name, got, want)
		}
	}
	g := gaugeAt(t, c, 3) // a share of 1, shown in per cent
	if g.Factor != 100 || g.Margin != 1 || g.Hi != 100 || g.marginText() != "1 point" {
		t.Errorf("linkage: %+v", g)
	}
	if got := g.spread(0.004); got != "0.004" {
		t.Errorf("an error that would vanish is written as %q", got)
	}
}
