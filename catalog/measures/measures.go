// Package measures adds the measures of tables of records to the catalogue, once it is imported.
package measures

import "github.com/dither-data/dither/catalog"

func init() { catalog.Add(entries) }
