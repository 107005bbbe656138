package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/measure/reidentification"
)

// TestSuspectsOfOutsider: that the person is not in the file is told apart from the records that are not drawn.
func TestSuspectsOfOutsider(t *testing.T) {
	o := sample(t, 30, 1, 1, same)
	d := reidentification.Detail{Outside: 0.5, Suspects: reidentification.Suspects{Row: 3, P: []float64{0.2, 0.1}, Own: -1}}
	p := suspects("id", o, d)
	if len(p) != 1 || !slices.Equal(p[0].Facts, []string{"Not in the file 50 %", "All others together 20 %"}) || !strings.Contains(p[0].Text, "No other person judged is") {
		t.Errorf("%+v", p)
	}
	d.Outside = 0
	if p := suspects("id", o, d); !slices.Equal(p[0].Facts, []string{"All others together 70 %"}) {
		t.Errorf("facts of an insider %q", p[0].Facts)
	}
}
