package measure

import (
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/table"
)

// Additive is what an intruder who knows the technique makes of a release by additive noise. A plan, or a step of one, offers it
// without knowing this package; Release.Mechanisms holds those of the release.
type Additive interface {
	// Additive reads a released table as original plus noise: for the named numeric columns it returns columns z of one value a record (NaN
	// where missing) with z = x + e, where x is the original value and e has mean 0 and covariance noise. So it undoes what is known of
	// the technique besides the noise, such as a shrinking transform. It is an error when the table lacks a column.
	Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error)
}

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
