package measure

import (
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// A plan, or a step of one, offers what an intruder who knows the technique knows of its noise by the methods of Additive or Kernels, without
// knowing this package; Release.Mechanisms holds those of the release.

// Additive is a plan of additive noise whose columns depend on each other.
type Additive interface {
	// Additive reads a released table as original plus noise: for the named numeric columns it returns columns z of one value a record (NaN
	// where missing) with z = x + e, where x is the original value and e has mean 0 and covariance noise. So it undoes what is known of
	// the technique besides the noise, such as a shrinking transform. It is an error when the table lacks a column. Columns that the plan changes and
	// does not name tell nothing of the original.
	Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error)
}

// Kernels is a plan that perturbs columns one by one: given the original record, its released values are independent.
type Kernels interface {
	// Kernel returns the law of the released value in column j of the plan's schema for the record in a row of a table that conforms to the
	// schema. Segment holds the sub-domains of the segment that the intruder takes the record to be in. Ok is false when the plan
	// does not perturb the column.
	Kernel(j int, segment *mine.Segment, t *table.Table, row int) (k Kernel, ok bool)
}

// Kernel is the law of a released value given the original one: P returns the probability, or a density up to a factor common to all y, that
// the original value x is released as y; codes of categories are given as numbers, and a missing y is NaN, or the code -1. It is never negative, and
// 0 where y cannot come from x. Kernels are comparable: equal ones are the same law.
type Kernel = interface{ P(x, y float64) float64 }

// Mechanism returns the first of the release's mechanisms that is a T: what an intruder who knows the technique knows.
func Mechanism[T any](r *Release) (T, bool) {
	for _, m := range r.Mechanisms {
		if t, ok := m.(T); ok {
			return t, true
		}
	}
	var none T
	return none, false
}

// Against returns the release as one intruder sees it. It shares what is memorised.
func (r *Release) Against(i *intruder.Intruder) *Release {
	return &Release{Original: r.Original, Released: r.Released, Paired: r.Paired, Holdout: r.Holdout, Segments: r.Segments,
		Mechanisms: r.Mechanisms, Exact: r.Exact, ExactHoldout: r.ExactHoldout, Hierarchies: r.Hierarchies, Base: r.Base, Intruder: i, whole: r}
}

// OfThose returns the release as one of the records that it has, paired; itself where it has all, or where it is not known which.
func (r *Release) OfThose() *Release {
	if r.Matched == nil {
		return r
	}
	return &Release{Original: r.Matched, Released: r.Released, Paired: true, Holdout: r.Holdout, Segments: r.Segments,
		Mechanisms: r.Mechanisms, Hierarchies: r.Hierarchies, Intruder: r.Intruder}
}

// View returns the intruder's view of the tables: of the one the release is measured against or, where none is named, of the last of
// intruder.Defaults, who knows the most.
func (r *Release) View() (*intruder.View, error) {
	i := r.Intruder
	if i == nil {
		d := intruder.Defaults(r.Original.Attrs())
		i = &d[len(d)-1]
	}
	return i.On(r.Original.Attrs())
}
