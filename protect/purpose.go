package protect

import "slices"

// Purpose is what one takes a technique for. Lists of techniques are grouped by it.
type Purpose string

// The purposes, in the order of lists.
const (
	KeepsRules   Purpose = "Keep decision rules"
	Generalises  Purpose = "Reach k-anonymity: generalise, recode, suppress"
	Aggregates   Purpose = "Hide among similar records (microaggregation)"
	Swaps        Purpose = "Keep distributions: swap values between records"
	NoiseNumbers Purpose = "Blur numbers: add noise"
	PublicNoise  Purpose = "Let users estimate distributions: noise with a public model"
	Redraws      Purpose = "Keep means and correlations: simulate numbers"
	Draws        Purpose = "Release nobody's record: draw new ones (synthetic tables)"
	Randomises   Purpose = "Blur categories: change them at random"
	Hides        Purpose = "Hide rules and itemsets"
	Items        Purpose = "Blur sets of items: change items at random"
	Samples      Purpose = "Release fewer records"
	Counterparts Purpose = "Random counterparts, for comparison"
	Baselines    Purpose = "Baselines, not for release"
)

// Purposes returns all of them, in the order of lists.
func Purposes() []Purpose {
	return []Purpose{KeepsRules, Generalises, Aggregates, Swaps, NoiseNumbers, PublicNoise, Redraws, Draws, Randomises,
		Hides, Items, Samples, Counterparts, Baselines}
}

// Known reports whether it is one of them.
func (p Purpose) Known() bool { return slices.Contains(Purposes(), p) }
