// Package all completes the catalogue, once it is imported: besides the techniques and the measures for tables of
// records it adds those for tables of sets, synthesis by graphical models and under differential privacy, and all
// miners, generators and reconstructions. It hands the miners to measures that learn by one which a parameter names. A
// program that only protects records does without their megabytes.
package all

import (
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/mine"
)

func init() {
	catalog.Add(entries)
	mine.Register(catalog.Miners)
}
