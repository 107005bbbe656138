package attackers

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// What a tool suppressed, and shows so, is no gap. Of 100 records 50 have no value, and of the others 25 are
// suppressed: a gap is one of 50, and a value one of the 50 that may be it, or of the 25 that show it. With suppression
// taken for a gap a look-up finds one of 175.
func TestSuppressedIsNoGap(t *testing.T) {
	was, is := make([]float64, 100), make([]float64, 100)
	stars := make([]bool, 100)
	for i := range was {
		if i < 50 {
			was[i] = math.NaN()
		}
		if is[i] = was[i]; i >= 75 {
			is[i], stars[i] = math.NaN(), true
		}
	}
	released := table.NumColumn("x", 1, is)
	released.Suppressed = stars
	r := &measure.Release{
		Original: tabletest.Of(t, table.NumColumn("x", 1, was)), Released: tabletest.Of(t, released), Paired: true,
	}
	for _, name := range []string{"look-up", "nearest", "agreement", unaware} {
		got := credits(t, r, name, []int{0}, true)
		if sum := sumOf(got); math.Abs(sum-2) > 1e-9 || slices.Max(got[:50]) != 0.02 || slices.Min(got[:50]) != 0.02 {
			t.Errorf("%s finds %v of 100, of those without a value each with %v to %v; expected 2 and 1/50", name, sum,
				slices.Min(got[:50]), slices.Max(got[:50]))
		}
	}
}
