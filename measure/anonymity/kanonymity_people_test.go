package anonymity

import (
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/measuretest"
)

// TestPeople: people are counted, not records.
func TestKAnonymityPeople(t *testing.T) {
	measuretest.CountsPeople(
		t,
		KAnonymity,
		intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{}},
		"value",
		"any",
	)
}
