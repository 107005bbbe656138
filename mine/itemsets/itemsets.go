// Package itemsets finds the frequent itemsets of any table: all of them, the closed or the maximal ones. Its miners
// differ only in the algorithm and find the same sets.
//
// A set of items is frequent when at least minCount records have all its items; the empty set is none. MinCount is
// ceil(support times n), exactly, for a support below 1, and the support itself from 1 on. A model counts the sets and
// keeps the commonest; every set by itself is to be had, too (mine.PatternLearner).
//
// They read categorical and set-valued columns, and numeric ones cut into intervals (package basket). They change
// nothing and draw no random numbers. A missing value is no item; an item that a record may or may not have is not
// counted.
//
// What an intruder learns from what they find: which combinations of values occur, and how often; with a support of a
// few records, what a few people have. Itemsets of confidential records are themselves confidential.
//
// apriori finds sets by length. Two of a length that differ in their last item make a candidate, which is dropped when
// another of its subsets is not frequent; the candidates of a length are counted in one pass over the records, in a
// tree of prefixes (the paper has a hash tree). fpgrowth makes the records a tree of prefixes, their commonest items
// next to the root. The paths from an item to the root are the records that have it: they become the tree of what goes
// with it, and so on; a tree that is one path has all its subsets at once. eclat intersects the lists of the records
// that have an item, depth first; where what a set lacks of the list of its prefix is shorter than what it has, that is
// kept in its place: a diffset. These three detect closed and maximal sets by counting all items over the records of a
// set.
//
// lcm extends sets item by item, depth first, the rarest first, with the records that have the set at hand. Items that
// all of these have join at once, and of the others only the frequent ones are kept; where they fit into a word, a
// record is a word of bits and equal ones are merged. As long as they do not, the records are lists, or, where at most
// 128 items are common, bits both ways: an item's records, and a record's items. The supports of all sets of the last
// dozen items are added up together, which the authors do not. A closed set is known by its records: no item outside it
// is in all of them, so nothing that was found before is kept. Maximal sets are found in the same way. It is the
// quickest, and what dither takes when none is named.
//
// References: R. Agrawal and R. Srikant, "Fast algorithms for mining association rules", VLDB 1994 (apriori); M. J.
// Zaki and K. Gouda, "Fast vertical mining using diffsets", KDD 2003 (eclat); J. Han, J. Pei and Y. Yin, "Mining
// frequent patterns without candidate generation", SIGMOD 2000 (fpgrowth); T. Uno, M. Kiyomi and H. Arimura, "LCM ver.
// 2: efficient mining algorithms for frequent/closed/maximal itemsets", FIMI 2004 (lcm).
package itemsets

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
)

// Miners are the catalogue entries.
func Miners() []mine.Miner {
	return []mine.Miner{
		entry(itemset.Apriori, card.Card{
			Name:    "apriori",
			Title:   "Apriori",
			Summary: "Finds frequent itemsets by length, counting candidates.",
			Paper:   "Agrawal & Srikant 1994",
			Cost:    "a pass over the records per length, on all cores, and memory for all candidates of a length",
		}),
		entry(itemset.Eclat, card.Card{
			Name:    "eclat",
			Title:   "Eclat",
			Summary: "Finds frequent itemsets from lists of the records that contain an item, and diffsets.",
			Paper:   "Zaki et al. 1997; Zaki & Gouda 2003",
			Cost:    "O(length of the lists) per extension, on all cores",
		}),
		entry(itemset.FPGrowth, card.Card{
			Name:    "fpgrowth",
			Title:   "FP-growth",
			Summary: "Finds frequent itemsets from a prefix tree of the records, without candidates.",
			Paper:   "Han, Pei & Yin 2000",
			Cost:    "O(nodes of the tree) per extension, on all cores",
		}),
		entry(itemset.LCM, card.Card{
			Name:    "lcm",
			Title:   "LCM",
			Summary: "Finds all, closed or maximal frequent itemsets, depth first, merging equal records; the fastest.",
			Paper:   "Uno, Kiyomi & Arimura 2004; Agrawal, Imielinski & Swami 1993",
			Cost: "O(sum of squared lengths of the records) for the pairs, plus tens of nanoseconds per itemset, on " +
				"all cores",
			Shards: mine.FromColumns,
		}),
	}
}

// entry is the entry of an algorithm, with what the cards of all say.
func entry(m itemset.Miner, c card.Card) mine.Miner {
	c.Needs = "any column but identifiers and weights"
	c.Exposes = "which combinations of values occur, and how often"
	c.Missing = "no item"
	return mine.Miner{Card: c, New: func() mine.Learner { return param.Default(&Learner{mine: m}) }}
}
