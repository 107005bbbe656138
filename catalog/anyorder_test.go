package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// reordered returns the records of a table in another order, with their identities.
func reordered(t *table.Table) *table.Table {
	return t.Gather(rand.New(rand.NewPCG(3, 4)).Perm(t.Rows()))
}

// Records in another order have the same figures, bit by bit.
func TestFiguresInAnyOrder(t *testing.T) {
	r := measuretest.Release(true)
	o := *r
	o.Original, o.Released, o.Holdout = reordered(r.Original), reordered(r.Released), reordered(r.Holdout)
	for _, m := range Measures() {
		t.Run(m.Name, func(t *testing.T) {
			figures := func(r *measure.Release) string {
				v, err := measure.Take(context.Background(), m.New(), r, rng.New([32]byte{1}))
				if err != nil {
					return err.Error()
				}
				text := fmt.Sprint(v.Score, v.Lo, v.Hi)
				for _, p := range v.Parts {
					text += fmt.Sprint(" ", p.Key, p.Of, " ", p.Score)
				}
				return text
			}
			if was, is := figures(r), figures(&o); was != is {
				t.Errorf("%s in another order instead of %s", is, was)
			}
		})
	}
}

// Records in another order have the same model.
func TestModelsInAnyOrder(t *testing.T) {
	tab := minetest.Mixed(800, 0.1)
	for _, m := range Miners() {
		t.Run(m.Name, func(t *testing.T) {
			shown := func(tab, all *table.Table) string {
				l, err := m.New().Fit(context.Background(), tab, rng.New([32]byte{1}))
				if err != nil {
					return err.Error()
				}
				if c, ok := l.(mine.Classifier); ok {
					classes := make([]int32, all.Rows())
					c.Predict(all, classes)
					return fmt.Sprint(classes)
				}
				text, err := json.Marshal(l)
				if err != nil {
					return err.Error()
				}
				return string(text)
			}
			if was, is := shown(tab, tab), shown(reordered(tab), tab); was != is {
				t.Errorf("another model:\n%.600s\ninstead of\n%.600s", is, was)
			}
		})
	}
}
