package microaggregation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/sorting"
)

// partition is a partition of records: those of group g are records[ends[g-1]:ends[g]], the first from 0.
type partition struct {
	group         []int32
	records, ends []int32
}

func newPartition(group []int32, groups int) *partition {
	p := &partition{group: group}
	p.records, p.ends = Members(group, groups)
	return p
}

// replace returns the values of a column, each of them the centre, rounded, of those of its group; missing ones (NaN)
// stay. Weights may be nil. Groups that know some values, but of fewer than k people, are pooled: how many is the
// second result. A column that knows some values, but of fewer than k, is an error. Whose says by record whose it is,
// nil where every record is a person's.
func (p *partition) replace(
	v, weights []float64,
	kind Kind,
	whose []int32,
	k int,
	round func(float64) float64,
) (out []float64, pooled int, err error) {
	known, people := 0, headcount.Of(whose)
	for i, x := range v {
		if x == x {
			known++
			if people.Size() < k {
				people.Add(i)
			}
		}
	}
	if n := people.Size(); known > 0 && n < k {
		return nil, 0, fmt.Errorf("has %d known values, expected none or at least k = %d; leave it out (except)", n, k)
	}
	if known < len(v) {
		p, pooled = p.pool(v, weights, kind, whose, k)
	}
	out = slices.Clone(v)
	b := bag{kind: kind}
	lo := int32(0)
	for _, hi := range p.ends {
		members := p.records[lo:hi]
		lo = hi
		if b.fill(v, weights, members); len(b.values) == 0 {
			continue
		}
		c := round(b.centre())
		for _, i := range members {
			if v[i] == v[i] {
				out[i] = c
			}
		}
	}
	return out, pooled, nil
}

// short is a group that knows too few values, or one that takes such a group in.
type short struct {
	group   int32
	members []int32 // its records
	centre  float64 // of its known values
}

// pool returns the partition with the groups joined that know some values of a column, but fewer than k, and how many
// groups these are. In the order of their centres they are joined one after the other until k values are known, the
// last ones with those before; where all together know fewer, with the other group whose centre is nearest. The column
// knows k values at least.
func (p *partition) pool(v, weights []float64, kind Kind, whose []int32, k int) (*partition, int) {
	var few, enough []short
	b := bag{kind: kind}
	lo := int32(0)
	people := headcount.Of(whose)
	for g, hi := range p.ends {
		members := p.records[lo:hi]
		lo = hi
		b.fill(v, weights, members)
		people.Clear()
		people.AddKnown(v, members)
		switch n := people.Size(); {
		case n == 0:
		case n < k:
			few = append(few, short{int32(g), members, b.centre()})
		default:
			enough = append(enough, short{int32(g), members, b.centre()})
		}
	}
	if len(few) == 0 {
		return p, 0
	}
	into := make([]int32, len(p.ends))
	for g := range into {
		into[g] = int32(g)
	}
	people.Clear()
	join(few, enough, people, v, k, into)
	group := make([]int32, len(p.group))
	for i, g := range p.group {
		group[i] = into[g]
	}
	return newPartition(group, len(p.ends)), len(few)
}

// join sets which group each of the few is part of. People is of the pool that is being filled, at first nobody.
func join(few, enough []short, people *headcount.Tally, v []float64, k int, into []int32) {
	sorting.Func(few,
		func(a, b short) int { return cmp.Or(cmp.Compare(a.centre, b.centre), cmp.Compare(a.group, b.group)) })
	pool, last := few[0].group, int32(-1)
	for _, s := range few {
		if people.Size() == 0 {
			pool = s.group
		}
		into[s.group] = pool
		if people.AddKnown(v, s.members); people.Size() >= k {
			last = pool
			people.Clear()
		}
	}
	if people.Size() == 0 {
		return
	}
	if last < 0 { // all together are too few
		last = slices.MinFunc(enough, func(a, b short) int {
			return cmp.Or(cmp.Compare(math.Abs(a.centre-few[0].centre), math.Abs(b.centre-few[0].centre)),
				cmp.Compare(a.group, b.group))
		}).group
	}
	for _, s := range few {
		if into[s.group] == pool {
			into[s.group] = last
		}
	}
}

// bag is the known values of a group, with their weights.
type bag struct {
	kind    Kind
	values  []float64
	weights []float64 // nil: all the same
	order   []int
}

// fill puts the known values of some records into the bag.
func (b *bag) fill(v, weights []float64, records []int32) {
	b.values, b.weights = b.values[:0], b.weights[:0]
	for _, i := range records {
		if v[i] == v[i] {
			b.values = append(b.values, v[i])
			if weights != nil {
				b.weights = append(b.weights, weights[i])
			}
		}
	}
}

// weight returns the weight of the i-th value.
func (b *bag) weight(i int) float64 {
	if len(b.weights) == 0 {
		return 1
	}
	return b.weights[i]
}

// centre returns the weighted mean, median or mode of what is in the bag.
func (b *bag) centre() float64 {
	if b.kind == Number {
		return b.mean()
	}
	b.order = b.order[:0]
	var total exact.Sum
	for i := range b.values {
		b.order = append(b.order, i)
		total.Add(b.weight(i))
	}
	slices.SortFunc(b.order,
		func(i, j int) int { return cmp.Or(cmp.Compare(b.values[i], b.values[j]), cmp.Compare(i, j)) })
	var upTo, own exact.Sum // the weight up to a value, and of the value
	best, most := 0.0, -1.0
	all := total.Float64()
	for at, i := range b.order {
		if at > 0 && b.values[i] != b.values[b.order[at-1]] {
			own = exact.Sum{}
		}
		upTo.Add(b.weight(i))
		own.Add(b.weight(i))
		switch {
		case b.kind == Ordinal && 2*upTo.Float64() >= all:
			return b.values[i]
		case b.kind == Nominal && own.Float64() > most:
			best, most = b.values[i], own.Float64()
		}
	}
	return best
}

// mean returns the weighted mean, between the smallest and the largest value.
func (b *bag) mean() float64 {
	var s, w exact.Sum
	lo, hi, scale := slices.Min(b.values), slices.Max(b.values), 1.0
	if max(hi, -lo) > 1e100 {
		scale = 0x1p-700 // so that sums are finite
	}
	for i, v := range b.values {
		s.Add(float64(b.weight(i) * (scale * v)))
		w.Add(b.weight(i))
	}
	return min(max(s.Float64()/w.Float64()/scale, lo), hi)
}
