package itemsets_test

import (
	"testing"

	"github.com/dither-data/dither/mine/itemsets"
	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) { minetest.Family(t, itemsets.Miners(), minetest.KnowsSets()) }
