package all_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// ages are people in three ages of life, with occupations that only some ages have.
func ages(t *testing.T, n int) *table.Table {
	age, job, pay := make([]int32, n), make([]int32, n), make([]float64, n)
	for i := range n {
		age[i] = int32(i % 3)
		job[i] = []int32{int32(i / 3 % 2), int32(1 + i/3%3), 3}[age[i]] // student to retired
		pay[i] = float64(100 + i*7%31)
	}
	return tabletest.Of(t, table.CatColumn("age", []string{"young", "middle", "old"}, age),
		table.CatColumn("job", []string{"student", "intern", "employee", "retired"}, job), table.NumColumn("pay", 1, pay))
}

// pairs are the ages and jobs that some record has.
func pairs(tab *table.Table) map[string]bool {
	out := map[string]bool{}
	for i := range tab.Rows() {
		out[fmt.Sprint(tab.Attr(0).Labels[tab.Cat(0)[i]], " ", tab.Attr(1).Labels[tab.Cat(1)[i]])] = true
	}
	return out
}

// Inside segments no category is released that nobody in the segment has, by any technique that changes categories.
func TestCategoriesAreThoseOfTheSegment(t *testing.T) {
	tab := ages(t, long.Of(200, 600))
	had := pairs(tab)
	for _, m := range catalog.Methods() {
		q := within.Of(m).New()
		err := q.Params().Apply(map[string]string{"within.by": "columns", "within.columns": "age"})
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		plan, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
		if err != nil || !slices.Contains(plan.Changes(), "job") {
			if slices.Contains([]string{"pram", "warner", "randomcategorical", "capt"}, m.Name) {
				t.Errorf("%s changes no job: %v", m.Name, err)
			}
			continue
		}
		out, err := plan.Apply(tab, protecttest.Seed(3))
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		for pair := range pairs(out) {
			if !had[pair] && plan.(*within.Plan).Wide == 0 {
				t.Errorf("%s releases %s, which nobody has", m.Name, pair)
			}
		}
	}
}
