package valueclusters

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// VICUS groups similar values of categorical attributes by the graph of values that co-occur: the
// clustering of VICUS (Giggins & Brankovic; Giggins 2012), named by Islam 2007, reference [40].
//
// Every value of every attribute is a vertex; an edge between values of two attributes weighs as many records as have
// both. Two values i and j of one attribute are similar as far as they share neighbours,
//
//	S'(i,j) = sum over z of sqrt(a_iz a_jz) / sqrt(d(i) d(j)),
//
// a_iz being the weight between i and z, and d(i) the sum of i's weights: 1 where their neighbours have the same
// shares, 0 where they have none in common. Then values of an attribute that chains of pairs with S' above "alike"
// connect become one vertex, and S" is the same sum over these vertices, so that values whose neighbours are only
// similar count as similar too. S = first S' + (1 - first) S". Groups of values are merged, the two of the largest mean
// S first, as long as it is at least "least".
//
// Cost: O(n m^2) to count for n records of m attributes; O(v V) per pair of values of an attribute, V of all, and
// O(v^3) at worst to merge v values. Memory 8 V^2 bytes; more than maxValues values are an error.
//
// Reconstruction: the sources that are at hand describe the graph and the two similarities; weights of 0.65 and 0.35
// are usual. VICUS divides the values by a genetic search; here groups are merged by mean similarity, which needs no
// chance. Attributes that have nothing to do with the others have S near 1 for all pairs: their values are
// exchangeable, and form one group.
//
// Reference: H. Giggins, "VICUS: a noise addition technique for categorical data", AusDM 2012; H. Giggins and L.
// Brankovic, as Islam 2007 cites them ([40]).
var VICUS = mine.Miner{
	Card: card.Card{
		Name:    "vicusvalues",
		Title:   "VICUS, similar values",
		Aliases: []string{"VICUS clustering"},
		Summary: "Groups values of an attribute that occur with the same or similar values of the others.",
		Paper:   "Giggins & Brankovic; Giggins 2012; Islam 2007, reference [40]",
		Needs:   "at least two categorical attributes; class, identifiers and weights are omitted",
		Exposes: "the values that occur, and which are similar",
		Missing: "no value; the others in the record are neighbours without it",
		Cost:    "O(n m^2 + v^2 V) for v values of an attribute and V of all attributes",
	},
	New: func() mine.Learner { return VICUSNew() },
}

// VICUSLearner groups values. The zero value is not usable; take New.
type VICUSLearner struct {
	First      float64 // weight of the first similarity; the second has the rest
	Alike      float64 // first similarity above which values are one vertex for the second
	Least      float64 // smallest mean similarity of groups that are merged
	MaxValues  int     // an error above so many values of all attributes
	Attributes []string
}

// VICUSNew returns a learner with the defaults.
func VICUSNew() *VICUSLearner { return param.Default(&VICUSLearner{}) }

// Params declares the parameters.
func (l *VICUSLearner) Params() param.Set {
	return param.Set{
		param.Float(&l.First, "first", 0.65, 0, 1, "", "weight of similarity by common neighbours; the rest goes "+
			"to similarity by similar neighbours"),
		param.Float(&l.Alike, "alike", 0.9, 0, 1, "", "values more similar than this count as the same neighbour "+
			"in the second similarity"),
		param.Float(&l.Least, "least", 0.9, 0, 1, "", "merge groups of values whose mean similarity is at least this"),
		param.Int(&l.MaxValues, "maxValues", 2000, 1, 20_000, "values", "more in all columns are an error; memory is 8 "+
			"bytes times the square"),
		param.Names(&l.Attributes, "attributes", "categorical columns with values to group; none: all except the class"),
	}
}

// Fit groups the values. It returns a *Model.
func (l *VICUSLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	return l.Group(ctx, t, cols)
}

// Group is Fit for the categorical columns at these positions.
func (l *VICUSLearner) Group(ctx context.Context, t *table.Table, cols []int) (*VICUSModel, error) {
	g, err := count(ctx, t, cols, l.MaxValues)
	if err != nil {
		return nil, err
	}
	m := &VICUSModel{Least: l.Least}
	first, err := g.similarities(ctx, nil)
	if err != nil {
		return nil, err
	}
	second, err := g.similarities(ctx, g.vertices(first, l.Alike))
	if err != nil {
		return nil, err
	}
	for k, j := range cols {
		a := VICUSAttribute{Name: t.Attr(j).Name, Column: j}
		s := first[k]
		for i := range s {
			for c := range s[i] {
				s[i][c] = float64(l.First*s[i][c]) + float64((1-l.First)*second[k][i][c])
			}
			a.Codes, a.Labels = append(a.Codes, g.codes[k][i]), append(a.Labels, t.Attr(j).Labels[g.codes[k][i]])
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a.Similarity, a.Group = s, merge(s, l.Least)
		m.Attributes = append(m.Attributes, a)
	}
	return m, nil
}

// tooMany is the error of a table with more values than are looked at.
func tooMany(n, most int) error {
	return fmt.Errorf("the columns have %d values; expected at most %d (maxValues)", n, most)
}
