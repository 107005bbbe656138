package desk

import (
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// TestThresholdsOfAPolicy: one that allows more than the limit in whose place it stands is accepted, one that allows
// less is not, and both hold.
func TestThresholdsOfAPolicy(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	for max, accepted := range map[float64]bool{0.05: false, 0.09: false, 0.5: true} {
		set := must.Get(limitsOf(&policy.Policy{Thresholds: []policy.Threshold{{Measure: "found", Max: at(max)}}}))(t)
		l := set.Find("found")
		if !l.Declared || *l.Max != max || l.Accepted != accepted || accepted && (l.SetMax == nil || *l.SetMax != 0.09) {
			t.Errorf("a threshold of %v: %+v", max, l)
		}
	}
	set, err := limitsOf(&policy.Policy{Thresholds: []policy.Threshold{{Measure: "found", Min: at(0)}}})
	if err != nil || !set.Find("found").Accepted {
		t.Errorf("a threshold without a largest value takes the place of one unseen: %v", err)
	}
}

// TestAcceptedColumns: a column that the table lacks is refused with the one that was meant.
func TestAcceptedColumns(t *testing.T) {
	attrs := []table.Attribute{{Name: "birth_date"}, {Name: "notes"}}
	for accept, says := range map[string]string{"birth=birth_date": "", "text=notes, birth_date": "",
		"birth=birthdate": "birth_date"} {
		set, err := limitsOf(&policy.Policy{Accept: []string{accept}})
		must.NoError(t, err)
		err = judge.Acceptable(set, attrs)
		var wrong *Usage
		if says == "" && err != nil || says != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", accept, err)
		}
	}
}

// TestAtMost: a limit of the command line takes the place of one on the same measure, a threshold of the policy too,
// and one that loosens is told as accepted.
func TestAtMost(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	pol := &policy.Policy{Thresholds: []policy.Threshold{{Measure: "seconds", Max: at(3)}}}
	set, err := limitsOf(pol.With(&policy.Policy{AtMost: []string{"seconds=10", " found = 0.2", "levelofprivacy=-0.1"}}))
	must.NoError(t, err)
	if l := set.Find("seconds"); *l.Max != 10 || l.Source != "the command line" || l.Declared || l.Accepted != true ||
		*l.SetMax != 3 {
		t.Errorf("%+v", l)
	}
	if l := set.Find("found"); *l.Max != 0.2 || !l.Accepted || !l.Declared || *l.SetMax != 0.09 {
		t.Errorf("%+v", l)
	}
	if l := set.Find("levelofprivacy"); *l.Max != -0.1 || l.Accepted {
		t.Errorf("%+v", l)
	}
	for text, says := range map[string]string{"seconds": "expected name=number", "=3": "unknown measure",
		"seconds=fast": "expected name=number", "seconds=NaN": "expected name=number",
		"second=3": `did you mean "seconds"`, "growth=-1": "lies from 0", "text=0": "--accept text=COLUMN"} {
		var wrong *Usage
		if _, err := limitsOf(pol.With(&policy.Policy{AtMost: []string{text}})); !errors.As(err, &wrong) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
