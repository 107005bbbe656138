package kanonymise

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/table"
)

// within is a combination of quasi-identifiers in which classes meet goals of its own.
type within struct {
	axes  []int // positions among the axes of a frame
	goals Goals
}

// combine reads the combinations that are asked for; may are the columns that can be generalised.
func (q *Technique) combine(p *Plan, t *table.Table, may []int) (err error) {
	if len(q.Combinations) == 0 {
		return nil
	}
	p.Within, p.Quasi, err = combined.Read(t, q.Combinations, q.K, p.Quasi, len(q.Quasi) > 0, may)
	return err
}

// Combinations returns the combinations of columns in each of which the goals hold; nil where they hold in all
// together.
func (p *Plan) Combinations() [][]string { return combined.Names(p.Within, p.Attrs) }

// within returns the combinations for a frame of the quasi-identifiers.
func (p *Plan) within() (out []within) {
	for _, s := range p.Within {
		w := within{goals: p.Goals}
		w.goals.K = s.K
		for _, j := range s.Columns {
			w.axes = append(w.axes, slices.Index(p.Quasi, j))
		}
		out = append(out, w)
	}
	return out
}

// most is the highest k that is asked for.
func (p *Plan) most() int {
	if len(p.Within) > 0 {
		return combined.Most(p.Within)
	}
	return p.Goals.K
}

// goals says what classes have, and in what.
func (p *Plan) goals() message.Sentence {
	if len(p.Within) == 0 {
		return p.Goals.sentence(p.Goals.K, p.Goals.K)
	}
	return message.Say("plan.goal.in").Part("goals", p.Goals.sentence(combined.Least(p.Within), p.most())).
		Count("n", len(p.Within))
}

// settle suppresses classes until those that are kept are, in every combination, classes of k; where the goals count,
// such as meet them. It returns how many records these are. Classes that lack all values of a combination are alike
// with the suppressed ones there, which pool looks at.
//
// What is kept is the most that can be for the sake of k alone: what two choices of records keep can be kept together.
// And it never becomes less from levels to higher ones.
func (j *judge) settle(c *classes, goals bool) (lost int) {
	j.out = slices.Grow(j.out[:0], len(c.rep))[:len(c.rep)]
	clear(j.out)
	return j.resettle(c, goals)
}

// resettle does so where some classes are suppressed already.
func (j *judge) resettle(c *classes, goals bool) (lost int) {
	j.left(c, false)
	for kept := -1; kept != len(j.rest.rep); {
		kept = len(j.rest.rep)
		for k := range j.f.sets {
			w := &j.f.sets[k]
			d := j.among(c, w, goals)
			for s, class := range j.roller.of {
				bad := int(d.count[class]) < w.goals.K || goals && !j.diverse(&w.goals, d, int(class))
				if at := j.at[s]; bad && !j.lacks(c.rep[at], w) {
					j.out[at] = c.count[at]
				}
			}
		}
		j.left(c, false)
	}
	for _, n := range j.out {
		lost += int(n)
	}
	return lost
}

// left sets rest to the classes that are not suppressed, and at to where they stand.
func (j *judge) left(c *classes, values bool) {
	r := &j.rest
	r.rep, r.count, j.at = r.rep[:0], r.count[:0], j.at[:0]
	for class, n := range c.count {
		if j.out[class] == 0 {
			r.rep, r.count, j.at = append(r.rep, c.rep[class]), append(r.count, n), append(j.at, int32(class))
		}
	}
	r.values = slices.Grow(r.values[:0], len(c.values))[:len(c.values)]
	for a := range r.values {
		v := &r.values[a]
		v.start, v.runs = append(v.start[:0], 0), v.runs[:0]
		for _, class := range j.at {
			if values {
				v.runs = append(v.runs, c.values[a].of(int(class))...)
			}
			v.start = append(v.start, int32(len(v.runs)))
		}
	}
}

// among returns the classes of the kept ones in a combination, with their values or without.
func (j *judge) among(c *classes, w *within, values bool) *classes {
	j.left(c, values)
	d := j.roller.rollIn(c.levels, &j.rest, w.axes)
	if values {
		d = j.roller.join(&j.rest)
	}
	return d
}

// lacks reports whether a record lacks all values of a combination.
func (j *judge) lacks(record int32, w *within) bool {
	row := j.f.row(record)
	return !slices.ContainsFunc(w.axes, func(k int) bool { return row[k] > 0 })
}

// inSets is goal where the goals hold in combinations.
func (j *judge) inSets(c *classes, most int) (lost int) {
	goals := j.looks()
	lost = j.settle(c, goals)
	for joined := true; joined && lost <= most; {
		joined = false
		for k := range j.f.sets {
			joined = j.pool(c, &j.f.sets[k]) || joined
		}
		lost = j.resettle(c, goals)
	}
	return lost
}

// pool suppresses the smallest classes, too, until what then lacks all values of a combination, if anything does, meets
// the goals in it. It reports whether there were any.
func (j *judge) pool(c *classes, w *within) (joined bool) {
	alike := 0
	for a := range j.counts {
		clear(j.counts[a])
	}
	for class := range c.rep {
		if j.out[class] > 0 || j.lacks(c.rep[class], w) {
			j.pour(c, class)
			alike += int(c.count[class])
		}
	}
	if alike == 0 {
		return false
	}
	j.sort(c)
	for _, class := range slices.Backward(j.order) {
		if alike >= w.goals.K && j.pooled(&w.goals) {
			break
		}
		if j.lacks(c.rep[class], w) {
			continue
		}
		j.out[class], joined = c.count[class], true
		j.pour(c, int(class))
		alike += int(c.count[class])
	}
	return joined
}

// sizes returns how many records the classes have that are kept: in combinations, where the goals hold in these.
func (j *judge) sizes(c *classes) (out []int) {
	if len(j.f.sets) == 0 {
		for class, size := range c.count {
			if left := int(size - j.out[class]); left > 0 && c.rep[class] != j.f.void {
				out = append(out, left)
			}
		}
		return out
	}
	for k := range j.f.sets {
		w := &j.f.sets[k]
		d := j.among(c, w, false)
		for class, size := range d.count {
			if !j.lacks(d.rep[class], w) {
				out = append(out, int(size))
			}
		}
	}
	return out
}
