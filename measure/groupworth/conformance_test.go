package groupworth

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) { measuretest.Run(t, Measure) }
