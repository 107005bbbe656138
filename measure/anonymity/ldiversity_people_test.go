package anonymity

import (
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/measuretest"
)

// TestPeople: people are counted, not records.
func TestLDiversityPeople(t *testing.T) {
	measuretest.CountsPeople(
		t,
		LDiversity,
		intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{"c"}},
		"value",
		"any",
	)
}
