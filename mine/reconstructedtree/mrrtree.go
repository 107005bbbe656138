package reconstructedtree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// MRRTree learns a decision tree from records disguised by multivariate randomised response (Du & Zhan 2003;
// the technique mrr).
//
// It is ID3: a node tests the attribute of the largest information gain, with a branch per category. But shares of
// records are not counted, they are estimated: with a conjunction E of tests, and E' in which all values of a group are
// exchanged, P(E) = theta/(2 theta - 1) P*(E) - (1-theta)/(2 theta - 1) P*(E'), and the like for every group that E
// touches. A record therefore takes both branches of the first test of its group, once as it is and once exchanged,
// with these factors for weights, and one branch from there on. Shares below 0 count as 0. A node becomes a leaf when
// one class has all of it or more than 1 - delta, when it is estimated to have less than minShare of the records or
// less than minRecords, and when no attribute is left that divides it. Without noise, theta = 1, that is ID3 by
// counting.
//
// Cost: O(2^g p n) per level for p attributes, n records and the g groups that a path touches; memory O(2^g n) per
// level of depth.
//
// Departures: attributes in no group, with any number of categories. The categories of a test that are estimated to
// have no record share one leaf, which gets the class of its parent.
//
// Reference: W. Du, Z. Zhan, "Using randomized response techniques for privacy-preserving data mining", KDD 2003.
var MRRTree = mine.Miner{
	Card: card.Card{
		Name:    "mrrtree",
		Title:   "Decision tree from randomised responses",
		Aliases: []string{"Du and Zhan's tree", "ID3 from randomized responses"},
		Summary: "Learns the decision tree of the original records from records disguised by multivariate " +
			"randomised response.",
		Paper:   "Du & Zhan 2003",
		Needs:   "a categorical class and categorical attributes; disguised ones have two categories",
		Exposes: "estimates from disguised records",
		Missing: "a record is not counted in a test of a missing value, nor below it; records without a class are " +
			"not counted",
		Cost: "O(2^g p n) per level for the g groups that a path touches",
	},
	New: func() mine.Learner { return New() },
}

// mostGroups is how many groups there may be: a record takes up to 2 to this power branches.
const mostGroups = 12

// Learner grows trees. The zero value is not usable; take New.
type Learner struct {
	Theta      float64  // probability that a group was sent as it is
	Groups     []string // a+b+c, or a+b+c=theta, as for the technique mrr
	Except     []string // columns of two categories that are as they were, where Groups is empty
	Delta      float64  // share of other classes in a leaf
	MinShare   float64  // of the records, that a node needs to be divided, in per cent
	MinRecords float64  // that a node needs to be divided

	law *modelfile.Model
}

var _ mine.LawLearner = (*Learner)(nil)

// ByLaw tells the law of the tables that are fitted from now on, in the place of theta, groups and except.
func (l *Learner) ByLaw(law *modelfile.Model) { l.law = law }

// NeedsLaw reports that the parameters can say it, too.
func (l *Learner) NeedsLaw() bool { return false }

// New returns a learner with the defaults of the technique mrr.
func New() *Learner { return param.Default(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Float(&l.Theta, "theta", 0.75, 0, 1, "", "probability that a record reported a group of values "+
			"truthfully; not 0.5"),
		param.Names(&l.Groups, "groups",
			"groups of disguised columns, as a+b+c, or a+b+c=0.8 with a separate theta; none: one group of all "+
				"with two categories"),
		param.Names(&l.Except, "except", "columns with two categories that are not disguised, if groups are not given"),
		param.Float(&l.Delta, "delta", 0.05, 0, 1, "", "share of other classes up to which a node becomes a leaf"),
		param.Float(&l.MinShare, "minShare", 1, 0, 100, "% of the records", "a node estimated to have less becomes a leaf"),
		param.Float(&l.MinRecords, "minRecords", 10, 0, math.MaxInt32, "records", "a node estimated to have less "+
			"becomes a leaf"),
	}
}

// Fit grows a *tree.Tree of the original records, for the column with the role Class. It draws no random numbers.
func (l *Learner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	groups, err := l.groups(t)
	if err != nil {
		return nil, err
	}
	g := newGrower(ctx, t, class, groups)
	if g.records == 0 {
		return nil, fmt.Errorf("class %q has no value in the %d records", t.Attr(class).Name, t.Rows())
	}
	g.delta, g.least = l.Delta, max(l.MinRecords, l.MinShare/100*g.records)
	return g.tree()
}

// groups returns the groups of disguised columns.
func (l *Learner) groups(t *table.Table) ([]transition.Group, error) {
	groups, err := l.told(t)
	if err != nil {
		return nil, err
	}
	if len(groups) > mostGroups {
		return nil, fmt.Errorf("parameter %q: there are %d groups; expected at most %d", "groups", len(groups), mostGroups)
	}
	for k := range groups {
		if w := groups[k].Weights(); math.IsInf(w[0], 0) {
			return nil, errors.New("a group has theta = 0.5, which reveals nothing about the original; expected another theta")
		}
	}
	return groups, nil
}

// told returns the groups of the law, and without one those of the parameters.
func (l *Learner) told(t *table.Table) (out []transition.Group, err error) {
	if l.law == nil {
		return transition.Groups(t, l.Groups, l.Theta, l.Except)
	}
	for k := range l.law.Parts {
		p := &l.law.Parts[k]
		g := transition.Group{}
		switch {
		case p.Group != nil:
			g.Theta = p.Group.Theta
		case p.Category != nil && p.Category.Categories == 2:
			g.Theta = p.Category.Keep
		default:
			return nil, fmt.Errorf("the noise model of %q is not randomised response with two categories", p.Columns[0])
		}
		for _, name := range p.Columns {
			j := t.Find(name)
			if j < 0 {
				return nil, fmt.Errorf("the noise model is for column %q, which is not in the table", name)
			}
			if a := t.Attr(j); a.Kind != table.Categorical || len(a.Labels) != 2 {
				return nil, fmt.Errorf("column %q does not have two categories, but its noise model does", name)
			}
			g.Columns = append(g.Columns, j)
		}
		slices.Sort(g.Columns)
		out = append(out, g)
	}
	return out, nil
}
