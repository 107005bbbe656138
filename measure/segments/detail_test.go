package segments

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
)

// TestHeadline tells of values that were lost, which are in no domain.
func TestHeadline(t *testing.T) {
	for _, c := range []struct {
		d    Detail
		want string
	}{
		{Detail{Records: 4, Stayed: 4}, "Every value is in its domain and on its grid."},
		{Detail{Records: 4, Stayed: 4, Missing: 3}, "Every value that is there is in its domain and on its grid. 3 values " +
			"lost, or made up where there was none."},
		{Detail{Records: 4, Stayed: 4, Missing: 1, Outside: 2}, "2 values outside their domain and 0 off their grid. 1 " +
			"value lost, or made up where there was none."},
	} {
		if h, ok := c.d.Headline(measure.Reader{}); !ok || !strings.HasSuffix(h.Says.String(), c.want) {
			t.Errorf("%+v: %q, expected %q", c.d, h.Says, c.want)
		}
	}
}
