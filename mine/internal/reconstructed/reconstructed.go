// Package reconstructed is what miners share that learn from a release what its original was like, by the law of the
// release: trees of Agrawal & Srikant 2000 and naive Bayes.
//
// What the trees do. The range of a number is divided into intervals of the same width. In a group of records the
// distribution over the intervals is reconstructed (internal/noise/reconstruction); the lowest released values are
// given to the first interval, as many as it is to have by that distribution, the next to the second, and so on. What
// an interval then holds are not the records that were there but as many as were, with the order of the released values
// kept. Tests divide numbers at limits of intervals only, by the least gini; a record goes where its interval is,
// whatever its released value. The tree tests values of the original: it is for records that are not randomised.
//
// The group is all records for Global, and those of one class for ByClass; both are done once. Local does what ByClass
// does again in every node, for the classes that have enough records there. Randomised takes the released values as
// they are; of an original that is the paper's Original.
//
// Categories have the two sides of a set and its complement. Those whose law is published are reconstructed as numbers
// are; then as few records as possible change the category, so that each has as many as it is to have.
//
// Nodes are divided as long as a side gains, and pruned bottom up where a leaf takes fewer bits than the test with what
// is below it (minimum description length, Mehta, Rissanen & Agrawal 1995): the classes of the records, a bit for every
// node, and for a test which column and which of its cuts, or which set of categories.
//
// Missing values: a record counts for the gain of what it has; where the tested value is missing it goes to the side of
// more records. Records without a class are left out.
//
// References: R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000, section 4; M. Mehta, J.
// Rissanen and R. Agrawal, "MDL-based decision tree pruning", KDD 1995; L. Breiman, J. H. Friedman, R. A. Olshen and C.
// J. Stone, "Classification and regression trees", 1984.
package reconstructed

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/noise/reassign"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Group says whose values are reconstructed together.
type Group int

// The groups.
const (
	Nobody Group = iota // values are as they are: Randomised, and of an original Original
	All
	Classes
	ClassesOfNode
)

// Estimates are how distributions are reconstructed.
type Estimates struct {
	Intervals int // of a number; 0: by the number of records
}

// Params declares the parameters.
func (e *Estimates) Params() param.Set {
	return param.Set{
		param.Int(&e.Intervals, "intervals", 0, 0, 1000, "intervals", "for each reconstructed distribution; 0: one "+
			"per hundred records, from 10 to 100"),
	}
}

// Learner grows trees. The zero value is not usable; take New.
type Learner struct {
	Estimates
	MinLeaf  int  // records on both sides of a test
	MinLocal int  // records of a class that are reconstructed anew in a node
	NoPrune  bool // keep the tree as grown

	group Group
	law   *modelfile.Model
}

var _ mine.LawLearner = (*Learner)(nil)

// New returns a learner with the defaults.
func New(g Group) *Learner { return param.Default(&Learner{group: g}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	out := append(l.Estimates.Params(),
		param.Int(&l.MinLeaf, "minLeaf", 2, 1, math.MaxInt32, "records", "minimum on both sides of a test"),
		param.Bool(&l.NoPrune, "noPrune", false, "keep the tree as grown"))
	if l.group == ClassesOfNode {
		out = append(out, param.Int(&l.MinLocal, "minLocal", 100, 1, math.MaxInt32, "records", "minimum of a class "+
			"in a node; otherwise their intervals are those of the parent node"))
	}
	return out
}

// ByLaw tells the law of the tables that are fitted from now on.
func (l *Learner) ByLaw(law *modelfile.Model) { l.law = law }

// NeedsLaw reports whether the tree is one of reconstructed distributions.
func (l *Learner) NeedsLaw() bool { return l.group != Nobody }

// Fit grows a *tree.Tree of the original records, for the column with the role Class. It draws no random numbers.
func (l *Learner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	a := t.Attr(class)
	g := &grower{ctx: ctx, class: t.Cat(class), classes: len(a.Labels), minLeaf: l.MinLeaf, prune: !l.NoPrune}
	var rows []int32
	occurs := make([]float64, g.classes)
	for i, c := range g.class {
		if c >= 0 {
			rows = append(rows, int32(i))
			occurs[c] = 1
		}
	}
	g.records = len(rows)
	if g.occur = int(sum(occurs)); g.occur == 0 {
		return nil, fmt.Errorf("class %q has no value in the %d records", a.Name, t.Rows())
	}
	if g.inputs, err = l.inputs(t, class, len(rows)); err != nil {
		return nil, err
	}
	if err := l.root(g, rows); err != nil {
		return nil, err
	}
	b, err := g.grow(rows, 0, make([]bool, len(g.inputs)))
	if err != nil {
		return nil, err
	}
	out := &tree.Tree{Attrs: originals(t, g.inputs), Class: class}
	b.flat(&out.Nodes)
	return out, nil
}

// originals returns the schema of the original, as far as the law tells it.
func originals(t *table.Table, inputs []*input) []table.Attribute {
	out := t.Attrs()
	for _, in := range inputs {
		if in.values != nil && in.source.Law != nil {
			out[in.attr].Domain, out[in.attr].Declared = in.source.Domain, true
		}
	}
	return out
}

// root gives all records to cells.
func (l *Learner) root(g *grower, rows []int32) error {
	none := make([]bool, len(g.inputs))
	switch l.group {
	case Nobody:
	case All:
		return g.estimate(rows, none, func(in *input, known []int32) error { return l.assign(g.ctx, in, known) })
	case Classes, ClassesOfNode:
		if l.group == ClassesOfNode {
			g.again = func(rows []int32, tested []bool) error {
				return g.estimate(rows, tested,
					func(in *input, known []int32) error { return l.assignClasses(g, in, known, l.MinLocal) })
			}
		}
		return g.estimate(rows, none, func(in *input, known []int32) error { return l.assignClasses(g, in, known, 1) })
	}
	return nil
}

// estimate calls assign for every input whose law is published, but for those left out, with the rows whose value is
// known.
func (g *grower) estimate(rows []int32, but []bool, assign func(in *input, known []int32) error) error {
	return parallel.Each(g.ctx, len(g.inputs), func(j int) error {
		in := g.inputs[j]
		if !in.source.noisy() || but[j] {
			return nil
		}
		known := make([]int32, 0, len(rows))
		for _, i := range rows {
			if !in.missing(i) {
				known = append(known, i)
			}
		}
		return assign(in, known)
	})
}

// assignClasses assigns the rows of every class that has enough of them.
func (l *Learner) assignClasses(g *grower, in *input, known []int32, least int) error {
	groups := make([][]int32, g.classes)
	for _, i := range known {
		groups[g.class[i]] = append(groups[g.class[i]], i)
	}
	for _, rows := range groups {
		if len(rows) < least {
			continue
		}
		if err := l.assign(g.ctx, in, rows); err != nil {
			return err
		}
	}
	return nil
}

// assign reconstructs the distribution of a group and gives its rows to cells. The rows may be put in another order.
func (l *Learner) assign(ctx context.Context, in *input, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	shares, err := in.shares(ctx, rows)
	if err != nil {
		return err
	}
	counts := reassign.Counts(len(rows), shares)
	if in.values != nil {
		reassign.Ordered(rows, in.values, counts, in.codes)
	} else {
		reassign.Nearest(rows, in.released, counts, in.codes)
	}
	return nil
}
