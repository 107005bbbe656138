package modelfile

import "github.com/dither-data/dither/noisemodel/transition"

// Marginal returns the transitions of the categories of the k-th column of a part by itself, in a record of which these
// columns of the part are not missing (nil: all); false where the part is not one of categories.
func (p *Part) Marginal(k int, present []bool) (transition.Matrix, bool) {
	switch {
	case p.Category != nil:
		return transition.Uniform(p.Category.Categories, p.Category.Keep), true
	case p.Group != nil:
		return transition.Uniform(2, p.Group.Theta), true
	case p.Record != nil:
		size := 1.0
		for c, n := range p.Record.Categories {
			if present == nil || present[c] {
				size = float64(size * float64(n))
			}
		}
		n := p.Record.Categories[k]
		x := 1 / (p.Record.Gamma + size - 1)
		return transition.Uniform(n, float64(x*(p.Record.Gamma+size/float64(n)-1))), true
	}
	return nil, false
}
