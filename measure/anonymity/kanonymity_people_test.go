package anonymity

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/measuretest"
)

// The sentence counts people where they are known, and records otherwise.
func TestKAnonymitySentence(t *testing.T) {
	d := KAnonymityDetail{Released: 24, Smallest: 1, K: 3, Below: 2, Alone: 1}
	for people, want := range map[int]string{
		0: "at least 1 of all 24, including itself",
		8: "at least 1 of all 8 people,",
	} {
		d.People = people
		if got := d.Sentence().String(); !strings.Contains(got, want) {
			t.Errorf("%d people: %s", people, got)
		}
	}
}

// TestKAnonymityPeople: people are counted, not records.
func TestKAnonymityPeople(t *testing.T) {
	measuretest.CountsPeople(t, KAnonymity, intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{}},
		"value", "any")
}
