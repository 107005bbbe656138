// Package vicus is VICUS noise on categorical attributes (Giggins & Brankovic; Giggins 2012): values change to similar
// ones with higher probability.
//
// The values of every attribute are divided into groups of similar ones by the graph of values that occur together
// (mine/valueclusters). A value stays with probability "keep"; with probability "within" it becomes another value of
// its group, the more similar the likelier; and otherwise one of another group, all alike. Without others in the group
// it stays in their place; where all values are one group, what would leave changes inside.
//
// Cost: that of the grouping, and O(rows * columns), about 8 ns a value.
//
// Reconstruction: the probabilities are parameters, and similarity decides how they are spread; the sources at hand say
// no more.
//
// Reference: H. Giggins, "VICUS: a noise addition technique for categorical data", AusDM 2012; Islam 2007, reference
// [40].
package vicus

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine/valueclusters"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{VICUS, SubAttributes}

// VICUS is the entry of the noise by groups of similar values.
var VICUS = protect.Method{
	Card: card.Card{
		Name:  "vicus",
		Title: "VICUS",
		Summary: "Changes categories, preferring similar ones; values are similar if they occur with the same " +
			"values of other attributes.",
		Paper:     "Giggins & Brankovic; Giggins 2012; Islam 2007, reference [40]",
		Needs:     "at least two categorical attributes of at most 1,024 values",
		Changes:   "every categorical attribute except the class",
		Preserves: "categories; counts after a correction; relations between groups of similar values",
		Biases: "relations weaken (types B and C), rules break (type DM), frequencies move towards those of " +
			"similar values (type D)",
		Exposes: "the original by Bayes' rule from the matrix and the frequencies; values unlike all others",
		Missing: "stay missing",
		Cost:    "that of the grouping, and O(rows * columns)",
	},
	Purpose: protect.Randomises,
	NoModel: "its probabilities follow the similarity of values in the original, which is confidential",
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Memoises},
}

// mostValues is the largest number of values of an attribute that has a matrix.
const mostValues = 1024

// Technique holds the parameters.
type Technique struct {
	Keep   float64  // probability that a value stays
	Within float64  // probability that it changes inside its group
	Except []string // columns left alone
	Groups valueclusters.VICUSLearner
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	set := param.Set{
		param.Float(&q.Keep, "keep", 0.7, 0, 1, "", "probability that a value stays").Noisier(0.75, 0.02),
		param.Float(&q.Within, "within", 0.25, 0, 1, "", "probability that it becomes another value of its group; "+
			"keep plus this is at most 1"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
	for _, p := range q.Groups.Params() {
		if p.Name != "attributes" { // the columns are those that are perturbed
			set = append(set, p)
		}
	}
	return set
}

// Fit groups the values and makes the matrices.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if q.Keep+q.Within > 1+1e-12 {
		return nil, fmt.Errorf("keep %v and within %v are more than 1 together", q.Keep, q.Within)
	}
	columns, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs()}
	for _, j := range columns {
		a := t.Attr(j)
		if n := len(a.Labels); n > mostValues {
			return nil, fmt.Errorf("column %q has %d categories; expected at most %d; generalise it, or leave it out (except)",
				a.Name, n, mostValues)
		}
	}
	all, err := protect.Columns(t, table.Categorical, nil) // what is left alone has neighbours all the same
	if err != nil || len(columns) == 0 {
		return p, err
	}
	m, err := q.Groups.Group(ctx, t, all)
	if err != nil {
		return nil, err
	}
	for k := range m.Attributes {
		a := &m.Attributes[k]
		if !slices.Contains(columns, a.Column) || len(a.Codes) < 2 {
			continue
		}
		p.Units = append(p.Units, described(t, a.Column, q.matrix(a, len(t.Attr(a.Column).Labels)), a.Groups()))
	}
	return p, nil
}

// described is a column with its matrix, and what that does to the records of a table.
func described(t *table.Table, j int, m transition.Matrix, groups int) Unit {
	u := Unit{Column: j, Matrix: m, Groups: groups}
	counts := make([]float64, len(m))
	for _, c := range t.Cat(j) {
		if c >= 0 {
			counts[c]++
		}
	}
	u.Kept = m.Kept(counts)
	u.Least, u.Most = m.Sure(counts)
	return u
}

// matrix returns the transition probabilities of an attribute. A category that no record has stays as it is, and none
// becomes it.
func (q *Technique) matrix(a *valueclusters.VICUSAttribute, labels int) transition.Matrix {
	m := make(transition.Matrix, labels)
	for x := range m {
		m[x] = make([]float64, labels)
		m[x][x] = 1
	}
	for i, x := range a.Codes {
		within, outside := 0.0, 0
		for j := range a.Codes {
			switch {
			case a.Group[j] != a.Group[i]:
				outside++
			case j != i:
				within += a.Similarity[i][j]
			}
		}
		in, out := q.Within, 1-q.Keep-q.Within
		if outside == 0 {
			in, out = in+out, 0
		}
		if within == 0 {
			in = 0
		}
		row := m[x]
		for j, y := range a.Codes {
			switch {
			case j == i:
			case a.Group[j] == a.Group[i]:
				if within > 0 {
					row[y] = in * a.Similarity[i][j] / within
				}
			default:
				row[y] = max(out, 0) / float64(outside)
			}
		}
		row[x] = 0
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		row[x] = max(0, 1-sum)
	}
	return m
}
