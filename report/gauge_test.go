package report

import "testing"

func TestShortName(t *testing.T) {
	for _, c := range []struct{ title, name, want string }{
		{"Prediction accuracy", "accuracy", "Prediction accuracy"},
		{"Security evaluation using record similarity", "sers", "SERS"},
		{"Evaluation of data utility using domain similarity", "eduds", "EDUDS"},
		{"Evaluation of data utility using splitting criteria, normalised", "edusc-norm", "EDUSC-norm"},
		{"Bias of means, variances and correlations", "bias", "Bias"},
		{"Leaf Influential Attribute Perturbation Technique", "linfapt", "LINFAPT"},
		{"Masking of Kim and Winkler", "kimwinkler", "Kimwinkler"},
		{"Multivariate microaggregation (MDAV)", "mdav", "MDAV"},
		{"Copula-based General Additive Data Perturbation (C-GADP)", "cgadp", "C-GADP"},
		{"Hiding patterns by their most frequent item (MaxFIA)", "maxfia", "MaxFIA"},
		{"Correlated Noise Addition", "correlatednoise", "Correlatednoise"},
		{"Random Extended Framework", "randomextframework", "Randomextframework"},
		{"Nearest-neighbour distance ratio", "nndr", "NNDR"},
		{"People found by the best attack", "found", "Found"},
		{"", "gadp", "Gadp"},
	} {
		if got := shortName(c.title, c.name); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.title, c.name, got, c.want)
		}
	}
}

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
