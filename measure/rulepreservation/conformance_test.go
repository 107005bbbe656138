package rulepreservation

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) { measuretest.Family(t, Measures) }
