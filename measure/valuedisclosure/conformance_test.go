package valuedisclosure

import (
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"breachprobability": {
			"defaults": {measuretest.AnyIdentical(), measuretest.Given(func(r *measure.Release) {
				j := r.Original.WithRole(table.Class)
				if j < 0 || r.Original.Attr(j).Kind != table.Categorical {
					return
				}
				of := make([]int32, r.Original.Rows())
				for i := range of {
					of[i] = int32(i / 4)
				}
				own := breachReleased(r.Original, j, of)
				r.Released, r.Segments = own.Released, own.Segments
				r.Intruder = &intruder.Intruder{Name: "neighbour", Knows: []string{"all"}, Secret: []string{"role:class"}}
			})},
		},
		"conditionalprivacy": {"defaults": {measuretest.AnyIdentical()}},
		"intervaldisclosure": {"defaults": {measuretest.Identical(1)}},
		"intervalinference": {
			"defaults": {measuretest.AnyIdentical(), measuretest.Given(func(r *measure.Release) {
				r.Mechanisms = []noisemodel.Mechanism{mechanism{r.Original.Attrs(), uniform{2}}}
			})},
		},
		"variancedifference": {"defaults": {measuretest.Identical(0)}},
	})
}
