package desk

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestJoinedTables: the two tables that a release is split into come together again with every group's values in it,
// and every record that is in no group has none.
func TestJoinedTables(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(1, 30).Draw(r, "rows")
		group, codes, age := make([]float64, rows), make([]int32, rows), make([]float64, rows)
		for i := range rows {
			age[i] = float64(i)
			codes[i] = rapid.Int32Range(-1, 3).Draw(r, "code")
			if group[i] = float64(rapid.IntRange(1, 4).Draw(r, "group")); codes[i] < 0 {
				group[i] = math.NaN()
			}
		}
		disease := table.CatColumn("disease", []string{"flu", "cold", "gout", "none"}, codes)
		whole := tabletest.Of(r, table.NumColumn("age", 1, age), disease)
		sensitive := must.Get(byGroup(whole, 1, group))(r)
		rest := tabletest.Of(r, table.NumColumn("age", 1, age), table.NumColumn(groupColumn, 1, group))
		if sensitive.Rows() == 0 {
			r.Skip("nothing is in a group")
		}
		out, by, err := joined(rest, sensitive, whole)
		must.NoError(r, err)
		number := map[int32]float64{-1: math.NaN()}
		for i, g := range group {
			if was, known := number[by.of[i]]; known && was != g && (was == was || g == g) {
				r.Fatalf("records of groups %v and %v are together", was, g)
			}
			number[by.of[i]] = g
		}
		had, has := map[[2]float64]int{}, map[[2]float64]int{}
		got := out.Cat(out.Find("disease"))
		if out.Find(groupColumn) >= 0 || out.Width() != 2 {
			r.Fatalf("%d columns", out.Width())
		}
		for i, g := range group {
			if (got[i] < 0) != (g != g) {
				r.Fatalf("record %d of group %v has code %d", i, g, got[i])
			}
			if g == g {
				had[[2]float64{g, float64(codes[i])}]++
				has[[2]float64{g, float64(got[i])}]++
			}
		}
		for key, n := range had {
			if has[key] != n {
				r.Fatalf("group %v has value %v %d times, expected %d", key[0], key[1], has[key], n)
			}
		}
	})
}

// TestJoinedRefuses names the row or the group of tables that do not belong together.
func TestJoinedRefuses(t *testing.T) {
	original := tabletest.Of(t, table.CatColumn("disease", []string{"flu", "cold"}, []int32{0, 1}))
	rest := tabletest.Of(t, table.NumColumn("group_id", 1, []float64{1, 1}))
	sensitive := func(groups, counts []float64, name string) *table.Table {
		return tabletest.Of(t, table.NumColumn("group_id", 1, groups), table.CatColumn(name, []string{"flu", "cold"},
			[]int32{0, 1}[:len(groups)]), table.NumColumn("count", 1, counts))
	}
	for want, s := range map[string]*table.Table{
		"row 2: group 1 has more values than the 2 records": sensitive([]float64{1, 1}, []float64{2, 1}, "disease"),
		"row 1: group 1 has more values than the 2 records": sensitive([]float64{1, 1}, []float64{1e15, 1}, "disease"),
		"row 2: no record is in group 2":                    sensitive([]float64{1, 2}, []float64{2, 1}, "disease"),
		"group 1 has 1 values, and 2 records":               sensitive([]float64{1}, []float64{1}, "disease"),
		"row 2: expected the number":                        sensitive([]float64{1, 1}, []float64{1, 0.5}, "disease"),
		"row 1: expected the number":                        sensitive([]float64{math.NaN(), 1}, []float64{1, 1}, "disease"),
		"expected three columns":                            sensitive([]float64{1, 1}, []float64{1, 1}, "illness"),
	} {
		if _, _, err := joined(rest, s, original); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if _, _, err := joined(rest, sensitive([]float64{1, 1}, []float64{1, 1}, "disease"), original); err != nil {
		t.Error(err)
	}
}
