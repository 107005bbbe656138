package gadp

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
)

// A plan whose parts do not belong together is refused.
func TestGADPCheck(t *testing.T) {
	tab := protecttest.Mixed(60).Select(0, 1, 5, 7, 9, 10)
	for what, spoil := range map[string]func(*GADPPlan){
		"a categorical column":        func(p *GADPPlan) { p.Columns[0] = 3 },
		"a given column that changes": func(p *GADPPlan) { p.Others = []int{1} },
		"a given column elsewhere":    func(p *GADPPlan) { p.Others = []int{99} },
		"a numeric column as group":   func(p *GADPPlan) { p.Given = []int{0} },
		"a column left twice":         func(p *GADPPlan) { p.Constant = []int{0, 0} },
		"outside":                     func(p *GADPPlan) { p.Outside = "" },
		"a security too few":          func(p *GADPPlan) { p.Security = p.Security[1:] },
		"a security above 1":          func(p *GADPPlan) { p.Security[0] = 2 },
		"a mean too many":             func(p *GADPPlan) { p.Mean = append(p.Mean, 0) },
		"a covariance too few":        func(p *GADPPlan) { p.Cov = p.Cov[1:] },
		"a covariance of no law":      func(p *GADPPlan) { p.Cov[1] = 1e9 },
		"securities without columns":  func(p *GADPPlan) { p.Columns = nil },
	} {
		p := gadpFit(t, tab, map[string]string{"given": "sex", "except": "age", "security": "0.5"})
		must.NoError(t, p.Check())
		again := &GADPPlan{Frame: p.Frame, Mean: p.Mean, Cov: p.Cov}
		again.Columns, again.Security = slices.Clone(p.Columns), slices.Clone(p.Security)
		spoil(again)
		if again.Check() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
