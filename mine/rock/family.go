// Package rock clusters records of categories by their neighbours, the records whose sets of values are similar: ROCK
// (Guha, Rastogi & Shim 1999) by how many neighbours two clusters have in common, and QROCK (Dutta, Mahanta & Pujari
// 2005) by chains of neighbours, where ROCK ends when no number of clusters is asked for.
package rock

import "github.com/dither-data/dither/mine"

// Miners are the catalogue entries.
func Miners() []mine.Miner { return []mine.Miner{ROCK, QROCK} }
