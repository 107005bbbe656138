package kanonymise

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/diversity"
)

// judge decides which records of classes are suppressed, so that all others meet the goals, and so do the suppressed
// ones: they look alike too, together with the records that lack every quasi-identifier anyway.
type judge struct {
	f       *frame
	goals   Goals
	out     []int32 // by class: records suppressed
	order   []int32
	counts  [][]int32 // by sensitive attribute and value
	room    []diversity.Run
	scratch room

	// where the goals hold in combinations
	roller *roller
	rest   classes // those that are kept
	at     []int32 // by class of rest: its place among all
}

func (f *frame) newJudge(g Goals) *judge {
	j := &judge{f: f, goals: g, roller: f.newRoller()}
	for _, s := range f.secrets {
		j.counts = append(j.counts, make([]int32, s.codes))
	}
	return j
}

// forSize sets what is suppressed for the sake of k alone, and returns how many records that are.
//
// Classes below k are suppressed. If fewer than k records share the lot of being suppressed, records of the largest
// classes join them, as many as it takes and as classes can spare, or else the smallest class. So the number never
// rises from levels to higher ones: what moves out of small classes goes into classes that then can spare it, or forms
// one that can be suppressed instead. In combinations it is what these need, and nothing joins it.
func (j *judge) forSize(c *classes) int {
	if len(j.f.sets) > 0 {
		return j.settle(c, false)
	}
	lost, alike := j.below(c, func(class int) bool { return int(c.count[class]) >= j.goals.K })
	need := int32(j.goals.K - alike)
	if alike == 0 || need <= 0 {
		return lost
	}
	j.sort(c)
	spare := int32(0)
	for _, class := range j.order {
		if spare < need {
			spare += c.count[class] - int32(j.goals.K)
		}
	}
	if spare < need {
		if len(j.order) == 0 {
			return lost
		}
		smallest := j.order[len(j.order)-1]
		j.out[smallest] = c.count[smallest]
		return lost + int(c.count[smallest])
	}
	for _, class := range j.order {
		take := min(need, c.count[class]-int32(j.goals.K))
		j.out[class] = take
		need -= take
		lost += int(take)
	}
	return lost
}

// goal sets what is suppressed for the sake of all goals, and returns how many records that are. It stops when there
// are more than most: then what it set is of no use. The smallest classes join the suppressed ones until these meet the
// goals.
func (j *judge) goal(c *classes, most int) int {
	if len(j.f.sets) > 0 {
		return j.inSets(c, most)
	}
	if !j.looks() {
		return j.forSize(c)
	}
	lost, alike := j.below(c, func(class int) bool {
		return int(c.count[class]) >= j.goals.K && j.diverse(&j.goals, c, class)
	})
	if alike == 0 || lost > most {
		return lost
	}
	for a := range j.counts {
		clear(j.counts[a])
	}
	for class := range c.rep {
		if j.out[class] > 0 || c.rep[class] == j.f.void {
			j.pour(c, class)
		}
	}
	j.sort(c)
	for k := len(j.order) - 1; k >= 0 && (alike < j.goals.K || !j.pooled(&j.goals)); k-- {
		class := int(j.order[k])
		n := int(c.count[class])
		j.out[class] = int32(n)
		lost, alike = lost+n, alike+n
		if lost > most {
			return lost
		}
		j.pour(c, class)
	}
	return lost
}

// looks reports whether more than the number of records counts.
func (j *judge) looks() bool { return j.goals.looks() || j.f.whose != nil }

// scarce returns how many records are in classes of fewer than k records or people or, for distinct l, of fewer than l
// values; all of these are suppressed at least. It never rises from levels to higher ones, for classes that are joined
// have the people and the values of both; but where records lack a sensitive value a class of such records asks for
// none until it is joined, and then values count for nothing here. In combinations it is not asked.
func (j *judge) scarce(c *classes) int {
	if len(j.f.sets) > 0 {
		return 0
	}
	least := make([]float64, len(c.values)) // by what is tallied
	for a, s := range j.f.secrets {
		switch {
		case s.who:
			least[a] = float64(j.goals.K)
		case !j.f.gaps && j.goals.L > 1 && j.goals.Diversity == Distinct:
			least[a] = j.goals.L
		}
	}
	if !slices.ContainsFunc(least, func(l float64) bool { return l > 0 }) {
		return 0
	}
	n := int32(0)
	for class, size := range c.count {
		if c.rep[class] == j.f.void {
			continue
		}
		for a, t := range c.values {
			if int(size) < j.goals.K || float64(len(t.of(class))) < least[a] {
				n += size
				break
			}
		}
	}
	return int(n)
}

// below suppresses the classes that are not good and returns how many records these are, and how many look alike then.
func (j *judge) below(c *classes, good func(class int) bool) (lost, alike int) {
	j.out = slices.Grow(j.out[:0], len(c.rep))[:len(c.rep)]
	for class, n := range c.count {
		switch j.out[class] = 0; {
		case c.rep[class] == j.f.void:
			alike += int(n)
		case !good(class):
			j.out[class] = n
			lost += int(n)
		}
	}
	return lost, alike + lost
}

// sort orders the classes that are kept by size, the largest first; of equal ones, the first one first.
func (j *judge) sort(c *classes) {
	j.order = j.order[:0]
	for class, n := range j.out {
		if n == 0 && c.rep[class] != j.f.void {
			j.order = append(j.order, int32(class))
		}
	}
	slices.SortFunc(j.order,
		func(a, b int32) int { return cmp.Or(cmp.Compare(c.count[b], c.count[a]), cmp.Compare(a, b)) })
}

// diverse reports whether the sensitive values of a class meet the goals.
func (j *judge) diverse(g *Goals, c *classes, class int) bool {
	for a, s := range j.f.secrets {
		if !g.meets(s, c.values[a].of(class), &j.scratch) {
			return false
		}
	}
	return true
}

// pour adds the sensitive values of a class to those of the suppressed records.
func (j *judge) pour(c *classes, class int) {
	for a := range j.counts {
		for _, r := range c.values[a].of(class) {
			j.counts[a][r.Value] += r.Count
		}
	}
}

// pooled reports whether the sensitive values of the suppressed records meet the goals.
func (j *judge) pooled(g *Goals) bool {
	for a, s := range j.f.secrets {
		j.room = j.room[:0]
		for v, n := range j.counts[a] {
			if n > 0 {
				j.room = append(j.room, diversity.Run{Value: int32(v), Count: n})
			}
		}
		if !g.meets(s, j.room, &j.scratch) {
			return false
		}
	}
	return true
}

// loss returns the loss of the cells that are suppressed, beyond what their levels have lost.
func (j *judge) loss(levels []int, c *classes) int64 {
	sum := int64(0)
	for class, n := range j.out {
		if n == 0 {
			continue
		}
		for k, code := range j.f.row(c.rep[class]) {
			if code > 0 {
				sum += int64(n) * (j.f.axes[k].full - j.f.axes[k].cost[levels[k]][code])
			}
		}
	}
	return sum
}
