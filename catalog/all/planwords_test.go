package all_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// TestPlansSpeakByKeys: what a plan does, notes and corrects are sentences of the language file with all their
// arguments, and none is that of another technique.
func TestPlansSpeakByKeys(t *testing.T) {
	tab, fitted := protecttest.Mixed(long.Of(100, 200)), 0
	for _, m := range catalog.Methods() {
		p, err := m.New().Fit(t.Context(), tab, rng.New([32]byte{1}))
		if err != nil {
			continue
		}
		fitted++
		if d, ok := p.(protect.Described); ok {
			other, err := catalog.Method(strings.TrimPrefix(d.Describe().Key(), "does."))
			if err == nil && other.Name != m.Name {
				t.Errorf("%s says that it does what %s does", m.Name, other.Name)
			}
		}
		plans := []protect.Plan{p}
		if c, ok := p.(protect.Composite); ok {
			plans = append(plans, c.Steps()...)
		}
		for _, p := range plans {
			var says []message.Sentence
			if d, ok := p.(protect.Described); ok {
				says = append(says, d.Describe())
			}
			if n, ok := p.(protect.Noted); ok {
				says = append(says, n.Notes()...)
			}
			if c, ok := p.(protect.Corrected); ok {
				says = append(says, c.Corrections()...)
			}
			for _, s := range says {
				if s.Key() == "" || strings.ContainsAny(s.String(), "[]{}") {
					t.Errorf("%s: %q by the key %q", m.Name, s, s.Key())
				}
			}
		}
	}
	if fitted < 40 {
		t.Errorf("%d techniques were fitted", fitted)
	}
}
