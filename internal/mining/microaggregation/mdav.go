package microaggregation

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/neighbour"
)

// grouping numbers groups as they are made.
type grouping struct {
	group []int32
	made  int
}

// mdav follows the definition of MDAV. Where people have several records, groups are begun as long as k people are
// left, for a group of k people may take most of the records, and the records left then join the nearest groups.
func mdav(ctx context.Context, l *left, k int) ([]int32, int, error) {
	g := &grouping{group: make([]int32, l.index.Len())}
	least := 2 * k
	if l.whose != nil {
		least = k
	}
	for l.count() >= least {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		two := l.count() >= 3*k
		r := l.outermost()
		l.gather(g, r, k)
		g.made++
		if two {
			l.gather(g, l.farthest(r), k)
			g.made++
		}
	}
	if l.whose != nil {
		l.adopt(g)
		return g.group, g.made, nil
	}
	for i, gone := range l.rim.gone {
		if !gone {
			g.group[i] = int32(g.made)
		}
	}
	return g.group, g.made + 1, nil
}

// gather starts a group with a record and those nearest to it that make it k, and returns these. They are valid until
// the next question.
func (l *left) gather(g *grouping, record, k int) []neighbour.Hit {
	others := l.around(record, k)
	l.join(g, record)
	for _, h := range others {
		l.join(g, h.Record)
	}
	return others
}

// join makes a record one of the group in the making.
func (l *left) join(g *grouping, record int) {
	g.group[record] = int32(g.made)
	l.remove(record)
}

// vmdav follows the definition of V-MDAV.
func vmdav(ctx context.Context, l *left, k int, gamma float64) ([]int32, int, error) {
	g, gamma2 := &grouping{group: make([]int32, l.index.Len())}, float64(gamma*gamma)
	var near []closest
	for _, seed := range l.inwards() {
		if l.rim.gone[seed] {
			continue
		}
		if l.count() < k {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		near = append(near[:0], closest{record: int(seed)})
		for _, h := range l.gather(g, int(seed), k) {
			near = append(near, closest{record: h.Record})
		}
		if gamma > 0 {
			near = l.extend(g, near, 2*k-1, gamma2)
		}
		g.made++
	}
	l.adopt(g)
	return g.group, g.made, nil
}

// closest is a record of a group with the nearest to it outside.
type closest struct {
	record  int
	outside neighbour.Hit
}

// extend lets the group in the making grow to the size at most, in people, and returns its records.
func (l *left) extend(g *grouping, near []closest, size int, gamma2 float64) []closest {
	for m := range near {
		near[m].outside = l.other(near[m].record)
	}
	own := l.among(near)
	for own.Size() < size && l.index.Len() > 0 {
		best := near[0].outside
		for _, c := range near[1:] {
			if o := c.outside; o.Squared < best.Squared || o.Squared == best.Squared && o.Record < best.Record {
				best = o
			}
		}
		if !(best.Squared < gamma2*l.other(best.Record).Squared) {
			break
		}
		l.join(g, best.Record)
		near = append(near, closest{best.Record, best})
		own.Add(best.Record)
		for m := range near {
			if near[m].outside.Record == best.Record {
				near[m].outside = l.other(near[m].record)
			}
		}
	}
	return near
}

// other returns the record left that is nearest to a record, and not itself; at an infinite distance where there is
// none.
func (l *left) other(record int) neighbour.Hit {
	if hits := l.index.nearest(l.row(record), 1, record); len(hits) > 0 {
		return hits[0]
	}
	return neighbour.Nobody
}

// adopt puts the records left, of fewer than k, into the group of the record nearest to them.
func (l *left) adopt(g *grouping) {
	if l.whose != nil {
		l.adoptMany(g)
		return
	}
	for i, gone := range l.rim.gone {
		if gone {
			continue
		}
		nearest := math.Inf(1)
		for o, in := range l.rim.gone {
			if !in {
				continue
			}
			if d := l.squared(l.row(i), l.row(o)); d < nearest {
				nearest, g.group[i] = d, g.group[o]
			}
		}
	}
}

// inwards returns all records, the farthest from their centre first.
func (l *left) inwards() []int32 {
	order := slices.Clone(l.rim.alive)
	away := l.distances(l.centre.append(nil), order)
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(away[b], away[a]), cmp.Compare(a, b)) })
	return order
}
