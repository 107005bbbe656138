package hiding

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/rulehiding"
)

// raise adds the beginnings of rules: a rule X=>Y loses confidence when more records have X and not Y. Records that
// lack a part of X and a part of Y get all items of X, those that have most of X first. Where no such record is left a
// rule stays visible, or with fallback=true is hidden by deleting items of its end (1.b), as are all others from then
// on.
var raise = &heuristic{
	card: card.Card{
		Name:      "hide1a",
		Title:     "Hiding rules by raising the support of their antecedent (1.a)",
		Short:     "Hiding 1.a",
		Aliases:   []string{"algorithm 1.a", "ISL"},
		Summary:   "Adds the antecedent of sensitive rules to records, so that their confidence falls.",
		Paper:     "Verykios et al. 2004, algorithm 1.a; Dasseni et al. 2001",
		Needs:     "rules, and records that contain neither side in full",
		Changes:   "adds items to sets; a number or category becomes that of the rule",
		Preserves: "supports do not fall, so no frequent itemset of set-valued columns is lost",
		Biases:    "adds items that nobody had; supports of the antecedents grow, and new rules with them",
		Exposes: "supports of the rules are unchanged, so they are found by support alone; records with an added " +
			"item are false",
		Missing: "stay missing; nothing is added to a record with a missing value in a column of the rules",
		Cost:    "O(n log n) per rule",
	},
	growth:   1,
	declares: declares{supports, confidences, fallback},
	rules:    true, adds: true,
	run: func(w *work) (err error) {
		w.trial.Fell, err = rulehiding.Rules(w.ctx, w.d, w.list, w.limits, rulehiding.Raise, w.set.Fallback)
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
		Title:     "Hiding rules by lowering the support of their consequent (1.b)",
		Short:     "Hiding 1.b",
		Aliases:   []string{"algorithm 1.b", "DSR"},
		Summary:   "Deletes consequent items of sensitive rules from the shortest records that support them.",
		Paper:     "Verykios et al. 2004, algorithm 1.b; Dasseni et al. 2001",
		Needs:     "rules",
		Changes:   "deletes consequent items",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases: "itemsets with consequent items lose support; a new rule may appear if its antecedent loses " +
			"records (ghost rules)",
		Exposes: "patterns just below the thresholds are probably the hidden ones; records without an expected " +
			"item were probably changed",
		Cost: "O(n log n) per rule, mining the table once, and per deletion the frequent itemsets with an item of the rule",
	},
	growth:   1,
	declares: declares{deletions, supports, confidences},
	rules:    true,
	run:      rule(rulehiding.LowerEnd),
}

// lowerRule deletes items of either side of rules: as 1.b, but the item may be of either side of the rule, whichever
// hurts least: from the shortest record with all items of a rule one is deleted, until the rule is hidden. Of equal
// choices it takes the item whose deletion takes the fewest frequent itemsets that are not sensitive from the record,
// then the commonest, then the first.
var lowerRule = &heuristic{
	card: card.Card{
		Name:      "hide2a",
		Title:     "Hiding rules by lowering their support (2.a)",
		Short:     "Hiding 2.a",
		Aliases:   []string{"algorithm 2.a"},
		Summary:   "Deletes items of either side of sensitive rules from the shortest records that support them.",
		Paper:     "Verykios et al. 2004, algorithm 2.a; Dasseni et al. 2001",
		Needs:     "rules",
		Changes:   "deletes items of rules",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases: "itemsets with items of the rules lose support; deleting an antecedent item may raise the " +
			"confidence of other rules with it (ghost rules)",
		Exposes: "patterns just below the thresholds are probably the hidden ones; records without an expected " +
			"item were probably changed",
		Cost: "O(n log n) per rule, mining the table once, and per deletion the frequent itemsets with an item of the rule",
	},
	growth:   1,
	declares: declares{deletions, supports, confidences},
	rules:    true,
	run:      rule(rulehiding.LowerRule),
}

// largest deletes the commonest items of itemsets: the itemset that a rule comes from is hidden: its support is pushed
// below the threshold. Itemsets are taken by size and then by support, both descending; from the shortest record with
// all items the commonest of them is deleted.
var largest = &heuristic{
	card: card.Card{
		Name:      "hide2b",
		Title:     "Hiding itemsets, the largest first (2.b)",
		Short:     "Hiding 2.b",
		Aliases:   []string{"algorithm 2.b"},
		Summary:   "Deletes the most frequent item of sensitive itemsets from the shortest records that contain them.",
		Paper:     "Verykios et al. 2004, algorithm 2.b; Dasseni et al. 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases:    "common items lose most; a new rule may appear if its antecedent loses records (ghost rules)",
		Exposes:   "patterns just below the threshold are probably the hidden ones",
		Cost:      "O(n log n) per itemset",
	},
	growth:   1,
	declares: declares{deletions, supports},
	run:      to(rulehiding.Largest),
}

// inTurn deletes the items of itemsets in turn: as 2.b, cheap and fair: records with all items are taken in their
// order, and the items of the set are deleted in turn, one of each record, until its support is below the threshold.
var inTurn = &heuristic{
	card: card.Card{
		Name:      "hide2c",
		Title:     "Hiding itemsets, items in turn (2.c)",
		Short:     "Hiding 2.c",
		Aliases:   []string{"algorithm 2.c"},
		Summary:   "Deletes the items of sensitive itemsets in turn from the records that contain them.",
		Paper:     "Verykios et al. 2004, algorithm 2.c; Dasseni et al. 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases:    "all items of a set lose equally; a new rule may appear if its antecedent loses records (ghost rules)",
		Exposes: "the first records are changed, so anyone who knows the order of the original knows which; " +
			"patterns just below the threshold are probably the hidden ones",
		Cost: "O(n) per itemset",
	},
	growth:   1,
	declares: declares{deletions, supports},
	run:      to(rulehiding.InTurn),
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
		Short:   "Atallah",
		Aliases: []string{"disclosure limitation of sensitive rules"},
		Summary: "Deletes the item at the end of the most frequent subsets of sensitive itemsets, where the fewest " +
			"pairs lose support.",
		Paper:     "Atallah et al. 1999",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "frequent pairs, by the choice of records; no new itemset appears",
		Biases:    "supports of the most frequent items fall most",
		Exposes:   "patterns just below the threshold are probably the hidden ones",
		Cost:      "O(n log n) per deleted item of an itemset",
	},
	growth:   1,
	declares: declares{deletions, supports},
	run:      to(rulehiding.Atallah),
}
