package protect

import (
	"cmp"
	"slices"
)

// unpublished says of every purpose why its techniques have no noise model to publish; empty where they have one.
var unpublished = map[Purpose]string{
	KeepsRules: "its noise depends on the leaves of trees that are grown on the original, which are confidential",
	Generalises: "it adds no noise: a released value stands for a range or a group that its original lies in, or is " +
		"missing",
	Aggregates:   "a released value is made of those of a group of similar records, whatever they are",
	Swaps:        "a released value is another record's, and which one it is depends on all the records",
	NoiseNumbers: "its noise is as wide as the original varies, which is confidential",
	Redraws:      "a released value is drawn from a model of all the original records, which is confidential",
	Draws:        "its records are new: none is the release of an original one",
	Hides:        "it chooses what to change by what all the records hold, with no probabilities",
	Samples:      "it changes no values: a record is released as it is, or not at all",
	Baselines:    "it moves a record as a whole by a function that is kept secret, not by random noise",
}

// Unpublished says why the technique has no noise model that a custodian can publish (protect.Published): a part of a
// sentence, empty where it has one.
func (m *Method) Unpublished() string {
	if slices.Contains(m.Claims, Publishes) {
		return ""
	}
	return cmp.Or(m.NoModel, unpublished[m.Purpose])
}
