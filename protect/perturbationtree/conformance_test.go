package perturbationtree

import (
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"microaggregate":      {"inside": "microaggregate", "leafMax": "60", "blockMax": "30"},
		"microaggregate each": {"inside": "microaggregate", "leafMax": "60", "blockMax": "30", "partition": "each", "grid": "finer"},
		"swap":                {"inside": "swap", "except": "age"},
		"swap median":         {"inside": "swap", "split": "median", "ties": "coin", "leafMax": "20", "leafMin": "3"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set}) })
	}
	for name, set := range map[string]map[string]string{
		"mean":   {},
		"median": {"split": "median", "ties": "coin", "leafMax": "20", "leafMin": "3", "grid": "finer"},
		"each":   {"partition": "each", "except": "age"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true}) })
	}
}

// FuzzPlan checks that a decoded plan that passes Check can be applied without panic, keeps missing values and no others missing, and
// can say what it is.
func FuzzPlan(f *testing.F) {
	tab := protecttest.Mixed(60)
	for _, set := range []map[string]string{nil, {"partition": "each", "inside": "swap"},
		{"inside": "microaggregate", "leafMax": "40", "blockMax": "20"}} {
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
		p.Describe()
		p.Segmentation()
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil {
			return // the schema is not that of the table, or leaves have too few records
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
