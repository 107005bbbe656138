package protect

import "slices"

// Wrapper is a plan that applies others, one after the other or each to records of its own, but is no Composite.
type Wrapper interface {
	Plan
	// Inner returns the plans, at least one.
	Inner() []Plan
}

// Sequence is a plan whose inner ones follow one another: each takes what the one before released.
type Sequence interface {
	Wrapper
	Sequential()
}

// Alone returns the columns whose released value in a record depends on that record alone, in the order of Changes:
// those of the steps for which no records need meet. The others are returned as met.
func Alone(p Plan) (alone, met []string) {
	meeting := map[string]bool{}
	gather(p, meeting)
	for _, name := range p.Changes() {
		if meeting[name] {
			met = append(met, name)
		} else {
			alone = append(alone, name)
		}
	}
	return alone, met
}

// gather adds the columns of the steps for which records meet. A plan that applies others to what is no longer the
// original meets wherever one of them does.
func gather(p Plan, meeting map[string]bool) {
	if c, ok := p.(Composite); ok {
		for _, s := range c.Steps() {
			gather(s, meeting)
		}
		return
	}
	if meets(p) {
		for _, name := range p.Changes() {
			meeting[name] = true
		}
	}
}

// meets reports whether a plan, or one inside it, needs records to meet.
func meets(p Plan) bool {
	switch w := p.(type) {
	case Composite:
		return slices.ContainsFunc(w.Steps(), meets)
	case Wrapper:
		return slices.ContainsFunc(w.Inner(), meets)
	}
	_, ok := p.(Grouper)
	return ok
}

// Dealers returns the steps of a plan that deal values out inside leaves, of those whose columns no other step changes.
func Dealers(p Plan) (out []Dealer) {
	var steps []Plan
	var list func(p Plan)
	list = func(p Plan) {
		c, ok := p.(Composite)
		if !ok {
			steps = append(steps, p)
			return
		}
		for _, s := range c.Steps() {
			list(s)
		}
	}
	list(p)
	changed := map[string]int{}
	for _, s := range steps {
		for _, name := range s.Changes() {
			changed[name]++
		}
	}
	for _, s := range steps {
		d, ok := s.(Dealer)
		if ok && !slices.ContainsFunc(d.Changes(), func(name string) bool { return changed[name] > 1 }) {
			out = append(out, d)
		}
	}
	return out
}
