package delaunay

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) {
	minetest.FamilyTrials(t, Miners(), minetest.Trials{
		"amoeba": {
			"one level": {minetest.Set(map[string]string{"attributes": "age,score", "levels": "1"})},
			"all":       {minetest.Set(map[string]string{"attributes": "age,score", "levels": "0"})},
		},
		"autoclust": {"two numbers": {minetest.Set(map[string]string{"attributes": "age,score"})}},
	})
}
