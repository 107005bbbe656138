package relation

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A number is the one that is asked for where it is written so, however it is held, and no other text is a number.
func TestSight(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("v", 0, []float64{0, math.Copysign(0, -1), 0.1, 1e21, math.NaN()}),
		table.CatColumn("c", []string{"x", "0"}, []int32{0, 1, 1, 0, -1}))
	for value, want := range map[string][2][5]sight{
		"0":                      {{same, same, other, other, missing}, {other, same, same, other, missing}},
		"-0":                     {{other, other, other, other, missing}, {other, other, other, other, missing}},
		"0.1":                    {{other, other, same, other, missing}, {other, other, other, other, missing}},
		"0.10":                   {{other, other, other, other, missing}, {other, other, other, other, missing}},
		"x":                      {{other, other, other, other, missing}, {same, other, other, same, missing}},
		"1000000000000000000000": {{other, other, other, same, missing}, {other, other, other, other, missing}},
	} {
		for j := range 2 {
			if got := labelled(tab, j, value); [5]sight(got) != want[j] {
				t.Errorf("column %d has %q: %v, expected %v", j, value, got, want[j])
			}
		}
	}
}

// What determines a value most often is told, whatever comes first: the most frequent one, of equals the first.
func TestMostFrequent(t *testing.T) {
	from := []float64{1, 1, 1, 1, 1, 2, 2, 3, 3, 3, math.NaN(), 4}
	to := []float64{7, 8, 8, 9, 9, 7, 8, 5, 6, 6, 1, math.NaN()}
	tab := tabletest.Of(t, table.NumColumn("a", 1, from), table.NumColumn("b", 1, to))
	b := must.Get(Relation{Kind: Determines, Columns: []string{"a", "b"}}.Bind(tab))(t)
	if len(b.To) != 3 || b.To["1"] != "8" || b.To["2"] != "7" || b.To["3"] != "6" {
		t.Errorf("learned %v", b.To)
	}
}
