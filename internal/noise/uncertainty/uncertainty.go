// Package uncertainty measures how uncertain an original value X is given the released value Y, in the units of X
// (Agrawal & Aggarwal 2001, section 2; Agrawal & Srikant 2000, section 2.1; Nai Fovino & Masera 2008, eq. 3.1 to 3.3).
//
// The privacy of X is Pi(X) = 2^h(X), h in bits: the width of the interval on which a uniform X is as uncertain, or for
// categories the number of equally likely ones. What is left of it once Y is known is the conditional privacy Pi(X|Y) =
// 2^h(X|Y), and the privacy loss is the share that is gone, P(X|Y) = 1 - Pi(X|Y)/Pi(X) = 1 - 2^-I(X;Y).
package uncertainty

import (
	"errors"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Figures are the entropy of X and the information that Y holds of it, in bits.
type Figures struct {
	Entropy     float64 // h(X): differential where X has cells with a width
	Information float64 // I(X;Y), never negative; +Inf where Y tells a continuous X exactly
}

// Conditional returns h(X|Y) in bits.
func (f Figures) Conditional() float64 { return f.Entropy - f.Information }

// Privacy returns Pi(X) = 2^h(X), in the units of X.
func (f Figures) Privacy() float64 { return portable.Exp2(f.Entropy) }

// Remaining returns Pi(X|Y) = 2^h(X|Y), in the units of X.
func (f Figures) Remaining() float64 {
	if math.IsInf(f.Entropy, -1) {
		return 0
	}
	return portable.Exp2(f.Conditional())
}

// Loss returns the privacy loss 1 - 2^-I(X;Y), in [0, 1].
func (f Figures) Loss() float64 { return -portable.Expm1(-f.Information * math.Ln2) }

// Normal returns the figures of a normal X with additive normal noise, given their standard deviations.
func Normal(sdX, sdNoise float64) Figures {
	f := Figures{Entropy: portable.Log2(2*math.Pi*math.E)/2 + portable.Log2(sdX)}
	if sdX > 0 {
		f.Information = portable.Log2(1+float64((sdX/sdNoise)*(sdX/sdNoise))) / 2
	}
	return f
}

// Uniform returns the figures of a uniform X with additive uniform noise, given the widths of their intervals. The sum
// is a trapezoid, or a triangle where the widths are equal: h(Y) = ln(longer) + shorter/(2 longer) nats.
func Uniform(width, noise float64) Figures {
	f := Figures{Entropy: portable.Log2(width)}
	if width > 0 {
		long, short := max(width, noise), min(width, noise)
		f.Information = portable.Log2(long/noise) + float64(short/(2*long)*math.Log2E)
	}
	return f
}

// Joint holds the weights of the pairs of cells of X (rows) and Y (columns): probabilities up to a factor, or counts.
type Joint struct {
	Weights [][]float64
	// Widths are those of the cells of X, in its units; nil where X is discrete and every cell has width 1.
	Widths []float64
}

// Marginals returns the sums of the rows, of the columns and of all. It is an error when a weight is negative or not a
// number, rows differ in length, or all weights are 0.
func (j *Joint) Marginals() (x, y []float64, total float64, err error) {
	if len(j.Weights) == 0 || j.Widths != nil && len(j.Widths) != len(j.Weights) {
		return nil, nil, 0, errors.New("the joint weights have no rows, or not as many as there are widths")
	}
	x, y = make([]float64, len(j.Weights)), make([]float64, len(j.Weights[0]))
	for a, row := range j.Weights {
		if len(row) != len(y) {
			return nil, nil, 0, errors.New("the rows of the joint weights differ in length")
		}
		for b, w := range row {
			if !(w >= 0) {
				return nil, nil, 0, errors.New("a joint weight is negative or not a number")
			}
			x[a] += w
			y[b] += w
		}
		total += x[a]
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return nil, nil, 0, errors.New("the joint weights have no finite sum above 0")
	}
	return x, y, total, nil
}

// Figures returns those of the joint law. Cost: O(cells).
func (j *Joint) Figures() (Figures, error) {
	s, err := j.sums()
	return Figures{s.entropy, max(0, s.information)}, err
}

// sums are what figures and estimates are made of.
type sums struct {
	entropy, information float64 // bits
	squares              float64 // mean square of the pointwise information
	cells                float64 // h(X) with widths of 1
	x, y, xy             int     // cells that occur
	total                float64
}

func (j *Joint) sums() (s sums, err error) {
	px, py, total, err := j.Marginals()
	if err != nil {
		return s, err
	}
	s.total = total
	for a, row := range j.Weights {
		if px[a] == 0 {
			continue
		}
		s.x++
		p := px[a] / total
		s.cells -= float64(p * portable.Log2(p))
		width := 1.0
		if j.Widths != nil {
			width = j.Widths[a]
		}
		s.entropy -= float64(p * portable.Log2(p/width))
		for b, w := range row {
			if w == 0 {
				continue
			}
			s.xy++
			i := portable.Log2(w / px[a] / (py[b] / total))
			s.information += float64(w / total * i)
			s.squares += float64(w / total * i * i)
		}
	}
	for _, w := range py {
		if w > 0 {
			s.y++
		}
	}
	return s, nil
}

// Estimate returns the figures of the law that counts of pairs are drawn from, and the standard error of the
// information. Counted pairs seem to tell more than they do: the information is corrected by the number of cells that
// occur (Miller 1955, Roulston 1999) and kept between 0 and the entropy of the cells.
func (j *Joint) Estimate() (f Figures, se float64, err error) {
	s, err := j.sums()
	if err != nil {
		return f, 0, err
	}
	excess := float64(float64(s.xy-s.x-s.y+1) / (2 * s.total) * math.Log2E)
	f = Figures{s.entropy, min(max(0, s.information-excess), s.cells)}
	return f, math.Sqrt(max(0, s.squares-float64(s.information*s.information)) / s.total), nil
}
