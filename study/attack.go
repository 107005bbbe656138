package study

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Attack is what one intruder can do with a release.
type Attack struct {
	Intruder  string     `json:"intruder"`  // empty for what does not depend on an intruder
	Described bool       `json:"-"`         // the name reads on after "an intruder who"
	Sentences []Sentence `json:"sentences"` // about identity first
	// By is the measure that single records are judged by, Risk what it says of one; both are empty when none does.
	By       string        `json:"by"`
	Risk     message.Words `json:"risk"`
	Judged   int           `json:"judged"` // records
	Riskiest []AtRisk      `json:"riskiest"`
	Further  int           `json:"further"` // records not listed that are as risky as the last one listed
	// positions among the measures of the outcome, in the order in which they are read
	Measures []int `json:"-"`

	// Groups are the groups of people by category or quarter of the columns an intruder may know, the one found most often
	// first, and GroupsBy the measure that finds them. Only large groups are compared; they are as confidential as the
	// attack.
	Groups   []GroupRisk `json:"groups"`
	GroupsBy string      `json:"groupsBy"`

	mean float64 // risk of the records judged; -1 when none is
}

// Sentence is what a measure says in words.
type Sentence struct {
	Measure string           `json:"measure"`
	About   measure.About    `json:"about"` // identity or secret
	Says    message.Sentence `json:"says"`
}

// AtRisk is one record at risk. It is told by its row in the original, never by its values.
type AtRisk struct {
	Row  int     `json:"row"` // of the original file, from 1, a heading not counted
	Risk float64 `json:"risk"`
}

// The details of measures of risk speak for themselves.
type (
	speaker interface{ Sentence() message.Sentence }
	judge   interface{ Records() []float64 }
)

// Attacks gathers the measures of a release by intruder, the one from whom the mean risk of a record is highest first;
// last comes what depends on no intruder. Of each it lists at most so many of the records at the highest risk. Cost:
// O(n log n) for n records, by intruder.
func Attacks(o *Outcome, riskiest int) []Attack {
	var out []Attack
	for k := range o.Measures {
		m := &o.Measures[k]
		at := slices.IndexFunc(out, func(a Attack) bool { return a.Intruder == m.Intruder })
		if at < 0 {
			at = len(out)
			out = append(out, Attack{Intruder: m.Intruder, Described: m.Described, Sentences: []Sentence{}})
		}
		out[at].Measures = append(out[at].Measures, k)
	}
	for k := range out {
		out[k].arrange(o)
		out[k].speak(o)
		if out[k].Intruder != "" {
			out[k].judge(o, riskiest)
			out[k].group(o)
		}
	}
	sorting.Stable(out, func(a, b Attack) int {
		if a.Intruder == "" || b.Intruder == "" {
			return cmp.Compare(b.Intruder, a.Intruder)
		}
		return cmp.Compare(b.mean, a.mean)
	})
	return out
}

// judge lists the riskiest records by the measure that judges single records best.
func (a *Attack) judge(o *Outcome, most int) {
	var risk []float64
	var by measure.Entry
	for _, k := range a.Measures {
		m := &o.Measures[k]
		j, ok := m.Value.Detail.(judge)
		if !ok || !m.Err.Empty() || a.By != "" && m.Record.Place.Compare(by.Place) >= 0 {
			continue
		}
		if risk = j.Records(); len(risk) != o.Judged().Rows() {
			risk = nil
			continue
		}
		by, a.By, a.Risk = m.Record, m.Name, message.Words{Sentence: m.Record.Says.Among(m.Words)}
		if a.Risk.Empty() {
			a.Risk.Sentence = message.Text(m.Title)
		}
	}
	var rows []int
	for i, r := range risk {
		if r > 0 {
			rows = append(rows, i)
		}
	}
	if a.Judged, a.mean, _ = vector.Known(risk); a.Judged == 0 {
		a.mean = -1
	}
	slices.SortStableFunc(rows, func(x, y int) int { return cmp.Compare(risk[y], risk[x]) })
	listed := rows[:min(most, len(rows))]
	for _, i := range listed {
		a.Riskiest = append(a.Riskiest, AtRisk{int(o.Judged().ID(i)) + 1, risk[i]})
	}
	for _, i := range rows[len(listed):] {
		if len(listed) > 0 && risk[i] == risk[listed[len(listed)-1]] {
			a.Further++
		}
	}
}

// arrange puts the measures into the order in which they are read: identity first, then the measures without a place,
// then secrets.
func (a *Attack) arrange(o *Outcome) {
	slices.SortStableFunc(a.Measures, func(j, k int) int {
		x, y := &o.Measures[j], &o.Measures[k]
		if s, t := x.About == measure.Secret, y.About == measure.Secret; s != t {
			if t {
				return -1
			}
			return 1
		}
		return x.Place.Compare(y.Place)
	})
}

// speak gathers the sentences.
func (a *Attack) speak(o *Outcome) {
	for _, k := range a.Measures {
		m := &o.Measures[k]
		s, ok := m.Value.Detail.(speaker)
		if !ok || !m.Err.Empty() || m.About == measure.Worth {
			continue
		}
		if says := s.Sentence().Among(m.Words); !says.Empty() {
			a.Sentences = append(a.Sentences, Sentence{m.Name, m.About, says})
		}
	}
}
