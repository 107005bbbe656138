// Package trees fills in missing values by decision trees: DMI and SiMI (Rahman & Islam 2011, 2013).
//
// Records that share a leaf are alike, so a missing value is taken from the leaf: a category is the leaf's commonest,
// a number its expected value given the record's other numbers, in the normal distribution of the leaf, which is
// fitted by expectation maximisation (EMI of the papers; Dempster, Laird & Rubin 1977) and so uses records that lack
// numbers themselves.
//
// DMI grows a C4.5 tree for every column with gaps, with that column as class: numbers are cut into the square root of
// their range many classes of equal width, from 2 to 100. A leaf of fewer records than there are columns of numbers and
// 2 more gives way to the node above. SiMI grows one forest for the class of the table (SysFor, 5 trees), takes the
// intersections of its leaves, and merges the smallest, while it has fewer than 25 records and more than 5 are left,
// with the one that is most similar and best correlated: the largest .7 (1 - distance) + .3 R, where R is the square
// root of the sum of the squared correlations above the diagonal, by the square of the number of columns of numbers.
//
// A record of which a tested value is missing fits no leaf; it takes the nearest one: the mean distance over the
// columns that it has, of numbers in shares of the range, of categories 0 or 1, from means and commonest categories.
//
// Departures, for privacy and sense. A leaf has records of at least 5 people who have the value, whatever the paper's
// limit, so that what is filled in is nobody's value. Numbers are rounded to the grid of their column and stay in its
// domain. What is constant in the records of a person or household is filled in once, by a value that another of its
// records has, where one has. What follows from other columns by a relation is computed, and a value that would break
// a relation stays missing; so does one that is missing since no value can be (a relation of the kind OnlyTogether).
// Identifiers, sampling weights, sets of items and categories of more than 1,000 values are not filled in. A covariance
// matrix has 10^-6 of the squared range added to its diagonal, so that a constant column does not make it singular.
//
// Nothing is drawn, so equal tables are filled in alike, in any order of the records. Imputed values lie nearer the
// middle than those that lack: variances fall and correlations rise, by the more, the more is missing.
//
// Cost: that of C4.5 for every column with gaps, or of one forest; O(records x depth) to assign; O(k p^3) for each
// pattern of missing numbers in k leaves of p numbers. SiMI merges in O(k^2 p^2) for k intersections.
//
// References: M. G. Rahman and M. Z. Islam, "A decision tree-based missing value imputation technique for data
// pre-processing", AusDM 2011; "Missing value imputation using decision trees and decision forests by splitting and
// merging records: two novel techniques", Knowledge-Based Systems 53, 2013.
package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/impute"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

func init() {
	for _, m := range Methods {
		impute.Register(m)
	}
}

// Methods are the methods of imputation.
var Methods = []impute.Method{{
	Card: card.Card{
		Name:    impute.DMI,
		Title:   "DMI",
		Aliases: []string{"Decision tree based Missing value Imputation"},
		Summary: "Fills in missing values from the leaves of a C4.5 tree for each column with gaps.",
		Paper:   "Rahman & Islam 2011",
		Needs:   "at least 10 people who have the value",
		Changes: "missing values of all columns but identifiers, weights, sets and columns that are kept",
		Biases:  "variances fall, correlations rise",
		Exposes: "of a record: what its other values say of the missing one",
		Missing: "what it fills in",
		Cost:    "a C4.5 tree for each column with gaps",
	},
	Fit: func(ctx context.Context, t *table.Table, ask impute.Ask) (impute.Filling, error) {
		return fit(ctx, t, ask, (*filling).dmi)
	},
	Empty: func() impute.Filling { return &filling{} },
}, {
	Card: card.Card{
		Name:    impute.SiMI,
		Title:   "SiMI",
		Aliases: []string{"Similarity based Missing value Imputation"},
		Summary: "Fills in missing values from merged intersections of the leaves of a forest.",
		Paper:   "Rahman & Islam 2013",
		Needs:   "a class, which the forest predicts",
		Changes: "missing values of all columns but identifiers, weights, sets and columns that are kept",
		Biases:  "variances fall, correlations rise",
		Exposes: "of a record: what its other values say of the missing one",
		Missing: "what it fills in",
		Cost:    "a SysFor forest; O(k^2 p^2) for k intersections of leaves and p columns of numbers",
	},
	Fit: func(ctx context.Context, t *table.Table, ask impute.Ask) (impute.Filling, error) {
		return fit(ctx, t, ask, (*filling).simi)
	},
	Empty: func() impute.Filling { return &filling{} },
}}

// mostClasses bounds the classes of a tree for numbers, mostLabels the categories of a column that is filled in.
const mostClasses, mostLabels = 100, 1000

// few is how many people's records a leaf has at least.
const few = 5

// filling is what was learned of a table. Columns are positions in Attrs.
type filling struct {
	Attrs     []table.Attribute   `json:"schema"`
	Columns   []int               `json:"columns"` // that are filled in
	Numbers   []int               `json:"numbers"`
	Codes     []int               `json:"categories"`
	Scale     []scale             `json:"scale"` // by Numbers
	Relations []relation.Relation `json:"relations"`
	Divisions []division          `json:"divisions"` // by column, or one for all
}

// scale turns a column of numbers into shares of its range.
type scale struct {
	Lo    float64 `json:"lo"`
	Width float64 `json:"width"`
}

func (s scale) of(v float64) float64   { return (v - s.Lo) / s.Width }
func (s scale) back(v float64) float64 { return s.Lo + float64(v*s.Width) }

// Schema returns the attributes of the table.
func (f *filling) Schema() []table.Attribute { return f.Attrs }

// learned is what a fit needs besides the filling.
type learned struct {
	ctx context.Context
	t   *table.Table
	of  []int32 // whose the records are; nil where each is a person's
}

func fit(ctx context.Context, t *table.Table, ask impute.Ask, divide func(*filling, *learned) error) (
	impute.Filling, error) {
	f := &filling{Attrs: t.Attrs(), Relations: ask.Relations}
	of, _ := t.People()
	l := &learned{ctx, t, of}
	for j := range t.Width() {
		a := t.Attr(j)
		if !a.Kind.Scalar() || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		if a.Kind == table.Numeric {
			lo, hi := table.Range(t.Num(j))
			if !(lo <= hi) { // nobody has a value
				continue
			}
			width := hi - lo
			if width == 0 {
				width = 1
			}
			f.Numbers, f.Scale = append(f.Numbers, j), append(f.Scale, scale{lo, width})
		} else {
			f.Codes = append(f.Codes, j)
			if len(a.Labels) > mostLabels {
				continue
			}
		}
		known, lacking := l.known(j)
		if lacking && l.enough(known, few) && (ask.Leave == nil || !ask.Leave(a.Name)) {
			f.Columns = append(f.Columns, j)
		}
	}
	if len(f.Columns) == 0 {
		return f, nil
	}
	return f, divide(f, l)
}

// known returns the records that have a value of a column, and reports whether one lacks it that no tool suppressed.
func (l *learned) known(j int) (rows []int, lacking bool) {
	c := l.t.Column(j)
	for i := range l.t.Rows() {
		if c.MissingAt(i) {
			lacking = lacking || open(&c, i)
		} else {
			rows = append(rows, i)
		}
	}
	return rows, lacking
}

// open reports whether a cell is a gap.
func open(c *table.Column, i int) bool {
	return c.MissingAt(i) && (c.Suppressed == nil || !c.Suppressed[i])
}

// least is how many records a leaf has at least, of so many people.
func (f *filling) least() int { return max(len(f.Numbers)+2, few) }

// dmi grows a tree for every column with gaps.
func (f *filling) dmi(l *learned) error {
	for _, j := range f.Columns {
		t, err := asClass(l.t, j)
		if err != nil {
			return err
		}
		learner := c45.New()
		learner.MinLeaf = f.least()
		grown, err := learner.Grow(l.ctx, t, j)
		if err != nil {
			return fmt.Errorf("imputing column %q: %w", l.t.Attr(j).Name, err)
		}
		d := division{Forest: tree.One(grown)}
		if err := f.leaves(l, &d, t, j); err != nil {
			return err
		}
		f.Divisions = append(f.Divisions, d)
	}
	return nil
}

// asClass returns the table with categories in a column: numbers are cut into classes of equal width, as many as the
// square root of their range.
func asClass(t *table.Table, j int) (*table.Table, error) {
	a := t.Attr(j)
	if a.Kind == table.Categorical {
		return t, nil
	}
	lo, hi := table.Range(t.Num(j))
	n := int(min(max(math.Sqrt(hi-lo), 2), mostClasses))
	codes, labels := make([]int32, t.Rows()), make([]string, n)
	for k := range labels {
		labels[k] = fmt.Sprint(k)
	}
	for i, v := range t.Num(j) {
		switch {
		case v != v:
			codes[i] = -1
		case hi > lo:
			codes[i] = int32(min(float64(v-lo)/(hi-lo)*float64(n), float64(n-1)))
		}
	}
	return t.WithColumn(j, table.CatColumn(a.Name, labels, codes))
}

// leaves makes the parts of the leaves of one tree: a leaf with too few people who have a value of the column gives way
// to the node above.
func (f *filling) leaves(l *learned, d *division, t *table.Table, j int) error {
	grown := d.Forest.Trees[0]
	above := make([]int32, len(grown.Nodes))
	above[0] = -1
	for n := range grown.Nodes {
		for _, k := range grown.Nodes[n].Kids {
			above[k] = int32(n)
		}
	}
	rows := make([][]int, len(grown.Nodes)) // by node, of the records below
	for i := range t.Rows() {
		if t.MissingAt(i, j) {
			continue
		}
		for n := grown.Reaches(t, i); n >= 0; n = above[n] {
			rows[n] = append(rows[n], i)
		}
	}
	if !l.enough(rows[0], few) { // tests of the root lack: all records that have a value are one part
		rows[0], _ = l.known(j)
	}
	part := map[int32]int32{}
	for k, n := range grown.Leaves() {
		for n != 0 && (len(rows[n]) < f.least() || !l.enough(rows[n], few)) {
			n = above[n]
		}
		if _, made := part[n]; !made {
			part[n] = int32(len(d.Parts))
			d.Parts = append(d.Parts, f.part(l.t, rows[n]))
		}
		d.Keys, d.Of = append(d.Keys, uint64(k)), append(d.Of, part[n])
	}
	return l.ctx.Err()
}

// enough reports whether records are of at least so many people.
func (l *learned) enough(rows []int, people int) bool {
	if l.of == nil {
		return len(rows) >= people
	}
	seen := map[int32]bool{}
	for _, i := range rows {
		if seen[l.of[i]] = true; len(seen) >= people {
			return true
		}
	}
	return false
}

// simi grows a forest for the class of the table and merges the intersections of its leaves.
func (f *filling) simi(l *learned) error {
	class := l.t.WithRole(table.Class)
	if class < 0 {
		return errors.New("the imputation simi grows a forest for the class, and no column is the class: name it " +
			"(--class), or take dmi")
	}
	learner := forests.SysForNew()
	learner.Trees = 5
	forest, err := learner.Grow(l.ctx, l.t, class)
	if err != nil {
		return err
	}
	if _, err := forest.Count(); err != nil {
		return err
	}
	d := division{Forest: forest}
	at := map[uint64][]int{}
	for i := range l.t.Rows() {
		if key, fits := d.key(l.t, i); fits {
			at[key] = append(at[key], i)
		}
	}
	if len(at) == 0 {
		all := make([]int, l.t.Rows())
		for i := range all {
			all[i] = i
		}
		at[0] = all
	}
	m := f.merging(l, at)
	m.run()
	for k := range m.rows {
		d.Parts = append(d.Parts, f.part(l.t, m.rows[k]))
		for _, key := range m.keys[k] {
			d.Keys, d.Of = append(d.Keys, key), append(d.Of, int32(k))
		}
	}
	order := make([]int, len(d.Keys))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		if d.Keys[a] < d.Keys[b] {
			return -1
		}
		return 1
	})
	sorted := division{Forest: d.Forest, Parts: d.Parts}
	for _, k := range order {
		sorted.Keys, sorted.Of = append(sorted.Keys, d.Keys[k]), append(sorted.Of, d.Of[k])
	}
	f.Divisions = []division{sorted}
	return l.ctx.Err()
}
