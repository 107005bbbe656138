package membership

import (
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	again := measuretest.Given(func(r *measure.Release) { r.Again = copies })
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{"shadowmembership": {"the technique is known": {again}}})
}
