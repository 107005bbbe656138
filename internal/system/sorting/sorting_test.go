package sorting_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/system/sorting"
)

// entry is sorted by a key that others have, too; at says which it was.
type entry struct{ key, at int }

func byKey(a, b entry) int { return cmp.Compare(a.key, b.key) }

// Lists of all lengths and with many ties are in the very order in which package slices leaves them.
func TestAsPackageSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		list := make([]entry, n)
		for i := range list {
			list[i] = entry{r.IntN(1 + n/3), i}
		}
		for name, sorts := range map[string][2]func([]entry, func(a, b entry) int){
			"Func":   {sorting.Func[entry], slices.SortFunc[[]entry]},
			"Stable": {sorting.Stable[entry], slices.SortStableFunc[[]entry]},
		} {
			got, want := slices.Clone(list), slices.Clone(list)
			sorts[0](got, byKey)
			sorts[1](want, byKey)
			if !slices.Equal(got, want) {
				t.Fatalf("%s of %d: %v, not %v", name, n, got, want)
			}
		}
	}
}
