package classifiers

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) {
	minetest.FamilyTrials(t, Miners(), minetest.Trials{
		"knn": {
			"defaults": {},
			"overlap":  {minetest.Set(map[string]string{"distance": "overlap", "k": "5"})},
			"zScore":   {minetest.Set(map[string]string{"scale": "zscore", "k": "3"})},
		},
		"naivebayes": {
			"defaults": {},
			"bins":     {minetest.Set(map[string]string{"numeric": "bins", "laplace": "0"})},
		},
		"neuralnet": {
			"defaults": {minetest.Set(map[string]string{"epochs": "5"})},
			"shards":   {minetest.Set(map[string]string{"epochs": "3", "batch": "400", "layers": "1", "holdout": "0"})},
		},
	})
}
