package constraintviolations

import (
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
)

// TestConformance: relations that the tables of the suite have in no record, in most, and in all.
func TestConformance(t *testing.T) {
	measuretest.Run(t, Measure, measuretest.Given(func(r *measure.Release) {
		r.Relations = measuretest.Relations("age <= income", "income = age + hours", "job -> city",
			"never city = east and job = smith", "age = none + job")
	}))
}
