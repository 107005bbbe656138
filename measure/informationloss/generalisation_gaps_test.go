package informationloss

import (
	"math"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Of five values one is lost; a value that was missing before is no loss. Where it is not known which record is whose,
// shares of columns count: two thirds of a column were there and all of another, and of the first half is, so a tenth
// is lost.
func TestGaps(t *testing.T) {
	nan := math.NaN()
	was := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, 2, nan}), table.NumColumn("b", 1, []float64{4, 5, 6}))
	is := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, nan, nan}), table.NumColumn("b", 1, []float64{4, 9, 6}))
	other := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, nan, 7}), table.NumColumn("b", 1, []float64{4, 9, 6}))
	void := tabletest.Of(t, table.NumColumn("a", 1, []float64{nan, nan, nan}))
	for _, c := range []struct {
		name           string
		was, is, exact *table.Table
		paired         bool
		want           float64
	}{
		{"one of five", was, is, nil, true, 0.2},
		{"all were missing", void, void, nil, true, 0},
		{"generalised", was, is, was, true, 1},
		{"another's value in place of one's own", was, other, nil, true, 0.2},
		{"the same of nobody", was, other, nil, false, 0},
		{"two records of nobody", was, is.Slice(0, 2), nil, false, 0.1},
		{"no records", was, is.Slice(0, 0), nil, false, 1},
		{"no records, and nothing was there", void, void.Slice(0, 0), nil, false, 0},
		{"no records of none", was.Slice(0, 0), is.Slice(0, 0), nil, false, 0},
	} {
		r := &measure.Release{Original: c.was, Released: c.is, Paired: c.paired, Recoding: measure.Recoding{Exact: c.exact}}
		if got := gaps(r); got != c.want {
			t.Errorf("%s: %v, expected %v", c.name, got, c.want)
		}
	}
}
