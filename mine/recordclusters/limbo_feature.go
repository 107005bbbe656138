package recordclusters

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// feature is a distributional cluster feature: how much of every value a cluster has. A record of m known values has
// 1/m of each, so the sum is the number of records.
type feature struct {
	mass    []float64 // by value
	parts   []float64 // by value: h(mass)
	known   []int32   // the values it has some of
	size    float64   // the sum of mass
	whole   float64   // h(size)
	first   int       // the row of its first record
	members []int     // that were joined, where it is told who is
}

func newFeature(values int) *feature {
	return &feature{mass: make([]float64, values), parts: make([]float64, values), first: math.MaxInt}
}

// h returns x log2 x.
func h(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return float64(x * portable.Log2(x))
}

// put adds some of a value. What is h of the sum holds again after close.
func (f *feature) put(v int32, x float64) {
	if f.mass[v] == 0 {
		f.known = append(f.known, v)
	}
	f.mass[v] += x
	f.parts[v] = h(f.mass[v])
}

// clear empties a feature.
func (f *feature) clear() {
	for _, v := range f.known {
		f.mass[v], f.parts[v] = 0, 0
	}
	f.known, f.size, f.whole = f.known[:0], 0, 0
}

// add joins the records of another feature.
func (f *feature) add(g *feature) {
	for _, v := range g.known {
		f.put(v, g.mass[v])
	}
	f.size += g.size
	f.whole = h(f.size)
	f.first = min(f.first, g.first)
	f.members = append(f.members, g.members...)
}

func (f *feature) clone() *feature {
	out := newFeature(len(f.mass))
	out.add(f)
	return out
}

// loss returns what two features lose as they become one, in bits times records: their sizes together times the
// Jensen-Shannon divergence of their distributions, weighted by size.
func (f *feature) loss(g *feature) float64 {
	if len(f.known) < len(g.known) {
		f, g = g, f
	}
	sum := h(f.size+g.size) - f.whole - g.whole
	for _, v := range g.known {
		if y := f.mass[v]; y > 0 {
			sum += f.parts[v] + g.parts[v] - h(y+g.mass[v])
		}
	}
	return max(0, sum)
}

// information returns what clusters tell of the values, in bits times the records of all.
func information(clusters []*feature) float64 {
	if len(clusters) == 0 {
		return 0
	}
	all, sum := newFeature(len(clusters[0].mass)), 0.0
	for _, f := range clusters {
		for _, x := range f.parts {
			sum += x
		}
		sum -= f.whole
		all.add(f)
	}
	for _, x := range all.parts {
		sum -= x
	}
	return max(0, sum+all.whole)
}

// space is the records as features.
type space struct {
	columns [][]int32
	offset  []int32 // of every column's values; the last is their number
}

func newSpace(t *table.Table, cols []int, values []int) *space {
	s := &space{offset: []int32{0}}
	for k, j := range cols {
		s.columns = append(s.columns, t.Cat(j))
		s.offset = append(s.offset, s.offset[k]+int32(values[k]))
	}
	return s
}

// empty returns a feature of nothing.
func (s *space) empty() *feature { return newFeature(int(s.offset[len(s.columns)])) }

// read makes a feature that of a record, without the value of a column (-1 for none): it is empty where nothing else is
// known. A value that the space does not have is like none that a cluster has: it takes its part and is not there.
func (s *space) read(i, without int, f *feature) {
	f.clear()
	m := 0.0
	for j, codes := range s.columns {
		if j != without && codes[i] >= 0 {
			m++
		}
	}
	if m == 0 {
		return
	}
	for j, codes := range s.columns {
		if c := codes[i]; j != without && c >= 0 && c < s.offset[j+1]-s.offset[j] {
			f.put(s.offset[j]+c, 1/m)
		}
	}
	f.size, f.first = 1, i
}

// pair is the feature that one loses least with.
type pair struct {
	with int
	loss float64
}

// joining is features that are joined, two at a time. Those that are gone are nil.
type joining struct {
	all  []*feature
	near []pair // by feature: the one before it
}

// nearest finds the first of the features before one that it loses least with.
func (j *joining) nearest(i int) {
	j.near[i] = pair{-1, math.Inf(1)}
	for k, f := range j.all[:i] {
		if f != nil {
			if loss := f.loss(j.all[i]); loss < j.near[i].loss {
				j.near[i] = pair{k, loss}
			}
		}
	}
}

// least returns the feature that loses least with the one nearest to it, the first of equals.
func (j *joining) least() (best int) {
	best = -1
	for i, p := range j.near {
		if j.all[i] != nil && p.with >= 0 && (best < 0 || p.loss < j.near[best].loss) {
			best = i
		}
	}
	return best
}

// follow finds what is nearest to a feature after another one joined the one at into.
func (j *joining) follow(i, into, gone int) {
	switch {
	case j.all[i] == nil:
	case i == into || j.near[i].with == into || j.near[i].with == gone:
		j.nearest(i)
	default:
		loss := j.all[into].loss(j.all[i])
		if loss < j.near[i].loss || loss == j.near[i].loss && into < j.near[i].with {
			j.near[i] = pair{into, loss}
		}
	}
}

// limboJoin joins the two features that lose least together, the first of equals, while goes, which is told how many
// are left and what that loses: the agglomerative information bottleneck. The features are changed. Cost: O(s² v) for s
// features of v values.
func limboJoin(ctx context.Context, all []*feature, goes func(left int, loss float64) bool) ([]*feature, error) {
	j := &joining{all, make([]pair, len(all))}
	if err := parallel.Each(ctx, len(all), func(i int) error { j.nearest(i); return nil }); err != nil {
		return nil, err
	}
	for left := len(all); left > 1; left-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best := j.least()
		if !goes(left, j.near[best].loss) {
			break
		}
		into := j.near[best].with
		all[into].add(all[best])
		all[best] = nil
		err := parallel.Each(ctx, len(all)-into, func(i int) error { j.follow(into+i, into, best); return nil })
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(f *feature) bool { return f == nil }), nil
}
