package replicateduniques

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

// TestConformance: rows of the tables of the suite meet by chance, so the original as it was does not score 1; and
// chance grows with the records of people, so that they are counted is shown by TestPeople.
func TestConformance(t *testing.T) {
	measuretest.Run(t, Measure, measuretest.AnyIdentical(), measuretest.PeopleElsewhere())
}
