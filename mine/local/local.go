// Package local learns a decision tree from randomised records by distributions that are reconstructed for every class in every node (Agrawal & Srikant 2000, Local).
//
// What it does. It is ByClass, and what ByClass does once is done again in every node, for the classes that have minLocal records there; the others keep the intervals of the node above.
//
// What it reads: the class, and all columns that are neither identifier nor weight. The class is not randomised. It changes nothing and draws no random numbers. How cells are assigned, what
// is tested, how trees are pruned and what happens to missing values: go doc ./mine/internal/reconstructed, which it shares with its brothers.
//
// What an intruder learns from the tree: counts of reconstructed records, which are those of the release.
//
// Cost: a reconstruction per column and class in every node, and O(p n log n) per level of the tree.
//
// Departures: the kernel is exact unless kernel=midpoint asks for the paper's; categories are tested too; trees are pruned by description length.
//
// Reference: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 4.
package local

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/internal/reconstructed"
)

// Miner is the catalogue entry.
var Miner = mine.Miner{
	Card: card.Card{
		Name:    "local",
		Title:   "Local (Agrawal & Srikant)",
		Aliases: []string{"AS00 Local"},
		Summary: "Learns a decision tree of the original from randomised records whose law is published: distributions are reconstructed class by class, anew in every node.",
		Paper:   "Agrawal & Srikant 2000, section 4",
		Needs:   "a categorical class that is not randomised, and the law of the release; all other columns but identifiers, weights and sets are inputs",
		Exposes: "counts of reconstructed records, which are those of the release",
		Missing: "a record counts for the gain of what it has, and goes to the side of more records where it lacks what is tested; without a class it is left out",
		Cost:    "a reconstruction per column and class in every node, and O(p n log n) per level of the tree",
	},
	New: func() mine.Learner { return New() },
}

// New returns a learner with the defaults.
func New() *reconstructed.Learner { return reconstructed.New(reconstructed.ClassesOfNode) }
