package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// TestWorked: how a technique works is held against a limit by the worse end of its interval, and said with its unit
// and by how much it is beyond.
func TestWorked(t *testing.T) {
	most := 10.0
	for _, c := range []struct {
		measure       string
		value, lo, hi float64
		standing      Standing
		says, beyond  string
	}{
		{limit.Seconds, 8, 7, 10, Met, "it takes 8 (7 to 10) s to fit the technique and to apply it to the whole table; at " +
			"most 10 s is allowed", ""},
		{limit.Seconds, 8, 7, 10.04, Unproven, "at most 10 s is allowed", "0.04 s"},
		{limit.Memory, 812, 790, 815, Broke, "it takes 812 (790 to 815) MB besides the table; at most 10 MB is allowed",
			"805 MB"},
		{limit.Growth, 9, 8, 12, Unproven, "its time grows with a power of 9 (8 to 12) of the records; at most 10 is " +
			"allowed", "2"},
		{limit.Growth, math.NaN(), math.NaN(), math.NaN(), Unproven, "was not measured: too few records", ""},
	} {
		d := Worked(&limit.Limit{Measure: c.measure, Max: &most}, c.value, c.lo, c.hi, message.Text("too few records"))
		if d.Standing != c.standing || !strings.Contains(d.Sentence().String(), c.says) {
			t.Errorf("%s %v to %v: %s, %s", c.measure, c.lo, c.hi, d.Standing, d.Sentence().String())
		}
		if c.beyond != "" && d.Beyond(*d.Hi-most).String() != c.beyond {
			t.Errorf("%s is beyond by %s, expected %s", c.measure, d.Beyond(*d.Hi-most), c.beyond)
		}
	}
	share := Demand{Measure: "found", Unit: measure.In(measure.Share, message.Sentence{})}
	if got := share.Beyond(0.0123).String(); got != "1.2 %" {
		t.Errorf("a share is beyond by %s", got)
	}
}
