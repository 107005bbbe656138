package hiding

import "github.com/dither-data/dither/param"

// Settings are the parameters of all techniques, and those of some; which are declared depends on the technique.
type Settings struct {
	Sensitive  string  `json:"sensitive"` // as basket.Coding.Patterns reads it
	Support    float64 `json:"support,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
	Margin     float64 `json:"margin,omitempty"`
	Intervals  int     `json:"intervals"`
	Disclosure float64 `json:"disclosure,omitempty"` // psi
	Order      string  `json:"order,omitempty"`
	Window     int     `json:"window,omitempty"`
	Fallback   bool    `json:"fallback,omitempty"`
	Deleted    string  `json:"deleted,omitempty"`
	Nodes      int     `json:"nodes,omitempty"`
	How        string  `json:"how,omitempty"`
	Free       string  `json:"free,omitempty"` // items that matter little
	Ones       int     `json:"ones,omitempty"`
	Zeros      int     `json:"zeros,omitempty"`
}

// Orders of the transactions by their degree of conflict.
const (
	Descending = "desc"
	Ascending  = "asc"
)

// What becomes of a number or a category whose item is deleted.
const (
	Missing = "missing"
	Value   = "value"
)

// How items are chosen that become unknown.
const (
	Fuzzy1b = "1b"
	Fuzzy2a = "2a"
	Fuzzy2b = "2b"
)

// declares are the parameters of a technique besides those of all.
type declares []func(s *Settings) param.Set

// listed declares what every technique needs: what is to be hidden.
func listed(s *Settings) param.Set {
	return param.Set{
		param.Patterns(&s.Sensitive, "sensitive", "what to hide: itemsets such as bread,milk and rules such as "+
			"bread,milk=>jam, one per line or separated by semicolons (--sensitive FILE)"),
		param.Int(&s.Intervals, "intervals", 4, 2, 1000, "intervals",
			"cut numbers into this many intervals of about equal size"),
	}
}

// supports declares the thresholds of supports.
func supports(s *Settings) param.Set {
	return param.Set{
		param.Float(&s.Support, "support", 0.01, 1e-12, 1e12, "share or records", "minimum support; a pattern "+
			"below it is hidden; values below 1 are a share of the records, others a number"),
		param.Float(&s.Margin, "margin", 0, 0, 1, "share",
			"safety margin: patterns are pushed this far below the thresholds"),
	}
}

func confidences(s *Settings) param.Set {
	return param.Set{param.Float(&s.Confidence, "confidence", 0.6, 0, 1, "share",
		"minimum confidence; a rule below it is hidden")}
}

// psi declares the disclosure threshold, which some of the papers call phi.
func psi(s *Settings) param.Set { return disclosure(s, "") }

// ownPsi declares one that a pattern may have of its own.
func ownPsi(s *Settings) param.Set {
	return disclosure(s, "; a pattern can have its own: bread,milk @ 0.2")
}

func disclosure(s *Settings, own string) param.Set {
	p := param.Float(&s.Disclosure, "psi", 0, 0, 1, "share",
		"disclosure threshold: the share of the records with a pattern that may keep it"+own)
	p.Aliases = []string{"phi"}
	return param.Set{p}
}

func order(s *Settings) param.Set {
	return param.Set{param.Choice(&s.Order, "order", Descending, []string{Descending, Ascending},
		"change records with many of the patterns first, or last")}
}

func fallback(s *Settings) param.Set {
	return param.Set{param.Bool(&s.Fallback, "fallback", false,
		"if items can be added to too few records, continue by deleting consequent items (1.b)")}
}

func window(s *Settings) param.Set {
	return param.Set{param.Int(&s.Window, "window", 40_000, 1, 1_000_000_000, "records",
		"number of records in a window")}
}

// deletions declares what becomes of deleted values.
func deletions(s *Settings) param.Set {
	return param.Set{param.Choice(&s.Deleted, "deleted", Missing, []string{Missing, Value},
		"a deleted number or category becomes missing, or another value from records of the same class if that "+
			"restores no pattern; items of sets are deleted")}
}

// victims declares how items are chosen that become unknown.
func victims(s *Settings) param.Set {
	return param.Set{
		param.Choice(&s.How, "how", Fuzzy1b, []string{Fuzzy1b, Fuzzy2a, Fuzzy2b},
			"which items: consequent items as in 1.b, items of either side as in 2.a, or items of an itemset as in 2.b"),
		param.Text(&s.Free, "free", "items that matter little, separated by commas: taken first (zero-impact items)"),
	}
}

// rounds declares how items that are there and items that are not become unknown in turn.
func rounds(s *Settings) param.Set {
	return param.Set{
		param.Int(&s.Ones, "ones", 1, 1, 1000, "records", "records that lose a consequent item per round"),
		param.Int(&s.Zeros, "zeros", 1, 1, 1000, "records", "records in which absent items become unknown per round"),
	}
}

// nodes declares how much an exact technique may do. It is counted, not timed: a limit in seconds would give another
// release on another machine.
func nodes(s *Settings) param.Set {
	return param.Set{param.Int(&s.Nodes, "nodes", 1_000_000, 0, 1_000_000_000, "nodes",
		"most nodes of branch and bound before the best release so far is used; a million takes a few seconds")}
}
