package desk

import (
	"math"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// TestGate: a threshold must hold against every intruder, and what was not measured against one does not hold against that one.
func TestGate(t *testing.T) {
	low, high := 2.0, 8.0
	least := policy.Threshold{Measure: "entropy", Min: &low}
	most := policy.Threshold{Measure: "links", Max: &high}
	m := func(name, who string, score float64, err string) study.Measured {
		better := measure.Higher
		if name == "links" {
			better = measure.Lower
		}
		return study.Measured{Card: card.Card{Name: name}, Facts: measure.Facts{Groups: name == "kanonymity"}, Better: better, Intruder: who, Value: measure.Value{Score: score}, Err: err}
	}
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		limits []policy.Threshold
		taken  []study.Measured
		all    bool
		want   string
	}{
		{"no thresholds", nil, []study.Measured{m("entropy", "", 0, "")}, true, ""},
		{"kept", []policy.Threshold{least}, []study.Measured{m("entropy", "a", 3, ""), m("entropy", "b", 2, "")}, true, ""},
		{"broken by the second", []policy.Threshold{least}, []study.Measured{m("entropy", "a", 3, ""), m("entropy", "b", 1.5, "")}, true, "no: entropy is 1.5, expected at least 2 (intruder: b)"},
		{"broken by the first", []policy.Threshold{least}, []study.Measured{m("entropy", "a", 1.5, ""), m("entropy", "b", 3, "")}, true, "no: entropy is 1.5, expected at least 2 (intruder: a)"},
		{"broken by both", []policy.Threshold{most}, []study.Measured{m("links", "a", 9, ""), m("links", "b", 10, "")}, true,
			"no: links is 9, expected at most 8 (intruder: a); links is 10, expected at most 8 (intruder: b)"},
		{"failed against one", []policy.Threshold{least}, []study.Measured{m("entropy", "a", 3, ""), m("entropy", "b", 0, "no pairs")}, true, "no: entropy has no score, expected at least 2 (intruder: b)"},
		{"no number against one, lower is better", []policy.Threshold{most}, []study.Measured{m("links", "a", nan, ""), m("links", "b", 1, "")}, true, "no: links has no score, expected at most 8 (intruder: a)"},
		{"without an intruder", []policy.Threshold{least}, []study.Measured{m("entropy", "", 1, "")}, true, "no: entropy is 1, expected at least 2"},
		{"not taken, of all", []policy.Threshold{least}, nil, true, "no: entropy has no score, expected at least 2"},
		{"not taken, of some", []policy.Threshold{least}, []study.Measured{m("links", "a", 9, "")}, false, ""},
		{"in the order of the policy", []policy.Threshold{most, least}, []study.Measured{m("entropy", "", 1, ""), m("links", "", 9, "")}, false,
			"no: links is 9, expected at most 8; entropy is 1, expected at least 2"},
		{"groups, against the one who knows nearly everything alone", []policy.Threshold{{Measure: "kanonymity", Min: &low}}, []study.Measured{m("kanonymity", "knows the quasi-identifiers", 5, ""),
			m("kanonymity", "knows everything but the class", 1, "")}, true, "no: kanonymity is 1, expected at least 2 (intruder: knows everything but the class)" + alternative},
		{"groups, against both", []policy.Threshold{{Measure: "kanonymity", Min: &low}}, []study.Measured{m("kanonymity", "knows the quasi-identifiers", 1, ""),
			m("kanonymity", "knows everything but the class", 1, "")}, true,
			"no: kanonymity is 1, expected at least 2 (intruder: knows the quasi-identifiers); kanonymity is 1, expected at least 2 (intruder: knows everything but the class)"},
	} {
		got := ""
		if b := gate(&policy.Policy{Thresholds: c.limits}, c.taken, c.all, "no"); b != nil {
			got = b.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
