package study

import (
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestPublicByTheLimit: the public is told of no fewer records than the k that a release had to have.
func TestPublicByTheLimit(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, make([]float64, 150)))
	for k, want := range map[float64]int{2: 11, 11: 11, 19.5: 20, 25: 25} {
		demands := []Demand{{Measure: "kanonymity", Min: &k}, {Measure: "found"}}
		o := &Outcome{Released: tab, Verdict: &Verdict{Demands: demands}}
		if r := Public(o); r.Few != want || r.Records != 150 || !r.Public {
			t.Errorf("with k = %v: %+v", k, r)
		}
	}
	if r := Public(&Outcome{}); r.Few != 11 {
		t.Errorf("without limits: %+v", r)
	}
}
