package mvnorm

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
)

// Law draws Y given U by the law of Dial, in the form
//
//	Y = F + diag(a) (X - F) + e,  F = mean of X + beta (S - mean of S),  e normal with the covariance of Noise.
//
// What is missing of S is left out of the condition: F is what the known part of S explains, and the noise is what that
// part leaves open. So the release of a record never depends on more of X than a lets through. Where a record's known
// part of S and unequal a contradict each other, a is halved for it until they do not.
//
// An attribute of X without variance is released unchanged, one of S has no influence. A Law is safe for concurrent
// use.
type Law struct {
	k     int
	mean  []float64
	cov   *mat.SymDense
	dial  []float64
	s     []int // positions in u of the attributes of S with variance
	whole *draw

	mu       sync.Mutex
	patterns map[string]*draw // the laws of records with missing values
}

// kept is how many patterns of missing values are kept; others are worked out again for every record.
const kept = 1 << 12

// draw is the law given the known part of S: Y = mean + dial (x - mean) + b (s - mean of S) + root z.
type draw struct {
	known   []int     // positions in Law.s
	dial    []float64 // k
	b, root []float64 // k x len(known), k x k
}

// NewLaw prepares the law of Dial for the mean and covariance of U, of which the first k = len(dial) attributes are
// confidential. Shares of the dial are from 0 to 1. It is an error when dial and covariances contradict each other,
// when the covariances are those of no law, or when an attribute with variance has no mean. Cost: O((k+q)^3).
func NewLaw(mean []float64, cov mat.Symmetric, dial []float64) (*Law, error) {
	l := &Law{k: len(dial), mean: mean, dial: dial, patterns: map[string]*draw{}}
	if len(mean)+len(dial) == 0 {
		return l, nil
	}
	if cov == nil || cov.SymmetricDim() != len(mean) || len(dial) > len(mean) {
		return nil, errors.New("means, covariances and dial are not of the same attributes")
	}
	for _, a := range dial {
		if !(a >= 0 && a <= 1) {
			return nil, fmt.Errorf("a share of the dial is %v; expected 0 to 1", a)
		}
	}
	for j, m := range mean {
		if v := cov.At(j, j); v != 0 && (math.IsNaN(m) || math.IsInf(m, 0)) {
			return nil, errors.New("a column has no values to take a mean of")
		} else if v != 0 && j >= l.k {
			l.s = append(l.s, j)
		}
	}
	l.cov = mat.NewSymDense(len(mean), nil)
	l.cov.CopySym(cov)
	all := make([]int, len(l.s))
	for c := range all {
		all[c] = c
	}
	var err error
	l.whole, err = l.prepare(all, dial)
	return l, err
}

// Clone returns the law: it is safe for concurrent use as it is.
func (l *Law) Clone() *Law { return l }

// prepare works out the law given the known part of S.
func (l *Law) prepare(known []int, dial []float64) (*draw, error) {
	d := &draw{known: known, dial: dial}
	if l.k == 0 {
		return d, nil
	}
	s := make([]int, len(known))
	for c, at := range known {
		s[c] = l.s[at]
	}
	beta, m, sd, err := open(l.cov, l.k, s)
	if err != nil {
		return nil, err
	}
	r, err := in(m, sd)
	if err != nil {
		return nil, err
	}
	if _, err := root(r, sd); err != nil {
		return nil, err // the covariances are those of no law, whatever the dial
	}
	if r, err = in(noise(m, dial), sd); err != nil {
		return nil, err
	}
	noise, err := root(r, sd)
	if err != nil {
		return nil, contradiction(err)
	}
	d.root = noise.RawMatrix().Data
	if beta != nil {
		d.b = make([]float64, l.k*len(known))
		for i, a := range dial {
			for c := range known {
				d.b[i*len(known)+c] = float64((1 - a) * beta.At(i, c))
			}
		}
	}
	return d, nil
}

// strip is how many records are drawn together: few enough that their columns meet in cache.
const strip = 512

// Draw writes into y the released values of records: u holds the p columns of the original (the confidential ones
// first), z k columns of independent standard normals, y k columns. A missing confidential value stays missing. A
// record's values do not depend on the records it is drawn with. Cost: O(records k (k+q)), and O((k+q)^3) for every
// pattern in which S is missing.
func (l *Law) Draw(y, u, z [][]float64) error {
	if l.k == 0 {
		return nil
	}
	dev := make([][]float64, len(l.s))
	flat := make([]float64, len(l.s)*strip)
	gaps := gaps{law: l, seen: map[string]*draw{}, key: make([]byte, len(l.s))}
	for lo := 0; lo < len(y[0]); lo += strip {
		hi := min(lo+strip, len(y[0]))
		missing := 0.0
		for c, j := range l.s {
			dev[c] = flat[c*strip : c*strip+hi-lo]
			copy(dev[c], u[j][lo:hi])
			floats.AddConst(-l.mean[j], dev[c])
			missing += vector.Sum(dev[c])
		}
		for r := range l.k {
			l.column(r, y[r][lo:hi], u[r][lo:hi], dev, z, lo)
		}
		if missing != missing {
			if err := gaps.draw(y, u, z, lo, hi); err != nil {
				return err
			}
		}
	}
	return nil
}

// column draws one confidential attribute of a strip of records whose S is known.
func (l *Law) column(r int, y, x []float64, dev, z [][]float64, lo int) {
	if l.cov.At(r, r) == 0 {
		copy(y, x)
		return
	}
	mean, a := l.mean[r], l.dial[r]
	for i, v := range x {
		y[i] = mean + float64(a*(v-mean))
	}
	for c, d := range dev {
		if b := l.whole.b[r*len(dev)+c]; b != 0 {
			vector.AddScaled(y, b, d)
		}
	}
	for c, b := range l.whole.root[r*l.k : (r+1)*l.k] {
		if b != 0 {
			vector.AddScaled(y, b, z[c][lo:lo+len(y)])
		}
	}
}

// gaps draws the records of which a part of S is missing.
type gaps struct {
	law  *Law
	seen map[string]*draw
	key  []byte
}

func (g *gaps) draw(y, u, z [][]float64, lo, hi int) error {
	for i := lo; i < hi; i++ {
		gap := false
		for c, j := range g.law.s {
			g.key[c] = 0
			if v := u[j][i]; v != v {
				g.key[c], gap = 1, true
			}
		}
		if !gap {
			continue
		}
		d, ok := g.seen[string(g.key)]
		if !ok {
			var err error
			if d, err = g.law.pattern(g.key); err != nil {
				return err
			}
			if len(g.seen) < kept {
				g.seen[string(g.key)] = d
			}
		}
		g.law.row(d, y, u, z, i)
	}
	return nil
}

// pattern returns the law for records that lack the attributes of S whose byte is 1.
func (l *Law) pattern(key []byte) (*draw, error) {
	l.mu.Lock()
	d, ok := l.patterns[string(key)]
	l.mu.Unlock()
	if ok {
		return d, nil
	}
	var known []int
	for c, b := range key {
		if b == 0 {
			known = append(known, c)
		}
	}
	d, err := l.prepare(known, l.dial)
	for dial := l.dial; err != nil && floats.Max(dial) > negligible; { // a dial of 0 contradicts nothing
		dial = floats.ScaleTo(make([]float64, l.k), 0.5, dial)
		d, err = l.prepare(known, dial)
	}
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.patterns) < kept {
		l.patterns[string(key)] = d
	}
	return d, nil
}

// row draws one record.
func (l *Law) row(d *draw, y, u, z [][]float64, i int) {
	w := len(d.known)
	for r := range l.k {
		if l.cov.At(r, r) == 0 {
			continue // released unchanged
		}
		v := l.mean[r] + float64(d.dial[r]*(u[r][i]-l.mean[r]))
		for c, at := range d.known {
			j := l.s[at]
			v += float64(d.b[r*w+c] * (u[j][i] - l.mean[j]))
		}
		for c, b := range d.root[r*l.k : (r+1)*l.k] {
			v += float64(b * z[c][i])
		}
		y[r][i] = v
	}
}
