package hiding

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/hide"
)

// raise adds the beginnings of rules: a rule X=>Y loses confidence when more records have X and not Y. Records that
// lack a part of X and a part of Y get all items of X, those that have most of X first. Where no such record is left a
// rule stays visible, or with fallback=true is hidden by deleting items of its end (1.b), as are all others from then
// on.
var raise = &heuristic{
	card: card.Card{
		Name:      "hide1a",
		Title:     "Hiding rules by raising the support of their beginning (1.a)",
		Aliases:   []string{"algorithm 1.a", "ISL"},
		Summary:   "Adds the beginning of sensitive rules to records, so that their confidence falls.",
		Paper:     "Verykios et al. 2004, algorithm 1.a; Dasseni et al. 2001",
		Needs:     "rules, and records that have neither side whole",
		Changes:   "adds items to sets; a number or category becomes the one of the rule",
		Preserves: "supports do not fall, so no frequent itemset of set-valued columns is lost",
		Biases: "it makes things up: items that nobody had; supports of the beginnings grow, and with them rules " +
			"that were none",
		Exposes: "supports of the rules themselves are untouched: who looks at supports alone finds them; records " +
			"with an added item lie",
		Missing: "stay missing; nothing is added to a record that misses a value of a column of the rules",
		Cost:    "O(n log n) for each rule",
	},
	growth:   1,
	declares: declares{supports, confidences, fallback},
	rules:    true, adds: true,
	run: func(w *work) (err error) {
		w.trial.Fell, err = hide.Rules(w.ctx, w.d, w.list, w.limits, hide.Raise, w.set.Fallback)
		return err
	},
}

// lowerEnd deletes items of the ends of rules: a rule X=>Y loses support and confidence when records with X lose a
// part of Y. From the shortest record with all items of the rule an item of Y is deleted, until the rule is hidden. Of
// equal choices it takes the item whose deletion takes the fewest frequent itemsets that are not sensitive from the
// record, then the commonest, then the first.
var lowerEnd = &heuristic{
	card: card.Card{
		Name:      "hide1b",
		Title:     "Hiding rules by lowering the support of their end (1.b)",
		Aliases:   []string{"algorithm 1.b", "DSR"},
		Summary:   "Deletes items of the end of sensitive rules from the shortest records that bear them out.",
		Paper:     "Verykios et al. 2004, algorithm 1.b; Dasseni et al. 2001",
		Needs:     "rules",
		Changes:   "deletes items of the ends of rules",
		Preserves: "what the rules have nothing to do with; no new frequent itemset appears",
		Biases: "itemsets with items of the ends lose support; a rule may appear whose beginning lost records " +
			"(ghost rules)",
		Exposes: "patterns just below the thresholds are likely those that were hidden; records of which an " +
			"expected item is missing are likely changed",
		Cost: "O(n log n) for each rule, mining the table once, and for each deletion the frequent itemsets " +
			"with an item of the rule",
	},
	growth:   1,
	declares: declares{deletions, supports, confidences},
	rules:    true,
	run:      rule(hide.LowerEnd),
}

// lowerRule deletes items of either side of rules: as 1.b, but the item may be of either side of the rule, whichever
// hurts least: from the shortest record with all items of a rule one is deleted, until the rule is hidden. Of equal
// choices it takes the item whose deletion takes the fewest frequent itemsets that are not sensitive from the record,
// then the commonest, then the first.
var lowerRule = &heuristic{
	card: card.Card{
		Name:      "hide2a",
		Title:     "Hiding rules by lowering their support (2.a)",
		Aliases:   []string{"algorithm 2.a"},
		Summary:   "Deletes items of either side of sensitive rules from the shortest records that bear them out.",
		Paper:     "Verykios et al. 2004, algorithm 2.a; Dasseni et al. 2001",
		Needs:     "rules",
		Changes:   "deletes items of rules",
		Preserves: "what the rules have nothing to do with; no new frequent itemset appears",
		Biases: "itemsets with items of the rules lose support; deleting an item of a beginning may raise the " +
			"confidence of other rules with it (ghost rules)",
		Exposes: "patterns just below the thresholds are likely those that were hidden; records of which an " +
			"expected item is missing are likely changed",
		Cost: "O(n log n) for each rule, mining the table once, and for each deletion the frequent itemsets " +
			"with an item of the rule",
	},
	growth:   1,
	declares: declares{deletions, supports, confidences},
	rules:    true,
	run:      rule(hide.LowerRule),
}

// largest deletes the commonest items of itemsets: the itemset that a rule comes from is hidden: its support is pushed
// below the threshold. Itemsets are taken by size and then by support, both descending; from the shortest record with
// all items the commonest of them is deleted.
var largest = &heuristic{
	card: card.Card{
		Name:      "hide2b",
		Title:     "Hiding itemsets, the largest first (2.b)",
		Aliases:   []string{"algorithm 2.b"},
		Summary:   "Deletes the commonest item of sensitive itemsets from the shortest records that have them.",
		Paper:     "Verykios et al. 2004, algorithm 2.b; Dasseni et al. 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "what the itemsets have nothing to do with; no new frequent itemset appears",
		Biases:    "common items lose most; a rule may appear whose beginning lost records (ghost rules)",
		Exposes:   "patterns just below the threshold are likely those that were hidden",
		Cost:      "O(n log n) for each itemset",
	},
	growth:   1,
	declares: declares{deletions, supports},
	run:      to(hide.Largest),
}

// inTurn deletes the items of itemsets in turn: as 2.b, cheap and fair: records with all items are taken in their
// order, and the items of the set are deleted in turn, one of each record, until its support is below the threshold.
var inTurn = &heuristic{
	card: card.Card{
		Name:      "hide2c",
		Title:     "Hiding itemsets, items in turn (2.c)",
		Aliases:   []string{"algorithm 2.c"},
		Summary:   "Deletes the items of sensitive itemsets in turn from the records that have them.",
		Paper:     "Verykios et al. 2004, algorithm 2.c; Dasseni et al. 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "what the itemsets have nothing to do with; no new frequent itemset appears",
		Biases:    "all items of a set lose alike; a rule may appear whose beginning lost records (ghost rules)",
		Exposes: "records that come first are changed, so who knows the order of the original knows which; " +
			"patterns just below the threshold are likely those that were hidden",
		Cost: "O(n) for each itemset",
	},
	growth:   1,
	declares: declares{deletions, supports},
	run:      to(hide.InTurn),
}

// atallah walks over the graph of itemsets: from an itemset it walks up the graph of itemsets, each time to the part
// with one item less that most records have, down to an item. This is deleted from the record with the itemset in
// which it is in the fewest frequent pairs, and so on until the support of the itemset is below the threshold. Which
// larger itemsets are lost is not looked at; nothing is mined.
//
// Departures: pairs count that are frequent in the original and hold nothing sensitive.
var atallah = &heuristic{
	card: card.Card{
		Name:    "atallah",
		Title:   "Hiding itemsets over the graph of itemsets (Atallah et al.)",
		Aliases: []string{"disclosure limitation of sensitive rules"},
		Summary: "Deletes the item at the end of the commonest parts of sensitive itemsets, where the fewest pairs" +
			" are hurt.",
		Paper:     "Atallah et al. 1999",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "frequent pairs, in the records that are chosen; no new itemset appears",
		Biases:    "supports of the commonest items fall most",
		Exposes:   "patterns just below the threshold are likely those that were hidden",
		Cost:      "O(n log n) for each item of an itemset that is deleted",
	},
	growth:   1,
	declares: declares{deletions, supports},
	run:      to(hide.Atallah),
}
