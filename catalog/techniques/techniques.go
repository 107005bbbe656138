// Package techniques adds the techniques for tables of records to the catalogue, once it is imported.
package techniques

import "github.com/dither-data/dither/catalog"

func init() { catalog.Add(entries) }
