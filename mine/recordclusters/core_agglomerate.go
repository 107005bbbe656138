package recordclusters

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// equal is the difference below which two similarities, which lie between -1 and 1, are equal: rounding does not
// decide.
const equal = 1e-9

// merge joins the clusters of two kinds.
type merge struct {
	a, b       int32
	similarity float64
}

// agglomerator merges along chains of nearest neighbours. The similarity of a merged cluster to another lies between
// those of its parts, so two clusters that are each other's nearest stay so whatever else is merged, and the order of
// merges can be restored afterwards.
type agglomerator struct {
	*forces
	*field
	ctx     context.Context
	cluster [][]item // nil: merged into another, or done
	alive   []int32  // clusters, ascending; some may be gone
	gone    int
	merges  []merge
	height  []float64 // of every cluster, the least similarity that made it
}

// agglomerate returns the number of every kind's cluster, in the order of their first kinds, and how many clusters
// there are: k, or as many as repel each other.
func agglomerate(ctx context.Context, f *forces, kinds []Kind, k int) (of []int32, n int, err error) {
	g := &agglomerator{
		forces:  f,
		field:   f.field(),
		ctx:     ctx,
		cluster: make([][]item, len(kinds)),
		height:  make([]float64, len(kinds)),
	}
	for i := range kinds {
		g.cluster[i] = f.items(make([]item, 0, len(kinds[i].Values)), kinds[i])
		g.alive = append(g.alive, int32(i))
		g.height[i] = math.Inf(1)
	}
	for i := range kinds {
		for g.cluster[i] != nil {
			if err := g.follow(int32(i)); err != nil {
				return nil, 0, err
			}
		}
	}
	slices.SortStableFunc(g.merges, func(x, y merge) int { return cmp.Compare(y.similarity, x.similarity) })
	if k > 0 {
		g.merges = g.merges[:min(len(g.merges), max(0, len(kinds)-k))]
	}
	of, n = coreJoin(len(kinds), g.merges)
	return of, n, nil
}

// follow goes from a cluster to its nearest, from that to the nearest of that, until two are each other's nearest, and
// merges them; then goes on from the one before. A cluster at the start of the chain that nothing attracts is done: nor
// will anything that comes of the others attract it.
func (g *agglomerator) follow(start int32) error {
	chain, likeness := []int32{start}, []float64{0}
	for len(chain) > 0 {
		top := chain[len(chain)-1]
		best, s, err := g.nearest(top)
		if err != nil {
			return err
		}
		if len(chain) > 1 && s <= likeness[len(chain)-1]+equal {
			g.merge(chain[len(chain)-2], top, likeness[len(chain)-1])
			chain, likeness = chain[:len(chain)-2], likeness[:len(likeness)-2]
			continue
		}
		if s <= equal {
			g.remove(top)
			return nil
		}
		chain, likeness = append(chain, best), append(likeness, s)
	}
	return nil
}

// grain is how many clusters one piece of work looks at.
const grain = 1 << 12

// nearest returns the most similar cluster, the first of equal ones. Cost: O(values of the cluster x all values +
// values of all clusters).
func (g *agglomerator) nearest(to int32) (best int32, similarity float64, err error) {
	if g.gone > len(g.alive)/2 {
		g.alive = slices.DeleteFunc(g.alive, func(i int32) bool { return g.cluster[i] == nil })
		g.gone = 0
	}
	g.field.of(g.forces, g.cluster[to])
	type found struct {
		at int32
		s  float64
	}
	part := make([]found, (len(g.alive)+grain-1)/grain)
	err = parallel.Ranges(g.ctx, len(g.alive), grain, func(lo, hi int) error {
		p := found{-1, math.Inf(-1)}
		for _, i := range g.alive[lo:hi] {
			if c := g.cluster[i]; c != nil && i != to {
				if s := g.on(c); s > p.s {
					p = found{i, s}
				}
			}
		}
		part[lo/grain] = p
		return nil
	})
	best, similarity = -1, math.Inf(-1)
	for _, p := range part {
		if p.s > similarity {
			best, similarity = p.at, p.s
		}
	}
	return best, similarity, err
}

func (g *agglomerator) remove(i int32) {
	g.cluster[i] = nil
	g.gone++
}

// merge puts two clusters into the place of the first of them. A merge is never more similar than those that made its
// parts, rounding apart.
func (g *agglomerator) merge(a, b int32, s float64) {
	a, b = min(a, b), max(a, b)
	s = min(s, g.height[a], g.height[b])
	g.height[a] = s
	g.merges = append(g.merges, merge{a, b, s})
	g.cluster[a] = union(g.cluster[a], g.cluster[b])
	g.remove(b)
}

// union adds up two lists of values, each ascending.
func union(a, b []item) []item {
	out := make([]item, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.value < y.value:
			out, a = append(out, x), a[1:]
		case x.value > y.value:
			out, b = append(out, y), b[1:]
		default:
			out, a, b = append(out, item{x.value, x.n + y.n}), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// coreJoin returns the cluster of every kind after the merges.
func coreJoin(kinds int, merges []merge) (of []int32, n int) {
	parent := make([]int32, kinds)
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, m := range merges {
		a, b := root(m.a), root(m.b)
		parent[max(a, b)] = min(a, b)
	}
	of = make([]int32, kinds)
	for i := range of {
		if r := root(int32(i)); r == int32(i) {
			of[i] = int32(n)
			n++
		} else {
			of[i] = of[r] // the root is the first of its cluster
		}
	}
	return of, n
}
