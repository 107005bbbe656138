// Package noisemodel models what an intruder who knows the technique knows about its noise (Islam 2007, section 8.1).
//
// A Mechanism is a plan, or a step of one, as such an intruder sees it. One that perturbs column by column is ByColumn:
// it says for which columns it has a law, and gives the kernel of every record there. One whose noise adds to several
// columns jointly is Additive. Techniques implement these without knowing the measures of risk that ask for them, and
// these without knowing the techniques.
package noisemodel

import (
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Mechanism is a plan, or a step of one, as an intruder who knows the technique sees it.
type Mechanism interface {
	// Schema returns the attributes that the mechanism was fitted on.
	Schema() []table.Attribute
	// Changes returns the names of the columns that it may change.
	Changes() []string
}

// ByColumn is a mechanism that perturbs columns one by one: given the original record, its released values are
// independent.
type ByColumn interface {
	Mechanism
	// Law returns the law of column j of the schema; false where it has none there, for the column stays as it is or
	// changes in a way that depends on more than the record.
	Law(j int) (Column, bool)
}

// Column is the law of one column: it returns the kernel for the record in a row of a table that conforms to the
// schema. The segment holds the sub-domains of the segment that the intruder takes the record to be in. A cell that is
// left alone has the kernel Kept.
type Column func(s *segment.Segment, t *table.Table, row int) Kernel

// Kernel is the law of a released value given the original one: P returns the probability, or a density up to a factor
// common to all y, that the original value x is released as y; codes of categories are given as numbers, and a missing
// y is NaN, or the code -1. It is never negative, and 0 where y cannot come from x. Kernels are comparable: equal ones
// are the same law.
type Kernel = interface{ P(x, y float64) float64 }

// Additive is a mechanism of additive noise whose columns depend on each other.
type Additive interface {
	Mechanism
	// Additive reads a released table as original plus noise: for the named numeric columns it returns columns z of one
	// value a record (NaN where missing) with z = x + e, where x is the original value and e has mean 0 and covariance
	// noise. So it undoes what is known of the technique besides the noise, such as a shrinking transform. It is an error
	// when the table lacks a column. Columns that the plan changes and does not name tell nothing of the original.
	Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error)
}

// Everywhere is the law of a column that is the same for all records.
func Everywhere(k Kernel) Column {
	return func(*segment.Segment, *table.Table, int) Kernel { return k }
}

// Of returns the law that a mechanism has of column j; false where it has none.
func Of(m Mechanism, j int) (Column, bool) {
	if l, ok := m.(ByColumn); ok {
		return l.Law(j)
	}
	return nil, false
}

// At returns the kernel of a cell; false where the mechanism has no law of its column, or leaves the cell alone.
func At(m Mechanism, j int, s *segment.Segment, t *table.Table, row int) (Kernel, bool) {
	of, ok := Of(m, j)
	if !ok {
		return nil, false
	}
	k := of(s, t, row)
	return k, k != Kernel(Kept{})
}
