package mondrian

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// Check refuses a decoded partition that is not one of columns with these attributes.
func (p *Partition) Check(attrs []table.Attribute) error {
	if len(p.Axes) != len(attrs) {
		return fmt.Errorf("there are %d axes, expected %d", len(p.Axes), len(attrs))
	}
	for k := range p.Axes {
		if err := p.Axes[k].check(&attrs[k]); err != nil {
			return err
		}
	}
	if err := p.checkNodes(); err != nil {
		return err
	}
	for k := range p.Axes {
		x := &p.Axes[k]
		for n, s := range p.extents(k) {
			if !(s.lo < s.hi) || x.Order != nil && (s.lo != math.Trunc(s.lo) || s.hi != math.Trunc(s.hi)) {
				return fmt.Errorf("region %d is cut outside its limits", n+1)
			}
		}
	}
	return nil
}

// checkNodes refuses nodes that are not one tree below every root.
func (p *Partition) checkNodes() error {
	parents := make([]int, len(p.Nodes))
	for _, root := range p.Roots {
		if !ascending(root.Missing, len(p.Axes)) || root.Node < 0 || root.Node >= len(p.Nodes) {
			return errors.New("a root of the partition is out of place")
		}
		parents[root.Node]++
	}
	for n, node := range p.Nodes {
		if node.Axis < 0 {
			continue
		}
		if node.Axis >= len(p.Axes) || math.IsNaN(node.Cut) {
			return errors.New("a region is divided by no quasi-identifier, or nowhere")
		}
		for _, kid := range node.Kids {
			if kid <= n || kid >= len(p.Nodes) {
				return errors.New("a region is inside none that comes before it")
			}
			parents[kid]++
		}
	}
	if slices.ContainsFunc(parents, func(n int) bool { return n != 1 }) {
		return errors.New("a region is inside several others, or inside none")
	}
	return nil
}

func ascending(columns []int, width int) bool {
	for k, j := range columns {
		if j < 0 || j >= width || k > 0 && columns[k-1] >= j {
			return false
		}
	}
	return true
}

func (x *Axis) check(a *table.Attribute) error {
	switch a.Kind {
	case table.Numeric:
		if x.Order != nil || x.Hierarchy != nil {
			return fmt.Errorf("column %q is numeric and has an order of categories", a.Name)
		}
	case table.Categorical:
		return x.checkOrder(a)
	case table.SetValued:
		return fmt.Errorf("column %q is %s and has no order", a.Name, a.Kind)
	}
	return nil
}

// checkOrder refuses an order that is not one of all categories, and a hierarchy of numbers.
func (x *Axis) checkOrder(a *table.Attribute) error {
	seen := make([]bool, len(a.Labels))
	for _, code := range x.Order {
		if code < 0 || int(code) >= len(seen) || seen[code] {
			return fmt.Errorf("the order of column %q is not an order of its categories", a.Name)
		}
		seen[code] = true
	}
	if len(x.Order) != len(seen) {
		return fmt.Errorf("the order of column %q has %d categories, expected %d", a.Name, len(x.Order), len(seen))
	}
	if x.Hierarchy == nil {
		return nil
	}
	if x.Hierarchy.Numeric() {
		return fmt.Errorf("column %q is categorical, and its hierarchy cuts numbers into intervals", a.Name)
	}
	return x.Hierarchy.Check()
}
