// Package valueclusters holds miners that group the values of categorical attributes by the records they occur in
// together: CACTUS by summaries of pairs, STIRR by weights that are passed on, and VICUS by a graph of values.
package valueclusters

import "github.com/dither-data/dither/mine"

// Miners are the catalogue entries.
func Miners() []mine.Miner { return []mine.Miner{CACTUS, STIRR, VICUS} }
