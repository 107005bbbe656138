// Package hintoglu hides some values of a confidential attribute and so many other cells of their records that naive
// Bayes does not find them again (Hintoglu & Saygin 2005).
//
// A confidential value that is suppressed can be predicted from the rest of its record by a classifier that is learned
// from the records whose value is there. Of the records a share is drawn, and loses the confidential value. Naive
// Bayes, with Laplace's correction and numbers in bins of equal frequency, then gives that value a probability. While
// it is above the bound, and above the value's share of the records, which no suppression can take away, the record
// loses the cell without which the probability is smallest; of several the first. Columns that may not lose cells tell
// the value all the same, so that the bound may not be reached. All other records stay as they are.
//
// What an informed intruder learns: all records that are not drawn, and of a drawn one the confidential value with at
// most the probability of the bound, if naive Bayes is what they learn and if they take a suppressed cell for a missing
// one. Which cells are gone tells something too: those that spoke for the value. Other classifiers, which see what
// attributes tell together, may find more: measure it (learned). Records that stay are as easy to find as before.
//
// Cost: O(records * columns) for the counts; a drawn record takes O(columns^3 * values of the confidential attribute)
// at most.
//
// Departures: the paper is not at hand; this is a reconstruction from its abstract, the thesis that cites it (Islam
// 2007, section 3.2.5: suppress enough that a classifier does not predict the value, and as few as possible), and how
// naive Bayes works. The paper chooses records by their owners' wish; here they are drawn, since whose wish it is to
// hide a value is no part of a table. The counts of naive Bayes are of all records, those that are drawn among them: an
// intruder has those that are left, whose counts differ by sampling alone.
//
// Reference: A. A. Hintoglu and Y. Saygin, "Suppressing microdata to prevent probabilistic classification based
// inference", Secure Data Management (SDM 2005), pages 155-169.
package hintoglu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "hintoglu",
		Title:   "Suppression against classification-based inference",
		Short:   "Hintoglu",
		Aliases: []string{"suppression against naive bayes", "Hintoglu & Saygin"},
		Summary: "Hides some confidential values, and other cells of their records until naive Bayes cannot tell the " +
			"values.",
		Paper: "Hintoglu & Saygin 2005, reconstructed",
		Needs: "a categorical confidential attribute, or a categorical class",
		Changes: "the confidential attribute in a share of the records, and in these any number, category and class that " +
			"tells its value",
		Preserves: "all records that are not drawn",
		Biases: "what tells the confidential value becomes rarer in a share of the records (types A to D); rules for it " +
			"weaken by that share (type DM)",
		Exposes: "every value of the other records; of the drawn ones that the cells that are gone spoke for the value",
		Missing: "stay missing and cannot be distinguished from suppressed ones",
		Cost:    "O(records * columns), and O(columns^3) for each record that is drawn",
	},
	Purpose:    protect.Generalises,
	Suppresses: true,
	Growth:     1,
	New:        func() protect.Technique { return New() },
	Plan:       func() protect.Plan { return &Plan{} },
	Claims:     []protect.Claim{protect.Describes, protect.Checks},
}

// Technique holds the parameters.
type Technique struct {
	Column string   // confidential; empty for the one with the role, or the class
	Share  float64  // of the records that lose their value
	Most   float64  // probability that naive Bayes may give the value
	Bins   int      // of numbers
	Cells  []string // columns that may lose cells; none: all others
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Text(&q.Column, "column", "the confidential attribute; none: the one with the role confidential, or the class"),
		param.Float(&q.Share, "share", 0.1, 0, 1, "", "share of the records whose confidential value is hidden").
			Noisier(0.01, 1),
		param.Float(&q.Most, "most", 0.5, 0, 1, "", "largest probability that naive Bayes may give a hidden value, where "+
			"the value is not more frequent than that"),
		bore.BinsParam(&q.Bins),
		param.Names(&q.Cells, "cells", "columns that may lose cells; none: all but the confidential one"),
	}
}

// Fit counts for naive Bayes. It draws no random numbers.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	hidden, err := q.confidential(t)
	if err != nil {
		return nil, err
	}
	others, err := others(t, hidden)
	if err != nil {
		return nil, err
	}
	for _, name := range q.Cells {
		if j := t.Find(name); !slices.Contains(others, j) {
			return nil, fmt.Errorf("parameter %q: %q is no column of numbers or categories that may lose cells", "cells", name)
		}
	}
	p := &Plan{Attrs: t.Attrs(), Hidden: hidden, Share: q.Share, Most: q.Most}
	codes := t.Cat(hidden)
	p.Counts = make([]float64, len(p.Attrs[hidden].Labels))
	for _, v := range codes {
		if v >= 0 {
			p.Counts[v]++
		}
	}
	for _, j := range others {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := count(t, j, codes, len(p.Counts), q.Bins)
		c.Stays = len(q.Cells) > 0 && !slices.Contains(q.Cells, t.Attr(j).Name)
		p.Columns = append(p.Columns, c)
	}
	return p, nil
}

// confidential returns the position of the confidential attribute.
func (q *Technique) confidential(t *table.Table) (int, error) {
	j := -1
	switch {
	case q.Column != "":
		if j = t.Find(q.Column); j < 0 {
			return -1, fmt.Errorf("parameter %q: there is no column %q", "column", q.Column)
		}
	default:
		j = slices.IndexFunc(t.Attrs(), func(a table.Attribute) bool {
			return a.Kind == table.Categorical && a.Role&table.Confidential != 0
		})
		if j < 0 {
			j = t.WithRole(table.Class)
		}
	}
	switch {
	case j < 0:
		return -1, errors.New("no column is confidential, and none is the class; name one (parameter \"column\")")
	case t.Attr(j).Kind != table.Categorical:
		return -1, fmt.Errorf("column %q is %s; the confidential attribute must be categorical", t.Attr(j).Name,
			t.Attr(j).Kind)
	}
	return j, nil
}

// others returns the positions of the columns that may tell the hidden value, ascending.
func others(t *table.Table, hidden int) ([]int, error) {
	var out []int
	for _, kind := range []table.Kind{table.Numeric, table.Categorical} {
		columns, err := protect.Columns(t, kind, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, columns...)
	}
	if class := t.WithRole(table.Class); class >= 0 && t.Attr(class).Kind.Scalar() {
		out = append(out, class)
	}
	out = slices.DeleteFunc(out, func(j int) bool { return j == hidden })
	slices.Sort(out)
	return slices.Compact(out), nil
}

// count counts the values of a column by those of the hidden one.
func count(t *table.Table, j int, hidden []int32, values, bins int) Column {
	c := Column{Column: j}
	if t.Attr(j).Kind == table.Numeric {
		c.Cuts = bore.Bins(t.Num(j), bins)
	}
	c.Counts = make([][]float64, values)
	for v := range c.Counts {
		c.Counts[v] = make([]float64, c.Cuts.Values(t.Attr(j)))
	}
	for i, code := range c.Cuts.Codes(t.Column(j)) {
		if v := hidden[i]; v >= 0 && code >= 0 {
			c.Counts[v][code]++
		}
	}
	return c
}
