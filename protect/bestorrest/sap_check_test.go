package bestorrest

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A plan is refused with what is wrong in it.
func TestSAPCheck(t *testing.T) {
	tab := protecttest.Mixed(100)
	for want, damage := range map[string]func(p *SAPPlan){
		"the class is column 99":                 func(p *SAPPlan) { p.Class = 99 },
		`class "age" is numeric`:                 func(p *SAPPlan) { p.Class = 0 },
		"p is NaN":                               func(p *SAPPlan) { p.P = math.NaN() },
		"p is 1.1":                               func(p *SAPPlan) { p.P = 1.1 },
		`count is "all"`:                         func(p *SAPPlan) { p.Count = "all" },
		"rule 1 is of column 0":                  func(p *SAPPlan) { p.Rules[1].Column = 0 },
		"rule 0 is of column -1":                 func(p *SAPPlan) { p.Rules[0].Column = -1 },
		`column "age": critical values of 2 cla`: func(p *SAPPlan) { p.Rules[0].Critical = p.Rules[0].Critical[:2] },
		"critical values of 0 classes":           func(p *SAPPlan) { p.Rules[0].Critical = nil },
		"a critical value is outside -1 to":      func(p *SAPPlan) { p.Rules[0].Critical[0] = 1000 },
		"shares of 4 groups":                     func(p *SAPPlan) { p.Rules[0].Shares = append(p.Rules[0].Shares, 0) },
		"a share is 2":                           func(p *SAPPlan) { p.Rules[0].Shares[0] = 2 },
		"limits of bins are not ascending":       func(p *SAPPlan) { p.Rules[0].Cuts[0] = math.Inf(1) },
		"it is categorical and has limits":       func(p *SAPPlan) { p.Rules[4].Cuts = bore.Cuts{1} },
	} {
		p := sapFit(t, tab, nil)
		must.NoError(t, p.Check())
		damage(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}

// A class that has no known value of an attribute loses none; records without a class keep theirs.
func TestNothingCritical(t *testing.T) {
	w := table.CatColumn("w", []string{"p"}, []int32{0, 0, -1, -1, 0})
	tab := tabletest.Of(t, w, role(table.CatColumn("class", []string{"a", "b"}, []int32{0, 0, 1, 1, -1}), table.Class))
	p := sapFit(t, tab, map[string]string{"p": "1"})
	if c := p.Rules[0].Critical; c[0] != 0 || c[1] != -1 {
		t.Fatalf("critical values %v", c)
	}
	if got := apply(t, p, tab, 1).Cat(0); got[0] != -1 || got[1] != -1 || got[4] != 0 {
		t.Errorf("released as %v", got)
	}
}
