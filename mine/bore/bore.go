// Package bore ranks the values of every attribute by how well they separate one class, the best, from the rest: BORE
// (Jalali, Menzies & Feather 2008), with which SAP finds what to suppress (Peters 2011) and CLIFF which records to keep
// (Peters & Menzies 2012).
//
// For a class and a value, like(best|value) is the frequency of the value in the class times the class's share of the
// records, and like(rest|value) that in all other classes. The value's rank is like(best|value)² / (like(best|value) +
// like(rest|value)): its probability of the class by Bayes' theorem times its support. The value of the highest rank is
// critical for the class, and one for every attribute makes the class's rule. Each class is the best in turn.
//
// Missing values have no rank, in an attribute or in the class. The denominators still count all records with a class,
// as printed: a factor that is the same for all values of an attribute.
//
// Ties: of values with one rank the first is critical, numbers in ascending order, ordered categories in their order
// and other ones in that of the alphabet. Ranks that are equal as fractions are equal as numbers up to 94 million
// records. Where a class has no known value in an attribute it has no critical one.
//
// Cost: O(n p), and O(n log n) for the bins; a million records like Adult's take about as long as sorting a million
// numbers, on two cores, and finding the strongest records 6 times as long.
//
// Where it departs from Peters 2011: she gives the data as categories, and says nothing of numbers; ten bins are those
// of the author's later CLIFF.
//
// Reference: Peters 2011, section 3.1, equations 3.1 and 3.2, figures 3.1 and A.2; O. Jalali, T. Menzies and M.
// Feather, "Optimizing requirements decisions with KEYS", PROMISE 2008.
package bore

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Miner is the catalogue entry.
var Miner = mine.Miner{
	Card: card.Card{
		Name:    "bore",
		Title:   "BORE (best or rest)",
		Aliases: []string{"best or rest"},
		Summary: "Ranks attribute values by how well they separate a class from the rest; the best value of every " +
			"attribute forms the rule.",
		Paper:   "Jalali, Menzies & Feather 2008; Peters 2011, section 3.1",
		Needs:   "a categorical class; all other attributes except identifiers and weights are ranked",
		Exposes: "the counts of all values by class",
		Missing: "are not ranked",
		Cost:    "O(records * columns)",
	},
	New: func() mine.Learner { return New() },
}

// Learner ranks. The zero value is not usable; take New.
type Learner struct {
	Bins int // of a numeric attribute
}

// New returns a learner with the defaults.
func New() *Learner { return param.Default(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set { return param.Set{BinsParam(&l.Bins)} }

// BinsParam declares the parameter "bins".
func BinsParam(p *int) param.Param {
	return param.Int(p, "bins", 10, 1, 1000, "bins", "bins of equal frequency for numbers")
}

// Fit returns a *Model. It draws no random numbers.
func (l *Learner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	m, err := begin(t)
	if err != nil {
		return nil, err
	}
	class := t.Cat(m.Class)
	m.Sizes = make([]int, len(m.Attrs[m.Class].Labels))
	for _, c := range class {
		if c >= 0 {
			m.Sizes[c]++
		}
	}
	return m, parallel.Each(ctx, len(m.Columns), func(k int) error {
		m.Columns[k].count(t.Column(m.Columns[k].Attribute), class, len(m.Sizes), l.Bins)
		return nil
	})
}

// begin returns a model without counts.
func begin(t *table.Table) (*Model, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	m := &Model{Attrs: t.Attrs(), Class: class}
	for j, a := range m.Attrs {
		if j != m.Class && a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			m.Columns = append(m.Columns, Column{Attribute: j})
		}
	}
	if len(m.Columns) == 0 {
		return nil, errors.New("no column to rank the values of: all are class, identifier, weight or of another kind")
	}
	return m, nil
}

// count fills the counts of a column.
func (c *Column) count(col table.Column, class []int32, classes, bins int) {
	if col.Kind == table.Numeric {
		c.Cuts = Bins(col.Num, bins)
	}
	values := c.Cuts.Values(&col.Attribute)
	c.Counts = make([][]int, classes)
	for k := range c.Counts {
		c.Counts[k] = make([]int, values)
	}
	for i, v := range c.Cuts.Codes(col) {
		if v >= 0 && class[i] >= 0 {
			c.Counts[class[i]][v]++
		}
	}
}
