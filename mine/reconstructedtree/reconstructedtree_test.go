package reconstructedtree_test

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/mine/reconstructedtree"
)

func TestConformance(t *testing.T) { minetest.Family(t, reconstructedtree.Miners()) }
