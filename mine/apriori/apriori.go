// Package apriori finds frequent itemsets by Apriori (Agrawal & Srikant 1994), in any table.
//
// What it does. Sets are found by length. Two of a length that differ in their last item make a candidate, which is dropped when another of its subsets is not frequent;
// the candidates of a length are counted in one pass over the records, in a tree of prefixes. Closed and maximal sets are told by counting all items over the
// records of a set.
//
// What it reads: categorical and set-valued columns, and numeric ones cut into intervals (package basket). It changes nothing and draws no random numbers.
//
// What an intruder learns from what it finds: which combinations of values occur, and how often; with a support of a few records, what a few people have. Itemsets of
// confidential records are themselves confidential.
//
// Missing values: no item. An item that a set may or may not have is not counted.
//
// Cost: a pass over the records for each length, on all cores, and memory for all candidates of a length.
//
// Departures: Candidates are counted in a tree of prefixes, not in a hash tree.
//
// Reference: R. Agrawal and R. Srikant, "Fast algorithms for mining association rules", VLDB 1994.
package apriori

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/itemset"
	"github.com/dither-data/dither/mine/internal/frequent"
)

// Miner is the catalogue entry.
var Miner = frequent.Miner(card.Card{
	Name:    "apriori",
	Title:   "Apriori",
	Summary: "Finds frequent itemsets by length, from candidates that are counted.",
	Paper:   "Agrawal & Srikant 1994",
	Cost:    "a pass over the records for each length, on all cores, and memory for all candidates of a length",
}, itemset.Apriori)

// New returns a learner with the defaults. It yields a *frequent.Model, or itemsets one by one (mine.PatternLearner).
func New() *frequent.Learner { return frequent.New(itemset.Apriori) }
