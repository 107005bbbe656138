package measure

import (
	"math"
	"testing"

	"github.com/dither-data/dither/message"
)

// TestTold: a share of a few of 150 records, or of all but a few, is told by its bounds, lost ones too; one of none, of
// many or of no records is told itself.
func TestTold(t *testing.T) {
	of := message.Say("unit.ofRecords")
	share, percent := In(Share, of), In(Percent, of)
	r := Reader{Public: true, Few: 11, Records: 150}
	const bound = 11.0 / 150
	for _, c := range []struct {
		score  float64
		unit   Unit
		lo, hi float64
		told   bool
	}{
		{0, share, 0, 0, true},
		{1, share, 1, 1, true},
		{1.0 / 150, share, 0, bound, false},
		{10.0 / 150, share, 0, bound, false},
		{bound, share, bound, bound, true},
		{0.5, share, 0.5, 0.5, true},
		{139.0 / 150, share, 139.0 / 150, 139.0 / 150, true},
		{140.0 / 150, share, 1 - bound, 1, false},
		{149.0 / 150, share, 1 - bound, 1, false},
		{-5, percent, -100 * bound, 0, false},
		{-95, percent, -100, 100*bound - 100, false},
		{-20, percent, -20, -20, true},
		{99, percent, 100 - 100*bound, 100, false},
		{5, In(Percent, message.Sentence{}), 5, 5, true},
		{0.01, In(Ratio, of), 0.01, 0.01, true},
	} {
		got := r.Told(Value{Score: c.score, Lo: c.score, Hi: c.score, Detail: 1}, c.unit)
		near := math.Abs(got.Lo-c.lo) < 1e-12 && math.Abs(got.Hi-c.hi) < 1e-12
		if !near || math.IsNaN(got.Score) == c.told || got.Detail != nil {
			t.Errorf("%v of %d %s is told as %v", c.score, r.Records, c.unit, got)
		}
	}
	if got := (Reader{Records: 150}).Told(Value{Score: 1.0 / 150}, share); got.Score != 1.0/150 {
		t.Errorf("who may know all is told %v", got.Score)
	}
}
