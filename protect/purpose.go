package protect

import "slices"

// Purpose is what one takes a technique for. Lists of techniques are grouped by it.
type Purpose string

// The purposes, in the order of lists.
const (
	KeepsRules   Purpose = "Noise that keeps decision rules"
	Generalises  Purpose = "Generalise, recode, suppress"
	Aggregates   Purpose = "Groups of similar records (microaggregation)"
	Swaps        Purpose = "Swap values between records"
	NoiseNumbers Purpose = "Noise on numbers"
	PublicNoise  Purpose = "Noise with a public model, for reconstruction"
	Redraws      Purpose = "Simulate numbers"
	Draws        Purpose = "Draw new records (synthetic tables)"
	Randomises   Purpose = "Change categories at random"
	Hides        Purpose = "Hide rules and itemsets"
	Items        Purpose = "Change items at random"
	Samples      Purpose = "Release fewer records"
	Counterparts Purpose = "Random counterparts, for comparison"
	Baselines    Purpose = "Baselines, not for release"
)

// Purposes returns all of them, in the order of lists.
func Purposes() []Purpose {
	return []Purpose{
		KeepsRules,
		Generalises,
		Aggregates,
		Swaps,
		NoiseNumbers,
		PublicNoise,
		Redraws,
		Draws,
		Randomises,
		Hides,
		Items,
		Samples,
		Counterparts,
		Baselines,
	}
}

// Known reports whether it is one of them.
func (p Purpose) Known() bool { return slices.Contains(Purposes(), p) }
