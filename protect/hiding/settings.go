package hiding

import "github.com/dither-data/dither/param"

// Settings are the parameters of all techniques, and those of some; which are declared depends on the technique.
type Settings struct {
	Sensitive  string  `json:"sensitive"` // as basket.Coding.Patterns reads it
	Support    float64 `json:"support,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
	Margin     float64 `json:"margin,omitempty"`
	Intervals  int     `json:"intervals"`
	Disclosure float64 `json:"disclosure,omitempty"` // phi, psi
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
		param.Text(&s.Sensitive, "sensitive", "what is to be hidden: itemsets such as bread,milk and rules such as "+
			"bread,milk=>jam, a line each or with semicolons between them (--sensitive FILE)"),
		param.Int(&s.Intervals, "intervals", 4, 2, 1000, "intervals",
			"numbers are cut into so many of about equally many records"),
	}
}

// supports declares the thresholds of supports.
func supports(s *Settings) param.Set {
	return param.Set{
		param.Float(&s.Support, "support", 0.01, 1e-12, 1e12, "share or records", "the minimum support threshold, "+
			"below which a pattern is hidden: below 1 a share of the records, from 1 on a number"),
		param.Float(&s.Margin, "margin", 0, 0, 1, "share",
			"the safety margin: patterns are pushed so far below the thresholds"),
	}
}

func confidences(s *Settings) param.Set {
	return param.Set{param.Float(&s.Confidence, "confidence", 0.6, 0, 1, "share",
		"the minimum confidence threshold, below which a rule is hidden")}
}

// phi and psi declare the disclosure threshold.
func phi(s *Settings) param.Set { return disclosure(s, "phi", "") }

func psi(s *Settings) param.Set {
	return disclosure(s, "psi", "; one of its own may stand behind a pattern: bread,milk @ 0.2")
}

func disclosure(s *Settings, name, own string) param.Set {
	return param.Set{param.Float(&s.Disclosure, name, 0, 0, 1, "share",
		"the disclosure threshold: the share of the records with a pattern that may keep it"+own)}
}

func order(s *Settings) param.Set {
	return param.Set{param.Choice(&s.Order, "order", Descending, []string{Descending, Ascending},
		"records with many of the patterns are changed first, or last")}
}

func fallback(s *Settings) param.Set {
	return param.Set{param.Bool(&s.Fallback, "fallback", false,
		"where too few records can be added to, hide by deleting items of the ends of rules (1.b) from then on")}
}

func window(s *Settings) param.Set {
	return param.Set{param.Int(&s.Window, "window", 40_000, 1, 1_000_000_000, "records",
		"how many records are looked at together")}
}

// deletions declares what becomes of deleted values.
func deletions(s *Settings) param.Set {
	return param.Set{param.Choice(&s.Deleted, "deleted", Missing, []string{Missing, Value},
		"a deleted number or category becomes missing, or another value that records of the same class have, "+
			"where that brings no pattern back; items of sets are deleted")}
}

// victims declares how items are chosen that become unknown.
func victims(s *Settings) param.Set {
	return param.Set{
		param.Choice(&s.How, "how", Fuzzy1b, []string{Fuzzy1b, Fuzzy2a, Fuzzy2b},
			"which items: those that 1.b takes, of the end of a rule; 2.a, of either side; 2.b, of an itemset"),
		param.Text(&s.Free, "free",
			"items that matter little, with commas between them: they are taken first (zero-impact items)"),
	}
}

// rounds declares how items that are there and items that are not become unknown in turn.
func rounds(s *Settings) param.Set {
	return param.Set{
		param.Int(&s.Ones, "ones", 1, 1, 1000, "records", "how many records lose an item of the end in a round"),
		param.Int(&s.Zeros, "zeros", 1, 1, 1000, "records", "in how many records absent items become unknown in a round"),
	}
}

// nodes declares how much an exact technique may do. It is counted, not timed: a limit in seconds would give another
// release on another machine.
func nodes(s *Settings) param.Set {
	return param.Set{param.Int(&s.Nodes, "nodes", 1_000_000, 0, 1_000_000_000, "nodes",
		"the work that branch and bound may do until the best release so far is taken; a million take a second or a few")}
}
