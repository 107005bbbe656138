// Package recordclusters holds miners that group records of categories: by their neighbours, the records whose sets of
// values are similar, of which two clusters have many in common (ROCK, by Guha, Rastogi & Shim 1999) or which form
// chains (QROCK, by Dutta, Mahanta & Pujari 2005); so that the entropy inside is small (COOLCAT) or little information
// is lost (LIMBO); and by the correlation of values (CORE).
package recordclusters

import "github.com/dither-data/dither/mine"

// Miners are the catalogue entries.
func Miners() []mine.Miner { return []mine.Miner{ROCK, QROCK, COOLCAT, LIMBO, CORE} }
