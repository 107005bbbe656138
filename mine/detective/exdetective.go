package detective

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// EXDETECTIVE clusters records by EX-DETECTIVE (Islam 2007, section 6.4.7), the extension of DETECTIVE from values to
// records.
//
// For every chosen categorical attribute a C4.5 tree takes the attribute as its class and all other attributes, the
// natural class included, as inputs. Two records are in one cluster if and only if they share their leaf in every such
// tree. Intersections of fewer than minRecords records, two as in the thesis, are no clusters; their records are
// outliers.
//
// Weights: a weight between 0 and 1 says how far an attribute divides the records. Weight 1 takes the tree as C4.5
// leaves it, weight 0 prunes it to one leaf, so that the attribute is not taken into account, and less pruning is more
// weight. One step of pruning joins the leaves under one parent, which the thesis calls one step too (section 6.4.3):
// the leaves whose join loses least information about the attribute, records times bits, the last ones from the left
// among equals. Weight w keeps the fraction w of the tree's tests, rounded up. So the clusters of a smaller weight are
// unions of intersections of a larger one.
//
// Numbers: numeric attributes are tested by the trees. The thesis's last step clusters each of the clusters by the
// numeric attributes with "an existing clustering technique": the parameter divideBy names a miner that does so, such
// as kmeans, and divide sets its parameters. A cluster that this miner refuses, as one of fewer records than k, stays
// whole.
//
// What an intruder learns from a model: as from C4.5 trees, exact counts and cuts; intersections are small, and single
// people out. A model of confidential records is itself confidential.
//
// Missing values: a record whose value of the clustered attribute is missing does not teach the tree, but reaches a
// leaf of it; one in which a tested value is missing follows the heaviest branch. So every record has one leaf per
// tree. A column without any value is left out.
//
// Many values: every node of a tree counts all values of its class, so an attribute of more than maxValues of them,
// such as an identifier that is not marked, is not clustered by; the model's notes say so. It stays an input of the
// other trees.
//
// Cost: one C4.5 tree per attribute, O(p n log n) per level, and O(q n) for the intersections of q trees.
//
// Departures: the thesis does not say which leaves are pruned first; here it is the least informative test. It grows a
// tree for all attributes alike; attributes that are identifiers or weights are left out. Numbering of clusters is
// ours: by the leaves of the first attribute, then of the second, and so on.
//
// Reference: M. Z. Islam and L. Brankovic, "DETECTIVE: a decision tree based categorical value clustering and
// perturbation technique in privacy preserving data mining", INDIN 2005; Islam 2007, section 6.4.7.
var EXDETECTIVE = mine.Miner{
	Card: card.Card{
		Name:    "exdetective",
		Title:   "EX-DETECTIVE",
		Summary: "Clusters records that share their leaf in the trees of all chosen attributes.",
		Paper:   "Islam 2007, section 6.4.7",
		Needs:   "at least one categorical attribute with known values; all other attributes are inputs to its tree",
		Exposes: "exact counts and cuts of the records; intersections of leaves are small",
		Missing: "a record with a missing clustered value is clustered but not used for learning; a missing tested " +
			"value follows the heaviest branch",
		Cost: "one C4.5 tree per attribute, O(p n log n) per level, and O(q n) for the intersections of q trees",
	},
	New: func() mine.Learner { return New() },
}

// EXDETECTIVELearner clusters records. The zero value is not usable; take New.
type EXDETECTIVELearner struct {
	Attributes []string // empty: every categorical attribute that is neither identifier nor weight and has a value
	Weights    []string // "column=weight", the weight from 0 to 1; 1 where a column is not named
	MinRecords int      // an intersection of fewer records is no cluster
	MaxValues  int      // an attribute of more values is left out
	DivideBy   string   // the miner that divides the clusters by numbers, or undivided
	Divide     []string // "name=value": its parameters
	c45.Learner
}

// undivided leaves the last step out.
const undivided = "none"

// New returns a learner with the defaults.
func New() *EXDETECTIVELearner { return param.Default(&EXDETECTIVELearner{}) }

// Params declares the attributes, their weights, and the parameters of the trees.
func (l *EXDETECTIVELearner) Params() param.Set {
	return append(param.Set{
		param.Names(&l.Attributes, "attributes", "categorical columns to cluster by; none: all"),
		param.Names(&l.Weights, "weights", "column=weight, ...: below 1 prunes a column's tree to that share of "+
			"its tests; 0 ignores the column"),
		param.Int(&l.MinRecords, "minRecords", 2, 1, math.MaxInt32, "records", "smaller intersections are outliers"),
		param.Int(&l.MaxValues, "maxValues", 200, 1, 100_000, "values",
			"columns with more are not used for clustering, and naming one is an error; every tree node counts all values"),
		param.Choice(&l.DivideBy, "divideBy", undivided, []string{undivided, "kmeans", "amoeba", "autoclust"},
			"the miner that divides every cluster by the numeric columns, the last step; none: clusters stay whole"),
		param.Names(&l.Divide, "divide", "parameters of that miner, as name=value"),
	}, l.Learner.Params()...)
}

// Fit grows the trees and clusters the records. It returns a *Model.
func (l *EXDETECTIVELearner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	m, err := l.grow(ctx, t)
	if err != nil {
		return nil, err
	}
	leaves, err := m.route(ctx, t)
	if err != nil {
		return nil, err
	}
	labels, n := Intersect(leaves, l.MinRecords)
	m.Members = labels
	m.Intersections = make([]Intersection, n)
	for i, c := range labels {
		if c < 0 {
			continue
		}
		x := &m.Intersections[c]
		x.Records++
		if x.Leaves == nil {
			x.Leaves = make([]int32, len(leaves))
			for k := range leaves {
				x.Leaves[k] = leaves[k][i]
			}
		}
	}
	if err := l.divide(ctx, t, m, src); err != nil {
		return nil, err
	}
	return m, ctx.Err()
}

// grow grows the tree of every attribute, pruned by its weight.
func (l *EXDETECTIVELearner) grow(ctx context.Context, t *table.Table) (*EXDETECTIVEModel, error) {
	cols, notes, err := l.columns(t)
	if err != nil {
		return nil, err
	}
	weights, err := l.weights(t, cols)
	if err != nil {
		return nil, err
	}
	m := &EXDETECTIVEModel{Attributes: make([]Attribute, len(cols)), Notes: notes}
	err = parallel.Each(ctx, len(cols), func(k int) error {
		learner := l.Learner
		tr, err := learner.Grow(ctx, t, cols[k])
		if err != nil {
			return fmt.Errorf("column %q: %w", t.Attr(cols[k]).Name, err)
		}
		tr.Recount(t)
		m.Attributes[k] = Attribute{Name: t.Attr(cols[k]).Name, Weight: weights[k], Tree: prune(tr, weights[k])}
		return nil
	})
	return m, err
}

// columns returns the columns to cluster by, and what is left out of those that are not named.
func (l *EXDETECTIVELearner) columns(t *table.Table) (cols []int, notes []string, err error) {
	all, err := categorical.Columns(t, l.Attributes, table.Identifier|table.Weight)
	if err != nil {
		return nil, nil, err
	}
	for _, j := range all {
		switch a := t.Attr(j); {
		case len(a.Labels) > l.MaxValues:
			notes = append(
				notes,
				fmt.Sprintf("column %q has %d values, more than maxValues %d: it is not clustered by", a.Name, len(a.Labels),
					l.MaxValues),
			)
		case len(l.Attributes) > 0 || occurs(t.Cat(j)):
			cols = append(cols, j)
		}
	}
	if len(l.Attributes) > 0 && len(notes) > 0 {
		return nil, nil, errors.New(notes[0])
	}
	if len(cols) == 0 {
		return nil, nil, fmt.Errorf("no categorical column has values to cluster by, and at most maxValues %d", l.MaxValues)
	}
	return cols, notes, nil
}

func occurs(codes []int32) bool {
	for _, c := range codes {
		if c >= 0 {
			return true
		}
	}
	return false
}

// weights reads the weight of every column.
func (l *EXDETECTIVELearner) weights(t *table.Table, cols []int) ([]float64, error) {
	weights := slices.Repeat([]float64{1}, len(cols))
	for _, text := range l.Weights {
		at := strings.LastIndexByte(text, '=')
		if at < 0 {
			return nil, fmt.Errorf("parameter \"weights\": %q is not of the form column=weight", text)
		}
		name, value := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
		k := slices.IndexFunc(cols, func(j int) bool { return t.Attr(j).Name == name })
		if k < 0 {
			return nil, fmt.Errorf("parameter \"weights\": column %q is none of those clustered by", name)
		}
		w, err := strconv.ParseFloat(value, 64)
		if err != nil || !(w >= 0 && w <= 1) {
			return nil, fmt.Errorf("parameter \"weights\": the weight of column %q is %q, expected a number from 0 to 1", name,
				value)
		}
		weights[k] = w
	}
	return weights, nil
}

// Intersect returns the cluster of every record, -1 for none, and the number of clusters: two records are in one when
// they have the same leaf in every partition, partitions[k][i] being the number of record i's leaf in partition k, and
// at least minRecords have. Clusters are numbered in the order of their leaves, those of the first partition first.
// Cost: O(records) per partition.
func Intersect(partitions [][]int32, minRecords int) (labels []int32, clusters int) {
	if len(partitions) == 0 {
		return nil, 0
	}
	n := len(partitions[0])
	labels = make([]int32, n)
	keys := make([]uint64, n)
	for _, leaf := range partitions {
		top := int32(0)
		for _, l := range leaf {
			top = max(top, l)
		}
		for i, l := range leaf {
			keys[i] = uint64(labels[i])*uint64(top+1) + uint64(l)
		}
		clusters = len(tree.Number(keys, labels))
	}
	size := make([]int, clusters)
	for _, c := range labels {
		size[c]++
	}
	to, kept := make([]int32, clusters), 0
	for c := range to {
		to[c] = -1
		if size[c] >= minRecords {
			to[c] = int32(kept)
			kept++
		}
	}
	for i, c := range labels {
		labels[i] = to[c]
	}
	return labels, kept
}
