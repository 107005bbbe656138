package rankswap

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(30)
	for want, change := range map[string]func(p *Plan){
		"ascending":  func(p *Plan) { p.Columns[1] = 0 },
		"p is":       func(p *Plan) { p.P = math.NaN() },
		"bottom":     func(p *Plan) { p.Top = 51 },
		"counts for": func(p *Plan) { p.Kept = nil },
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
