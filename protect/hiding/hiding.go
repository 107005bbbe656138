// Package hiding holds heuristics that hide association rules and itemsets: no listed pattern can be found in the
// release at the given thresholds.
//
// An item is what a set-valued column holds, or attribute=value of all others; a number is in one of so many
// intervals. Deleting an item of a number or a category makes the value missing, or another (deleted=value); adding
// one puts it in the place of another; one that is unknown is missing. A rule is hidden when its support is below the
// minimum support threshold less the margin, or its confidence below the minimum confidence threshold less the margin,
// in exact arithmetic; an itemset by its support. Techniques with a disclosure threshold (psi) leave a pattern to
// that share of the records that have it. Rules are hidden in their order, each until it is hidden, then all again
// until nothing changes, for hiding one may show another.
//
// All records meet, in the order of their identities, and no random number is drawn, so the same records give the same
// release. Ties, which the papers leave open, go to the record that comes first and the item that comes first in the
// labels. A release of the table of the fit is the one that the fit made for its notes.
//
// References: V. Verykios, A. Elmagarmid, E. Bertino, Y. Saygin and E. Dasseni, "Association rule hiding", IEEE TKDE
// 16(4), 2004, and E. Dasseni et al. 2001 (hide1a to hide2c); M. Atallah, E. Bertino, A. Elmagarmid, M. Ibrahim and V.
// Verykios, "Disclosure limitation of sensitive rules", IEEE Knowledge and Data Engineering Exchange Workshop, 1999
// (atallah); Y. Saygin, V. Verykios and C. Clifton, "Using unknowns to prevent discovery of association rules", SIGMOD
// Record 30(4), 2001 (gih, cr, cr2, crmixed); E. Bertino, I. Nai Fovino and L. Parasiliti Provenza, "A framework for
// evaluating privacy preserving data mining algorithms", Data Mining and Knowledge Discovery 11, 2005 (fuzzify); S.
// Oliveira and O. Zaiane, "Privacy preserving frequent itemset mining", IEEE ICDM workshop on privacy, 2002 (naive,
// minfia, maxfia, iga), and "Protecting sensitive knowledge by data sanitization", IEEE ICDM 2003 (swa); G.
// Moustakides and V. Verykios, "A max-min approach for hiding frequent itemsets", IEEE ICDM workshops, 2006 (maxmin1,
// maxmin2); X. Sun and P. Yu, "A border-based approach for hiding sensitive frequent itemsets", IEEE ICDM, 2005 (bba);
// A. Gkoulalas-Divanis and V. Verykios, "An integer programming approach for frequent itemset hiding", ACM CIKM, 2006
// (exacthiding).
package hiding

import (
	"cmp"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
)

// Methods are the catalogue entries.
var Methods = entries(raise, lowerEnd, lowerRule, largest, inTurn, atallah, gih, cr, cr2, mixed, fuzzy, naive, minFIA,
	maxFIA, iga, swa, maxMin, maxMin2, bba, exact)

// heuristic is what tells one technique from another.
type heuristic struct {
	card      card.Card
	algorithm string // as plans name it; empty: as the card
	declares  declares
	growth    float64 // see protect.Method
	rules     bool    // it hides rules, not itemsets
	several   bool    // it hides patterns of two items or more
	own       bool    // a pattern may have a threshold of its own
	blurs     bool    // items become unknown
	adds      bool    // it adds items, so it leaves records alone that miss a value
	run       func(w *work) error
}

// named returns the name of the algorithm in plans.
func (h *heuristic) named() string { return cmp.Or(h.algorithm, h.card.Name) }

// entries are the entries of heuristics, with what the cards of all say.
func entries(all ...*heuristic) []protect.Method {
	out := make([]protect.Method, len(all))
	for k, h := range all {
		c := h.card
		c.Exposes += "; who can be found in the original can be found in the release"
		c.Missing = cmp.Or(c.Missing, "no item, and stay missing")
		out[k] = protect.Method{
			Card:    c,
			Purpose: protect.Hides,
			Growth:  h.growth,
			Sets:    true,
			New:     func() protect.Technique { return param.Default(&Technique{how: h}) },
			Plan:    func() protect.Plan { return &Plan{how: h} },
			Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.HidesPatterns},
		}
	}
	return out
}
