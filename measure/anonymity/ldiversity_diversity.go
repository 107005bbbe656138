package anonymity

import (
	"slices"

	"github.com/dither-data/dither/internal/anonymity/diversity"
)

// figures are l of one class by the three definitions, all 0 without values, and the share of its most frequent value.
type figures struct{ distinct, entropy, recursive, top float64 }

// among corrects the figures of a class of so many people, where some have several records: the most frequent value is
// that of most of them. There are no more values open than people, and a value that all of them have is told.
func (f *figures) among(people, most int) {
	open := float64(people)
	if most >= people {
		most, open = people, 1
	}
	f.distinct, f.entropy, f.recursive = min(f.distinct, open), min(f.entropy, open), min(f.recursive, open)
	f.top = float64(most) / float64(people)
}

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
	return figures{
		float64(len(counts)),
		diversity.Entropy(counts),
		diversity.Recursive(counts, c),
		float64(counts[len(counts)-1]) / n,
	}
}
