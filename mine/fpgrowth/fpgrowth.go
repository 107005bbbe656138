// Package fpgrowth finds frequent itemsets by FP-growth, without candidates (Han, Pei & Yin 2000), in any table.
//
// What it does. Records become a tree of prefixes, their commonest items next to the root. The paths from an item to the root are the records that have it: they become the
// tree of what goes with it, and so on. A tree that is one path has all its subsets at once. Closed and maximal sets are told by counting all items over the
// records of a set.
//
// What it reads: categorical and set-valued columns, and numeric ones cut into intervals (package basket). It changes nothing and draws no random numbers.
//
// What an intruder learns from what it finds: which combinations of values occur, and how often; with a support of a few records, what a few people have. Itemsets of
// confidential records are themselves confidential.
//
// Missing values: no item. An item that a set may or may not have is not counted.
//
// Cost: O(nodes of the tree) an extension, on all cores.
//
// Departures: None is known.
//
// Reference: J. Han, J. Pei and Y. Yin, "Mining frequent patterns without candidate generation", SIGMOD 2000.
package fpgrowth

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/itemset"
	"github.com/dither-data/dither/mine/internal/frequent"
)

// Miner is the catalogue entry.
var Miner = frequent.Miner(card.Card{
	Name:    "fpgrowth",
	Title:   "FP-growth",
	Summary: "Finds frequent itemsets over a tree of prefixes of the records, without candidates.",
	Paper:   "Han, Pei & Yin 2000",
	Cost:    "O(nodes of the tree) an extension, on all cores",
}, itemset.FPGrowth)

// New returns a learner with the defaults. It yields a *frequent.Model, or itemsets one by one (mine.PatternLearner).
func New() *frequent.Learner { return frequent.New(itemset.FPGrowth) }
