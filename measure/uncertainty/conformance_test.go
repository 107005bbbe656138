package uncertainty

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	record := measuretest.Same(map[string]string{"classFrom": "record"})
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"classdisclosure": {"class of the record": {record}},
		"knowledge":       {"everybody": {measuretest.Same(map[string]string{"targets": "1000"})}}, // not a sample
	})
}
