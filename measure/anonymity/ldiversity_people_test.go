package anonymity

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/measuretest"
)

// The sentence counts people where they are known, and records otherwise.
func TestLDiversitySentence(t *testing.T) {
	d := LDiversityDetail{Released: 24, Definition: Distinct, L: 2, Told: 2}
	for people, want := range map[int]string{0: "for 2 of 24 records", 8: "for 2 of 8 people"} {
		d.People = people
		if got := d.Sentence().String(); !strings.Contains(got, want) {
			t.Errorf("%d people: %s", people, got)
		}
	}
}

// TestLDiversityPeople: people are counted, not records.
func TestLDiversityPeople(t *testing.T) {
	measuretest.CountsPeople(t, LDiversity,
		intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{"c"}}, "value", "any")
}
