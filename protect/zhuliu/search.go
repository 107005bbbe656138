package zhuliu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/noisemodel/modelfile"
)

const (
	mostIntervals = 20   // that originals are counted in
	mostValues    = 100  // of an attribute, up to which a value may be kept as it is
	widest        = 2.0  // noise, in ranges, that leaves 98 % of the privacy of a uniform attribute, and more of others
	narrowest     = 1e-4 // noise, in ranges
	samples       = 3    // that the loss is the mean of
)

// search looks for the least noise of a column that leaves the privacy, of a family or of the family whose distribution
// is reconstructed best.
type search struct {
	base   modelfile.Number // the range
	edges  []float64
	shares []float64 // of the originals
	n      float64   // how many they are
	values int       // of the attribute; 0 for a continuous one
	target float64   // Pi(X|Y) / Pi(X)
}

func newSearch(n *modelfile.Number, originals []float64, target float64) (*search, error) {
	s := &search{base: *n, target: target}
	lo, hi := n.Range()
	intervals := mostIntervals
	if n.Step > 0 {
		if values := math.Round((hi - lo) / n.Step); values <= mostValues {
			s.values, intervals = int(values), int(values)
		}
	}
	var err error
	if s.edges, err = reconstruction.Edges(n.Low, n.High, n.Step, intervals); err != nil {
		return nil, err
	}
	s.shares = reconstruction.Count(s.edges, originals)
	if s.n = vector.Sum(s.shares); s.n == 0 {
		return nil, errors.New("there are no values")
	}
	floats.Scale(1/s.n, s.shares)
	return s, nil
}

// with returns the law of a family at size t: noise in ranges, or the probability that a value is drawn anew.
func (s *search) with(family string, t float64) modelfile.Number {
	n := s.base
	switch family {
	case Uniform:
		n.Uniform = float64(t * (n.High - n.Low))
	case Normal:
		n.Normal = float64(t * (n.High - n.Low))
	case Redraw:
		keep := 1 - t
		n.Keep, n.Ends = &keep, false
	}
	return n
}

// transitions returns the cells that values are released in, as seen from the intervals.
func (s *search) transitions(n *modelfile.Number) (cells []float64, m [][]float64, err error) {
	far := 0.0
	if noise, added := n.Noise(); added && !n.Ends {
		far = min(noise.Reach(), 6*noise.SD()) + n.Step
	}
	lo, hi := n.Low-far, n.High+far
	if cells, err = reconstruction.Cover(s.edges, lo, hi); err != nil {
		return nil, nil, err
	}
	return cells, reconstruction.Transitions(s.edges, cells, n.Law(), n.Step), nil
}

// left returns Pi(X|Y) / Pi(X) of a law.
func (s *search) left(n *modelfile.Number) (float64, error) {
	_, m, err := s.transitions(n)
	if err != nil {
		return 0, err
	}
	for p, row := range m {
		floats.Scale(s.shares[p], row)
	}
	f, err := (&uncertainty.Joint{Weights: m}).Figures()
	return 1 - f.Loss(), err
}

// least returns the law of a family with the least noise that leaves the privacy, its size rounded up to two digits:
// more of them would tell of the originals.
func (s *search) least(family string) (*modelfile.Number, error) {
	lo, hi := narrowest, widest
	if family == Redraw {
		lo, hi = 0, 1.0
	}
	for _, end := range []float64{hi, lo} {
		n := s.with(family, end)
		left, err := s.left(&n)
		if err != nil {
			return nil, err
		}
		if end == hi && left < s.target {
			return nil, fmt.Errorf("no %s noise leaves %.3g %% of the privacy", family, float64(100*s.target))
		}
		if end == lo && left >= s.target {
			return &n, nil
		}
	}
	for range 16 {
		middle := math.Sqrt(lo * hi)
		if family == Redraw {
			middle = (lo + hi) / 2
		}
		n := s.with(family, middle)
		left, err := s.left(&n)
		if err != nil {
			return nil, err
		}
		if left >= s.target {
			hi = middle
		} else {
			lo = middle
		}
	}
	digits := portable.Pow(10, 1-math.Floor(portable.Log10(hi)))
	hi = math.Ceil(float64(hi*digits)-1e-9) / digits
	if family == Redraw {
		hi = min(hi, 1)
	}
	n := s.with(family, hi)
	return &n, nil
}

// loss returns the mean information loss of reconstructions from samples as large as the table.
func (s *search) loss(ctx context.Context, n *modelfile.Number) (float64, error) {
	cells, m, err := s.transitions(n)
	if err != nil {
		return 0, err
	}
	o := reconstruction.Options{Kernel: reconstruction.Intervals, Step: n.Step}
	sum := 0.0
	for k := range samples {
		r := rand.New(rand.NewPCG(1, uint64(k)))
		counts := make([]float64, len(cells)-1)
		for c := range counts {
			expected := 0.0
			for p, f := range s.shares {
				expected += float64(s.n * f * m[p][c])
			}
			if expected > 0 {
				counts[c] = portable.Poisson(r, expected)
			}
		}
		ob, err := reconstruction.Cells(s.edges, cells, counts, n.Law(), o)
		if err != nil {
			return 1, nil // nothing was drawn that could be explained
		}
		got, err := ob.Reconstruct(ctx, o)
		if err != nil {
			return 0, err
		}
		loss, err := reconstruction.Loss(got.Shares, s.shares)
		if err != nil {
			return 0, err
		}
		sum += loss / samples
	}
	return sum, nil
}

// best returns the law of the family asked for or, of those that leave the privacy, of the one with the least loss.
func (s *search) best(ctx context.Context, family string) (*modelfile.Number, error) {
	families := []string{family}
	if family == Best {
		families = []string{Uniform, Normal}
		if s.values > 0 {
			families = append(families, Redraw)
		}
	}
	if family == Redraw && s.values == 0 {
		return nil, fmt.Errorf("it has more than %d values, and one that is kept would be released as it is; take normal "+
			"or uniform", mostValues)
	}
	var out *modelfile.Number
	least := math.Inf(1)
	for _, name := range families {
		n, err := s.least(name)
		if err != nil {
			if len(families) > 1 {
				continue
			}
			return nil, err
		}
		loss, err := s.loss(ctx, n)
		if err != nil {
			return nil, err
		}
		if loss < least {
			out, least = n, loss
		}
	}
	if out == nil {
		return nil, fmt.Errorf("no noise leaves %.3g %% of the privacy", float64(100*s.target))
	}
	return out, nil
}
