package hiding

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/rulehiding"
)

// gih makes items of itemsets unknown: nothing is made up and nothing denied: in the shortest record with all items of
// an itemset the commonest becomes unknown ("?"), until the support that is sure is below the threshold. The itemset
// may still look possible.
var gih = &heuristic{
	card: card.Card{
		Name:    "gih",
		Title:   "Blocking of generating itemsets (GIH)",
		Short:   "GIH",
		Aliases: []string{"generating itemset hiding"},
		Summary: "Replaces the most frequent item of sensitive itemsets with unknown in the shortest records " +
			"that contain them.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "items become unknown; a number or category becomes missing",
		Preserves: "no record states anything false; supports lie between a minimum and a maximum",
		Biases:    "minimum supports of itemsets with these items fall",
		Exposes: "every unknown item was present: a reader who knows this restores them all and finds everything; " +
			"mix with cr2, which makes absent items unknown",
		Cost: "O(n log n) per itemset",
	},
	growth:   1,
	declares: declares{supports},
	blurs:    true,
	run:      to(rulehiding.GIH),
}

// cr makes items of the ends of rules unknown: in the shortest record with all items of a rule the commonest item of
// its end becomes unknown ("?"), until the least confidence, the sure support of the rule over the possible one of its
// beginning, or the sure support is below the threshold.
var cr = &heuristic{
	card: card.Card{
		Name:      "cr",
		Title:     "Blocking of consequents of rules (CR)",
		Short:     "CR",
		Aliases:   []string{"confidence reduction"},
		Summary:   "Replaces consequent items of sensitive rules with unknown in the shortest records that support them.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "rules",
		Changes:   "consequent items become unknown; a number or category becomes missing",
		Preserves: "no record states anything false; confidences lie between a minimum and a maximum",
		Biases:    "minimum supports of itemsets with consequent items fall",
		Exposes: "every unknown item was present: a reader who knows this restores them all and finds everything; " +
			"mix with cr2, which makes absent items unknown",
		Cost: "O(n log n) per rule",
	},
	growth:   1,
	declares: declares{supports, confidences},
	rules:    true, blurs: true,
	run: to(rulehiding.CR),
}

// cr2 makes absent items of the beginnings of rules unknown: in records that lack a part of both sides of a rule the
// absent items of its beginning become unknown ("?"), those that have most of it first, until the least confidence is
// below the threshold. Where no such record is left the rule stays visible.
var cr2 = &heuristic{
	card: card.Card{
		Name:    "cr2",
		Title:   "Blocking of antecedents of rules (CR2)",
		Short:   "CR2",
		Aliases: []string{"confidence reduction 2"},
		Summary: "Replaces absent antecedent items of sensitive rules with unknown, so that their minimum " +
			"confidence falls.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "rules, and records that contain neither side in full",
		Changes:   "absent items become unknown; a number or category becomes missing, which measures treat as no item",
		Preserves: "no record states anything false; minimum supports are unchanged",
		Biases:    "maximum supports of the antecedents grow",
		Exposes: "every unknown item was absent: a reader who knows this removes them all and finds everything; " +
			"mix with cr, which makes present items unknown",
		Missing: "stay missing; nothing is added to a record with a missing set of the rules",
		Cost:    "O(n log n) per rule",
	},
	growth:   1,
	declares: declares{supports, confidences},
	rules:    true, adds: true, blurs: true,
	run: to(rulehiding.CR2),
}

// mixed makes items of both sides of rules unknown in turn: in rounds: so many times an item of the end becomes
// unknown in the shortest record that bears the rule out (CR), then in so many records that lack a part of both sides
// the absent items of the beginning do (CR2), and one of the items of the end that just became unknown elsewhere,
// until the least confidence or the sure support is below the threshold. A round is made to its end. With as many
// zeros as ones, who reads every unknown item of the end as present is wrong as often as right, where the records that
// lack a part of both sides lack that item.
//
// Departures: the paper asks to mix and says not how: rounds are of our own, and so is the item of the end in the
// second half, without which every unknown item of an end would be there.
var mixed = &heuristic{
	card: card.Card{
		Name:      "crmixed",
		Title:     "Blocking of both sides in turn (CR and CR2 mixed)",
		Short:     "CR and CR2 mixed",
		Aliases:   []string{"cr and cr2"},
		Summary:   "Alternately makes present and absent items unknown, so that unknown does not mean present.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "rules",
		Changes:   "items become unknown; a number or category becomes missing",
		Preserves: "no record states anything false; supports lie between a minimum and a maximum",
		Biases:    "minimum supports of the consequents fall, maximum supports of the antecedents rise",
		Exposes: "unknown antecedent items are absent in most records; the notes say how often a reader is right " +
			"who takes every unknown item as present",
		Cost: "O(n log n) per rule",
	},
	growth:   1,
	declares: declares{supports, confidences, rounds},
	rules:    true, adds: true, blurs: true,
	run: func(w *work) error {
		return rulehiding.Mixed(w.ctx, w.d, w.list, w.limits, max(1, w.set.Ones), max(1, w.set.Zeros))
	},
}

// fuzzy makes the victims of other algorithms unknown: the victims are those of algorithm 1.b, 2.a or 2.b (hide1b,
// hide2a, hide2b), but they become unknown instead of being deleted. Items that matter little (zero-impact items,
// parameter free) are taken first wherever a pattern has one. The beginning of a rule may still be there, so that more
// items become unknown than 2.a would delete. The first two mine all frequent itemsets once.
//
// Departures: the three algorithms are named and not published; that they are these is a reconstruction.
var fuzzy = &heuristic{
	card: card.Card{
		Name:      "fuzzify",
		Title:     "Hiding by fuzzification",
		Aliases:   []string{"fuzzification"},
		Summary:   "Makes unknown the items that algorithms 1.b, 2.a and 2.b would delete, those that matter little first.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005; Verykios et al. 2004",
		Needs:     "rules, or itemsets for 2.b",
		Changes:   "items become unknown; a number or category becomes missing",
		Preserves: "no record states anything false; supports lie between a minimum and a maximum",
		Biases:    "minimum supports of itemsets with these items fall",
		Exposes: "every unknown item was present: a reader who knows this restores them all and finds everything; " +
			"mix with cr2, which makes absent items unknown",
		Cost: "that of 1.b, 2.a or 2.b",
	},
	declares: declares{supports, confidences, victims},
	rules:    true, blurs: true,
	run: (*work).fuzzify,
}

// fuzzify makes the items unknown that another algorithm deletes.
func (w *work) fuzzify() error {
	free, err := w.plan.free(w.c)
	if err != nil {
		return err
	}
	switch w.set.How {
	case Fuzzy2a:
		return rulehiding.Fuzzify(w.ctx, w.d, w.list, w.limits, rulehiding.LowerRule, free)
	case Fuzzy2b:
		return rulehiding.FuzzifyLargest(w.ctx, w.d, w.list, w.limits, free)
	}
	return rulehiding.Fuzzify(w.ctx, w.d, w.list, w.limits, rulehiding.LowerEnd, free)
}
