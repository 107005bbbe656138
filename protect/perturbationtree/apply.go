package perturbationtree

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Apply replaces the confidential values. The records of a leaf are looked at in the order of their identities.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		cols := t.Columns()
		for k := range p.Parts {
			if err := p.apply(t, k, cols, src.Fork("tree").Fork(fmt.Sprint(k))); err != nil {
				return nil, err
			}
		}
		return t.WithColumns(cols)
	})
}

// apply replaces the columns of one tree.
func (p *Plan) apply(t *table.Table, k int, cols []table.Column, src rng.Source) error {
	x := &p.Parts[k]
	leaf, err := x.route(t)
	if err != nil {
		return err
	}
	whose, _ := t.People()
	known := make([][]float64, len(x.Columns)) // the confidential values
	for c, j := range x.Columns {
		known[c] = inside(t.Num(j), p.Attrs[j].Domain)
		if err := p.enough(known[c], leaf, x.Tree.Leaves(), whose); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[j].Name, err)
		}
	}
	of, groups := [][]int32{leaf}, x.Tree.Leaves()
	switch p.Inside {
	case Swap:
		return p.swap(t, x, cols, known, leaf, src)
	case Microaggregate:
		if of, groups, err = p.microaggregate(t, x, known, leaf, whose, src); err != nil {
			return err
		}
	}
	weights, err := protect.Weights(t)
	if err != nil {
		return err
	}
	return parallel.Each(context.Background(), len(x.Columns), func(c int) error {
		a := p.attribute(x.Columns[c])
		y := make([]float64, t.Rows())
		replace(y, known[c], weights, of[min(c, len(of)-1)], groups, rounded(&a))
		cols[x.Columns[c]] = table.Column{Attribute: a, Num: y}
		return nil
	})
}

// enough refuses records of which a leaf has some known values, but of too few people: they are not those that the plan
// was fitted on.
func (p *Plan) enough(v []float64, leaf []int32, leaves int, whose []int32) error {
	count := knowing(v, leaf, leaves, whose)
	for l := range count {
		if n := count[l].Size(); n > 0 && n < p.Least {
			return fmt.Errorf("leaf %d has %s here, a group needs %d: apply the plan to the records it was fitted on", l+1,
				protect.Known(count[l].Records(), n), p.Least)
		}
	}
	return nil
}
