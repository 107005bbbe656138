package mvnorm

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
)

// Conditional is the law of Y given U: normal with mean Intercept + B u and covariance Cov. It, Dial and Explained
// state the law as it is printed, for any security specification; releases are drawn by Law, in a form that is stable
// and copes with missing values.
type Conditional struct {
	B         *mat.Dense // k x (k+q)
	Intercept []float64
	Cov       *mat.SymDense
}

// Condition returns the law of Y given U when Y has the mean and the covariance of X and the covariance of X with S,
// and cxy is the covariance of X with Y (the security specification; nil for Dial with a = 0). Mean and cov are those
// of U. A specification that no joint law has is an error. Singular covariances have a generalised inverse (Inverse).
// Cost: O((k+q)^3).
func Condition(mean []float64, cov mat.Symmetric, k int, cxy *mat.Dense) (*Conditional, error) {
	p := cov.SymmetricDim()
	if cxy == nil {
		var err error
		if cxy, err = Dial(cov, k, make([]float64, k)); err != nil {
			return nil, err
		}
	}
	inv, err := Inverse(cov)
	if err != nil {
		return nil, err
	}
	cyu := mat.NewDense(k, p, nil)
	for i := range k {
		for j := range p {
			if j < k {
				cyu.Set(i, j, cxy.At(j, i))
			} else {
				cyu.Set(i, j, cov.At(i, j))
			}
		}
	}
	c := &Conditional{B: mat.NewDense(k, p, nil), Intercept: make([]float64, k), Cov: mat.NewSymDense(k, nil)}
	linalg.Mul(c.B, cyu, inv)
	var explained mat.Dense
	linalg.Mul(&explained, c.B, cyu.T())
	for i := range k {
		c.Intercept[i] = mean[i]
		for j := range p {
			c.Intercept[i] -= float64(c.B.At(i, j) * mean[j])
		}
		for j := range i + 1 {
			c.Cov.SetSym(i, j, cov.At(i, j)-(explained.At(i, j)+explained.At(j, i))/2)
		}
	}
	return c, c.check(cov, cyu)
}

// check returns an error unless the law leaves a covariance to Y, and Y varies with nothing that does not vary.
func (c *Conditional) check(cov mat.Symmetric, cyu *mat.Dense) error {
	k, p := cyu.Dims()
	_, sd, err := unit(cov)
	if err != nil {
		return err
	}
	var back mat.Dense
	linalg.Mul(&back, c.B, cov)
	for i := range k {
		for j := range p {
			if d := (back.At(i, j) - cyu.At(i, j)) / sd[i] / sd[j]; !(math.Abs(d) <= math.Sqrt(slack)) {
				return contradiction(errors.New("it relates Y to a combination of attributes that has no variance"))
			}
		}
	}
	r, err := in(c.Cov, sd[:k])
	if err == nil {
		_, err = root(r, sd[:k])
	}
	return contradiction(err)
}

// contradiction says of an error that it comes from the security specification.
func contradiction(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the security specification contradicts the covariances: %w", err)
}

// Dial returns the covariance of X with Y that lets a share a[j] of what S leaves open of attribute j through to the
// release: E + M diag(a), where E = C_XS C_SS^-1 C_SX is what S explains (Explained) and M = C_XX - E what it leaves
// open. With a = 0 the release depends on S only, the least disclosure there is; with a near 1 it is nearly the
// original. Cost: O((k+q)^3).
func Dial(cov mat.Symmetric, k int, a []float64) (*mat.Dense, error) {
	explained, err := Explained(cov, k)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			e := explained.At(i, j)
			out.Set(i, j, e+float64((cov.At(i, j)-e)*a[j]))
		}
	}
	return out, nil
}

// Explained returns C_XS C_SS^-1 C_SX, the part of the covariance of X that S explains; zeros where there is no S.
// Cost: O((k+q)^3).
func Explained(cov mat.Symmetric, k int) (*mat.SymDense, error) {
	_, explained, err := regress(cov, k, rest(cov, k))
	return explained, err
}

// rest returns the positions from k on.
func rest(cov mat.Symmetric, k int) []int {
	s := make([]int, cov.SymmetricDim()-k)
	for j := range s {
		s[j] = k + j
	}
	return s
}

// regress returns the coefficients of X on the attributes s, k x len(s), and what they explain of the covariance of X.
// The coefficients are nil for no s.
func regress(cov mat.Symmetric, k int, s []int) (*mat.Dense, *mat.SymDense, error) {
	explained := mat.NewSymDense(k, nil)
	if len(s) == 0 {
		return nil, explained, nil
	}
	css, cxs := mat.NewSymDense(len(s), nil), mat.NewDense(k, len(s), nil)
	for a, j := range s {
		for b, l := range s[:a+1] {
			css.SetSym(a, b, cov.At(j, l))
		}
		for i := range k {
			cxs.Set(i, a, cov.At(i, j))
		}
	}
	inv, err := Inverse(css)
	if err != nil {
		return nil, nil, err
	}
	var beta, full mat.Dense
	linalg.Mul(&beta, cxs, inv)
	linalg.Mul(&full, &beta, cxs.T())
	for i := range k {
		for j := range i + 1 {
			explained.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return &beta, explained, nil
}

// open returns the coefficients of X on s, what s leaves open of the covariance of X, and the standard deviations of X.
// An attribute of which s leaves open less than 1e-10 has none left.
func open(cov mat.Symmetric, k int, s []int) (beta *mat.Dense, m *mat.SymDense, sd []float64, err error) {
	beta, m, err = regress(cov, k, s)
	if err != nil {
		return nil, nil, nil, err
	}
	sd, none := make([]float64, k), make([]bool, k)
	for i := range k {
		v := cov.At(i, i)
		if sd[i] = math.Sqrt(v); v == 0 {
			sd[i] = 1
		}
		left := v - m.At(i, i)
		if left < -slack*v {
			return nil, nil, nil, fmt.Errorf("the covariances are not valid: they explain %.3g times the variance "+
				"of an attribute", m.At(i, i)/v)
		}
		none[i] = left <= negligible*v
	}
	for i := range k {
		for j := range i + 1 {
			d := cov.At(i, j) - m.At(i, j)
			if none[i] || none[j] {
				d = 0
			}
			m.SetSym(i, j, d)
		}
	}
	return beta, m, sd, nil
}

// Noise returns the covariance of the noise e in Y = F + diag(a) (X - F) + e, where F is X as S explains it: M -
// diag(a) M diag(a), with M of Dial. It need not be positive semi-definite where the a differ. Cost: O((k+q)^3).
func Noise(cov mat.Symmetric, a []float64) (*mat.SymDense, error) {
	_, m, _, err := open(cov, len(a), rest(cov, len(a)))
	if err != nil {
		return nil, err
	}
	return noise(m, a), nil
}

func noise(m *mat.SymDense, a []float64) *mat.SymDense {
	out := mat.NewSymDense(len(a), nil)
	for i := range a {
		for j := range i + 1 {
			out.SetSym(i, j, float64(m.At(i, j)*(1-float64(a[i]*a[j]))))
		}
	}
	return out
}

// Security returns what the law of Dial withholds from an intruder who has Y and S (Muralidhar, Parsa & Sarathy 1999):
// of every attribute 1 - rho^2, rho being its multiple correlation with Y and S, and of the worst linear combination of
// X 1 - lambda, lambda being the largest squared canonical correlation of X with Y and S. All are shares from 0,
// disclosed, to 1; an attribute without variance has 0. Cost: O((k+q)^3).
func Security(cov mat.Symmetric, a []float64) (each []float64, worst float64, err error) {
	k := len(a)
	_, m, sd, err := open(cov, k, rest(cov, k))
	if err != nil {
		return nil, 0, err
	}
	inv, err := Inverse(m)
	if err != nil {
		return nil, 0, err
	}
	// What Y and S leave open of X, M - M A M^-1 A M, in units of X.
	var ma, known, half mat.Dense
	linalg.Mul(&ma, m, mat.NewDiagDense(k, a))
	linalg.Mul(&half, &ma, inv)
	linalg.Mul(&known, &half, ma.T())
	left, cxx := mat.NewSymDense(k, nil), mat.NewSymDense(k, nil)
	each = make([]float64, k)
	for i := range k {
		for j := range i + 1 {
			left.SetSym(i, j, (m.At(i, j)-(known.At(i, j)+known.At(j, i))/2)/sd[i]/sd[j])
			cxx.SetSym(i, j, cov.At(i, j)/sd[i]/sd[j])
		}
		each[i] = min(max(left.At(i, i), 0), 1)
	}
	worst, err = smallest(left, cxx)
	return each, worst, err
}

// smallest returns the smallest share of the variance of a linear combination that is left: the smallest eigenvalue of
// left in coordinates in which c is the identity.
func smallest(left, c *mat.SymDense) (float64, error) {
	values, vec, err := eigen(c)
	if err != nil {
		return 0, err
	}
	k := len(values)
	first := 0
	for first < k && values[first] <= negligible*values[k-1] {
		first++
	}
	if first == k {
		return 0, nil
	}
	white := mat.NewDense(k, k-first, nil)
	for j := first; j < k; j++ {
		for i := range k {
			white.Set(i, j-first, vec.At(i, j)/math.Sqrt(values[j]))
		}
	}
	var half, full mat.Dense
	linalg.Mul(&half, left, white)
	linalg.Mul(&full, white.T(), &half)
	share := mat.NewSymDense(k-first, nil)
	for i := range k - first {
		for j := range i + 1 {
			share.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	values, _, err = eigen(share)
	if err != nil {
		return 0, err
	}
	return min(max(values[0], 0), 1), nil
}
