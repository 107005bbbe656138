package localsuppression

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCombinations: on small tables, with missing values and with people who have several records, k holds in every
// combination that was chosen, as somebody counts who looks at every pair of records. Where it holds beforehand nothing
// is suppressed, and no more than a search in all keys together would have to.
func TestCombinations(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c", "d"}
		k := rapid.IntRange(2, 4).Draw(t, "k")
		var whose []int32
		several := rapid.Bool().Draw(t, "several records")
		for p := range rapid.IntRange(k, 14).Draw(t, "people") {
			whose = append(whose, int32(p))
			if several && rapid.Bool().Draw(t, "two") {
				whose = append(whose, int32(p))
			}
		}
		var columns []table.Column
		common := rapid.SampledFrom([]int32{0, 0, 0, 0, 1, 1, 2, -1})
		for _, name := range names {
			codes := rapid.SliceOfN(common, len(whose), len(whose)).Draw(t, name)
			columns = append(columns, table.CatColumn(name, []string{"p", "q", "r"}, codes))
		}
		tab := tabletest.Must(columns...)
		if several {
			tab = tab.Owned(whose)
		}
		q := New()
		q.K, q.Missing = k, rapid.SampledFrom([]string{Value, Anything}).Draw(t, "missing")
		chosen := rapid.SampledFrom([]string{"1", "2", "3", "4", "a+b,c", "a+b+c,b+d", "d"}).Draw(t, "combinations")
		q.Combinations = strings.Split(chosen, ",")
		fitted := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		p := fitted.(*Plan)
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		held := true
		for _, columns := range p.Combinations() {
			if n := fewest(out, columns, whose, q.Missing); n < k {
				t.Fatalf("in %v %d agree, expected %d", columns, n, k)
			}
			held = held && fewest(tab, columns, whose, q.Missing) >= k
		}
		for j := range names {
			if used := used(p.Combinations()); held || !slices.Contains(used, names[j]) {
				if !slices.Equal(out.Cat(j), tab.Cat(j)) {
					t.Fatalf("column %s loses values for nothing", names[j])
				}
			}
		}
	})
}

// used lists the columns of combinations.
func used(combinations [][]string) []string { return slices.Concat(combinations...) }

// fewest is of how few people records agree with some record in the columns.
func fewest(t *table.Table, columns []string, whose []int32, missing string) int {
	least := t.Rows()
	for i := range t.Rows() {
		who := map[int32]bool{}
		for k := range t.Rows() {
			if !slices.ContainsFunc(columns, func(name string) bool { return !agree(t, i, k, t.Find(name), missing) }) {
				who[whose[k]] = true
			}
		}
		least = min(least, len(who))
	}
	return least
}

// TestNamedCombinations: a number stands for all combinations of so many keys, a list for itself, and what is neither
// is refused with what would be right.
func TestNamedCombinations(t *testing.T) {
	tab := protecttest.AdultLike(t, 200)
	for text, want := range map[string]string{
		"2":                "age+race age+sex race+sex",
		"age+sex,race+sex": "age+sex race+sex",
		"sex":              "sex",
		"4":                `parameter "combinations": there are no combinations of 4 of the 3 keys; expected 1 to 3`,
		"age+town":         `parameter "combinations": there is no column "town"`,
		"age+workclass":    `parameter "combinations": column "workclass" of "age+workclass" is not a key`,
	} {
		q := New()
		must.NoError(t, q.Params().Apply(map[string]string{"keys": "age,race,sex", "combinations": text}))
		p, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
		got := fmt.Sprint(err)
		if err == nil {
			all := map[string]bool{}
			for _, columns := range p.(*Plan).Combinations() {
				all[strings.Join(columns, "+")] = true
			}
			got = strings.Join(slices.Sorted(maps.Keys(all)), " ")
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
}

// TestKeysOfCombinations: keys that are not named are those of the combinations.
func TestKeysOfCombinations(t *testing.T) {
	tab := protecttest.AdultLike(t, 300)
	p, _ := release(t, tab, map[string]string{"combinations": "sex+race,sex+education"})
	if got := fmt.Sprint(p.Changes()); got != "[education race sex]" {
		t.Error(got)
	}
	if k, _ := p.Crowd(); k != 1 {
		t.Errorf("k = %d is promised over all keys", k)
	}
}
