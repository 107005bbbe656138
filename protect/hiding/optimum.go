package hiding

import "github.com/dither-data/dither/message"

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
func (o *Optimum) notes() []message.Sentence {
	if o.Lost > o.LeastLost {
		return []message.Sentence{message.Say("plan.hiding.open").Count("nodes", o.Nodes).Count("lost", o.Lost).
			Count("itemsets", o.Patterns).Count("least", o.LeastLost)}
	}
	out := []message.Sentence{message.Say("plan.hiding.proved").Count("lost", o.Lost).Count("itemsets", o.Patterns)}
	if o.Cells > o.LeastCells {
		return append(out, message.Say("plan.hiding.deletes").Count("items", o.Cells).Count("least", o.LeastCells))
	}
	return append(out, message.Say("plan.hiding.fewest").Count("items", o.Cells))
}
