// Package eclat finds frequent itemsets by Eclat (Zaki, Parthasarathy, Ogihara & Li 1997), in any table.
//
// What it does. Every item has the list of its records, and a set the list of those that have all its items: lists are intersected, depth first. Where what a set lacks of
// the list of its prefix is shorter than what it has, that is kept in its place: a diffset (Zaki & Gouda 2003). Closed and maximal sets are told by counting all
// items over the records of a set.
//
// What it reads: categorical and set-valued columns, and numeric ones cut into intervals (package basket). It changes nothing and draws no random numbers.
//
// What an intruder learns from what it finds: which combinations of values occur, and how often; with a support of a few records, what a few people have. Itemsets of
// confidential records are themselves confidential.
//
// Missing values: no item. An item that a set may or may not have is not counted.
//
// Cost: O(length of the lists) an extension, on all cores.
//
// Departures: None is known.
//
// Reference: M. J. Zaki and K. Gouda, "Fast vertical mining using diffsets", KDD 2003.
package eclat

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/itemset"
	"github.com/dither-data/dither/mine/internal/frequent"
)

// Miner is the catalogue entry.
var Miner = frequent.Miner(card.Card{
	Name:    "eclat",
	Title:   "Eclat",
	Summary: "Finds frequent itemsets over the lists of records that have an item, and diffsets.",
	Paper:   "Zaki et al. 1997; Zaki & Gouda 2003",
	Cost:    "O(length of the lists) an extension, on all cores",
}, itemset.Eclat)

// New returns a learner with the defaults. It yields a *frequent.Model, or itemsets one by one (mine.PatternLearner).
func New() *frequent.Learner { return frequent.New(itemset.Eclat) }
