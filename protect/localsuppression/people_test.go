package localsuppression

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestClassesOfPeople: on small tables of people with one to five records, what is shown is shared by records of k
// people, or agrees with them, as somebody counts who looks at every pair of records.
func TestClassesOfPeople(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "k")
		var whose []int32
		for p := range rapid.IntRange(k, 20).Draw(t, "people") {
			for range rapid.IntRange(1, 5).Draw(t, "records") {
				whose = append(whose, int32(p))
			}
		}
		var columns []table.Column
		// so that large classes have records to spare
		common := rapid.SampledFrom([]int32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, -1})
		for _, name := range []string{"a", "b"} {
			codes := rapid.SliceOfN(common, len(whose), len(whose)).Draw(t, name)
			columns = append(columns, table.CatColumn(name, []string{"p", "q", "r", "s"}, codes))
		}
		tab := tabletest.Must(columns...).Owned(whose)
		for _, missing := range []string{Value, Anything} {
			q := New()
			q.K, q.Missing = k, missing
			p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
			out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
			groups := protecttest.Alike(p, tab, out)
			if missing == Anything {
				groups = agreeWith(p, tab, out)
			}
			for _, rows := range groups {
				who := map[int32]bool{}
				for _, i := range rows {
					who[whose[i]] = true
				}
				if len(who) < k {
					t.Fatalf("missing=%s: %d records are of %d people, expected %d", missing, len(rows), len(who), k)
				}
			}
		}
	})
}
