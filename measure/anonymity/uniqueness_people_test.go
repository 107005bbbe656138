package anonymity

import (
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/measuretest"
)

// TestUniquenessPeople: people are counted, not records.
func TestUniquenessPeople(t *testing.T) {
	measuretest.CountsPeople(t, Uniqueness,
		intruder.Intruder{Name: "x", Knows: []string{"a", "b", "c"}, Secret: []string{}}, "value", "any", "suppressed")
}
