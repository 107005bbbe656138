package bestorrest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// This file is LACE2 (Peters, Menzies & Layman 2015): of several holders, each adds to a shared cache only what that
// lacks. Of the records that CLIFF chooses, in random order, one that is near a leader of its class is a follower and
// is not added; any other is added, and becomes a leader. Near is as far as the median of the distances of 100 records
// from their nearest unlike neighbours. Records are compared before they are moved, with neighbours among all chosen.

// medianOf is how many records the distance that is near is found from.
const medianOf = 100

// absent stands for a missing value of a leader: points go to 1e100.
const absent = 1e200

// UseShared gives what other holders released of the same columns; nil for nothing.
func (q *MORPHTechnique) UseShared(t *table.Table) { q.shared = t }

// follow learns the leaders of what is shared, and which distance from one is near.
func (p *MORPHPlan) follow(ctx context.Context, shared, chosen *table.Table, src rng.Source) error {
	shared, err := shared.Conform(p.Attrs, true)
	if err != nil {
		return fmt.Errorf("the shared cache: %w", err)
	}
	p.Leaders, p.Classes = p.points(shared), shared.Cat(p.Class)
	for k, v := range p.Leaders {
		if v != v {
			p.Leaders[k] = absent
		}
	}
	unlike, err := p.unlike(ctx, chosen)
	if err != nil {
		return err
	}
	points, far := p.points(chosen), []float64{}
	for _, i := range chosen.First(min(medianOf, chosen.Rows()), src.Fork("near")) {
		far = append(far, p.apart(p.point(points, i), p.point(points, int(unlike[i]))))
	}
	slices.Sort(far)
	if p.Near = far[len(far)/2]; len(p.leading(chosen, src)) == 0 {
		return errors.New("the shared cache lacks nothing that this table has: there is nothing to add")
	}
	return nil
}

// point is that of a row.
func (p *MORPHPlan) point(points []float64, i int) []float64 { return points[i*len(p.By):][:len(p.By)] }

// apart is the Euclidean distance of two points: of numbers in shares of their range, 0 or 1 of categories, 1 where a
// value is missing.
func (p *MORPHPlan) apart(x, y []float64) float64 {
	sum := 0.0
	for k, j := range p.By {
		d := x[k] - y[k]
		if x[k] != x[k] || y[k] != y[k] || x[k] == absent || y[k] == absent ||
			p.Attrs[j].Kind == table.Categorical && d != 0 {
			d = 1
		}
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// leading returns the rows of chosen records that are added, ascending. Cost: O(n (m + n)) distances for m leaders.
func (p *MORPHPlan) leading(t *table.Table, src rng.Source) (rows []int) {
	points, class := p.points(t), t.Cat(p.Class)
	for _, i := range t.Order(src.Fork("leaders")) {
		x := p.point(points, i)
		near := func(y []float64) bool { return p.apart(x, y) <= p.Near }
		follows := slices.ContainsFunc(rows, func(l int) bool { return class[l] == class[i] && near(p.point(points, l)) })
		for l := 0; l < len(p.Classes) && !follows; l++ {
			follows = p.Classes[l] == class[i] && near(p.point(p.Leaders, l))
		}
		if !follows {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}

// checkLeaders refuses leaders that are not as many as their classes, and a distance that is none.
func (p *MORPHPlan) checkLeaders() error {
	if len(p.Leaders) != len(p.Classes)*len(p.By) || !(p.Near >= 0) {
		return fmt.Errorf("there are %d numbers of leaders for %d classes, near by %v", len(p.Leaders), len(p.Classes),
			p.Near)
	}
	return nil
}
