package reconstructedtree

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// member is a record at a node, under the assumption that some groups of it were exchanged.
type member struct {
	row       int32
	exchanged uint32  // bit g: group g is assumed to be
	weight    float64 // the product of the factors of the groups that the path touches
}

// nothing is the share of the records up to which an estimate counts as 0: rounding leaves less of terms that cancel.
const nothing = 1e-9

// grower grows one tree.
type grower struct {
	ctx     context.Context
	t       *table.Table
	class   int
	group   []int        // by column; -1 for none
	factors [][2]float64 // by group
	records float64      // whose class is known
	least   float64      // records that a node needs to be divided
	delta   float64
	nodes   []tree.Node
}

func newGrower(ctx context.Context, t *table.Table, class int, groups []transition.Group) *grower {
	g := &grower{ctx: ctx, t: t, class: class, group: slices.Repeat([]int{-1}, t.Width())}
	for k := range groups {
		g.factors = append(g.factors, groups[k].Weights())
		for _, j := range groups[k].Columns {
			g.group[j] = k
		}
	}
	for _, c := range t.Cat(class) {
		if c >= 0 {
			g.records++
		}
	}
	return g
}

// tree grows the tree from its root.
func (g *grower) tree() (*tree.Tree, error) {
	var free []int
	for j := range g.t.Width() {
		a := g.t.Attr(j)
		if j != g.class && a.Kind == table.Categorical && a.Role&(table.Identifier|table.Weight) == 0 && len(a.Labels) > 1 {
			free = append(free, j)
		}
	}
	if err := g.grow(g.members(), 0, free, 0); err != nil {
		return nil, err
	}
	return &tree.Tree{Attrs: g.t.Attrs(), Class: g.class, Nodes: g.nodes}, nil
}

// members returns the records that have a class.
func (g *grower) members() []member {
	out := make([]member, 0, int(g.records))
	for i, c := range g.t.Cat(g.class) {
		if c >= 0 {
			out = append(out, member{row: int32(i), weight: 1})
		}
	}
	return out
}

// grow appends the subtree of some members. Touched has a bit for every group of which the path tests an attribute;
// free are the attributes that it does not test.
func (g *grower) grow(members []member, touched uint32, free []int, label int32) error {
	counts := g.estimate(members, touched, -1)
	size := min(vector.Sum(counts), g.records)
	counts = transition.Clip(counts)
	if size > 0 {
		label = int32(floats.MaxIdx(counts))
	}
	at := len(g.nodes)
	g.nodes = append(g.nodes, tree.Node{Attr: -1, Counts: counts, Label: label})
	if all := vector.Sum(counts); size <= 0 || size < g.least || counts[label] == all || counts[label] > (1-g.delta)*all {
		return g.ctx.Err()
	}
	best, sizes, err := g.choose(members, touched, free, size)
	if err != nil || best < 0 {
		return err
	}
	free = slices.DeleteFunc(slices.Clone(free), func(j int) bool { return j == best })
	return g.divide(at, best, sizes, members, touched, free)
}

// divide turns the leaf into a test of column j, whose categories have the estimated sizes.
func (g *grower) divide(at, j int, sizes []float64, members []member, touched uint32, free []int) error {
	parts := g.split(members, touched, j)
	if k := g.group[j]; k >= 0 {
		touched |= 1 << k
	}
	branch, kids, label := make([]int32, len(sizes)), []int32(nil), g.nodes[at].Label
	heavy, none, most := int32(0), int32(-1), 0.0
	for v, size := range sizes {
		if size <= 0 && none >= 0 {
			branch[v] = none
			continue
		}
		branch[v] = int32(len(kids))
		kids = append(kids, int32(len(g.nodes)))
		if size <= 0 {
			none, parts[v] = branch[v], nil
		} else if size > most {
			heavy, most = branch[v], size
		}
		if err := g.grow(parts[v], touched, free, label); err != nil {
			return err
		}
	}
	n := &g.nodes[at]
	n.Attr, n.Branch, n.Kids, n.Heavy = j, branch, kids, heavy
	return nil
}

// choose returns the column of the largest gain, of equal ones the first, with the estimated size of each of its
// categories; -1 where none divides the members.
func (g *grower) choose(
	members []member,
	touched uint32,
	free []int,
	size float64,
) (best int, sizes []float64, err error) {
	gains, all := make([]float64, len(free)), make([][]float64, len(free))
	err = parallel.Each(g.ctx, len(free), func(k int) error {
		gains[k], all[k] = g.gain(g.estimate(members, touched, free[k]), size)
		return nil
	})
	best, most := -1, math.Inf(-1)
	for k, j := range free {
		if gains[k] > most+1e-12 {
			best, most, sizes = j, gains[k], all[k]
		}
	}
	return best, sizes, err
}

// gain returns the information gained by a division, given estimates[v*classes+c], times the share of the members of
// which the tested value is known, and the size of every branch. It is negative infinity where less than two branches
// have members.
func (g *grower) gain(estimates []float64, size float64) (gain float64, sizes []float64) {
	classes := len(g.t.Attr(g.class).Labels)
	whole, occupied := make([]float64, classes), 0
	var branches [][]float64
	for v := range len(estimates) / classes {
		branch := transition.Clip(estimates[v*classes : (v+1)*classes])
		sizes, branches = append(sizes, vector.Sum(branch)), append(branches, branch)
		if sizes[v] > nothing*g.records {
			occupied++
		} else {
			sizes[v] = 0
		}
		floats.Add(whole, branch)
	}
	if occupied < 2 {
		return math.Inf(-1), sizes
	}
	return float64(criterion.Of(branches).Gain * min(1, vector.Sum(whole)/size)), sizes
}

// estimate returns the estimated number of original records of the node by value of column j and class,
// estimates[v*classes+c]; for j = -1 by class alone. A group that the path does not touch yet is undone at the end, in
// the sums.
func (g *grower) estimate(members []member, touched uint32, j int) []float64 {
	class, classes := g.t.Cat(g.class), len(g.t.Attr(g.class).Labels)
	values, column, of := 1, []int32(nil), -1
	if j >= 0 {
		values, column, of = len(g.t.Attr(j).Labels), g.t.Cat(j), g.group[j]
	}
	mask, classMask := g.mask(of, touched), g.mask(g.group[g.class], touched)
	exactly := make([]exact.Sum, values*classes)
	for i := range members {
		m, v := &members[i], int32(0)
		if column != nil {
			if v = column[m.row]; v < 0 {
				continue
			}
			v = flip(v, m.exchanged&mask)
		}
		exactly[int(v)*classes+int(flip(class[m.row], m.exchanged&classMask))].Add(m.weight)
	}
	sums := exact.Rounded(exactly)
	open, classOpen := of >= 0 && mask == 0, g.group[g.class] >= 0 && classMask == 0
	switch {
	case open && of == g.group[g.class]:
		return transition.Undo(sums, classes, g.factors[of], true, true)
	case open:
		sums = transition.Undo(sums, classes, g.factors[of], true, false)
	}
	if classOpen {
		sums = transition.Undo(sums, classes, g.factors[g.group[g.class]], false, true)
	}
	return sums
}

// mask returns the bit of a group that is touched, else 0.
func (g *grower) mask(group int, touched uint32) uint32 {
	if group < 0 {
		return 0
	}
	return touched & (1 << group)
}

// flip returns the other one of two codes where any bit is set.
func flip(code int32, bits uint32) int32 {
	if bits != 0 {
		return 1 - code
	}
	return code
}

// split returns the members of the branches of column j. The first test of a group sends every record down both.
func (g *grower) split(members []member, touched uint32, j int) [][]member {
	parts := make([][]member, len(g.t.Attr(j).Labels))
	of, column := g.group[j], g.t.Cat(j)
	mask := g.mask(of, touched)
	for _, m := range members {
		v := column[m.row]
		switch {
		case v < 0:
		case of >= 0 && mask == 0:
			f := g.factors[of]
			parts[v] = append(parts[v], member{m.row, m.exchanged, float64(m.weight * f[0])})
			if f[1] != 0 {
				parts[1-v] = append(parts[1-v], member{m.row, m.exchanged | 1<<of, float64(m.weight * f[1])})
			}
		default:
			v = flip(v, m.exchanged&mask)
			parts[v] = append(parts[v], m)
		}
	}
	return parts
}
