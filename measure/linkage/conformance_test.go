package linkage

import (
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"earlierrelease": {
			"defaults": {measuretest.Given(func(r *measure.Release) {
				if r.Paired {
					r.Earlier = []*table.Table{r.Released.WithAttr(0, *r.Released.Attr(0))}
				}
			})},
		},
		"leakedplan": {
			"defaults": {measuretest.Given(func(r *measure.Release) {
				r.Intruder = &intruder.Intruder{Name: "thief", Knows: []string{"all"}, Plan: true}
				if r.Original.Find("age") >= 0 {
					r.Segments = forest(r.Original, []float64{30, 45, 60})
				}
			})},
		},
		"repeatedrecords": {
			"defaults": {measuretest.Given(func(r *measure.Release) {
				r.Intruder = who
				of := map[table.RecordID]int32{}
				for i := range r.Original.Rows() {
					of[r.Original.ID(i)] = int32(i / 3)
				}
				r.Persons = map[string]map[table.RecordID]int32{"patient": of}
			}), measuretest.PeopleElsewhere()},
		},
	})
}
