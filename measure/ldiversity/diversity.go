package ldiversity

import (
	"slices"

	"github.com/dither-data/dither/internal/diversity"
)

// figures are l of one class by the three definitions, all 0 without values, and the share of its most frequent value.
type figures struct{ distinct, entropy, recursive, top float64 }

// diverse returns the figures of a class whose values occur so often. It reorders the counts.
func diverse(counts []int32, c float64) figures {
	if len(counts) == 0 {
		return figures{}
	}
	slices.Sort(counts)
	n := 0.0
	for _, k := range counts {
		n += float64(k)
	}
	return figures{float64(len(counts)), diversity.Entropy(counts), diversity.Recursive(counts, c), float64(counts[len(counts)-1]) / n}
}
