// Package all completes the catalogue, once it is imported: the techniques and measures for tables of sets, synthesis
// by graphical models and under differential privacy, and every miner for measures that learn by one which a parameter
// names. A program that only protects records does without
// their megabyte.
package all

import (
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/mine"
)

func init() {
	catalog.Add(methods, measures)
	mine.Register(catalog.Miners)
}
