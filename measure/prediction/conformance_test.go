package prediction

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"accuracy":   {"defaults": {measuretest.AnyIdentical()}},
		"classifier": {"defaults": {measuretest.Identical(0)}},
	})
}
