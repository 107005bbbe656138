package desk

import (
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// TestThresholdsOfAPolicy: one that allows more than the limit in whose place it stands is accepted, one that allows less is not, and both hold.
func TestThresholdsOfAPolicy(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	for max, accepted := range map[float64]bool{0.05: false, 0.09: false, 0.5: true} {
		set, err := limitsOf("", nil, nil, &policy.Policy{Thresholds: []policy.Threshold{{Measure: "found", Max: at(max)}}}, "")
		if err != nil {
			t.Fatal(err)
		}
		l := set.Find("found")
		if !l.Declared || *l.Max != max || l.Accepted != accepted || accepted && (l.SetMax == nil || *l.SetMax != 0.09) {
			t.Errorf("a threshold of %v: %+v", max, l)
		}
	}
	set, err := limitsOf("", nil, nil, &policy.Policy{Thresholds: []policy.Threshold{{Measure: "found", Min: at(0)}}}, "")
	if err != nil || !set.Find("found").Accepted {
		t.Errorf("a threshold without a largest value takes the place of one unseen: %v", err)
	}
}

// TestAcceptedColumns: a column that the table lacks is refused with the one that was meant.
func TestAcceptedColumns(t *testing.T) {
	attrs := []table.Attribute{{Name: "birth_date"}, {Name: "notes"}}
	for accept, says := range map[string]string{"birth=birth_date": "", "text=notes, birth_date": "", "birth=birthdate": "birth_date"} {
		set, err := limitsOf("", []string{accept}, nil, &policy.Policy{}, "")
		if err != nil {
			t.Fatal(err)
		}
		err = acceptable(set, attrs)
		var wrong *Usage
		if says == "" && err != nil || says != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", accept, err)
		}
	}
}
