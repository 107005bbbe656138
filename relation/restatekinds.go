package relation

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// order keeps a <= b: b becomes how far it is above a, or a how far it is below b.
func (p *planner) order(r Relation) error {
	a, b := r.Columns[0], r.Columns[1]
	if p.opt.Coarse {
		return p.leave(r, message.Say("relation.left.coarse"))
	}
	if !r.Strict && p.within(a, b) {
		return nil
	}
	x, y := p.t.Attr(p.t.Find(a)), p.t.Attr(p.t.Find(b))
	if x.Dates != "" && x.Dates.PerDay() != y.Dates.PerDay() {
		return p.leave(r, message.Say("relation.left.units"))
	}
	for _, way := range []struct {
		target, beside string
		down           bool
	}{{b, a, false}, {a, b, true}} {
		at, has := p.above[way.target]
		switch {
		case p.opt.Fixed(way.target), p.reaches([]string{way.beside}, way.target):
			continue
		case has && p.r.Steps[at].Down == way.down:
			p.r.Steps[at].Besides = append(p.r.Steps[at].Besides, way.beside)
			p.distance(&p.r.Steps[at], r.Strict)
			return nil
		case p.taken(way.target):
			continue
		}
		s := Step{Bound: Bound{Relation: r}, Target: way.target, Besides: []string{way.beside}, Down: way.down}
		p.distance(&s, r.Strict)
		p.above[way.target] = len(p.r.Steps)
		p.r.Steps = append(p.r.Steps, s)
		return nil
	}
	return p.leave(r, message.Say("relation.left.order"))
}

// distance fills in what a step needs to work out a distance.
func (p *planner) distance(s *Step, strict bool) {
	a := p.t.Attr(p.t.Find(s.Target))
	if strict {
		s.Least = a.Step
		for _, name := range s.Besides {
			s.Least = min(s.Least, p.t.Attr(p.t.Find(name)).Step)
		}
	}
	known, beside := make([]float64, 0, p.t.Rows()), s.beside(p.t)
	for i := range p.t.Rows() {
		if v := beside(i); v == v {
			known = append(known, v)
		}
	}
	if len(known) > 0 {
		s.Without = quantile.Nth(known, len(known)/2)
	}
	if p.opt.Public {
		s.Without = p.middle(s)
	}
}

// middle is the middle of the domain of what a target is ordered by, where it is declared; else 0.
func (p *planner) middle(s *Step) float64 {
	a := p.t.Attr(p.t.Find(s.Besides[0]))
	if mid := a.Domain.Lo + (a.Domain.Hi-a.Domain.Lo)/2; a.Declared && !math.IsInf(mid, 0) && mid == mid {
		return a.Snap(mid)
	}
	return 0
}

// only keeps a value that comes only with a category.
func (p *planner) only(r Relation) error {
	a, b := r.Columns[0], r.Columns[1]
	switch {
	case p.opt.Coarse:
		return p.leave(r, message.Say("relation.left.coarse"))
	case p.opt.Fixed(a) && r.Zero, p.opt.Fixed(b):
		return p.leave(r, message.Say("relation.left.fixed"))
	case p.taken(b), r.Zero && p.taken(a):
		return p.leave(r, message.Say("relation.left.twice").Name("column", b))
	}
	p.r.Steps = append(p.r.Steps, Step{Bound: Bound{Relation: r}, Target: b})
	return nil
}

// never keeps a pair of values apart.
func (p *planner) never(r Relation) error {
	a, b := r.Columns[0], r.Columns[1]
	if p.opt.Coarse {
		return p.leave(r, message.Say("relation.left.coarse"))
	}
	if p.fast(a) && p.fast(b) {
		why := message.Say("relation.left.fixed")
		if !p.opt.Fixed(a) && !p.opt.Fixed(b) {
			why = message.Say("relation.left.order")
		}
		return p.leave(r, why)
	}
	p.r.Never = append(p.r.Never, r)
	for _, name := range r.Columns {
		if p.fast(name) && !slices.Contains(p.r.Stay, name) {
			p.r.Stay = append(p.r.Stay, name)
		}
		p.count(name)
	}
	return nil
}

// count counts the values of a column.
func (p *planner) count(name string) {
	if p.r.Shares[name] != nil {
		return
	}
	if p.r.Shares == nil {
		p.r.Shares = map[string]map[string]int{}
	}
	c, counts := p.t.Column(p.t.Find(name)), map[string]int{}
	if c.Kind == table.Numeric {
		same := map[uint64]int{}
		for _, v := range c.Num {
			if v == v {
				same[math.Float64bits(v)]++
			}
		}
		for bits, n := range same {
			counts[strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)] += n
		}
	} else {
		records := make([]int, len(c.Labels))
		for _, code := range c.Cat {
			if code >= 0 {
				records[code]++
			}
		}
		for code, n := range records {
			if n > 0 {
				counts[c.Labels[code]] += n
			}
		}
	}
	p.r.Shares[name] = counts
}

// fast reports whether a column cannot be drawn anew: it stays, is computed, or another one than what it determines is
// computed from it.
func (p *planner) fast(name string) bool {
	return p.opt.Fixed(name) || p.taken(name) || slices.ContainsFunc(p.r.Steps, func(s Step) bool {
		return s.Kind != Determines && (slices.Contains(s.Columns, name) || slices.Contains(s.Besides, name))
	})
}
