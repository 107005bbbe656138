package mvnorm

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// covariance draws the covariance matrix of p attributes with standard deviations from 1e-4 to 1e5. Rank is less than p
// for a singular one.
func covariance(r *rapid.T, p, rank int) *mat.SymDense {
	draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
	root := mat.NewDense(p, rank, nil)
	for i := range p {
		scale := math.Pow(10, float64(rapid.IntRange(-4, 5).Draw(r, "scale")))
		for j := range rank {
			root.Set(i, j, scale*draw.NormFloat64())
		}
	}
	var c mat.Dense
	c.Mul(root, root.T())
	return sym(&c)
}

func sym(m mat.Matrix) *mat.SymDense {
	p, _ := m.Dims()
	s := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			s.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	return s
}

// close compares matrices in the units of their rows and columns.
func close(t rapid.TB, what string, got, want mat.Matrix, rows, cols []float64, tolerance float64) {
	t.Helper()
	r, c := want.Dims()
	if a, b := got.Dims(); a != r || b != c {
		t.Fatalf("%s is %d x %d, expected %d x %d", what, a, b, r, c)
	}
	for i := range r {
		for j := range c {
			if d := math.Abs(got.At(i, j)-want.At(i, j)) / rows[i] / cols[j]; !(d <= tolerance) {
				t.Fatalf("%s (%d, %d) is %v, expected %v: off by %v in units of the attributes", what, i, j, got.At(i, j),
					want.At(i, j), d)
			}
		}
	}
}

// scales returns the standard deviations.
func scales(c mat.Symmetric) []float64 {
	sd := make([]float64, c.SymmetricDim())
	for i := range sd {
		sd[i] = math.Sqrt(c.At(i, i))
	}
	return sd
}

func TestRoot(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(r, "p")
		c := covariance(r, p, rapid.IntRange(1, p).Draw(r, "rank"))
		l := must.Get(Root(c))(r)
		var back mat.Dense
		back.Mul(l, l.T())
		// a singular matrix rounds to eigenvalues of up to 1e-16, their roots are 1e-8
		close(r, "L L'", &back, c, scales(c), scales(c), 1e-6)
	})
	for _, c := range []*mat.SymDense{
		mat.NewSymDense(2, []float64{1, 2, 2, 1}), mat.NewSymDense(2, []float64{0, 1, 1, 4}),
		mat.NewSymDense(1, []float64{-1}),
		mat.NewSymDense(1, []float64{math.NaN()}), mat.NewSymDense(2, []float64{1e-8, 2, 2, 1e8}),
		mat.NewSymDense(1, []float64{math.Inf(1)}),
	} {
		if l, err := Root(c); err == nil {
			t.Errorf("%v has the root %v", mat.Formatted(c), mat.Formatted(l))
		}
	}
}

// A generalised inverse has C C^- C = C and C^- C C^- = C^-, and of a regular matrix there is only one.
func TestInverse(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(r, "p")
		c := covariance(r, p, rapid.IntRange(1, p).Draw(r, "rank"))
		inv := must.Get(Inverse(c))(r)
		sd := scales(c)
		var half, full mat.Dense
		half.Mul(c, inv)
		full.Mul(&half, c)
		close(r, "C C^- C", &full, c, sd, sd, 1e-4)
		full.Mul(inv, &half)
		largest := 1.0
		for i := range sd {
			largest = max(largest, inv.At(i, i)*sd[i]*sd[i])
			sd[i] = 1 / sd[i]
		}
		close(r, "C^- C C^-", &full, inv, sd, sd, 1e-4*largest)
	})
	if _, err := Inverse(mat.NewSymDense(2, []float64{1, 2, 2, 1})); err == nil {
		t.Error("an indefinite matrix is inverted")
	}
	inv, err := Inverse(mat.NewSymDense(2, []float64{4, 0, 0, 0}))
	if err != nil || inv.At(0, 0) != 0.25 || inv.At(1, 1) != 0 {
		t.Errorf("with an attribute without variance: %v, error %v", mat.Formatted(inv), err)
	}
}

// A matrix of some law is left as it is, another becomes one, keeps its variances and moves no more than its negative
// eigenvalues ask for.
func TestRepair(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := rapid.IntRange(2, 6).Draw(r, "p")
		c := covariance(r, p, rapid.IntRange(1, p).Draw(r, "rank"))
		same, clipped, err := Repair(c)
		if err != nil || clipped != 0 || !mat.Equal(same, c) {
			r.Fatalf("a covariance matrix is repaired: %d eigenvalues, error %v", clipped, err)
		}
		sd := scales(c)
		c.SetSym(0, 1, rapid.SampledFrom([]float64{-3, -1.001, 1.001, 3}).Draw(r, "correlation")*sd[0]*sd[1])
		fixed, clipped, err := Repair(c)
		if err != nil || clipped == 0 {
			r.Fatalf("a correlation above 1: %d eigenvalues, error %v", clipped, err)
		}
		must.Get(Root(fixed))(r)
		for i := range p {
			if fixed.At(i, i) != c.At(i, i) {
				r.Fatalf("variance %v becomes %v", c.At(i, i), fixed.At(i, i))
			}
		}
		close(r, "a small fault repaired", fixed, c, sd, sd, 10)
	})
	// The nearest correlation matrix by clipping [[1, 1.2], [1.2, 1]] is [[1, 1], [1, 1]], in any units.
	fixed, clipped, err := Repair(mat.NewSymDense(3, []float64{1e-6, 1.2, 0, 1.2, 1e6, 0, 0, 0, 0}))
	if err != nil || clipped != 2 || math.Abs(fixed.At(0, 1)-1) > 1e-9 || fixed.At(2, 2) != 0 {
		t.Errorf("%v, %d clipped, error %v", mat.Formatted(fixed), clipped, err)
	}
}

// Condition has the covariances it promises: Cov(Y) = C_XX, Cov(Y, S) = C_XS, Cov(X, Y) = the specification.
func TestConditionKeepsCovariances(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		k, q := rapid.IntRange(1, 3).Draw(r, "k"), rapid.IntRange(0, 3).Draw(r, "q")
		cov := covariance(r, k+q, k+q+2)
		a := rapid.Float64Range(0, 0.99).Draw(r, "a")
		dial := make([]float64, k)
		for i := range dial {
			dial[i] = a
		}
		cxy := must.Get(Dial(cov, k, dial))(r)
		mean := make([]float64, k+q)
		for j := range mean {
			mean[j] = float64(j) * scales(cov)[j]
		}
		c := must.Get(Condition(mean, cov, k, cxy))(r)
		sd := scales(cov)
		var cyu, cyy mat.Dense
		cyu.Mul(c.B, cov)
		close(r, "Cov(Y, X)", cyu.Slice(0, k, 0, k), cxy.T(), sd[:k], sd[:k], 1e-6)
		if q > 0 {
			var all mat.Dense
			all.CloneFrom(cov)
			close(r, "Cov(Y, S)", cyu.Slice(0, k, k, k+q), all.Slice(0, k, k, k+q), sd[:k], sd[k:], 1e-6)
		}
		cyy.Mul(&cyu, c.B.T())
		cyy.Add(&cyy, c.Cov)
		close(r, "Cov(Y)", &cyy, cov.SliceSym(0, k), sd[:k], sd[:k], 1e-6)
		for i := range k {
			m := c.Intercept[i]
			for j := range mean {
				m += c.B.At(i, j) * mean[j]
			}
			if math.Abs(m-mean[i]) > 1e-6*sd[i] {
				r.Fatalf("mean %v, expected %v", m, mean[i])
			}
		}
	})
}

func TestConditionRefusals(t *testing.T) {
	two := mat.NewSymDense(2, []float64{1, 0.5, 0.5, 1})
	for what, c := range map[string]struct {
		cov  *mat.SymDense
		k    int
		cxy  *mat.Dense
		text string
	}{
		"Y varies more with X than it varies": {two, 1, mat.NewDense(1, 1, []float64{1.5}), "security specification " +
			"contradicts"},
		"Y varies against what S explains": {two, 1, mat.NewDense(1, 1, []float64{-0.9}), "smallest eigenvalue is -1"},
		"Y varies with a constant": {mat.NewSymDense(2, []float64{1, 0, 0, 0}), 2,
			mat.NewDense(2, 2, []float64{.5, 0, .5, 0}), "no varia"},
		"covariances of no law": {mat.NewSymDense(2, []float64{1, 2, 2, 1}), 1, nil, "not positive semi-definite"},
		"covariances of no law, both released": {mat.NewSymDense(2, []float64{1, 2, 2, 1}), 2, nil,
			"not positive semi-definite"},
	} {
		if _, err := Condition([]float64{0, 0}, c.cov, c.k, c.cxy); err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: error %v, expected %q", what, err, c.text)
		}
	}
}
