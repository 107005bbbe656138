package recordclusters

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) {
	minetest.FamilyTrials(t, Miners(), minetest.Trials{
		"core": {"defaults": nil, "k": {minetest.Set(map[string]string{"clusters": "3", "delta": "0.05"})}},
		"rock": {"sample": {minetest.Set(map[string]string{"sample": "300"})}},
	})
}
