package uma

import (
	"slices"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Divide returns the runs of the sorted columns: every value is released inside the range of its run. Which of equal
// values at the edge of two runs is in which depends on the seed, so the sub-domain of such a value is that of all runs
// it may be in.
func (p *Plan) Divide(t *table.Table) (s segment.Segmentation, err error) {
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) {
		weights, err := p.weights(t)
		if err != nil {
			return nil, err
		}
		columns := make([]segment.Group, len(p.Columns))
		for k := range p.Columns {
			if columns[k], err = p.runs(t, k, weights); err != nil {
				return nil, err
			}
		}
		s = segment.ByGroups(t, columns)
		return t, nil
	})
	return s, err
}

// runs divides the values of the k-th column: equal values make a group, whose sub-domain reaches over the runs that
// they are in.
func (p *Plan) runs(t *table.Table, k int, weights []float64) (segment.Group, error) {
	j := p.Columns[k]
	c, err := p.gather(t, k, weights, keysOf(t, rng.Source{}))
	if err != nil {
		return segment.Group{}, err
	}
	of := slices.Repeat([]int32{-1}, t.Rows())
	var ranges []segment.Segment
	ends, run := p.partition(c), 0
	for lo := 0; lo < len(c.order); {
		hi := lo
		for hi < len(c.u) && c.u[hi] == c.u[lo] {
			of[c.order[hi]] = int32(len(ranges))
			hi++
		}
		for ends[run] <= lo {
			run++
		}
		first, last := 0, run
		if run > 0 {
			first = ends[run-1]
		}
		for ends[last] < hi {
			last++
		}
		ranges = append(ranges, p.between(t, j, c.order[first], c.order[ends[last]-1]))
		lo = hi
	}
	return segment.Group{Column: j, Of: of, Ranges: ranges}, nil
}

// between is the sub-domain from the value of one record to that of another.
func (p *Plan) between(t *table.Table, j int, from, to int32) segment.Segment {
	switch t.Attr(j).Kind {
	case table.Numeric:
		v := inside([]float64{t.Num(j)[from], t.Num(j)[to]}, p.Attrs[j].Domain)
		return segment.Segment{Num: map[int]table.Interval{j: {Lo: v[0], Hi: v[1]}}}
	case table.Categorical:
		var codes []int32
		for c := t.Cat(j)[from]; c <= t.Cat(j)[to]; c++ {
			codes = append(codes, c)
		}
		return segment.Segment{Cat: map[int][]int32{j: codes}}
	case table.SetValued: // has no order, so it is not among the columns
	}
	return segment.Segment{}
}
