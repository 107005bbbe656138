// Package all completes the catalogue, once it is imported: besides the techniques and the measures for tables of
// records, and the miners, generators and reconstructions, it adds techniques and measures for tables of sets, and
// synthesis by graphical models and under differential privacy. A program that only protects records does without their
// megabytes.
package all

import (
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/mining"
	_ "github.com/dither-data/dither/catalog/techniques"
)

func init() { catalog.Add(entries) }
