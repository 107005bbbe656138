package distributions

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
)

// TestHeadlineRounds: a correlation that is gone is 0 in the sentence, not a power of ten, and a small change has the
// digits that differ.
func TestHeadlineRounds(t *testing.T) {
	for _, c := range []struct {
		was, is float64
		want    string
	}{{0.5281, -3.318e-05, "a and b: from 0.53 to 0."}, {-0.004, 0.7, "a and b: from 0 to 0.7."},
		{0.0812, 0.0834, "a and b: from 0.0812 to 0.0834."}} {
		d := Detail{
			LargestCorrDiff: 0.5,
			Names:           []string{"a", "b"},
			CorrOriginal:    [][]float64{{1, c.was}, {c.was, 1}},
			CorrReleased:    [][]float64{{1, c.is}, {c.is, 1}},
		}
		if h, ok := d.Headline(measure.Reader{}); !ok || !strings.HasPrefix(h.Says.String(), c.want) {
			t.Errorf("%q, expected %q", h.Says, c.want)
		}
	}
}
