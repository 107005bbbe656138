package rock

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) {
	minetest.FamilyTrials(t, Miners(), minetest.Trials{
		"rock": {"sample": {minetest.Set(map[string]string{"sample": "300"})}},
	})
}
