package all_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
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

// byPlace are the measures and miners that draw records by their places in the table, or prefer the first of equals,
// and what they do by place. Sums depend on it nowhere.
var byPlace = map[string]string{
	"found":             "the people who are looked for are drawn by place",
	"learned":           "the people who choose an attack are drawn by place",
	"replicateduniques": "the people who are looked for are drawn by place",
	"roworder":          "it is about the order",
	"score":             "records are linked in an order that is drawn by place",
	"misclassification": "clusters begin with records that are drawn by place",
	"kmeans":            "clusters begin with records that are drawn by place",
	"coolcat":           "clusters begin with records that are drawn by place",
	"limbo":             "records go down the tree one after the other",
	"rock":              "the sample is drawn by place",
	"knn":               "of records equally near the first ones count",
	"neuralnet":         "batches are of records that are drawn by place",
}

// differ fails on two texts that differ, and on two that do not where they were expected to.
func differ(t *testing.T, was, is, why string) {
	t.Helper()
	switch {
	case was == is && why != "":
		t.Errorf("the order changes nothing, though %s", why)
	case was != is && why == "":
		at := 0
		for at < min(len(was), len(is)) && was[at] == is[at] {
			at++
		}
		from := max(0, at-100)
		t.Errorf("in another order %q instead of %q", is[from:min(len(is), at+100)], was[from:min(len(was), at+100)])
	}
}

// Records in another order have the same figures, bit by bit.
func TestFiguresInAnyOrder(t *testing.T) {
	long.Only(t, "every measure, twice")
	r := measuretest.Release(true)
	o := *r
	o.Original, o.Released, o.Holdout = reordered(r.Original), reordered(r.Released), reordered(r.Holdout)
	for _, m := range catalog.Measures() {
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
			differ(t, figures(r), figures(&o), byPlace[m.Name])
		})
	}
}

// Records in another order have the same model.
func TestModelsInAnyOrder(t *testing.T) {
	tab := minetest.Mixed(800, 0.1)
	for _, m := range catalog.Miners() {
		t.Run(m.Name, func(t *testing.T) {
			shown := func(tab, all *table.Table) string {
				l, err := m.New().Fit(context.Background(), tab, rng.New([32]byte{1}))
				if err != nil {
					return err.Error()
				}
				of := make([]int32, all.Rows())
				switch l := l.(type) {
				case mine.Classifier:
					l.Predict(all, of)
					return fmt.Sprint(of)
				case mine.Clusterer:
					l.Assign(all, of)
					return fmt.Sprint(of)
				}
				text, err := json.Marshal(l)
				if err != nil {
					return err.Error()
				}
				return string(text)
			}
			differ(t, shown(tab, tab), shown(reordered(tab), tab), byPlace[m.Name])
		})
	}
}
