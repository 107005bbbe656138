package swapping

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(30)
	for want, change := range map[string]func(p *RankPlan){
		"ascending":  func(p *RankPlan) { p.Columns[1] = 0 },
		"p is":       func(p *RankPlan) { p.P = math.NaN() },
		"bottom":     func(p *RankPlan) { p.Top = 51 },
		"counts for": func(p *RankPlan) { p.Kept = nil },
	} {
		p, _ := release(t, tab, nil, 1)
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
	p, _ := release(t, tab, nil, 1)
	if err := p.Check(); err != nil || !strings.Contains(p.Describe().String(), "5 %") {
		t.Error(err, p.Describe())
	}
	if _, err := p.Apply(tab.Select(0), protecttest.Seed(1)); err == nil {
		t.Error("records of another schema are accepted")
	}
}
