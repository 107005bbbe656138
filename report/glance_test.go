package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/study"
)

// TestGlanceAgrees: the picture at the head shows the intruder of the verdict's sentence, beside the limit on it,
// though another finds more; the public report has none.
func TestGlanceAgrees(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	troubled(o, study.WithCare, 1)
	before, most, value := 0.99, 0.09, 0.064
	bound := measure.Attack{Intruder: "knows little", Share: 0.064, Lo: 0.013, Hi: 0.151, Before: &before}
	o.Verdict.Found = &bound
	o.Verdict.Worst = []measure.Attack{{Intruder: "knows all", Share: 0.82, Lo: 0.8, Hi: 0.9}, bound,
		{Intruder: "knows all", Secret: "x", Share: 0.7}, {Intruder: "knows little", Secret: "y", Share: 0.031, Hi: 0.06}}
	o.Verdict.Demands = []study.Demand{{Measure: "found", Against: "knows all", Max: &before, Value: &value},
		{Measure: "found", Against: "knows little", Max: &most, Value: &value}}
	page := render(t, o, Options{})
	_, drawn, ok := strings.Cut(page, `<svg class="dither small"`)
	drawn, _, _ = strings.Cut(drawn, "</svg>")
	for _, want := range []string{"Found: original 99 %, released 6.4 % (1.3 % to 15.1 %); at most 9 % is allowed.",
		"Learned: y: 3.1 % (0 % to 6 %)", "Accuracy of a decision tree: original 98.3 %, released 96.2 %."} {
		if !ok || !strings.Contains(drawn, want) {
			t.Errorf("the picture lacks %q:\n%s", want, drawn)
		}
	}
	if strings.Contains(drawn, "82 %") || strings.Contains(drawn, "Learned: x") {
		t.Error("the picture shows another intruder than the sentence")
	}
	if strings.Contains(render(t, o, Options{Public: true}), "What does an intruder find") {
		t.Error("the public report shows what an intruder finds")
	}
}

// TestNothingOfNothing: two trees that test nothing keep no rules, and what could not be measured is one line.
func TestNothingOfNothing(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	leaf := &tree.Tree{Nodes: make([]tree.Node, 1)}
	for k := range o.Measures {
		if d, ok := as[rulepreservation.TreeSimilarityDetail](o.Measures[k].Value.Detail); ok {
			d.Original, d.Released, d.Weights, d.Class = leaf, leaf, [4]float64{100, 0, 0, 0}, ruletypes.ExactlySame
			o.Measures[k].Value.Detail = d
		}
	}
	plain := plainText(render(t, o, Options{}))
	for _, never := range []string{"Do the rules survive?", "Records under surviving rules", "exactly same"} {
		if strings.Contains(plain, never) {
			t.Errorf("the report of two leaves says %q", never)
		}
	}
}
