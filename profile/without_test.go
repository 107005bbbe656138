package profile

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/table"
)

// TestWithout: what is left without a column is what Expose counts of the table in which the column is no quasi-identifier.
func TestWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, q := rapid.IntRange(0, 30).Draw(t, "n"), rapid.IntRange(0, 6).Draw(t, "q")
		var cols []table.Column
		for j := range q {
			c := table.NumColumn(string(rune('a'+j)), 1, rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3}), n, n).Draw(t, "values"))
			c.Role = table.Quasi
			cols = append(cols, c)
		}
		who := table.NumColumn("who", 1, rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, 4}), n, n).Draw(t, "who"))
		if rapid.Bool().Draw(t, "people") {
			who.Role = table.Person | table.Identifier
		}
		tab, err := table.New(append(cols, who)...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Without(t.Context(), tab)
		if err != nil || len(got) != q {
			t.Fatalf("%v, %v", got, err)
		}
		for j := range q {
			own := tab.Columns()
			own[j].Role = 0
			less, err := tab.WithColumns(own)
			if err != nil {
				t.Fatal(err)
			}
			e, err := Expose(t.Context(), less)
			if err != nil || e.Uniques != got[j] {
				t.Fatalf("without %d: %d, Expose counts %d (%v)", j, got[j], e.Uniques, err)
			}
		}
	})
}
