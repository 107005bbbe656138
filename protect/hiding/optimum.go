package hiding

import "github.com/dither-data/dither/internal/numeral"

// Optimum is what is known of the releases that delete items and hide what is listed.
type Optimum struct {
	Patterns   int `json:"patterns"`    // itemsets of the original that may stay
	Lost       int `json:"lost"`        // of them, by the release
	LeastLost  int `json:"least_lost"`  // no release loses fewer
	Cells      int `json:"cells"`       // that the release deletes
	LeastCells int `json:"least_cells"` // no release that loses as few deletes fewer
	Nodes      int `json:"nodes"`       // that it took
}

// notes says what is proved.
func (o *Optimum) notes() (out []string) {
	if o.Lost > o.LeastLost {
		return []string{numeral.Sprintf("not proved within %s: this release loses %d of %s that may stay, and every one that hides what is listed by deleting items loses at least %d; more nodes may settle it",
			numeral.Counted(o.Nodes, "node"), o.Lost, numeral.Counted(o.Patterns, "frequent itemset"), o.LeastLost)}
	}
	out = append(out, numeral.Sprintf("proved: no release that hides what is listed by deleting items loses fewer than %d of %s that may stay; this one loses no more", o.Lost, numeral.Counted(o.Patterns, "frequent itemset")))
	if o.Cells > o.LeastCells {
		return append(out, numeral.Sprintf("it deletes %s; whether fewer than that do is not proved, but fewer than %d do not", numeral.Counted(o.Cells, "item"), o.LeastCells))
	}
	return append(out, numeral.Sprintf("proved: of such releases none deletes fewer than %s", numeral.Counted(o.Cells, "item")))
}
