package report

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/operators"
	"github.com/dither-data/dither/internal/randomised"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// operatorsBeside is the section on the law of a release that was made at random, beside those of others. It tells of the original how common items are, so the public
// report has none.
type operatorsBeside struct {
	Tables []operatorTable
}

// operatorTable compares the laws of some columns.
type operatorTable struct {
	Title    string
	Lead     string
	Sizes    []int // of itemsets, the columns of every group
	Rows     []operatorRow
	Breaches []string
}

// operatorRow is an operator.
type operatorRow struct {
	Name, Of, Gamma, Epsilon    string
	Condition, Errors, Breaches []string // by size
}

func operatorsOf(o *study.Outcome, public bool) *operatorsBeside {
	if public || len(o.Operators) == 0 {
		return nil
	}
	s := &operatorsBeside{}
	for k := range o.Operators {
		s.Tables = append(s.Tables, operatorTableOf(&o.Operators[k]))
	}
	return s
}

func operatorTableOf(t *operators.Table) operatorTable {
	out := operatorTable{Title: t.Title(), Sizes: []int{1, 2, 3}}
	out.Lead = fmt.Sprintf("How each would do for these %s. Gamma is the largest factor by which a release changes the odds of two originals, epsilon its logarithm. The condition number says by how much undoing the operator may blow "+
		"up errors. The error is that of an estimated support of %s, for itemsets of 1, 2 and 3 items. The breach is the probability that a record had an item if its release has all of such an itemset, "+
		"where its items are otherwise independent.", counted(t.Records, "record"), chart.Percent(t.Support))
	for _, f := range t.Rows {
		out.Rows = append(out.Rows, operatorRowOf(&f))
	}
	for _, b := range t.Breaches {
		out.Breaches = append(out.Breaches, fmt.Sprintf("Of %s of %s that the original has: the worst item was there with probability %.3g if its release has the itemset; in the mean over the itemsets, of the worst item of each, with %.3g.",
			counted(b.Itemsets, "frequent itemset"), counted(b.Items, "item"), b.Worst, b.Mean))
	}
	return out
}

func operatorRowOf(f *randomised.Figures) operatorRow {
	r := operatorRow{Name: f.Name, Of: f.Of, Gamma: figured(f.Gamma, "%.4g"), Epsilon: figured(f.Epsilon, "%.3g")}
	for _, s := range f.Items {
		r.Condition = append(r.Condition, figured(s.Condition, "%.3g"))
		r.Errors = append(r.Errors, figured(100*s.Error, "%.2g %%"))
		r.Breaches = append(r.Breaches, figured(s.Breach, "%.2g"))
	}
	return r
}

// figured writes a figure, a dash where there is none.
func figured(x float64, format string) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 1):
		return "without bound"
	}
	return fmt.Sprintf(format, x)
}
