package profile

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// TestWithout: what is left without a column is what Expose counts of the table in which the column is no
// quasi-identifier, and what is left where it is coarsened is what Expose counts of the table in which it is.
func TestWithout(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n, q := rapid.IntRange(0, 30).Draw(t, "n"), rapid.IntRange(0, 6).Draw(t, "q")
		var cols []table.Column
		for j := range q {
			c := table.NumColumn(string(rune('a'+j)), 1,
				rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3}), n, n).Draw(t, "values"))
			c.Role = table.Quasi
			cols = append(cols, c)
		}
		who := table.NumColumn("who", 1, rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, 4}), n, n).Draw(t, "who"))
		if rapid.Bool().Draw(t, "people") {
			who.Role = table.Person | table.Identifier
		}
		tab := must.Get(table.New(append(cols, who)...))(t)
		coarse := func(c *table.Column) []int32 {
			if c.Name == "c" {
				return nil
			}
			out := make([]int32, c.Len())
			for i, v := range c.Num {
				out[i] = int32(v) - 1 // 0 is missing, 1 a group, 2 and 3 are another
				if v == 3 {
					out[i] = 1
				}
			}
			return out
		}
		got, coarser, err := Without(t.Context(), tab, coarse)
		if err != nil || len(got) != q || len(coarser) != q {
			t.Fatalf("%v, %v, %v", got, coarser, err)
		}
		for j := range q {
			own := tab.Columns()
			own[j].Role = 0
			less := must.Get(tab.WithColumns(own))(t)
			e, err := Expose(t.Context(), less)
			if err != nil || e.Uniques != got[j] {
				t.Fatalf("without %d: %d, Expose counts %d (%v)", j, got[j], e.Uniques, err)
			}
			own = tab.Columns()
			groups := coarse(&own[j])
			if groups == nil {
				if coarser[j] != -1 {
					t.Fatalf("a column that cannot be coarsened: %d", coarser[j])
				}
				continue
			}
			own[j].Num = make([]float64, n)
			for i, g := range groups {
				if own[j].Num[i] = float64(g); g < 0 {
					own[j].Num[i] = math.NaN()
				}
			}
			if less, err = tab.WithColumns(own); err != nil {
				t.Fatal(err)
			}
			if e, err = Expose(t.Context(), less); err != nil || e.Uniques != coarser[j] {
				t.Fatalf("%d coarsened: %d, Expose counts %d (%v)", j, coarser[j], e.Uniques, err)
			}
		}
	})
}
