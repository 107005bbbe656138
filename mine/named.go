package mine

import (
	"fmt"
	"slices"
)

// known returns the miners that measures find by name; nil in a program that does not import package catalog/all.
var known func() []Miner

// Register lets measures find miners by name. Package catalog/all calls it as it is initialised: the miners that only a
// parameter of a measure asks for take 0.3 MB of a program.
func Register(miners func() []Miner) { known = miners }

// Named returns a miner, for measures that learn by the one that a parameter names.
func Named(name string) (Miner, error) {
	if known == nil {
		return Miner{}, fmt.Errorf("the miner %s is not in this program: import catalog/all", name)
	}
	all := known()
	k := slices.IndexFunc(all, func(m Miner) bool { return m.Name == name })
	if k < 0 {
		return Miner{}, fmt.Errorf("there is no miner %s", name)
	}
	return all[k], nil
}
