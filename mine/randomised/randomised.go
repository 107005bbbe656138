// Package randomised learns a decision tree from records as they are, by the grower of ByClass: the two baselines of Agrawal & Srikant 2000.
//
// What it does. Values are taken at their word; those beyond the range of the originals, which the law tells, belong to the outermost interval. Of randomised records that is the paper's
// Randomised, which tells how much a miner loses that does not know the noise; of an original it is the paper's Original, which tells what could be learned at all. C4.5 is the better
// learner of an original: this one is for comparison with the trees of reconstructed data, from which it differs by the reconstruction alone.
//
// What it reads: the class, and all columns that are neither identifier nor weight. The class is not randomised. It changes nothing and draws no random numbers. How cells are assigned, what
// is tested, how trees are pruned and what happens to missing values: go doc ./mine/internal/reconstructed, which it shares with its brothers.
//
// What an intruder learns from the tree: exact counts of the records it is given, and cuts at limits of intervals.
//
// Cost: O(p n) per level of the tree.
//
// Departures: the kernel is exact unless kernel=midpoint asks for the paper's; categories are tested too; trees are pruned by description length.
//
// Reference: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 4.
package randomised

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/internal/reconstructed"
)

// Miner is the catalogue entry.
var Miner = mine.Miner{
	Card: card.Card{
		Name:    "randomised",
		Title:   "Randomised (Agrawal & Srikant)",
		Aliases: []string{"AS00 Randomized", "AS00 Original"},
		Summary: "Learns a decision tree from records as they are, by the grower of ByClass: of randomised records the baseline Randomised, of an original the baseline Original.",
		Paper:   "Agrawal & Srikant 2000, section 4",
		Needs:   "a categorical class that is not randomised; all other columns but identifiers, weights and sets are inputs",
		Exposes: "exact counts of the records it is given, and cuts at limits of intervals",
		Missing: "a record counts for the gain of what it has, and goes to the side of more records where it lacks what is tested; without a class it is left out",
		Cost:    "O(p n) per level of the tree",
	},
	New: func() mine.Learner { return New() },
}

// New returns a learner with the defaults.
func New() *reconstructed.Learner { return reconstructed.New(reconstructed.Nobody) }
