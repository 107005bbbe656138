package microaggregation

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/table"
)

// Where a table tells households or persons, columns that are one for the unit are grouped unit by unit, and what
// differs inside the units is grouped inside those groups. So what is one for a unit stays so, and a group still is of
// k units in all columns together.

// parts are the partitions of the columns.
type parts struct {
	last *partition   // the finest: records of a group agree in all columns
	of   []*partition // by position in Columns
}

// whole is one partition for all columns.
func (f *Frame) whole(p *partition) *parts {
	return &parts{p, slices.Repeat([]*partition{p}, len(f.Columns))}
}

// parts groups the records of a table.
func (f *Frame) parts(
	ctx context.Context,
	t *table.Table,
	points []float64,
	kinds []Kind,
	method Method,
) (*parts, error) {
	whose, _ := t.People()
	levels := f.levels(t)
	if levels == nil {
		group, groups, err := f.divide(ctx, points, kinds, whose, method)
		if err != nil {
			return nil, err
		}
		return f.whole(newPartition(group, groups)), nil
	}
	at := map[table.Level]*partition{}
	p := newPartition(make([]int32, t.Rows()), 1)
	for l := table.OfHousehold; l >= table.OfRecord; l-- {
		dims := levels.dims(f, l)
		if len(dims) > 0 {
			pts, own := points, kinds
			if !slices.Equal(dims, f.By) {
				pts, own = Points(t, dims)
			}
			var err error
			if p, err = f.refine(ctx, p, representatives(t, l), pts, own, whose, method); err != nil {
				return nil, err
			}
		}
		at[l] = p
	}
	out := &parts{last: p}
	for _, j := range f.Columns {
		out.of = append(out.of, at[levels[j]])
	}
	return out, nil
}

// levels are the levels of the columns, by position in the schema.
type levels map[int]table.Level

// levels returns those of the columns that are grouped or replaced; nil where none is one for a unit.
func (f *Frame) levels(t *table.Table) levels {
	if t.Owners() == nil && t.Households() == nil {
		return nil
	}
	out, some := levels{}, false
	for _, j := range slices.Concat(f.Columns, f.By) {
		if _, known := out[j]; !known {
			out[j] = t.LevelOf(j)
			some = some || out[j] > table.OfRecord
		}
	}
	if !some {
		return nil
	}
	return out
}

// dims returns the columns of a level whose distances decide: those that are replaced where no other is there.
func (l levels) dims(f *Frame, of table.Level) []int {
	other := func(j int) bool { return l[j] != of }
	if by := slices.DeleteFunc(slices.Clone(f.By), other); len(by) > 0 {
		return by
	}
	return slices.DeleteFunc(slices.Clone(f.Columns), other)
}

// representatives returns by row the first row of its unit of a level.
func representatives(t *table.Table, l table.Level) []int32 {
	of, out, first := t.Units(l), make([]int32, t.Rows()), map[int32]int32{}
	for i := range out {
		out[i] = int32(i)
		if of == nil {
			continue
		}
		if at, known := first[of[i]]; known {
			out[i] = at
		} else {
			first[of[i]] = int32(i)
		}
	}
	return out
}

// refine partitions every group of a partition, unit by unit, each of which is where the first of its records is.
func (f *Frame) refine(
	ctx context.Context,
	p *partition,
	first []int32,
	points []float64,
	kinds []Kind,
	whose []int32,
	method Method,
) (*partition, error) {
	group, groups, lo := make([]int32, len(first)), 0, int32(0)
	for _, hi := range p.ends {
		members := p.records[lo:hi]
		lo = hi
		place, units := map[int32]int{}, []int32(nil) // the first row that the group has of every unit
		for _, i := range members {
			if _, known := place[first[i]]; !known {
				place[first[i]] = len(units)
				units = append(units, i)
			}
		}
		of, n, err := f.divide(ctx, gather(points, len(kinds), units), kinds, headcount.Own(whose, units), method)
		if err != nil {
			return nil, err
		}
		for _, i := range members {
			group[i] = int32(groups) + of[place[first[i]]]
		}
		groups += n
	}
	return newPartition(group, groups), nil
}
