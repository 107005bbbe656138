package valueclusters

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CACTUS clusters categorical values by CACTUS, "clustering categorical data using summaries" (Ganti, Gehrke &
// Ramakrishnan 1999; Islam 2007, section 6.3, which compares it with DETECTIVE).
//
// Two values of different attributes A and B are strongly connected when at least delta times as many records have both
// as there would be if all pairs of values were equally likely, n/(|A||B|). Two values of A are similar with respect to
// B when they are strongly connected to common values of B; their strength is the number of those. A cluster is a set
// of values of every attribute, of which all pairs of different attributes are strongly connected, to which no value
// can be added, and whose support, the records that have one of its values everywhere, exceeds delta times what
// independence promises, n prod |C_i|/|D_i|.
//
// How clusters are found: in summaries only, but for one last scan. With respect to another attribute, every set of at
// most kappa similar values of A is taken to distinguish a cluster from all others, and extended by all values similar
// to all of it; these projections on A are intersected over all other attributes. Candidates are built attribute by
// attribute, of the projections that are strongly connected to all sets before; each is extended until no value can be
// added; and one scan counts their records. Clusters that no such set distinguishes are not found, which is the
// authors' assumption. projections=all takes instead all sets of values that some values of other attributes have in
// common, and finds every cluster there is, at the price that there may be very many such sets.
//
// Explosion: attributes that have nothing to do with the others make the number of clusters explode, which is why the
// thesis leaves two of its six out by hand. unrelated=drop leaves out attributes that are, by a chi-squared test at
// 0.001 divided by the number of the others, independent of each other attribute. An attribute of more than maxValues
// values is left out; more than maxClusters candidates end the search, and no clusters are given. The model's notes say
// so.
//
// Missing values: a record counts for a pair of attributes if it has both values, and the expectation is of those
// records; for support, and its expectation, if it has all.
//
// Cost: O(n) for each pair of attributes; O(v^3) at worst for v values of one; O(n p) for the support, and more by one
// 64th of the number of candidates.
//
// Departures: an attribute's domain is the values that occur. "At least delta times" is the thesis's; the authors have
// "more than". A projection may have one value, as the thesis's Table 6.3 has. Candidates are extended until maximal,
// which the authors leave open. Clusters in fewer attributes than those asked for are not sought.
//
// Reference: V. Ganti, J. Gehrke and R. Ramakrishnan, "CACTUS - clustering categorical data using summaries", KDD 1999.
var CACTUS = mine.Miner{
	Card: card.Card{
		Name:  "cactus",
		Title: "CACTUS",
		Summary: "Clusters categorical values: values strongly connected to the same values of another attribute " +
			"are similar.",
		Paper:   "Ganti, Gehrke & Ramakrishnan 1999; Islam 2007, section 6.3",
		Needs:   "at least two categorical attributes",
		Exposes: "frequent pairs of values with their counts",
		Missing: "a record counts for pairs of attributes with both values known",
		Cost:    "O(n) per pair of attributes, and O(v^3) at worst for v values of an attribute",
	},
	New: func() mine.Learner { return CACTUSNew() },
}

// What becomes of columns that are independent of each other one.
const (
	Drop = "drop"
	Keep = "keep"
)

// Which sets of values are tried in a column.
const (
	Distinguishing = "distinguishing" // what distinguishing sets span
	All            = "all"
)

// CACTUSLearner clusters values. The zero value is not usable; take New.
type CACTUSLearner struct {
	Attributes  []string // empty: every categorical attribute that is neither identifier nor weight
	Exclude     []string // attributes to leave out
	Unrelated   string   // drop or keep attributes that are independent of each other one
	Delta       float64  // how many times the expected number of records makes a strong connection
	Projections string   // distinguishing or all: which sets of values are tried
	Kappa       int      // the largest size of a distinguishing set
	MaxValues   int      // attributes of more values are left out
	MaxClusters int      // more candidates are not followed
}

// CACTUSNew returns a learner with the defaults.
func CACTUSNew() *CACTUSLearner { return param.Default(&CACTUSLearner{}) }

// Params declares the parameters.
func (l *CACTUSLearner) Params() param.Set {
	return param.Set{
		param.Names(&l.Attributes, "attributes", "categorical columns to use; none: all"),
		param.Names(&l.Exclude, "exclude", "columns to leave out"),
		param.Choice(&l.Unrelated, "unrelated", Drop, []string{Drop, Keep},
			"columns that are independent of all others; if kept, clusters explode in number"),
		param.Float(&l.Delta, "delta", 1.2, 1, 1000, "times the expected number", "records that make two values "+
			"strongly connected; usually 2 to 3"),
		param.Choice(&l.Projections, "projections", Distinguishing, []string{Distinguishing, All},
			"sets of values to try in a column: those spanned by distinguishing sets, as published, or all, which "+
				"finds every cluster"),
		param.Int(&l.Kappa, "kappa", 2, 1, 2, "values", "largest size of sets that distinguish a cluster"),
		param.Int(&l.MaxValues, "maxValues", 200, 1, 1000, "values", "columns with more are omitted; time grows "+
			"with the third power"),
		param.Int(&l.MaxClusters, "maxClusters", 10_000, 1, 100_000, "candidates", "beyond this no clusters are reported"),
	}
}

// Fit clusters values. It returns a *Model.
func (l *CACTUSLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := l.columns(t)
	if err != nil {
		return nil, err
	}
	s := &summary{CACTUSLearner: l, rows: t.Rows()}
	for _, j := range cols {
		c := load(t, j)
		if len(c.labels) > l.MaxValues {
			s.note("column %q has %d values, more than maxValues %d: it is left out", c.name, len(c.labels), l.MaxValues)
			continue
		}
		s.cols = append(s.cols, c)
	}
	if err := s.count(ctx); err != nil {
		return nil, err
	}
	if l.Unrelated == Drop {
		s.drop()
	}
	s.connect()
	m := s.model()
	if m.Found, err = s.clusters(ctx); err != nil {
		return nil, err
	}
	m.Notes = s.notes
	return m, nil
}

func (l *CACTUSLearner) columns(t *table.Table) ([]int, error) {
	for _, name := range l.Exclude {
		if t.Find(name) < 0 {
			return nil, fmt.Errorf("parameter \"exclude\": the table has no column %q", name)
		}
	}
	cols, err := categorical.Columns(t, l.Attributes, table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	cols = slices.DeleteFunc(cols, func(j int) bool { return slices.Contains(l.Exclude, t.Attr(j).Name) })
	slices.Sort(cols)
	if len(cols) < 2 {
		return nil, errors.New("fewer than two categorical columns are left to compare")
	}
	return cols, nil
}
