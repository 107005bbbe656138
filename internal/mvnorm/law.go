package mvnorm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Law draws Y given U, for records with missing values too: what is missing of U is left out of the condition, so the draw follows
// the law of Y given what is known of the record. It is not safe for concurrent use; Clone is cheap.
type Law struct {
	k, p     int
	mean     []float64
	cov      *mat.SymDense
	dial     []float64
	patterns map[string]*draw
}

// draw is Y = intercept + B u + root z over the known part of u.
type draw struct {
	known     []int // positions in u
	b, root   []float64
	intercept []float64
}

// NewLaw prepares the law of Condition with Dial for the mean and covariance of U, of which the first k attributes are confidential. It
// is an error when the dial and the covariance contradict each other, or a mean is missing.
func NewLaw(mean []float64, cov mat.Symmetric, dial []float64) (*Law, error) {
	l := &Law{k: len(dial), p: len(mean), mean: mean, dial: dial, patterns: map[string]*draw{}}
	for _, m := range mean {
		if math.IsNaN(m) || math.IsInf(m, 0) {
			return nil, fmt.Errorf("a column has no values to take a mean of")
		}
	}
	l.cov = mat.NewSymDense(l.p, nil)
	l.cov.CopySym(cov)
	all := make([]int, l.p)
	for i := range all {
		all[i] = i
	}
	d, err := l.prepare(all)
	if err != nil {
		return nil, err
	}
	l.patterns[string(make([]byte, l.p))] = d
	return l, nil
}

// Clone returns a law for another goroutine.
func (l *Law) Clone() *Law {
	c := *l
	c.patterns = make(map[string]*draw, len(l.patterns))
	for k, v := range l.patterns {
		c.patterns[k] = v
	}
	return &c
}

// Draw writes into y the released values of records: u holds the p columns of the original (the confidential ones first), z k columns
// of independent standard normals, y k columns. A missing confidential value stays missing. Cost: O(records k (k+q)), and O((k+q)^3) for
// every pattern of missing values that occurs.
func (l *Law) Draw(y, u, z [][]float64) error {
	n := len(y[0])
	key := make([]byte, l.p)
	for i := range n {
		gaps := false
		for j, c := range u {
			key[j] = 0
			if v := c[i]; v != v {
				key[j], gaps = 1, true
			}
		}
		d, ok := l.patterns[string(key)]
		if !ok {
			var known []int
			for j, b := range key {
				if b == 0 {
					known = append(known, j)
				}
			}
			var err error
			if d, err = l.prepare(known); err != nil {
				return err
			}
			l.patterns[string(key)] = d
		}
		d.row(y, u, z, i)
		if gaps {
			for j := range l.k {
				if key[j] == 1 {
					y[j][i] = math.NaN()
				}
			}
		}
	}
	return nil
}

func (d *draw) row(y, u, z [][]float64, i int) {
	k, w := len(y), len(d.known)
	for r := range k {
		v := d.intercept[r]
		for c, b := range d.b[r*w : r*w+w] {
			v += b * u[d.known[c]][i]
		}
		for c, b := range d.root[r*k : r*k+k] {
			v += b * z[c][i]
		}
		y[r][i] = v
	}
}

// prepare works out the law given the known positions of u.
func (l *Law) prepare(known []int) (*draw, error) {
	cxy, err := Dial(l.cov, l.k, l.dial)
	if err != nil {
		return nil, err
	}
	// The joint covariance of Y and the known part of U: Y has the covariance of X and that of X with S.
	cyu := func(i, j int) float64 {
		if j < l.k {
			return cxy.At(j, i)
		}
		return l.cov.At(i, j)
	}
	w := len(known)
	d := &draw{known: known, b: make([]float64, l.k*w), intercept: make([]float64, l.k)}
	rest := mat.NewSymDense(l.k, nil)
	for i := range l.k {
		for j := range i + 1 {
			rest.SetSym(i, j, l.cov.At(i, j))
		}
	}
	copy(d.intercept, l.mean[:l.k])
	if w > 0 {
		cuu, half := mat.NewSymDense(w, nil), mat.NewDense(l.k, w, nil)
		for a, ja := range known {
			for b, jb := range known[:a+1] {
				cuu.SetSym(a, b, l.cov.At(ja, jb))
			}
			for i := range l.k {
				half.Set(i, a, cyu(i, ja))
			}
		}
		inv, err := Inverse(cuu)
		if err != nil {
			return nil, err
		}
		var b, explained mat.Dense
		b.Mul(half, inv)
		explained.Mul(&b, half.T())
		for i := range l.k {
			for a, ja := range known {
				d.b[i*w+a] = b.At(i, a)
				d.intercept[i] -= b.At(i, a) * l.mean[ja]
			}
			for j := range i + 1 {
				rest.SetSym(i, j, rest.At(i, j)-(explained.At(i, j)+explained.At(j, i))/2)
			}
		}
	}
	root, err := Root(rest)
	if err != nil {
		return nil, fmt.Errorf("no joint law has this security specification: %w", err)
	}
	d.root = root.RawMatrix().Data
	return d, nil
}
