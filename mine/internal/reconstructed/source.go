package reconstructed

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/table"
)

// Sources returns what a law tells of the originals of every column of a table; nil law: nothing, the columns are as
// they are. Columns that are randomised together have the law of each by itself. It is an error where the law is not
// that of the table.
func Sources(t *table.Table, law *modelfile.Model) ([]Source, error) {
	out := make([]Source, t.Width())
	if law == nil {
		return out, nil
	}
	for k := range law.Parts {
		p := &law.Parts[k]
		for c, name := range p.Columns {
			j := t.Find(name)
			if j < 0 {
				return nil, fmt.Errorf("the noise model is for column %q, which is not in the table", name)
			}
			if err := out[j].of(p, c, t.Attr(j)); err != nil {
				return nil, fmt.Errorf("column %q: %w", name, err)
			}
		}
	}
	return out, nil
}

// of reads the law of a column, the one of that position in a part.
func (s *Source) of(p *modelfile.Part, c int, a *table.Attribute) error {
	if p.Number != nil {
		return s.number(p.Number, a)
	}
	categories := len(a.Labels)
	expected := categories
	keep := 1.0
	switch {
	case p.Category != nil:
		expected, keep = p.Category.Categories, p.Category.Keep
	case p.Record != nil:
		expected, keep = p.Record.Categories[c], alone(p.Record, c)
	case p.Group != nil:
		expected, keep = 2, p.Group.Theta
	default:
		return nil // of sets of items, which are no inputs
	}
	if a.Kind != table.Categorical {
		return fmt.Errorf("it is %s, but its noise model is for categories", a.Kind)
	}
	if categories > expected {
		return fmt.Errorf("it has %d categories, but its noise model has %d", categories, expected)
	}
	s.Transitions = uniform(categories, expected, keep)
	return nil
}

// number reads the law of a number.
func (s *Source) number(n *modelfile.Number, a *table.Attribute) error {
	if a.Kind != table.Numeric {
		return fmt.Errorf("it is %s, but its noise model is for numbers", a.Kind)
	}
	s.Domain, s.Step = table.Interval{Lo: n.Low, Hi: n.High}, n.Step
	if n.Classes == 0 {
		s.Law = n.Law()
		return nil
	}
	class := n.Class()
	for k := range n.Classes + 1 {
		s.Edges = append(s.Edges, class.From+float64(float64(k)*class.Width))
	}
	return nil
}

// alone returns with which probability a column of a record keeps its category, where the rest of the record is
// whatever it is.
func alone(r *modelfile.Record, c int) float64 {
	d := randomised.Diagonal{Gamma: r.Gamma, Size: 1}
	for _, n := range r.Categories {
		d.Size = float64(d.Size * float64(n))
	}
	return d.Keep() + (1-d.Keep())/float64(r.Categories[c])
}

// uniform keeps a category with a probability, and otherwise gives any other of those that there are with the same one.
// Those that no record was released with have no row.
func uniform(released, categories int, keep float64) [][]float64 {
	out := make([][]float64, released)
	for k := range out {
		out[k] = slices.Repeat([]float64{(1 - keep) / float64(max(1, categories-1))}, released)
		out[k][k] = keep
	}
	return out
}
