package bestorrest

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// unlike returns the row of every record's nearest unlike neighbour: of a record without a class, that of the nearest
// one with a class. Of several at one distance it is the first. Cost: an index of all other records and a search of its
// own records for every class.
func (p *MORPHPlan) unlike(ctx context.Context, t *table.Table) ([]int32, error) {
	class, points := t.Cat(p.Class), p.points(t)
	if p.memo.of(points, class) {
		return p.memo.unlike, nil
	}
	out := make([]int32, t.Rows())
	for c := int32(-1); int(c) < len(p.Attrs[p.Class].Labels); c++ {
		var own, others []int32
		for i, k := range class {
			switch {
			case k == c:
				own = append(own, int32(i))
			case k >= 0:
				others = append(others, int32(i))
			}
		}
		if len(own) == 0 {
			continue
		}
		if len(others) == 0 { // for records without a class, too: where there is one class, it has none
			return nil, fmt.Errorf("class %q has one value in the %d records, expected two or more", p.Attrs[p.Class].Name,
				t.Rows())
		}
		if err := p.nearest(ctx, points, own, others, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// points returns the records as package neighbour takes them: numbers as shares of their range.
func (p *MORPHPlan) points(t *table.Table) []float64 {
	dims := len(p.By)
	out := make([]float64, t.Rows()*dims)
	parallel.Do(dims, func(k int) {
		j := p.By[k]
		for i, c := range t.Cat(j) {
			if out[i*dims+k] = float64(c); c < 0 {
				out[i*dims+k] = math.NaN()
			}
		}
		for i, v := range t.Num(j) {
			switch {
			case p.Range[k] > 0:
				v = min(max(v/p.Range[k], -1e100), 1e100)
			case v == v:
				v = 0
			}
			out[i*dims+k] = v
		}
	})
	return out
}

// nearest writes to out, for every row of own, the one of others that is nearest.
func (p *MORPHPlan) nearest(ctx context.Context, points []float64, own, others []int32, out []int32) error {
	dims := len(p.By)
	if dims == 0 {
		for _, i := range own {
			out[i] = others[0]
		}
		return nil
	}
	candidates := make([]float64, 0, len(others)*dims)
	for _, i := range others {
		candidates = append(candidates, points[int(i)*dims:][:dims]...)
	}
	questions := make([]float64, 0, 2*len(own)*dims)
	for _, i := range own {
		x := points[int(i)*dims:][:dims]
		questions = append(append(questions, x...), x...)
	}
	nominal := make([]bool, dims)
	for k, j := range p.By {
		nominal[k] = p.Attrs[j].Kind == table.Categorical
	}
	return neighbour.BuildMixed(candidates, nominal).Each(
		ctx,
		questions,
		func(s *neighbour.MixedSearch, i int, known []float64) {
			out[own[i]] = others[s.Nearest(known, 1, -1)[0].Record]
		},
	)
}

// study sets the shares of values that cannot move.
func (p *MORPHPlan) study(ctx context.Context, t *table.Table) error {
	unlike, err := p.unlike(ctx, t)
	if err != nil {
		return err
	}
	p.memo = &memo{p.points(t), t.Cat(p.Class), unlike}
	p.Stay = make([]float64, len(p.Columns))
	return parallel.Each(ctx, len(p.Columns), func(k int) error {
		a := &p.Attrs[p.Columns[k]]
		domain, v := wrap.On(a.Domain, a.Step), t.Num(p.Columns[k])
		known, stay := 0, 0
		for i, z := range unlike {
			if v[i] == v[i] {
				known++
				if steps(&domain, v[i], v[z], p.Most) == 0 {
					stay++
				}
			}
		}
		p.Stay[k] = float64(stay) / float64(max(1, known))
		return nil
	})
}
