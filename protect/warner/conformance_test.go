package warner

import (
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"all": nil, "the class": {"columns": "city,risk,size", "except": "size", "p": "0.3"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set}) })
	}
}

// FuzzPlan checks that a decoded plan that passes Check can be applied without panic, keeps missing values and no others missing, and
// can say what it is.
func FuzzPlan(f *testing.F) {
	tab := protecttest.Mixed(60).Select(4, 7, 9)
	p, err := New().Fit(f.Context(), tab, protecttest.Seed(1))
	if err != nil {
		f.Fatal(err)
	}
	good, err := json.Marshal(p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
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
