package posterior

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
)

// joint is the evidence of attributes whose noise depends on each other: the normal density of the differences.
type joint struct {
	known   []intruder.Known
	columns []int         // of the original
	z       [][]float64   // what the release tells of each: original plus noise, in standard deviations sd
	sd      []float64     // of noise and rounding
	corr    *mat.SymDense // of the noise, positive definite
	domain  [][2]float64  // of the columns
	mu      sync.Mutex
	spaces  map[string]*space
	held    int // numbers in spaces
}

// space is the released records in coordinates in which the noise is independent and of variance 1, for one pattern of
// known attributes and of the errors in what is known.
type space struct {
	once sync.Once
	use  []int         // positions in columns
	root *mat.TriDense // of the covariance
	z    *mat.Dense    // by coordinate and record
}

// mostHeld is how many numbers the spaces of a joint hold together before they are given up.
const mostHeld = 1 << 24

// joints returns the joint evidence of the additive mechanisms that perturb a known column; a column belongs to the
// last that does. Silent are the names of those that such a mechanism changes without saying how: nothing of the
// original is in them.
func (m *Matcher) joints(mechanisms []noisemodel.Mechanism) (out []*joint, silent []string, err error) {
	var taken []int
	for i, mech := range slices.Backward(mechanisms) {
		a, ok := mech.(noisemodel.Additive)
		if !ok {
			continue
		}
		names, z, noise, err := a.Additive(m.release.Released)
		if err != nil {
			return nil, nil, err
		}
		silent = append(silent, slices.DeleteFunc(slices.Clone(mech.Changes()), func(n string) bool {
			return slices.Contains(names, n) || changed(mechanisms[i+1:], n)
		})...)
		j := &joint{spaces: map[string]*space{}}
		var at []int
		for k, name := range names {
			col := m.release.Original.Find(name)
			known := slices.IndexFunc(m.view.Known, func(f intruder.Known) bool { return f.Column == col })
			if known < 0 || slices.Contains(taken, col) || changed(mechanisms[i+1:], name) {
				continue
			}
			if _, alone := noisemodel.Of(mech, col); alone {
				continue // the law of the value by itself tells more than a normal density does
			}
			at = append(at, k)
			taken = append(taken, col)
			j.columns, j.known = append(j.columns, col), append(j.known, m.view.Known[known])
		}
		if at == nil {
			continue
		}
		if err := j.scale(m, at, z, noise); err != nil {
			return nil, nil, err
		}
		out = append(out, j)
	}
	return out, silent, nil
}

// changed reports whether a mechanism changes a column.
func changed(mechanisms []noisemodel.Mechanism, name string) bool {
	return slices.ContainsFunc(mechanisms,
		func(mech noisemodel.Mechanism) bool { return slices.Contains(mech.Changes(), name) })
}

// scale takes the columns at some positions of the noise in standard deviations: of the noise and of the error of
// rounding to the grid, which is uniform, or, where there is neither, of a millionth of the domain.
func (j *joint) scale(m *Matcher, at []int, z [][]float64, noise *mat.SymDense) error {
	corr := mat.NewSymDense(len(at), nil)
	for r, a := range at {
		attr := m.release.Original.Attr(j.columns[r])
		width := attr.Domain.Hi - attr.Domain.Lo
		v := noise.At(a, a) + attr.Step*attr.Step/12
		if v == 0 && width > 0 {
			v = float64(width * width * 1e-12)
		}
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("column %q: the variance of the noise is not a positive number", attr.Name)
		}
		j.sd, j.domain = append(j.sd, math.Sqrt(v)), append(j.domain, [2]float64{attr.Domain.Lo, attr.Domain.Hi})
		scaled := make([]float64, len(z[a]))
		for i, x := range z[a] {
			scaled[i] = x / j.sd[r]
		}
		j.z = append(j.z, scaled)
		for c, b := range at[:r] {
			corr.SetSym(r, c, noise.At(a, b)/j.sd[r]/j.sd[c])
		}
		corr.SetSym(r, r, 1)
	}
	fixed, _, err := mvnorm.Repair(corr)
	if err != nil {
		return fmt.Errorf("the noise of column %q and others: %w", m.release.Original.Attr(j.columns[0]).Name, err)
	}
	j.corr = fixed
	return nil
}

// blur returns the middle of what is known of the target's value v in column k and the variance of the error, in
// standard deviations of the noise; NaN where nothing is known.
func (j *joint) blur(k int, v float64) (middle, variance float64) {
	f := &j.known[k]
	switch {
	case f.Exact() || v != v:
		return v / j.sd[k], 0
	case f.Bands == nil:
		w := f.Within / j.sd[k]
		return v / j.sd[k], w * w / 3
	}
	iv := f.Range(v)
	lo, hi := max(iv.Lo, j.domain[k][0]), min(iv.Hi, j.domain[k][1])
	if !(lo <= hi) {
		return v / j.sd[k], 0 // dirty data outside the domain
	}
	w := (hi - lo) / j.sd[k]
	if math.IsInf(w, 0) {
		return math.NaN(), 0
	}
	return (lo + hi) / 2 / j.sd[k], w * w / 12
}

// likelihoods returns the density of every released record, as a share of the largest. A record that misses what the
// target has gets 0.
func (j *joint) likelihoods(w *worker, row int, _ *segment.Segment) []float64 {
	middle, variance := make([]float64, 0, len(j.columns)), make([]float64, len(j.columns))
	for k, c := range j.columns {
		x, v := j.blur(k, w.m.release.Original.Num(c)[row])
		variance[k] = v
		if x != x {
			variance[k] = math.NaN() // stands for a column that is not known
			continue
		}
		middle = append(middle, x)
	}
	if len(middle) == 0 {
		return nil
	}
	s := j.space(variance)
	target := mat.NewDense(len(middle), 1, middle)
	if s.root == nil || !linalg.Forward(target, s.root, target) {
		return nil
	}
	d := w.space(len(j.z[0]))
	clear(d)
	for k, x := range target.RawMatrix().Data {
		for i, z := range s.z.RawRowView(k) {
			d[i] += float64((z - x) * (z - x))
		}
	}
	near := math.Inf(1)
	for _, v := range d {
		if v < near { // not for NaN
			near = v
		}
	}
	for i, v := range d {
		if d[i] = 0; v-near < 1400 {
			d[i] = portable.Exp((near - v) / 2)
		}
	}
	return d
}

// space returns the released records in the coordinates for variances of what is known.
func (j *joint) space(variance []float64) *space {
	var key []byte
	for _, v := range variance {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	j.mu.Lock()
	s, ok := j.spaces[string(key)]
	if !ok {
		if j.held > mostHeld {
			clear(j.spaces)
			j.held = 0
		}
		s = &space{}
		j.spaces[string(key)] = s
		j.held += len(j.z[0]) * len(j.z)
	}
	j.mu.Unlock()
	s.once.Do(func() { j.fill(s, variance) })
	return s
}

func (j *joint) fill(s *space, variance []float64) {
	for k, v := range variance {
		if v == v {
			s.use = append(s.use, k)
		}
	}
	p := len(s.use)
	cov, z := mat.NewSymDense(p, nil), mat.NewDense(p, len(j.z[0]), nil)
	for r, a := range s.use {
		for c, b := range s.use[:r+1] {
			cov.SetSym(r, c, j.corr.At(a, b))
		}
		cov.SetSym(r, r, cov.At(r, r)+variance[a])
		z.SetRow(r, j.z[a])
	}
	if root, ok := linalg.Cholesky(cov); ok && linalg.Forward(z, root, z) {
		s.root, s.z = root, z
	}
}
