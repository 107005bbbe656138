package gadp

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// A plan whose parts do not belong together is refused.
func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(60).Select(0, 1, 5, 7, 9, 10)
	for what, spoil := range map[string]func(*Plan){
		"a categorical column":        func(p *Plan) { p.Columns[0] = 3 },
		"a given column that changes": func(p *Plan) { p.Others = []int{1} },
		"a given column elsewhere":    func(p *Plan) { p.Others = []int{99} },
		"a numeric column as group":   func(p *Plan) { p.Given = []int{0} },
		"a column left twice":         func(p *Plan) { p.Constant = []int{0, 0} },
		"outside":                     func(p *Plan) { p.Outside = "" },
		"a security too few":          func(p *Plan) { p.Security = p.Security[1:] },
		"a security above 1":          func(p *Plan) { p.Security[0] = 2 },
		"a mean too many":             func(p *Plan) { p.Mean = append(p.Mean, 0) },
		"a covariance too few":        func(p *Plan) { p.Cov = p.Cov[1:] },
		"a covariance of no law":      func(p *Plan) { p.Cov[1] = 1e9 },
		"securities without columns":  func(p *Plan) { p.Columns = nil },
	} {
		p := fit(t, tab, map[string]string{"given": "sex", "except": "age", "security": "0.5"})
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		again := &Plan{Frame: p.Frame, Mean: p.Mean, Cov: p.Cov}
		again.Columns, again.Security = slices.Clone(p.Columns), slices.Clone(p.Security)
		spoil(again)
		if again.Check() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
