package rulepreservation_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/rng"
)

func TestMeasure(t *testing.T) {
	r := measuretest.Release(false)
	v := must.Get(rulepreservation.TreeSimilarity.New().Measure(context.Background(), r, rng.Source{}))(t)
	d := v.Detail.(rulepreservation.TreeSimilarityDetail)
	if got := d.Weights[0] + d.Weights[1]; v.Score != got {
		t.Errorf("score %v, expected the weight %v of A and B", v.Score, got)
	}
	if n := len(d.Released.Leaves()); len(d.Types) != n || len(d.Match) != n {
		t.Errorf("%d types and %d matches for %d leaves", len(d.Types), len(d.Match), n)
	}
	text, err := json.Marshal(
		rulepreservation.TreeSimilarityDetail{
			Types: []ruletypes.Type{ruletypes.A, ruletypes.D},
			Match: []int{0, -1},
			Class: "Similar",
		},
	)
	if want := `{"types":["A","D"],"match":[0,-1],"weights":[0,0,0,0],"treeClass":"Similar"}`; err != nil ||
		string(text) != want {
		t.Errorf("detail encodes to %s, error %v", text, err)
	}
}
