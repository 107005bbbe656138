package byclass

import (
	"testing"

	"github.com/dither-data/dither/mine/minetest"
)

func TestConformance(t *testing.T) { minetest.Run(t, Miner) }
