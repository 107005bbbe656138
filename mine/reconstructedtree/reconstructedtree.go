// Package reconstructedtree learns decision trees of an original from randomised records with a published noise model.
// MRRTree does from multivariate randomised response. The others are of Agrawal & Srikant, and differ only in which
// records distributions are reconstructed from.
//
// They read the class, which is not randomised, and all columns that are neither identifier nor weight. They change
// nothing and draw no random numbers. How records are given to intervals, what is tested, how trees are pruned and what
// happens to missing values: go doc ./mine/internal/reconstructed.
//
// byclass reconstructs the distribution of each randomised column of each class once, from all records, and gives the
// records of the class to its intervals in the order of their released values. It is nearly as good as local and costs
// a small part of it. local does again in every node what byclass does once, for the classes that have minLocal records
// there; the others keep the intervals of the node above. global reconstructs of all classes together, so classes stay
// as mixed as the noise made them: byclass is better wherever the class is known, and global is for comparison.
//
// randomised takes values as they are; those beyond the range of the originals, which the noise model tells, belong to
// the outermost interval. Of randomised records that is the paper's Randomised, which shows what a miner loses that
// does not know the noise; of an original it is the paper's Original, which shows what could be learned at all. C4.5 is
// the better learner of an original: this one is for comparison with the others, from which it differs by the
// reconstruction alone.
//
// Departures: the kernel is exact, where the paper takes midpoints; categories are tested too; trees are pruned by
// description length.
//
// Reference: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 4.
package reconstructedtree

import (
	"cmp"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/internal/reconstructed"
)

// Miners are the catalogue entries.
func Miners() []mine.Miner {
	return []mine.Miner{
		entry(reconstructed.Classes, card.Card{
			Name:    "byclass",
			Title:   "ByClass (Agrawal & Srikant)",
			Aliases: []string{"AS00 ByClass", "tree by reconstructed classes"},
			Summary: fromLaw + ": reconstructs distributions class by class, once.",
			Cost:    "a reconstruction per column and class, and O(p n) per level of the tree",
		}),
		entry(reconstructed.ClassesOfNode, card.Card{
			Name:    "local",
			Title:   "Local (Agrawal & Srikant)",
			Aliases: []string{"AS00 Local"},
			Summary: fromLaw + ": reconstructs distributions class by class, again in every node.",
			Cost:    "a reconstruction per column and class in every node, and O(p n log n) per level of the tree",
		}),
		entry(reconstructed.All, card.Card{
			Name:    "global",
			Title:   "Global (Agrawal & Srikant)",
			Aliases: []string{"AS00 Global"},
			Summary: fromLaw + ": reconstructs distributions for all records together, once.",
			Cost:    "a reconstruction per column, and O(p n) per level of the tree",
		}),
		entry(reconstructed.Nobody, card.Card{
			Name:    "randomised",
			Title:   "Randomised (Agrawal & Srikant)",
			Aliases: []string{"AS00 Randomized", "AS00 Original"},
			Summary: "Learns a decision tree from uncorrected records as ByClass does: the baseline Randomised for " +
				"randomised records, the baseline Original for an original.",
			Needs: "a categorical class that is not randomised; all other columns except identifiers, weights and sets " +
				"are inputs",
			Exposes: "exact counts of the given records, and cuts at limits of intervals",
			Cost:    "O(p n) per level of the tree",
		}),
		MRRTree,
	}
}

// fromLaw begins the summaries of those that reconstruct.
const fromLaw = "Learns a decision tree of the original from randomised records whose noise model is published"

// entry is the entry of a group whose distributions are reconstructed together, with what the cards of all say.
func entry(g reconstructed.Group, c card.Card) mine.Miner {
	c.Paper = "Agrawal & Srikant 2000, section 4"
	c.Needs = cmp.Or(c.Needs, "a categorical class that is not randomised, and the noise model of the release; all other "+
		"columns but identifiers, weights and sets are inputs")
	c.Exposes = cmp.Or(c.Exposes, "counts of reconstructed records, which are those of the release")
	c.Missing = "a record counts for the gain of what it has, and goes to the side of more records where it lacks what " +
		"is tested; without a class it is left out"
	return mine.Miner{Card: c, New: func() mine.Learner { return reconstructed.New(g) }}
}
