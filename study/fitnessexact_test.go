package study

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestFitnessOfGeneral: a release is compared with the original itself, not with one that is as general as the release.
// What needs groups alone is not lost.
func TestFitnessOfGeneral(t *testing.T) {
	same := []float64{5, 6}
	job := func(labels ...string) table.Column {
		return table.CatColumn("job", labels, []int32{0, int32(len(labels) - 1)})
	}
	release := func(exact, original *table.Table) *measure.Release {
		r := &measure.Release{Original: original}
		r.Exact = exact
		return r
	}
	exact := tabletest.Of(t, table.NumColumn("age", 1, []float64{31, 44}), table.NumColumn("pay", 1, same), job("a", "b"))
	general := tabletest.Of(t, table.CatColumn("age", []string{"[30, 50)"}, []int32{0, 0}),
		table.NumColumn("pay", 1, same), job("*"))
	uses := func() []measure.Use {
		return []measure.Use{
			{Needs: measure.NeedsNumbers, Columns: []string{"pay"}, Losses: []float64{0}},
			{Needs: measure.NeedsValues, Columns: []string{"age", "pay", "job"}, Losses: []float64{0, 0, 0}},
			{Needs: measure.NeedsAllNumbers},
			{Needs: measure.NeedsGroups},
		}
	}
	inf := math.Inf(1)
	got := asExact(uses(), release(exact, general))
	if !slices.Equal(got[0].Columns, []string{"pay", "age"}) || !slices.Equal(got[0].Losses, []float64{0, inf}) ||
		!slices.Equal(got[1].Losses, []float64{inf, 0, inf}) || got[2].Loss != inf || got[3].Loss != 0 {
		t.Errorf("%+v", got)
	}
	for name, r := range map[string]*measure.Release{
		"nothing is coarser": release(exact, exact), "it does not generalise": release(nil, general),
	} {
		if got := asExact(uses(), r); len(got[0].Columns) != 1 || got[1].Losses[0] != 0 || got[2].Loss != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
