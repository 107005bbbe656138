package hiding

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/rulehiding"
)

// maxMin deletes items by the border: the border is the maximal ones of the frequent itemsets that may stay: who keeps
// it keeps all of them. Sets of little support come first. Of the items of a set that one is deleted, from the
// shortest record with all items, whose least supported set of the border has the most support, until the support of
// the set is below the threshold.
var maxMin = &heuristic{
	card: card.Card{
		Name:      "maxmin1",
		Title:     "Hiding itemsets by the border (Max-Min 1)",
		Short:     "Max-Min 1",
		Aliases:   []string{"max-min"},
		Summary:   "Deletes the item of sensitive itemsets that costs the border of the remaining itemsets least.",
		Paper:     "Moustakides & Verykios 2006",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "as many other frequent itemsets as it can; no new one appears",
		Biases:    "itemsets of the border that lose too much support are given up",
		Exposes:   "patterns just below the threshold are probably the hidden ones",
		Cost: "mining all frequent itemsets, which stay in memory, and per deletion the border sets that share an " +
			"item with the set",
	},
	declares: declares{deletions, supports},
	run:      below(rulehiding.MaxMin),
}

// maxMin2 deletes items by the border and spares its weakest sets: the item is chosen as by maxmin1: the one whose
// least supported set of the border, the maximal ones of the frequent itemsets that may stay, has the most support. It
// is deleted from the shortest record that does not have this set, where there is one, until the support of the set is
// below the threshold.
var maxMin2 = &heuristic{
	card: card.Card{
		Name:    "maxmin2",
		Title:   "Hiding itemsets by the border, sparing it (Max-Min 2)",
		Short:   "Max-Min 2",
		Aliases: []string{"max-min 2"},
		Summary: "Deletes the item of sensitive itemsets that costs the border least, where its weakest set is not " +
			"affected.",
		Paper:     "Moustakides & Verykios 2006",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "as many other frequent itemsets as it can; no new one appears",
		Biases:    "itemsets of the border that lose too much support are given up",
		Exposes:   "patterns just below the threshold are probably the hidden ones",
		Cost: "mining all frequent itemsets, which stay in memory, and per deletion the border sets that share an " +
			"item with the set and the records with the set",
	},
	declares: declares{deletions, supports},
	run:      below(rulehiding.MaxMin2),
}

// bba weighs the border: the border is the maximal ones of the frequent itemsets that may stay. A set of it weighs the
// more the closer it is to the threshold. Long sets come first, of these those of little support; of all items of a
// set and all records with it the deletion is made that weighs least on the sets of the border in the record, until
// the support is below the threshold. Sets of the border that are lost weigh more than all others together. Weights
// are whole numbers, so their sums are the same on every machine.
var bba = &heuristic{
	card: card.Card{
		Name:      "bba",
		Title:     "Border-based approach (BBA)",
		Short:     "BBA",
		Aliases:   []string{"border-based approach"},
		Summary:   "Deletes items of sensitive itemsets where the border of the remaining itemsets has the least weight.",
		Paper:     "Sun & Yu 2005",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "as many other frequent itemsets as it can; no new one appears",
		Biases:    "deletes more items than other techniques, as every deletion is weighed by itself",
		Exposes:   "patterns just below the threshold are probably the hidden ones",
		Cost: "mining all frequent itemsets, which stay in memory, and per deletion the records with the set and " +
			"those that share a border set with it",
	},
	declares: declares{deletions, supports},
	run:      below(rulehiding.BBA),
}

// exact finds the best deletions: of all releases that delete items and hide what is listed it looks for the one that
// loses the fewest frequent itemsets, and of such the one with the fewest deletions. Records that are equal in what
// counts are taken together, parts that have nothing to do with each other are solved one by one, a relaxation bounds
// what every release loses, and branch and bound starts from the best of several heuristics. The notes say what is
// proved. That the release is the best one narrows which deletions there can have been.
//
// Departures: the paper keeps the border and gives up parts of it where it cannot; here all frequent itemsets count,
// so that what is given up is the least. The program of whole numbers is solved by branch and bound of our own instead
// of a solver.
var exact = &heuristic{
	card: card.Card{
		Name:      "exacthiding",
		Title:     "Exact hiding of itemsets",
		Aliases:   []string{"exact hiding", "inline algorithm"},
		Summary:   "Finds the deletions that hide sensitive itemsets and lose the fewest others, and reports what is proved.",
		Paper:     "Gkoulalas-Divanis & Verykios 2006",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "the largest possible number of other frequent itemsets, where proved; no new one appears",
		Biases:    "may lose more than necessary where the node limit prevents a proof",
		Exposes:   "patterns just below the threshold are probably the hidden ones",
		Cost:      "mining all frequent itemsets four times, plus a bounded number of nodes",
	},
	declares: declares{deletions, supports, nodes},
	run:      (*work).exact,
}

// exact hides the patterns by the deletions that lose the least.
func (w *work) exact() error {
	goal := rulehiding.Goal{Hide: w.limits.Support.Of(w.d.Len()), Keep: w.limits.Least, Nodes: w.set.Nodes}
	o, err := rulehiding.Exact(w.ctx, w.d, w.list, goal)
	if err != nil {
		return err
	}
	o.Delete(w.d)
	w.trial.Optimum = &Optimum{o.Patterns, o.Lost, o.LeastLost, o.Cells, o.LeastCells, o.Nodes}
	return nil
}
