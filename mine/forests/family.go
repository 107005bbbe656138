// Package forests holds miners that grow several decision trees for a class (SysFor, Credal), or find the rules worth
// showing of such a forest (ForEx).
package forests

import "github.com/dither-data/dither/mine"

// Miners are the catalogue entries.
func Miners() []mine.Miner {
	return []mine.Miner{Credal, ForEx, SysFor}
}
