package detective

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) {
	minetest.FamilyTrials(t, Miners(), minetest.Trials{
		"exdetective": {
			"defaults": nil,
			"weights":  {minetest.Set(map[string]string{"minLeaf": "20", "minRecords": "5", "noPrune": "true"})},
		},
	})
}
