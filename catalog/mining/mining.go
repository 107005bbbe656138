// Package mining adds the miners, the generators and the reconstructions to the catalogue, once it is imported, and
// hands the miners to measures that learn by one which a parameter names.
package mining

import (
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/mine"
)

func init() {
	catalog.Add(entries)
	catalog.Add(catalog.Entries{Generators: generate.Generators()})
	mine.Register(catalog.Miners)
}
