package treesimilarity_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/measure/treesimilarity"
	"github.com/dither-data/dither/rng"
)

func TestConformance(t *testing.T) { measuretest.Run(t, treesimilarity.Measure) }

func TestMeasure(t *testing.T) {
	r := measuretest.Release(false)
	v, err := treesimilarity.Measure.New().Measure(context.Background(), r, rng.Source{})
	if err != nil {
		t.Fatal(err)
	}
	d := v.Detail.(treesimilarity.Detail)
	if got := d.Weights[0] + d.Weights[1]; v.Score != got {
		t.Errorf("score %v, expected the weight %v of A and B", v.Score, got)
	}
	if n := len(d.Released.Leaves()); len(d.Types) != n || len(d.Match) != n {
		t.Errorf("%d types and %d matches for %d leaves", len(d.Types), len(d.Match), n)
	}
	text, err := json.Marshal(
		treesimilarity.Detail{Types: []ruletypes.Type{ruletypes.A, ruletypes.D}, Match: []int{0, -1}, Class: "Similar"},
	)
	if want := `{"types":["A","D"],"match":[0,-1],"weights":[0,0,0,0],"treeClass":"Similar"}`; err != nil ||
		string(text) != want {
		t.Errorf("detail encodes to %s, error %v", text, err)
	}
}
