package study

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// GroupRisk is how many people of one group an attack finds: those of a category, or of a quarter of the numbers.
type GroupRisk struct {
	Column  string        `json:"column"`
	Group   message.Words `json:"group"`   // the category; of numbers the lowest, second, third or highest quarter
	Quarter int           `json:"quarter"` // of the numbers, 1 for the lowest to 4; 0 for a category
	People  int           `json:"people"`  // of the original, at least leastGroup
	Tried   int           `json:"tried"`
	Share   float64       `json:"share"` // found, of those tried
	// Lo and Hi hold for all groups of the attack together at 95 %: Clopper & Pearson 1934 at a level divided by their
	// number (Bonferroni).
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// Lo is above the share of all who were tried: the group is found more often than chance would have it
	More bool `json:"more"`
}

const (
	leastGroup = 30 // people of the original: a smaller group points at persons, and its share is noise
	leastTried = 10
	mostGroups = 60 // categories of a column; one with more is no grouping
)

// finder is a detail that knows of every record how often a guess at it is right; NaN where it was not tried.
type finder interface{ Hits() []float64 }

// group compares how many people of each group are found, by the first measure that knows it.
func (a *Attack) group(o *Outcome) {
	var hits []float64
	var by measure.Entry
	for _, k := range a.Measures {
		m := &o.Measures[k]
		f, ok := m.Value.Detail.(finder)
		if !ok || !m.Err.Empty() || hits != nil && m.Record.Place.Compare(by.Place) >= 0 {
			continue
		}
		if h := f.Hits(); len(h) == o.Judged().Rows() {
			hits, by, a.GroupsBy = h, m.Record, m.Name
		}
	}
	if hits == nil {
		return
	}
	_, best := inGroups(make([]int32, len(hits)), hits, o.People)
	tried, right, _ := vector.Known(best)
	if tried == 0 {
		return
	}
	for _, j := range groupings(o.Judged()) {
		a.Groups = append(a.Groups, groupsOf(o.Judged(), j, hits, o.People)...)
	}
	level := 1 - 0.025/float64(max(1, len(a.Groups)))
	for k := range a.Groups {
		g := &a.Groups[k]
		g.Lo, g.Hi = confidence.ClopperPearson(float64(g.Share*float64(g.Tried)), float64(g.Tried), level)
		g.More = g.Lo > right
	}
	sorting.Stable(a.Groups, func(x, y GroupRisk) int {
		return cmp.Or(cmp.Compare(y.Lo, x.Lo), cmp.Compare(y.Share, x.Share))
	})
	if says := compared(a.Groups, right); !says.Empty() {
		at := slices.IndexFunc(a.Sentences, func(s Sentence) bool { return s.About == measure.Secret })
		if at < 0 {
			at = len(a.Sentences)
		}
		a.Sentences = slices.Insert(a.Sentences, at, Sentence{a.GroupsBy, measure.Identity, says})
	}
}

// groupings returns the columns by which people are grouped: the quasi-identifiers or, without any, all that are
// neither class, confidential nor weights.
func groupings(t *table.Table) (out []int) {
	for j := range t.Width() {
		if t.Attr(j).Role&table.Quasi != 0 {
			out = append(out, j)
		}
	}
	if out != nil {
		return out
	}
	for j := range t.Width() {
		if t.Attr(j).Role&(table.Class|table.Confidential|table.Weight|table.Identifier) == 0 {
			out = append(out, j)
		}
	}
	return out
}

// inGroups returns the group of everybody with a record in one, and the largest of the hits of these records: of says
// whose each is, nil where every record is a person's. Somebody may be in several groups. A negative group is none.
func inGroups(group []int32, hits []float64, of []int32) (groups []int32, best []float64) {
	if of == nil {
		return group, hits
	}
	type one struct{ group, person int32 }
	at := map[one]int{}
	for i, g := range group {
		if g < 0 {
			continue
		}
		k, met := at[one{g, of[i]}]
		if !met {
			k = len(best)
			at[one{g, of[i]}] = k
			groups, best = append(groups, g), append(best, hits[i])
		}
		if h := hits[i]; h > best[k] || best[k] != best[k] {
			best[k] = h
		}
	}
	return groups, best
}

// groupsOf returns the groups of a column that are large enough.
func groupsOf(t *table.Table, j int, hits []float64, people []int32) []GroupRisk {
	a, of := t.Attr(j), []int32(nil)
	var all []GroupRisk
	switch a.Kind {
	case table.Categorical:
		if of = t.Cat(j); len(a.Labels) > mostGroups {
			return nil
		}
		for _, label := range a.Labels {
			all = append(all, GroupRisk{Column: a.Name, Group: message.Words{Sentence: message.Name(label)}})
		}
	case table.Numeric:
		of = quarters(t.Num(j))
		for k, q := range []string{"lowest", "second", "third", "highest"} {
			says := message.Say("groups.quarter." + q)
			all = append(all, GroupRisk{Column: a.Name, Group: message.Words{Sentence: says}, Quarter: k + 1})
		}
	case table.SetValued:
		return nil
	}
	of, best := inGroups(of, hits, people)
	for i, g := range of {
		if g < 0 {
			continue
		}
		all[g].People++
		if h := best[i]; h == h {
			all[g].Tried++
			all[g].Share += h
		}
	}
	var out []GroupRisk
	for _, r := range all {
		if r.People >= leastGroup && r.Tried >= leastTried {
			r.Share /= float64(r.Tried)
			out = append(out, r)
		}
	}
	if len(out) < 2 { // nothing to compare with
		return nil
	}
	return out
}

// quarters returns which quarter of the numbers each is in, -1 for a missing one. Equal numbers are in one quarter.
func quarters(v []float64) []int32 {
	var known []float64
	for _, x := range v {
		if x == x {
			known = append(known, x)
		}
	}
	slices.Sort(known)
	var ends [3]float64
	for q := range ends {
		ends[q] = math.Inf(1)
		if n := len(known); n > 0 {
			ends[q] = known[(q+1)*n/4]
		}
	}
	out := make([]int32, len(v))
	for i, x := range v {
		switch {
		case x != x:
			out[i] = -1
		default:
			for _, e := range ends {
				if x >= e {
					out[i]++
				}
			}
		}
	}
	return out
}

// compared says which group is found most often; nothing where none is beyond what chance does among so many.
func compared(groups []GroupRisk, all float64) message.Sentence {
	if len(groups) == 0 || !groups[0].More {
		return message.Sentence{}
	}
	var columns []string
	for _, g := range groups {
		if !slices.Contains(columns, g.Column) {
			columns = append(columns, g.Column)
		}
	}
	slices.Sort(columns)
	worst := groups[0]
	return message.Say("measure.groups.says").Count("groups", len(groups)).Columns("columns", columns, 4).
		Part("group", worst.Group.Sentence).Name("column", worst.Column).Share("found", worst.Share).
		Count("tried", worst.Tried).Share("lo", worst.Lo).Share("hi", worst.Hi).Share("all", all)
}
