package dialect

import (
	"cmp"
	"slices"
	"sync"
)

// registry holds the formats of the packages that are imported.
var registry struct {
	sync.Mutex
	groups []group
}

type group struct {
	folder string
	list   []Format
}

// Register makes the formats of a folder known: whatever imports the folder can read and write its files. Folders call it as
// they are initialised. Package format/all imports all of them.
func Register(folder string, list ...Format) {
	registry.Lock()
	defer registry.Unlock()
	registry.groups = append(registry.groups, group{folder, list})
	slices.SortStableFunc(registry.groups, func(a, b group) int { return cmp.Compare(a.folder, b.folder) })
}

// Registered returns the formats that are known, by folder, whatever the order in which the folders were initialised.
func Registered() (out []Format) {
	registry.Lock()
	defer registry.Unlock()
	for _, g := range registry.groups {
		out = append(out, g.list...)
	}
	return out
}
