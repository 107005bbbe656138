// Package lcm finds frequent itemsets by LCM, "linear time closed itemset miner" (Uno, Kiyomi & Arimura 2004), in any table.
//
// What it does. Sets are extended item by item, depth first, the rarest first, with the records that have the set at hand. Items that all of these have
// join at once, and of the others only the frequent ones are kept; where they fit into a word, a record is a word of bits and equal ones are merged. As long as they
// do not, the records are lists, or, where at most 128 items are common, bits both ways: an item's records, and a record's items. The
// supports of all sets of the last dozen items are added up together. A closed set is told by its records: no item outside it is in all of them, so
// nothing that was found before is kept. Maximal sets are told in the same way. It is the quickest of the miners of itemsets, and what dither takes
// when none is named; they all find the same sets.
//
// What it reads: categorical and set-valued columns, and numeric ones cut into intervals (package basket). It changes nothing and draws no random numbers.
//
// What an intruder learns from what it finds: which combinations of values occur, and how often; with a support of a few records, what a few people have. Itemsets of
// confidential records are themselves confidential.
//
// Missing values: no item. An item that a set may or may not have is not counted.
//
// Cost: O(sum of squared lengths of the records) for the pairs; besides some tens of nanoseconds an itemset, on all cores.
//
// Departures: Sets of the last items are counted together, which the authors do not.
//
// Reference: T. Uno, M. Kiyomi and H. Arimura, "LCM ver. 2: efficient mining algorithms for frequent/closed/maximal itemsets", FIMI 2004.
package lcm

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/itemset"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/internal/frequent"
)

// Miner is the catalogue entry.
var Miner = frequent.Miner(card.Card{
	Name:    "lcm",
	Title:   "LCM",
	Summary: "Finds frequent itemsets, all, closed or maximal ones: depth first, equal records merged; the quickest.",
	Paper:   "Uno, Kiyomi & Arimura 2004; Agrawal, Imielinski & Swami 1993",
	Cost:    "O(sum of squared lengths of the records) for the pairs; besides some tens of nanoseconds an itemset, on all cores",
	Shards:  mine.FromColumns,
}, itemset.LCM)

// New returns a learner with the defaults. It yields a *frequent.Model, or itemsets one by one (mine.PatternLearner).
func New() *frequent.Learner { return frequent.New(itemset.LCM) }
