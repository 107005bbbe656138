package syntheticrisk

import (
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		// Rows of the tables of the suite meet by chance, so the original as it was does not score 1; and chance grows
		// with the records of people, so that they are counted is shown by TestReplicatedUniquesPeople.
		"replicateduniques": {"defaults": {measuretest.AnyIdentical(), measuretest.PeopleElsewhere()}},
		"shadowmembership":  {"the technique is known": {measuretest.Given(func(r *measure.Release) { r.Again = copies })}},
	})
}
