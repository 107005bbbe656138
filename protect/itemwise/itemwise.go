// Package itemwise holds techniques that randomly change items of sets, such as baskets or lists of diagnoses: MASK,
// EMASK, cut-and-paste and select-a-size.
//
// They change columns of sets of items, those named in columns or all. Items that no record of the table has, but the
// column knows, are added too. Items that were not there are added sparsely: the gap to the next one is drawn, which
// is the law of drawing every bit of the table, so a record costs what it gets, about 20 ns an item, and not what
// there is to get. Every record draws from words of its own, so a release does not depend on order, chunks or cores. A
// missing set stays missing, and an item that may or may not be there stays so.
//
// Supports of itemsets are estimated by a correction that the plan gives (Corrections) and that the published noise
// model is enough for; its error grows with the size of the itemset. Anyone who knows most of a record may recognise
// it, for releases of long records are unlike each other.
//
// Cut-and-paste and select-a-size treat a record by the number of its items (Sized), which becomes public; items that
// may or may not be there do not count.
//
// References: S. J. Rizvi & J. R. Haritsa, "Maintaining data privacy in association rule mining", VLDB 2002 (mask); S.
// Agrawal, V. Krishnan & J. R. Haritsa, "On addressing efficiency concerns in privacy-preserving mining", DASFAA 2004
// (emask); A. Evfimievski, R. Srikant, R. Agrawal & J. Gehrke, "Privacy preserving mining of association rules", KDD
// 2002, sections 4.1 (selectasize) and 4.2 (cutandpaste); A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy
// breaches in privacy preserving data mining", PODS 2003, section 4 (the limit gamma of selectasize).
package itemwise

import (
	"cmp"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/protect"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{Mask, EMask, CutAndPaste, SelectASize}

// Mask is the randomised response of Warner 1965 on every item: one that is there stays with probability p, one that
// is not is added with probability 1-p. The error of supports grows with (2p-1)^-k for itemsets of k items. The
// factors p/(1-p) by which released items change the odds multiply over the items of a record. With many items to have
// and p far from 1 releases are large; emask keeps them short.
var Mask = entry(card.Card{
	Name:      "mask",
	Title:     "MASK, items flipped at random",
	Short:     "MASK",
	Aliases:   []string{"Mining associations with secrecy constraints"},
	Summary:   "Reports each item truthfully with probability p and flips it otherwise.",
	Paper:     "Rizvi & Haritsa 2002",
	Preserves: "supports of itemsets after a correction that needs only p; its error grows with their size",
	Exposes:   "the odds that an item was present change by a factor of at most p/(1-p) (local differential privacy)",
}, func() protect.Technique { return newMask() }, func() protect.Plan { return &Plan{does: flipped} })

// EMask is MASK with another probability for items that are not there, so that releases stay short: one that is there
// stays with probability p, one that is not is added with probability 1-q. With q near 1 what was a list of few of
// many items stays one, and is written, read and mined as fast as before; with q = p it is MASK. Uncorrected supports
// are too small by p^k, and more where items are common. At equal privacy in the sense of Rizvi & Haritsa it tells
// more than MASK: with p = 0.5, q = 0.97 the odds change by a factor of 16.7, against 9 with p = 0.9; those of an item
// that is released as not there by q/(1-p).
var EMask = entry(card.Card{
	Name:    "emask",
	Title:   "EMASK, items dropped and added at random",
	Short:   "EMASK",
	Aliases: []string{"Efficient MASK"},
	Summary: "Keeps each item of a record with probability p and adds each absent one with probability 1-q.",
	Paper:   "Agrawal, Krishnan & Haritsa 2004",
	Preserves: "supports of itemsets after a correction that needs only p and q; its error grows with their size; " +
		"how short records are",
	Biases: "uncorrected, supports are too small, those of rare items too large (type D), and rules break (type DM)",
	Exposes: "the odds that an item was present change by a factor of at most p/(1-q) or q/(1-p) (local " +
		"differential privacy)",
}, func() protect.Technique { return newEMask() }, func() protect.Plan { return &Plan{does: keptOrAdded} })

// CutAndPaste draws for a record of m items a number j evenly from 0 to most, or takes m where that is less; j of its
// items, chosen evenly, are kept; and every other item that there is, those of the record that were not kept among
// them, is put in with probability rho. Long records keep few of their items, and these hide among those that are
// pasted.
//
// What a released item, or itemset, tells of its items is the breach: the notes give it for one item at the mean
// support, and gamma with epsilon, its logarithm. Gamma is large where most is near m or rho small.
//
// Departures: most and rho are the same for records of all sizes; the paper chooses them for every size, so that the
// breach of the data at hand is 50 %. What is drawn is how many items are left of the record, by the law that this
// process has, and then which. With many items to have releases are large.
var CutAndPaste = entry(card.Card{
	Name:    "cutandpaste",
	Title:   "Cut-and-paste, some items kept and others added",
	Short:   "Cut-and-paste",
	Aliases: []string{"C&P", "cut and paste randomization"},
	Summary: "Keeps a few items of a record and includes every other item with probability rho.",
	Paper:   "Evfimievski, Srikant, Agrawal & Gehrke 2002",
	Preserves: "supports of itemsets after a correction from most, rho and the numbers of items; its error grows " +
		"steeply with their size",
	Exposes: "how many items a record has; the odds of two records of the same size change by up to a factor " +
		"gamma, which is large for small rho",
}, func() protect.Technique { return newCutAndPaste() }, func() protect.Plan { return &Cut{} })

// SelectASize draws for a record of m items a number j of 0..m by probabilities of its own; j of its items, chosen
// evenly, are kept; and every item that the record did not have is added with probability rho. What the probabilities
// and rho are for records of m items is given (operators) or, by default, chosen so that no release changes the odds
// of two records of m items by more than gamma (the operator of limited amplification): a release is gamma times as
// likely if it has at least a number j* of the record's items, and j* and rho are those of least error for the support
// of a rare itemset of so many items (itemset), found by trying all j* and rho in steps of 1/steps.
//
// With gamma = 19 what had the probability 5 % before has 50 % at most after, whatever else is known: local
// differential privacy of epsilon = ln gamma for the whole record among those of its size. An innocent-looking
// operator of one's own may have a gamma of thousands; the notes say it. Records without items stay empty under the
// chosen operators, for their size tells all of them. Fitting takes some 0.3 us for every j* and step of every number
// of items.
//
// Departures: the paper leaves open how j* and rho are chosen; here by the least variance of the estimate of an
// itemset that no record has. For records with fewer items than the itemset looked at it is as large as the record.
var SelectASize = entry(card.Card{
	Name:    "selectasize",
	Title:   "Select-a-size, a random number of items kept and others added",
	Short:   "Select-a-size",
	Aliases: []string{"gamma-limited select-a-size", "select a size randomization"},
	Summary: "Keeps a random number of the items of a record and adds others, such that the odds of no two records " +
		"change by more than gamma.",
	Paper: "Evfimievski, Srikant, Agrawal & Gehrke 2002; Evfimievski, Gehrke & Srikant 2003",
	Preserves: "supports of itemsets after a correction from the operators and the numbers of items; its error " +
		"grows steeply with their size",
	Exposes: "how many items a record has; the odds of two records of the same size change by a factor of at most " +
		"gamma (local differential privacy)",
	Cost: "O(items of the release), after choosing operators",
}, func() protect.Technique { return newSelectASize() }, func() protect.Plan { return &Selected{} })

// entry is the entry of a card, with what all say.
func entry(c card.Card, technique func() protect.Technique, plan func() protect.Plan) protect.Method {
	c.Needs = "set-valued columns"
	c.Changes = "the given columns, or every set-valued column"
	c.Missing = "sets stay missing; uncertain items stay uncertain"
	c.Biases = cmp.Or(c.Biases, "without it rare items become common (type D), records long, and rules break (type DM)")
	c.Cost = cmp.Or(c.Cost, "O(items of the release)")
	return protect.Method{
		Card:    c,
		Purpose: protect.Items,
		Sets:    true,
		New:     technique,
		Plan:    plan,
		Claims: []protect.Claim{protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes,
			protect.Memoises, protect.BoundsOdds},
	}
}
