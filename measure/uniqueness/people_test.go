package uniqueness

import (
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/measuretest"
)

// TestPeople: people are counted, not records.
func TestPeople(t *testing.T) {
	measuretest.CountsPeople(
		t,
		Measure,
		intruder.Intruder{Name: "x", Knows: []string{"a", "b", "c"}, Secret: []string{}},
		"value",
		"any",
		"suppressed",
	)
}
