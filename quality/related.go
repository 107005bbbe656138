package quality

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/relation"
)

// A constraint may be a relation between columns: operating rules of a model and the relations that releases keep are
// one thing.

// checkRelation is check for a relation.
func (c *Constraint) checkRelation(m *Model, attributes []string, at string) error {
	if c.On != "" || c.Expr != "" {
		return m.fault(at+"/relation", "a constraint has a relation, or on and expr, and not both")
	}
	r, err := relation.Parse(c.Relation)
	if err != nil {
		return m.fault(at+"/relation", "%v", err)
	}
	for _, name := range r.Columns {
		if !slices.Contains(attributes, name) {
			return m.fault(at+"/relation", "the relation is on %q, which is not an attribute of its purpose%s", name,
				spelling.Hint(name, attributes))
		}
	}
	c.related = &r
	return nil
}

// related is a constraint that is a relation. Cost: O(n).
func (e *evaluator) related(c *Constraint) (check, error) {
	b, err := c.related.Bind(e.pair.Original)
	if err != nil {
		return check{}, err
	}
	out := check{bound: &bound{}, holds: b.States(e.pair.Released)}
	for _, name := range c.related.Columns {
		j, ok := e.places[name]
		if !ok {
			return check{}, fmt.Errorf("the release has no column %q", name)
		}
		out.on = append(out.on, j)
	}
	return out, nil
}

// relation is judge for a relation: what is unknown because of a missing value falsifies nothing, what is because of a
// group cannot be judged.
func (s *state) relation(c *check, i int) expression.Truth {
	switch c.holds[i] {
	case relation.Holds:
		return expression.True
	case relation.Broken:
		return expression.False
	case relation.Unknown:
	}
	for _, j := range c.on {
		if s.is[j].MissingAt(i) {
			return expression.Unknown
		}
	}
	return expression.Failed
}

// related is the purpose of what holds between columns; nil where nothing does. Every column weighs the same, and so
// does every relation.
func (p *proposer) related() *Purpose {
	u := &Purpose{Name: "what holds between columns"}
	var columns []string
	for _, r := range p.relations {
		if slices.ContainsFunc(r.Columns, func(c string) bool { return !slices.Contains(p.columns, c) }) {
			continue
		}
		u.Constraints = append(u.Constraints,
			Constraint{Name: fmt.Sprintf("relation %d", len(u.Constraints)+1), Relation: r.String(), Weight: 1})
		for _, c := range r.Columns {
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
	}
	if columns == nil {
		return nil
	}
	w := rounded(1 / float64(len(columns)))
	for _, c := range columns {
		u.Attributes = append(u.Attributes, Attribute{c, w, w})
	}
	return u
}

// linked reports whether a relation is about both columns of a pair, so that rules on their values say less.
func (p *proposer) linked(pair [2]string) bool {
	return slices.ContainsFunc(p.relations, func(r relation.Relation) bool {
		return r.Kind != relation.NeverTogether && slices.Contains(r.Columns, pair[0]) && slices.Contains(r.Columns, pair[1])
	})
}
