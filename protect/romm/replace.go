package romm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/orthobasis"
)

// Replace writes to y what is released of records that keep their moments together. Columns of u are the original ones,
// the first k = len(y) confidential; z are k columns of independent standard normals. An infinite value is an error.
// The last digits depend on the order of the records. Missing values: see the package comment. Cost: O(n (k + q)²).
func Replace(y, u, z [][]float64, lambda float64) error {
	return orthobasis.Replace(
		nil,
		y,
		u,
		z,
		make([]float64, len(y)),
		func(d *orthobasis.Design, _ []float64) (*orthobasis.Release, error) {
			return turn(d, lambda), nil
		},
	)
}

// turn makes the release of complete records. The basis of S, X and G holds E = Q R and what is left of G, so W = Q +
// lambda G has small coefficients A in it, and with A = Q_A R_A the columns Q* = W R_A^-1 have the coefficients Q_A.
func turn(d *orthobasis.Design, lambda float64) *orthobasis.Release {
	if !d.Turned() {
		return nil
	}
	t := d.Fitted()
	root, rows := d.Roots()
	if root != nil {
		at := append(rows, d.Noise()...)
		a := mat.NewDense(len(at), len(rows), nil)
		for c := range rows {
			for r, i := range at {
				a.Set(r, c, float64(lambda*d.R.At(i, d.V.Lo+c)))
			}
			a.Set(c, c, 1+a.At(c, c))
		}
		var rest mat.Dense
		linalg.Mul(&rest, linalg.Orthonormal(a), root)
		for r, i := range at {
			copy(t.RawRowView(i), rest.RawRowView(r))
		}
	}
	dial := make([]float64, d.X.Len())
	for j := range dial {
		dial[j] = Dial(lambda, d.Free())
	}
	return &orthobasis.Release{Design: d, T: t, Dial: dial}
}

// Dial returns the correlation of released and original residuals, where free is the number of dimensions that they
// have: 1/sqrt(1 + lambda² free).
func Dial(lambda float64, free int) float64 {
	return 1 / math.Sqrt(1+float64(lambda*lambda*float64(free)))
}
