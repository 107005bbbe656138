// Package all lets measures learn by every miner of the catalogue, once it is imported.
package all

import (
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/mine"
)

func init() { mine.Register(catalog.Miners) }
