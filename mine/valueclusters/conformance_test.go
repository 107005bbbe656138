package valueclusters

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) {
	kept := map[string]string{"unrelated": "keep", "kappa": "1", "maxClusters": "100", "projections": "all"}
	trials := minetest.Trials{"cactus": {"defaults": nil, "keep": {minetest.Set(kept)}}, "stirr": {}}
	for _, c := range combiners {
		trials["stirr"][c] = []minetest.Option{minetest.Set(map[string]string{"combiner": c})}
	}
	minetest.FamilyTrials(t, Miners(), trials)
}
