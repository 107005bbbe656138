package study

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func parsed(t *testing.T, name, text string) *hierarchy.Hierarchy {
	t.Helper()
	return must.Get(hierarchy.Parse(name, strings.NewReader(text)))(t)
}

// A release that was generalised elsewhere is lined up by its labels: every exact value becomes the most special group
// that the release shows.
func TestPairByLabels(t *testing.T) {
	h := hierarchy.Set{
		"age":  parsed(t, "age", "31;30s;*\n34;30s;*\n45;40s;*\n47;40s;*\n"),
		"city": parsed(t, "city", "Ulm;South;*\nKiel;North;*\n"),
	}
	orig := tabletest.Of(t, table.NumColumn("age", 1, []float64{31, 34, 45, 47}),
		table.CatColumn("city", []string{"Ulm", "Kiel"}, []int32{0, 1, 1, -1}))
	rel := tabletest.Of(t, table.CatColumn("age", []string{"30s", "45"}, []int32{0, 0, 1, -1}),
		table.CatColumn("city", []string{"North"}, []int32{-1, 0, 0, -1}))
	r, missing, err := Pair(orig, rel, nil, ByLabels(h, rel))
	if err != nil || len(missing) > 0 {
		t.Fatal(err, missing)
	}
	if r.Exact == nil || r.Exact.Attr(0).Kind != table.Numeric || !r.Paired {
		t.Errorf("the exact original is not kept, or the rows are not paired")
	}
	text := func(t *table.Table, j int) (out []string) {
		for _, c := range t.Cat(j) {
			if c < 0 {
				out = append(out, "?")
			} else {
				out = append(out, t.Attr(j).Labels[c])
			}
		}
		return out
	}
	// 47 is shown neither by itself nor by its decade, so it becomes the root.
	if got := text(r.Original, 0); !slices.Equal(got, []string{"30s", "30s", "45", "*"}) {
		t.Errorf("ages %q", got)
	}
	if got := text(r.Original, 1); !slices.Equal(got, []string{"*", "North", "North", "?"}) {
		t.Errorf("cities %q", got)
	}
	if got := text(r.Released, 0); !slices.Equal(got, []string{"30s", "30s", "45", "?"}) {
		t.Errorf("released ages %q", got)
	}
	if d := Differences(r); d[0].Changed != 0.75 || d[1].Changed != 0.75 {
		t.Errorf("changed %v and %v, expected 3 of 4 ages and 3 of 4 cities", d[0].Changed, d[1].Changed)
	}
}

// A column that has a hierarchy and is released as numbers is not generalised.
func TestPairByLabelsOfNumbers(t *testing.T) {
	h := hierarchy.Set{"age": parsed(t, "age", "31;30s;*\n34;30s;*\n")}
	orig := tabletest.Of(t, table.NumColumn("age", 1, []float64{31, 34}))
	rel := tabletest.Of(t, table.NumColumn("age", 1, []float64{31, math.NaN()}))
	r, _, err := Pair(orig, rel, nil, ByLabels(h, rel))
	if err != nil || r.Original.Attr(0).Kind != table.Numeric || !slices.Equal(r.Original.Num(0), []float64{31, 34}) {
		t.Errorf("%+v, error %v", r, err)
	}
}
