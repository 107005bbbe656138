package knn

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
)

// FuzzModel decodes models: one that passes Check predicts a class of its own for every record, whatever its figures
// are.
func FuzzModel(f *testing.F) {
	tab := minetest.Mixed(30, 0.2).Select(1, 3, 7)
	for _, set := range []map[string]string{{}, {"distance": "overlap", "k": "3"}, {"distance": "overlap", "bins": "0"}} {
		l := New()
		if err := l.Params().Apply(set); err != nil {
			f.Fatal(err)
		}
		m, err := l.Fit(context.Background(), tab, rng.Source{})
		if err != nil {
			f.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m := new(Model)
		if json.Unmarshal(text, m) != nil || m.Check() != nil {
			return
		}
		asked, err := tab.Conform(m.Attrs, true)
		if err != nil {
			return
		}
		dst := make([]int32, asked.Rows())
		m.Predict(asked, dst)
		for i, c := range dst {
			if c < 0 || int(c) >= len(m.Attrs[m.Class].Labels) {
				t.Errorf("record %d is predicted class %d", i, c)
			}
		}
		_ = m.Text()
	})
}
