package distributions

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table/tabletest"
)

// TestUsesOfLostColumns: of a column of which the release has no value, the mean and the correlations are lost.
func TestUsesOfLostColumns(t *testing.T) {
	nan := math.NaN()
	x := [][]float64{{1, 2, 3, 4}, {2, 1, 4, 3}, {1, 4, 2, 3}}
	for name, c := range map[string]struct {
		third []float64
		lost  []float64
	}{"kept": {x[2], []float64{0, 0, 0}}, "lost": {[]float64{nan, nan, nan, nan}, []float64{0, 0, math.Inf(1)}}} {
		v := must.Get(param.Default(&Meter{}).Measure(t.Context(), &measure.Release{
			Original: tabletest.Of(t, tabletest.Numbers(0, x...)...),
			Released: tabletest.Of(t, tabletest.Numbers(0, x[0], x[1], c.third)...),
			Paired:   true,
		}, rng.Source{}))(t)
		u := uses(v, message.Sentence{})
		last := u[len(u)-1]
		if !slices.Equal(u[0].Losses, c.lost) || !last.What.Equal(message.Say("use.correlations")) ||
			last.Loss != c.lost[2] {
			t.Errorf("%s: %+v", name, u)
		}
	}
}
