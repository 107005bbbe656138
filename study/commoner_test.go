package study

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCommonerCategories: a rare category that becomes several times as common is named by its column, with its
// distribution where no measure told that; one that grows a little, or of a few records, is not.
func TestCommonerCategories(t *testing.T) {
	of := func(rare, some int) *table.Table {
		codes := make([]int32, 1000)
		for i := range rare {
			codes[i] = 2
		}
		for i := range some {
			codes[999-i] = 1
		}
		return tabletest.Of(t, table.CatColumn("rel", []string{"A", "B", "C"}, codes))
	}
	for _, c := range []struct {
		rare, some int
		uses       []measure.Use
		want       []string
	}{
		{13, 300, nil, nil}, {30, 300, nil, nil}, {13, 800, nil, nil},
		{175, 300, nil, []string{"rare categories of rel, of which some became several times as common",
			"distributions of rel"}},
		{175, 300, []measure.Use{{What: message.Say("use.distributions"), Columns: []string{"rel"}, Losses: []float64{0.1},
			Good: 0.05, Bad: 0.15}}, []string{"rare categories of rel, of which some became several times as common"}},
	} {
		v := &Verdict{}
		o := &Outcome{Original: of(13, 300), Released: of(c.rare, c.some), Measures: []Measured{{Uses: c.uses}}}
		fitness(o, v)
		var got []string
		for _, s := range v.NotFor {
			got = append(got, s.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d and %d: %q, not %q", c.rare, c.some, got, c.want)
		}
	}
}
