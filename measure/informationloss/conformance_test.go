package informationloss

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	any := []measuretest.Option{measuretest.AnyIdentical()}
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"aecs": {"any original": any}, "discernibility": {"any original": any},
		"cm": {"any original": any},
	})
}
