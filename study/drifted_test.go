package study

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/limit"
)

// TestDriftBesideItsLimit: what is just beyond a limit is written so that the two differ.
func TestDriftBesideItsLimit(t *testing.T) {
	for _, c := range []struct {
		measure     string
		most, value float64
		says        string
	}{
		{limit.Outside, 0.001, 0.00104, "0.104 % of the values of age are outside the range of the plan; at most 0.1 % is " +
			"allowed"},
		{limit.Outside, 0.05, 0.0501, "5.01 % of the values of age are outside the range of the plan; at most 5 % is " +
			"allowed"},
		{limit.Outside, 0.05, 0.3, "30 % of the values of age are outside the range of the plan; at most 5 % is allowed"},
		{limit.Outside, 0, 0.00001, "0.001 % of the values of age are outside the range of the plan; at most 0 % is allowed"},
		{limit.Drift, 0.25, 0.2503, "its drift index is 0.2503 in age; at most 0.25 is allowed"},
		{limit.Drift, 0.25, 1.234, "its drift index is 1.23 in age; at most 0.25 is allowed"},
	} {
		s := drift.Shift{Name: "age", Numeric: true, Outside: c.value}
		s.PSI = c.value
		o := &Outcome{Drift: &drift.Report{Columns: []drift.Shift{s}}}
		j := judging{Outcome: o, e: &Evidence{}, v: &Verdict{}}
		j.drifted(&limit.Limit{Measure: c.measure, Max: &c.most})
		if d := j.v.Demands[0]; d.Standing != Broke || !strings.HasSuffix(d.Sentence().String(), c.says) {
			t.Errorf("%s", d.Sentence().String())
		}
	}
}
