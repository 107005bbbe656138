package pram

import (
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"uniform":   nil,
		"ordinal":   {"decay": "0.3", "keep": "0.4", "except": "city"},
		"invariant": {"invariant": "true", "alpha": "0.9", "keep": "0.3"},
		"crossed":   {"cross": "size+city", "keep": "0.3", "matrices": "sex=0.8 0.2/0.3 0.7"},
		"both":      {"cross": "size+city", "invariant": "true", "matrices": "size+city=0.1"},
		"class":     {"role": "class", "keep": "0.5"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set}) })
	}
}

// FuzzPlan checks that a decoded plan that passes Check can be applied without panic, keeps missing values and no others missing, and
// can say what it is.
func FuzzPlan(f *testing.F) {
	tab := protecttest.Mixed(60).Select(7, 9)
	for _, set := range []map[string]string{nil, {"cross": "sex+size", "invariant": "true"}} {
		q := New()
		if err := q.Params().Apply(set); err != nil {
			f.Fatal(err)
		}
		p, err := q.Fit(f.Context(), tab, protecttest.Seed(1))
		if err != nil {
			f.Fatal(err)
		}
		good, err := json.Marshal(p)
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
			return // the schema is not that of the table, or a combination is not in the plan
		}
		for j := range tab.Width() {
			for i := range tab.Rows() {
				if tab.MissingAt(i, j) != out.MissingAt(i, j) {
					t.Fatalf("row %d, column %d: missing before %v, after %v", i, j, tab.MissingAt(i, j), out.MissingAt(i, j))
				}
				if k, ok := p.Kernel(j, nil, tab, i); ok && tab.Cat(j)[i] >= 0 && !(k.P(float64(tab.Cat(j)[i]), 0) >= 0) {
					t.Fatalf("row %d, column %d has no law", i, j)
				}
			}
		}
	})
}
