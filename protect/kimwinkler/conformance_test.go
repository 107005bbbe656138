package kimwinkler

import (
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"default":        nil,
		"clip, all swap": {"keys": "sex", "outside": protect.OutsideClip, "target": "0", "smallest": "3"},
		"redraw":         {"keys": "size,sex", "outside": protect.OutsideRedraw, "noise": "0.5", "bins": "1"},
		"no totals":      {"totals": "false"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set}) })
	}
}

// FuzzPlan checks that a decoded plan that passes Check can be applied without panic, keeps missing values and no others missing, and
// can say what it is.
func FuzzPlan(f *testing.F) {
	tab := protecttest.Mixed(60).Select(0, 3, 5, 6, 7)
	for _, set := range []map[string]string{nil, {"keys": "sex", "outside": protect.OutsideClip, "smallest": "3", "target": "0"}} {
		good, err := json.Marshal(fit(f, tab, set))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(good)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &Plan{}
		if json.Unmarshal(data, p) != nil || p.Check() != nil || protect.CheckSchema(p.Schema()) != nil {
			return
		}
		p.Notes()
		p.Corrections()
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil {
			return // the schema is not that of the table
		}
		for j := range tab.Width() {
			for i := range tab.Rows() {
				if tab.MissingAt(i, j) != out.MissingAt(i, j) {
					t.Fatalf("row %d, column %d: missing before %v, after %v", i, j, tab.MissingAt(i, j), out.MissingAt(i, j))
				}
			}
		}
	})
}
