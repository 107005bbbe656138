package suda

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

// TestConformance: how many of the suite's people are special uniques is not known beforehand.
func TestConformance(t *testing.T) { measuretest.Run(t, Measure, measuretest.AnyIdentical()) }
