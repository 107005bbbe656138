package forests

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Credal grows credal decision trees, one per attribute that is informative about the class: the ensemble of
// Abellan & Masegosa 2010, which Fletcher & Islam 2015, section 3, suggests as an alternative to SysFor.
//
// The entropy of a class is taken at its largest over the imprecise Dirichlet model, which leaves open
// how s more records would fall (criterion.UpperEntropy). A node tests the attribute whose imprecise information gain,
// the fall of that entropy, is largest; gain can be negative, and a node without positive gain is a leaf: there is no
// pruning. Numeric attributes are cut once, on the whole training table, by the description length of Fayyad & Irani
// 1993; an attribute, cut or categorical, divides all its values at once and is tested at most once on a path. One tree
// is grown per attribute of positive gain at the root, with that attribute at the root, best first. The first of them
// is the credal decision tree of Abellan & Moral 2003.
//
// What an intruder learns from the forest: exact counts; there is no smallest leaf, so a leaf can single out a person.
// A forest of confidential records is itself confidential.
//
// Missing values: in training they are replaced by the mean of a numeric attribute, by the most frequent category of a
// categorical one, as the authors do; the forest then routes and predicts as any other (package segment/tree). Records
// whose class is missing are left out.
//
// Cost: a sort per numeric attribute; O(p n k) per level of a tree for p attributes, n records and k classes.
//
// Readings: a numeric test of several cuts becomes a nest of tests of one cut each, in halves, so that trees stay
// plain ones; neighbouring intervals without records share a leaf, so do categories without records. Such a leaf
// has the label of its parent, but no counts, so it says nothing in a credal vote. Of attributes of
// equal gain the first wins.
//
// Reference: J. Abellan and S. Moral, "Building classification trees using the total uncertainty criterion", 2003;
// J. Abellan and A. R. Masegosa, "An ensemble method using credal decision trees", EJOR 205, 2010; U. Fayyad and
// K. Irani, "Multi-interval discretization of continuous-valued attributes for classification learning", IJCAI 1993.
var Credal = mine.Miner{
	Card: card.Card{
		Name:    "credal",
		Title:   "Credal decision trees",
		Aliases: []string{"Credal decision tree", "CDT", "Ensemble of credal decision trees"},
		Summary: "Grows one tree per informative attribute, with that attribute at the root, by the gain in upper entropy.",
		Paper:   "Abellan & Masegosa 2010; Fletcher & Islam 2015, section 3",
		Needs:   "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "exact counts of the training records, including single ones",
		Missing: "replaced in training by the mean or most frequent category; records without a class are omitted",
		Cost:    "O(p n k) per level of each tree",
	},
	New: func() mine.Learner { return CredalNew() },
}

// CredalLearner grows forests of credal trees. The zero value is not usable; take New.
type CredalLearner struct {
	Trees  int     // at most so many trees; 0: one per attribute of positive gain
	S      float64 // weight of the hidden records of the imprecise Dirichlet model
	Voting string  // one of tree.Votings

	// Workers is the number of goroutines at work at once; 0 takes GOMAXPROCS. The forest does not depend on it.
	Workers int
}

// CredalNew returns a learner with the defaults of Abellan & Masegosa 2010.
func CredalNew() *CredalLearner { return param.Default(&CredalLearner{}) }

// Params declares the parameters.
func (l *CredalLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.Trees, "trees", 0, 0, 1000, "trees", "grow at most this many trees; 0: one per attribute that "+
			"is informative about the class, 1: the credal decision tree"),
		param.Float(&l.S, "s", 1, 0.001, 1000, "records", "hidden records of the imprecise Dirichlet model; larger "+
			"values give smaller trees"),
		param.Choice(&l.Voting, "voting", tree.Votings[0], tree.Votings, "how to combine the predictions of the trees"),
	}
}

// Fit grows a *tree.Forest for the column with the role Class on all columns that are neither identifier nor weight.
// It draws no random numbers.
func (l *CredalLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	f, err := l.Grow(ctx, t, class)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Grow grows a forest that predicts the categorical column class from all columns that are neither identifier nor
// weight nor in without. Records whose class is missing are left out; it is an error when none is left.
func (l *CredalLearner) Grow(ctx context.Context, t *table.Table, class int, without ...int) (*tree.Forest, error) {
	if class < 0 || class >= t.Width() {
		return nil, fmt.Errorf("class column %d is outside the table's %d columns", class, t.Width())
	}
	if a := t.Attr(class); a.Kind != table.Categorical {
		return nil, fmt.Errorf("class %q is %s, expected categorical", a.Name, a.Kind)
	}
	if t.Rows() > math.MaxInt32 {
		return nil, fmt.Errorf("the table has %d records, expected at most %d", t.Rows(), math.MaxInt32)
	}
	d := &data{class: t.Cat(class), classes: len(t.Attr(class).Labels), s: l.S, ctx: ctx}
	for i, c := range d.class {
		if c >= 0 {
			d.rows = append(d.rows, int32(i))
		}
	}
	if len(d.rows) == 0 {
		return nil, fmt.Errorf("class %q has no value in the %d records", t.Attr(class).Name, t.Rows())
	}
	workers := l.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	d.code(t, workers, func(j int) bool {
		a := t.Attr(j)
		return j != class && a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 && !slices.Contains(without, j)
	})
	roots := d.rank()
	if l.Trees > 0 {
		roots = roots[:min(l.Trees, len(roots))]
	}
	if len(roots) == 0 {
		roots = []int{-1}
	}
	f := &tree.Forest{Trees: make([]*tree.Tree, len(roots)), Voting: l.Voting}
	attrs := t.Attrs()
	each(workers, len(roots), func(k int) {
		f.Trees[k] = &tree.Tree{Attrs: attrs, Class: class, Nodes: d.grow(roots[k])}
	})
	return f, ctx.Err()
}
