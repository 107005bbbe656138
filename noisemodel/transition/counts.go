package transition

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
)

// Expected returns the expected counts of the release, P' T, given those of the original.
func (m Matrix) Expected(counts []float64) []float64 {
	out := make([]float64, len(m))
	for x, row := range m {
		vector.AddScaled(out, counts[x], row)
	}
	return out
}

// Estimate returns unbiased estimates of the original counts, (P')^-1 T, given those of a release. They may be negative
// (Clip). It is an error when the transitions cannot be undone. Cost: O(K^3).
func (m Matrix) Estimate(released []float64) ([]float64, error) {
	if len(m) == 0 {
		return []float64{}, nil
	}
	var out mat.Dense
	if err := linalg.Solve(&out, m.dense().T(), mat.NewDense(len(released), 1, released)); err != nil {
		return nil, refused(err)
	}
	return out.RawMatrix().Data, nil
}

// ExpectedTable returns the expected counts of two attributes that are perturbed apart, P_X' T P_Y, given those of the
// original, counts[x][y]. An attribute that is not perturbed has the identity.
func ExpectedTable(px Matrix, counts [][]float64, py Matrix) [][]float64 {
	var left, out mat.Dense
	linalg.Mul(&left, px.dense().T(), Matrix(counts).rectangle())
	linalg.Mul(&out, &left, py.dense())
	return rows(&out)
}

// EstimateTable returns unbiased estimates of the original counts of two attributes, (P_X')^-1 T P_Y^-1, given those of
// the release. It is an error when the transitions cannot be undone.
func EstimateTable(px Matrix, released [][]float64, py Matrix) ([][]float64, error) {
	var left, right mat.Dense
	if err := linalg.Solve(&left, px.dense().T(), Matrix(released).rectangle()); err != nil {
		return nil, refused(err)
	}
	if err := linalg.Solve(&right, py.dense().T(), left.T()); err != nil { // T P^-1 = ((P')^-1 T')'
		return nil, refused(err)
	}
	return rows(mat.DenseCopyOf(right.T())), nil
}

// refused says why a system was not solved.
func refused(err error) error {
	var c mat.Condition
	if errors.As(err, &c) {
		return fmt.Errorf("the transitions cannot be undone: the condition number of their matrix is %.3g", float64(c))
	}
	return err
}

// rectangle returns counts[x][y] for linear algebra.
func (m Matrix) rectangle() *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for x, row := range m {
		d.SetRow(x, row)
	}
	return d
}

func rows(d *mat.Dense) [][]float64 {
	n, _ := d.Dims()
	out := make([][]float64, n)
	for x := range out {
		out[x] = mat.Row(nil, x, d)
	}
	return out
}

// Covariance returns the covariance matrix of the counts of the release given those of the original: the sum over
// categories k of T_k (diag(p_k) - p_k p_k').
func (m Matrix) Covariance(counts []float64) *mat.SymDense {
	out := mat.NewSymDense(max(1, len(m)), nil)
	for x, row := range m {
		linalg.AddOuter(out, out, -counts[x], mat.NewVecDense(len(row), row))
	}
	for y, t := range m.Expected(counts) {
		out.SetSym(y, y, out.At(y, y)+t)
	}
	return out
}

// Clip puts 0 for negative estimates and scales the others to the old sum; where nothing is left it returns zeros.
func Clip(estimates []float64) []float64 {
	out := make([]float64, len(estimates))
	for k, v := range estimates {
		out[k] = max(0, v)
	}
	if was, is := vector.Sum(estimates), vector.Sum(out); is > 0 {
		floats.Scale(max(0, was)/is, out)
	}
	return out
}

// Likeliest returns the original counts of maximum likelihood, none negative, by expectation and maximisation from
// equal counts: every released value is shared among the originals in proportion to count and transition. It ends when
// no count changes by more than 1e-9 of their sum, or after so many rounds. Cost: O(K^2) a round.
func (m Matrix) Likeliest(released []float64, most int) []float64 {
	n := vector.Sum(released)
	counts, next := make([]float64, len(m)), make([]float64, len(m))
	for k := range counts {
		counts[k] = n / float64(len(m))
	}
	for range most {
		there := m.Expected(counts)
		for x, row := range m {
			next[x] = 0
			for y, p := range row {
				if there[y] > 0 {
					next[x] += counts[x] * p * released[y] / there[y]
				}
			}
		}
		moved := vector.Distance(counts, next, math.Inf(1))
		counts, next = next, counts
		if moved <= 1e-9*n {
			break
		}
	}
	return counts
}
