package attributedisclosure

import (
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		// relations that the tables of the suite do not have, of which one tells most values of a column
		"impliedvalues": {
			"defaults": {measuretest.Identical(0), measuretest.Given(func(r *measure.Release) {
				r.Relations = measuretest.Relations("job -> city", "income = age + hours", "income = 30 * age + 1000",
					"age <= income")
			})},
		},
	})
}
