package hiding

import (
	"context"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/hide"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/param"
)

// Work declares how much an exact technique may do. It is counted, not timed: a limit in seconds would give another release on another machine.
func (s *Settings) Work() param.Set {
	return param.Set{param.Int(&s.Nodes, "nodes", 1_000_000, 0, 1_000_000_000, "nodes", "the work that branch and bound may do until the best release so far is taken; a million take a second or a few")}
}

// Optimum is what is known of the releases that delete items and hide what is listed.
type Optimum struct {
	Patterns   int `json:"patterns"`    // itemsets of the original that may stay
	Lost       int `json:"lost"`        // of them, by the release
	LeastLost  int `json:"least_lost"`  // no release loses fewer
	Cells      int `json:"cells"`       // that the release deletes
	LeastCells int `json:"least_cells"` // no release that loses as few deletes fewer
	Nodes      int `json:"nodes"`       // that it took
}

// exact hides the patterns by the deletions that lose the least.
func (p *Plan) exact(ctx context.Context, d *hide.Data, list []basket.Pattern, limits hide.Limits, r *Trial) error {
	o, err := hide.Exact(ctx, d, list, hide.Goal{Hide: limits.Support.Of(d.Len()), Keep: limits.Least, Nodes: p.Settings.Nodes})
	if err != nil {
		return err
	}
	o.Delete(d)
	r.Optimum = &Optimum{o.Patterns, o.Lost, o.LeastLost, o.Cells, o.LeastCells, o.Nodes}
	return nil
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
