package rulepreservation

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/forests"
)

// RulesWorthState is what became of a rule.
type RulesWorthState string

// The states of a rule.
const (
	RulesWorthKept RulesWorthState = "kept"
	RulesWorthLost RulesWorthState = "lost"
	RulesWorthNew  RulesWorthState = "new"
	Hidden         RulesWorthState = "hidden" // lost, as it was to be
)

// RulesWorthDetail is what became of the rules. It names values of the original, so it is the custodian's alone.
type RulesWorthDetail struct {
	Kept   int `json:"kept"`
	Lost   int `json:"lost"`
	New    int `json:"new"`
	Hidden int `json:"hidden"`
	// Sensitive is how many of the rules that are kept are about a confidential column, and About names these columns.
	Sensitive int      `json:"sensitive"`
	About     []string `json:"about"`
	Grades    Grades   `json:"grades"` // of these rules
	Listed    int      `json:"listed"` // of the rules that are kept, those that tell what was to be hidden
	// Shown are the strongest rules, the most beyond chance in the table that has them first. Alike are those that are
	// not shown because a stronger one of their state and class covers nearly the same records.
	Shown []RulesWorthRule `json:"shown"`
	Alike int              `json:"alike"`
}

// RulesWorthRule is a rule with what it is worth in both tables. Shares are of 1.
type RulesWorthRule struct {
	State     RulesWorthState    `json:"state"`
	If        []string           `json:"if"`
	Then      string             `json:"then"`
	Before    RulesWorthStrength `json:"before"`
	After     RulesWorthStrength `json:"after"`
	Sensitive []string           `json:"sensitive"` // confidential columns in it
	Grade     Grade              `json:"grade"`     // empty where there are none
	Listed    bool               `json:"listed"`    // it tells what was to be hidden
}

// RulesWorthStrength is how often a rule is right, the share of the records that it covers, and how many these are. An
// accuracy of which nothing is known, for it covers none, is 0.
type RulesWorthStrength struct {
	Accuracy float64 `json:"accuracy"`
	Coverage float64 `json:"coverage"`
	Records  int     `json:"records"`
}

func worthStrength(s forests.Strength) RulesWorthStrength {
	return RulesWorthStrength{s.Accuracy(), s.Coverage(), s.Covered}
}

// share is the share that is kept of what was not to be hidden; 1 where there is nothing.
func (d *RulesWorthDetail) share() float64 {
	if d.Kept+d.Lost == 0 {
		return 1
	}
	return float64(d.Kept) / float64(d.Kept+d.Lost)
}

// Alerts say that rules which are kept are about something sensitive; empty where none is.
func (d *RulesWorthDetail) Alerts() (out []message.Sentence) {
	if d.Listed > 0 {
		out = append(out, message.Say("measure.rulesworth.note.listed").Count("n", d.Listed))
	}
	if d.Sensitive > 0 {
		out = append(out, message.Say("measure.rulesworth.note.sensitive").Count("n", d.Sensitive).Count("kept", d.Kept).
			Columns("columns", d.About, 4).Part("grades", d.Grades.says()))
	}
	return out
}

func (s *worthSurvey) detail() *RulesWorthDetail {
	d := &RulesWorthDetail{About: []string{}, Shown: []RulesWorthRule{}}
	sorting.Stable(s.fates, func(x, y fate) int { return cmp.Compare(y.weight, x.weight) })
	for k := range s.fates {
		x := &s.fates[k]
		*map[RulesWorthState]*int{
			RulesWorthKept: &d.Kept, RulesWorthLost: &d.Lost, RulesWorthNew: &d.New, Hidden: &d.Hidden,
		}[x.state]++
		if x.state != RulesWorthKept {
			continue
		}
		if x.listed {
			d.Listed++
		}
		if len(x.sensitive) > 0 {
			d.Sensitive++
			d.Grades.count(x.grade)
		}
		for _, name := range x.sensitive {
			if !slices.Contains(d.About, name) {
				d.About = append(d.About, name)
			}
		}
	}
	var shown []fate
	for k := range s.fates {
		switch x := s.fates[k]; {
		case len(shown) == most:
			return d
		case slices.ContainsFunc(shown, func(o fate) bool { return s.alike(&o, &x) }):
			d.Alike++
		default:
			shown = append(shown, x)
			d.Shown = append(d.Shown, s.worded(&x))
		}
	}
	return d
}

// worded puts a rule into words.
func (s *worthSurvey) worded(x *fate) RulesWorthRule {
	out := RulesWorthRule{
		State:     x.state,
		Before:    worthStrength(x.Strength),
		After:     worthStrength(x.after),
		Sensitive: x.sensitive,
		Grade:     x.grade,
		Listed:    x.listed,
	}
	out.If, out.Then = x.Words(s.attrs, s.class)
	if out.Sensitive == nil {
		out.Sensitive = []string{}
	}
	return out
}

// most is how many rules are shown, and overlap the share of the records that either of two rules covers from which on,
// where both cover them, one of them is enough. About so many records as looked are looked at for it.
const (
	most    = 10
	overlap = 0.8
	looked  = 20_000
)

// alike reports whether two rules of a state and class cover nearly the same records of the table that has them.
func (s *worthSurvey) alike(x, y *fate) bool {
	if x.state != y.state || x.Then != y.Then || x.listed != y.listed {
		return false
	}
	t := s.r.Original
	if x.state == RulesWorthNew {
		t = s.r.Released
	}
	both, either := 0, 0
	for i := 0; i < t.Rows(); i += 1 + t.Rows()/looked {
		a, b := x.Covers(t, i), y.Covers(t, i)
		if a && b {
			both++
		}
		if a || b {
			either++
		}
	}
	return float64(both) >= overlap*float64(either)
}
