package hiding

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/rulehiding"
)

// naive deletes all items of patterns: all items of a pattern are deleted from a record; one that would be left empty
// keeps the commonest.
var naive = &heuristic{
	card: card.Card{
		Name:      "naive",
		Title:     "Hiding patterns by deleting all their items (Naive)",
		Short:     "Naive",
		Aliases:   []string{"naive algorithm"},
		Summary:   "Deletes all items of sensitive patterns from the records that contain them.",
		Paper:     "Oliveira & Zaiane 2002",
		Needs:     "patterns of two items or more; a rule stands for all its items",
		Changes:   "deletes items of the patterns",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases:    "everything with items of the patterns loses support: a baseline for comparison",
		Exposes: "with psi 0 no record contains a pattern any more, which is conspicuous if its items are common: " +
			"anyone who expects it in some records knows that it was hidden",
		Cost: "O(n log n) per pattern",
	},
	algorithm: "naivehiding",
	growth:    1,
	declares:  declares{deletions, psi, order},
	several:   true,
	run:       victim(rulehiding.Naive),
}

// minFIA deletes the rarest items of patterns: the item of the pattern that the fewest records have is deleted.
var minFIA = &heuristic{
	card: card.Card{
		Name:      "minfia",
		Title:     "Hiding patterns by their rarest item (MinFIA)",
		Short:     "MinFIA",
		Aliases:   []string{"minimum frequency item algorithm"},
		Summary:   "Deletes the rarest item of sensitive patterns from the records that contain them.",
		Paper:     "Oliveira & Zaiane 2002",
		Needs:     "patterns of two items or more; a rule stands for all its items",
		Changes:   "deletes items of the patterns",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases:    "rare items become rarer",
		Exposes: "with psi 0 no record contains a pattern any more, which is conspicuous if its items are common: " +
			"anyone who expects it in some records knows that it was hidden",
		Cost: "O(n log n) per pattern",
	},
	growth:   1,
	declares: declares{deletions, psi, order},
	several:  true,
	run:      victim(rulehiding.MinFIA),
}

// maxFIA deletes the commonest items of patterns: the item of the pattern that most records have is deleted.
var maxFIA = &heuristic{
	card: card.Card{
		Name:      "maxfia",
		Title:     "Hiding patterns by their most frequent item (MaxFIA)",
		Short:     "MaxFIA",
		Aliases:   []string{"maximum frequency item algorithm"},
		Summary:   "Deletes the most frequent item of sensitive patterns from the records that contain them.",
		Paper:     "Oliveira & Zaiane 2002",
		Needs:     "patterns of two items or more; a rule stands for all its items",
		Changes:   "deletes items of the patterns",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases:    "common items, which are in many other patterns, lose support",
		Exposes: "with psi 0 no record contains a pattern any more, which is conspicuous if its items are common: " +
			"anyone who expects it in some records knows that it was hidden",
		Cost: "O(n log n) per pattern",
	},
	growth:   1,
	declares: declares{deletions, psi, order},
	several:  true,
	run:      victim(rulehiding.MaxFIA),
}

// iga deletes items that several patterns share: patterns that share items form a group, the largest first, and lose
// the rarest shared one; a pattern in no group loses its rarest item.
var iga = &heuristic{
	card: card.Card{
		Name:      "iga",
		Title:     "Hiding patterns in groups that share an item (IGA)",
		Short:     "IGA",
		Aliases:   []string{"item grouping algorithm"},
		Summary:   "Deletes an item that several sensitive patterns share, so that one deletion hides them all.",
		Paper:     "Oliveira & Zaiane 2002",
		Needs:     "patterns of two items or more; a rule stands for all its items",
		Changes:   "deletes items of the patterns",
		Preserves: "patterns without these items; no new frequent itemset appears",
		Biases:    "shared items lose support",
		Exposes: "with psi 0 no record contains a pattern any more, which is conspicuous if its items are common: " +
			"anyone who expects it in some records knows that it was hidden",
		Cost: "O(n log n) per pattern",
	},
	growth:   1,
	declares: declares{deletions, psi, order},
	several:  true,
	run:      victim(rulehiding.IGA),
}

// swa works window by window: records are taken in windows of so many, each by itself. In a window, of the records
// with a pattern, ceil of their number times 1 - psi lose an item, the shortest first: the one that most pairs of a
// record and a sensitive pattern in it have, so that a shared item goes first.
//
// Departures: a pattern may have a threshold psi of its own, written behind it (bread,milk @ 0.2). Frequencies are
// counted once for every pair of a record and a pattern in it, over the items of the pattern: counted by record, an
// item that is not shared might be taken.
var swa = &heuristic{
	card: card.Card{
		Name:    "swa",
		Title:   "Sliding window algorithm (SWA)",
		Short:   "SWA",
		Aliases: []string{"sliding window algorithm"},
		Summary: "Deletes an item of sensitive patterns, processing the records window by window.",
		Paper:   "Oliveira & Zaiane 2003",
		Needs:   "patterns of two items or more; a rule stands for all its items",
		Changes: "deletes items of the patterns",
		Preserves: "patterns without these items; no new frequent itemset appears; a record that loses all items " +
			"stays, empty",
		Biases:  "the threshold applies in every window, so more may be deleted than necessary for the whole table",
		Exposes: "with psi 0 no record contains a pattern any more, which is conspicuous if its items are common",
		Cost:    "O(n log n) per pattern; the technique itself needs memory for one window, but the table is in memory",
	},
	growth:   1,
	declares: declares{deletions, ownPsi, window},
	own:      true,
	run:      (*work).windows,
}

// windows hides patterns by their own thresholds, or by that of all.
func (w *work) windows() (err error) {
	psi := make([]rulehiding.Share, len(w.list))
	for k := range psi {
		if psi[k] = w.share; w.list[k].At != "" {
			if psi[k], err = rulehiding.ParseShare(w.list[k].At); err != nil {
				return err
			}
		}
	}
	return rulehiding.SWA(w.ctx, w.d, w.list, psi, max(1, w.set.Window))
}
