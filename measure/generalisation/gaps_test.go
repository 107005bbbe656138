package generalisation

import (
	"math"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Of five values one is lost; a value that was missing before is no loss.
func TestGaps(t *testing.T) {
	nan := math.NaN()
	was := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, 2, nan}), table.NumColumn("b", 1, []float64{4, 5, 6}))
	is := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, nan, nan}), table.NumColumn("b", 1, []float64{4, 9, 6}))
	void := tabletest.Of(t, table.NumColumn("a", 1, []float64{nan, nan, nan}))
	for _, c := range []struct {
		name           string
		was, is, exact *table.Table
		want           float64
	}{
		{"one of five", was, is, nil, 0.2},
		{"all were missing", void, void, nil, 0},
		{"generalised", was, is, was, 1},
		{"records are gone", was, is.Slice(0, 2), nil, 1},
	} {
		r := &measure.Release{Original: c.was, Released: c.is}
		r.Exact = c.exact
		if got := gaps(r); got != c.want {
			t.Errorf("%s: %v, expected %v", c.name, got, c.want)
		}
	}
}
