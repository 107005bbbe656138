package noiseremoval

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
)

// negligible is the share of the largest eigenvalue of the noise's covariance below which there is no noise in its
// direction.
const negligible = 1e-10

// Filter is a spectral filter: which directions it keeps, and the matrix it multiplies centred released values with.
type Filter struct {
	Lower float64 `json:"lower"` // bounds of the eigenvalues of noise
	Upper float64 `json:"upper"` // of variance 1
	// of the whitened released values, descending; one for every direction that has noise
	Eigenvalues []float64 `json:"eigenvalues"`
	Kept        int       `json:"kept"`  // of these, how many are data
	Below       int       `json:"below"` // of these, how many lie below the lower bound
	Gain        mat.Dense `json:"-"`     // m x m
}

// New designs the filter for the covariance of n released records (divisor n-1) and that of their noise, both m x m. It
// is an error when n is smaller than the number of directions that have noise. Cost: O(m^3).
func New(cov, noise mat.Symmetric, n int, keep SpectralKeep) (*Filter, error) {
	white, colour, err := whitening(noise)
	if err != nil {
		return nil, err
	}
	r, m := white.Dims()
	if n < r {
		return nil, fmt.Errorf("spectral filtering needs as many complete records as noisy columns, found %d for %d", n, r)
	}
	var half, full mat.Dense
	linalg.Mul(&half, white, cov)
	linalg.Mul(&full, &half, white.T())
	s := mat.NewSymDense(r, nil)
	for i := range r {
		for j := range i + 1 {
			s.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2*float64(n-1)/float64(n))
		}
	}
	values, v, ok := linalg.Eigen(s)
	if !ok {
		return nil, errors.New("the eigenvalues of the released covariance cannot be found")
	}
	root := math.Sqrt(float64(r) / float64(n))
	f := &Filter{Lower: float64((1 - root) * (1 - root)), Upper: float64((1 + root) * (1 + root)),
		Eigenvalues: make([]float64, r)}
	// The gain keeps what has no noise, and of the rest the directions that are data.
	linalg.Mul(&f.Gain, colour, white)
	f.Gain.Scale(-1, &f.Gain)
	for k := range m {
		f.Gain.Set(k, k, f.Gain.At(k, k)+1)
	}
	data := mat.NewSymDense(r, nil)
	for k, value := range values {
		value = max(value, 0) // rounding must not take it below a lower bound of 0
		f.Eigenvalues[r-1-k] = value
		if value < f.Lower {
			f.Below++
		}
		if value > f.Upper || keep == Outside && value < f.Lower {
			f.Kept++
			linalg.AddOuter(data, data, 1, v.ColView(k))
		}
	}
	var back, kept mat.Dense
	linalg.Mul(&back, colour, data)
	linalg.Mul(&kept, &back, white)
	f.Gain.Add(&f.Gain, &kept)
	return f, nil
}

// whitening returns the r x m matrix that makes noise of this covariance independent with variance 1, r being its rank,
// and the m x r matrix that leads back. Any other root of the covariance differs by a rotation, which eigenvectors
// undo.
func whitening(noise mat.Symmetric) (white, colour *mat.Dense, err error) {
	m := noise.SymmetricDim()
	values, v, ok := linalg.Eigen(noise)
	if !ok {
		return nil, nil, errors.New("the eigenvalues of the noise's covariance cannot be found")
	}
	first := 0
	for first < m && !(values[first] > negligible*values[m-1]) {
		first++
	}
	if first == m {
		return nil, nil, errors.New("the covariance of the noise is 0, so there is none to remove")
	}
	white, colour = mat.NewDense(m-first, m, nil), mat.NewDense(m, m-first, nil)
	for k, value := range values[first:] {
		s := math.Sqrt(value)
		for j := range m {
			white.Set(k, j, v.At(j, first+k)/s)
			colour.Set(j, k, float64(v.At(j, first+k)*s))
		}
	}
	return white, colour, nil
}
