package extframework

import (
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// FuzzPlan checks that a decoded plan that passes Check can be applied without panic.
func FuzzPlan(f *testing.F) {
	tab := protecttest.Mixed(60).Select(0, 5, 7, 9, 10)
	sets := []map[string]string{{"minLeaf": "3"}, {"technique": EGADP, "classTechnique": "ppt", "outside": "redraw", "except": "age"}}
	for _, set := range sets {
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
		if _, err := p.Apply(tab, rng.New([32]byte{1})); err != nil {
			return // the schema is not that of the table
		}
	})
}
