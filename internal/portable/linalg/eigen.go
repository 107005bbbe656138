package linalg

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
)

// sweeps bounds the turns over all pairs; some ten are enough, as what is left is squared in each.
const sweeps = 60

// rotation returns cosine and sine of the turn that makes products of two columns 0: of squares a and b and product c
// (Jacobi; Rutishauser 1966).
func rotation(a, b, c float64) (cos, sin float64) {
	z := (b - a) / (2 * c)
	t := 1 / (math.Abs(z) + math.Sqrt(1+float64(z*z)))
	if math.IsInf(z, 0) {
		t = 0
	}
	if z < 0 {
		t = -t
	}
	cos = 1 / math.Sqrt(1+float64(t*t))
	return cos, float64(t * cos)
}

// turn replaces two lists by cos x - sin y and sin x + cos y.
func turn(x, y []float64, cos, sin float64) {
	for i, u := range x {
		v := y[i]
		x[i] = float64(cos*u) - float64(sin*v)
		y[i] = float64(sin*u) + float64(cos*v)
	}
}

// Eigen returns the eigenvalues of a finite symmetric matrix in ascending order, and its eigenvectors as columns, whose
// largest number is positive; false where the matrix is not finite. Jacobi's method: it turns pairs of rows and
// columns, in fixed order, until nothing is left beside the diagonal. Cost: some 20 p^3.
func Eigen(a mat.Symmetric) (values []float64, vectors *mat.Dense, ok bool) {
	x := rows(a)
	p := len(x)
	v := rows(mat.NewDense(max(p, 1), max(p, 1), nil))[:p] // rows are eigenvectors
	for i := range v {
		v[i][i] = 1
	}
	negligible := 0x1p-58 * norm(a)
	for range sweeps {
		turned := false
		for i := range x {
			for j := i + 1; j < p; j++ {
				c := x[i][j]
				if c-c != 0 {
					return nil, nil, false
				}
				if math.Abs(c) <= negligible {
					x[i][j], x[j][i] = 0, 0
					continue
				}
				turned = true
				cos, sin := rotation(x[i][i], x[j][j], c)
				turn(x[i], x[j], cos, sin)
				for _, row := range x {
					turn(row[i:i+1], row[j:j+1], cos, sin)
				}
				turn(v[i], v[j], cos, sin)
				x[i][j], x[j][i] = 0, 0
			}
		}
		if !turned {
			break
		}
	}
	order := make([]int, p)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(x[i][i], x[j][j]) })
	vectors = mat.NewDense(p, p, nil)
	for k, i := range order {
		values = append(values, x[i][i])
		vectors.SetCol(k, upright(v[i]))
	}
	return values, vectors, values[0]-values[0] == 0
}

// upright turns the sign of a list so that its largest number, the first but for rounding, is positive.
func upright(x []float64) []float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	for _, v := range x {
		if math.Abs(v) < (1-1e-6)*most {
			continue
		}
		if v < 0 {
			for i := range x {
				x[i] = -x[i]
			}
		}
		break
	}
	return x
}

// SingularValues returns those of a square matrix in ascending order (Hestenes 1958: Jacobi's turns of pairs of columns
// until they are orthogonal).
func SingularValues(a mat.Matrix) []float64 {
	x := rows(a.T())
	for range sweeps {
		turned := false
		for i := range x {
			for j := i + 1; j < len(x); j++ {
				u, v, c := vector.Dot(x[i], x[i]), vector.Dot(x[j], x[j]), vector.Dot(x[i], x[j])
				if !(math.Abs(c) > 1e-15*math.Sqrt(u)*math.Sqrt(v)) {
					continue
				}
				turned = true
				cos, sin := rotation(u, v, c)
				turn(x[i], x[j], cos, sin)
			}
		}
		if !turned {
			break
		}
	}
	out := make([]float64, len(x))
	for i, row := range x {
		out[i] = vector.Norm(row)
	}
	slices.Sort(out)
	return out
}

// Condition returns the ratio of the largest to the least singular value, infinite for a singular matrix.
func Condition(a mat.Matrix) float64 {
	s := SingularValues(a)
	return s[len(s)-1] / s[0]
}
