package study

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Attack is what one intruder can do with a release.
type Attack struct {
	Intruder  string     `json:"intruder,omitempty"` // empty for what does not depend on an intruder
	Sentences []Sentence `json:"sentences"`          // about identity first
	// By is the measure that single records are judged by, Risk what it says of one; both are empty when none does.
	By       string   `json:"by,omitempty"`
	Risk     string   `json:"risk,omitempty"`
	Judged   int      `json:"judged"` // records
	Riskiest []AtRisk `json:"riskiest,omitempty"`
	Further  int      `json:"further,omitempty"` // records not listed that are as risky as the last one listed
	Measures []int    `json:"-"`                 // positions among the measures of the outcome, in the order in which they are read

	mean float64 // risk of the records judged; -1 when none is
}

// Sentence is what a measure says in words.
type Sentence struct {
	Measure string `json:"measure"`
	About   About  `json:"about"`
	Text    string `json:"text"`
}

// About is what an intruder wants to know.
type About string

// What intruders want to know: whose record it is, and what is secret.
const (
	Identity About = "identity"
	Secret   About = "secret"
)

// AtRisk is one record at risk. It is told by its row in the original, never by its values.
type AtRisk struct {
	Row  int     `json:"row"` // of the original file, from 1, a heading not counted
	Risk float64 `json:"risk"`
}

// The details of measures of risk speak for themselves.
type (
	speaker interface{ Sentence() string }
	judge   interface{ Records() []float64 }
)

// byRecord lists the measures that single records are judged by, the best first, with what they say of one.
var byRecord = []struct{ measure, risk string }{
	{"reidentification", "probability given to the person's record"},
	{"linkage", "probability of the right link"},
	{"attributeinference", "probability of the right guess"},
	{"uniqueness", "probability of a guess among the records with the person's values"},
}

// Attacks gathers the measures of a release by intruder, the one from whom the mean risk of a record is highest first; last comes what depends
// on no intruder. Of each it lists at most so many of the records at the highest risk. Cost: O(n log n) for n records, by intruder.
func Attacks(o *Outcome, riskiest int) []Attack {
	var out []Attack
	for k := range o.Measures {
		m := &o.Measures[k]
		at := slices.IndexFunc(out, func(a Attack) bool { return a.Intruder == m.Intruder })
		if at < 0 {
			at = len(out)
			out = append(out, Attack{Intruder: m.Intruder, Sentences: []Sentence{}})
		}
		out[at].Measures = append(out[at].Measures, k)
	}
	for k := range out {
		out[k].arrange(o)
		out[k].speak(o)
		if out[k].Intruder != "" {
			out[k].judge(o, riskiest)
		}
	}
	slices.SortStableFunc(out, func(a, b Attack) int {
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
	for _, k := range a.Measures {
		m := &o.Measures[k]
		j, ok := m.Value.Detail.(judge)
		if !ok || m.Err != "" || rank(m.Name) >= rank(a.By) {
			continue
		}
		if risk = j.Records(); len(risk) != o.Original.Rows() {
			risk = nil
			continue
		}
		a.By, a.Risk = m.Name, m.Title
		if r := rank(m.Name); r < len(byRecord) {
			a.Risk = byRecord[r].risk
		}
	}
	var rows []int
	for i, r := range risk {
		if math.IsNaN(r) {
			continue
		}
		a.Judged++
		a.mean += r
		if r > 0 {
			rows = append(rows, i)
		}
	}
	if a.mean /= float64(a.Judged); a.Judged == 0 {
		a.mean = -1
	}
	slices.SortStableFunc(rows, func(x, y int) int { return cmp.Compare(risk[y], risk[x]) })
	listed := rows[:min(most, len(rows))]
	for _, i := range listed {
		a.Riskiest = append(a.Riskiest, AtRisk{int(o.Original.ID(i)) + 1, risk[i]})
	}
	for _, i := range rows[len(listed):] {
		if len(listed) > 0 && risk[i] == risk[listed[len(listed)-1]] {
			a.Further++
		}
	}
}

// identities and secrets list the measures that speak of identity and of what is secret, in the order in which they are read. One in neither
// speaks of identity.
var (
	identities = []string{"reidentification", "lambert", "knowledge", "linkage", "uniqueness", "kanonymity", "populationrisk", "queryattack", "dcr", "nndr"}
	secrets    = []string{"classdisclosure", "attributeinference", "ldiversity", "tcloseness", "intervaldisclosure", "conditionalprivacy", "bedr", "pcadr", "spectralfilter"}
)

// arrange puts the measures into the order in which they are read.
func (a *Attack) arrange(o *Outcome) {
	place := func(k int) int {
		name := o.Measures[k].Name
		if at := slices.Index(identities, name); at >= 0 {
			return at
		}
		return len(identities) + 1 + slices.Index(secrets, name)
	}
	slices.SortStableFunc(a.Measures, func(j, k int) int { return cmp.Compare(place(j), place(k)) })
}

// speak gathers the sentences.
func (a *Attack) speak(o *Outcome) {
	for _, k := range a.Measures {
		m := &o.Measures[k]
		if s, ok := m.Value.Detail.(speaker); ok && m.Err == "" {
			about := Identity
			if slices.Contains(secrets, m.Name) {
				about = Secret
			}
			if text := s.Sentence(); text != "" {
				a.Sentences = append(a.Sentences, Sentence{m.Name, about, grouped(text)})
			}
		}
	}
}

// rank returns the place of a measure in byRecord, behind it for another measure, and behind these for none.
func rank(measure string) int {
	for k, r := range byRecord {
		if r.measure == measure {
			return k
		}
	}
	if measure != "" {
		return len(byRecord)
	}
	return len(byRecord) + 1
}

var long = regexp.MustCompile(`(?:^|[^.\w])\d{5,}`) // not the digits behind a decimal point

// grouped writes the large whole numbers of a sentence with separators between thousands: 30,162.
func grouped(text string) string {
	return long.ReplaceAllStringFunc(text, func(n string) string {
		lead := len(n) - len(strings.TrimLeft(n, " ([–-"))
		for k := len(n) - 3; k > lead; k -= 3 {
			n = n[:k] + "," + n[k:]
		}
		return n
	})
}
