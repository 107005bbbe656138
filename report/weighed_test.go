package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestChoiceSaysWhy: a choice names what it weighed with its weights, why the runner-up is second, and what did not
// apply, on the page and in the verbose text.
func TestChoiceSaysWhy(t *testing.T) {
	c := chosen()
	c.Ranking[0].Losses = []float64{0.05, 0.01}
	var text strings.Builder
	must.NoError(t, ChoiceText(&text, c, nil, Screen{Verbose: true}))
	page := plainText(string(sectionHTML(&ChoiceDocument(c).Sections[0])))
	for _, want := range []string{"Weighed: accuracy, weight 3, correlations, weight 1.",
		"technique1 inside a forest, capt, rpt loses 7.8 %, for of accuracy it loses 10.0 % and the chosen one 5.0 %.",
		"Not applicable: technique8 inside a forest, capt, rpt."} {
		for what, said := range map[string]string{"text": text.String(), "page": page} {
			if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
				t.Errorf("the %s does not say %q:\n%s", what, want, said)
			}
		}
	}
	c.RunnerUp, c.Rejected = nil, nil
	if s := c.behind(); !s.Empty() || !c.notHere().Empty() {
		t.Errorf("of no runner-up: %q", s)
	}
}
