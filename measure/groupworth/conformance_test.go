package groupworth_test

import (
	"testing"

	"github.com/dither-data/dither/measure/groupworth"
	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) { measuretest.Run(t, groupworth.Measure) }
