package reconstructedtree

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) { minetest.Family(t, Miners()) }
