package reconstruct

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/noisemodel/modelfile"
)

// Confidences are those that widths are given at.
var Confidences = [3]float64{0.5, 0.95, 0.999}

// Privacy is what a law promises, whatever the release (Agrawal & Srikant 2000, section 2.1; Evfimievski, Gehrke &
// Srikant 2003).
type Privacy struct {
	// of the interval that a released number leaves for the original, at Confidences; nil where nothing is added
	Widths  []float64
	Entropy float64 // 2^h of what is added, in the units of the column; 0 where nothing is
	// by how much a released value changes the odds of two originals at most; +Inf where it can rule one out
	Gamma float64
}

// Epsilon returns the local differential privacy, ln gamma.
func (p *Privacy) Epsilon() float64 { return portable.Log(p.Gamma) }

// PrivacyOf returns that of the k-th column of a part; false for sets of items.
func PrivacyOf(p *modelfile.Part, k int) (Privacy, bool) {
	if n := p.Number; n != nil {
		out := Privacy{Gamma: gamma(n)}
		if noise, added := n.Noise(); added {
			for _, c := range Confidences {
				out.Widths = append(out.Widths, additive.Width(noise, c))
			}
			out.Entropy = portable.Exp2(noise.Entropy())
		}
		return out, true
	}
	m, ok := p.Marginal(k, nil)
	return Privacy{Gamma: randomised.Gamma(m)}, ok
}

// gamma returns the amplification of a law of numbers. Noise without ends is unbounded: uniform noise and a hole rule
// originals out, and normal noise far out does nearly.
func gamma(n *modelfile.Number) float64 {
	switch {
	case n.Keep != nil && n.Step > 0: // one value of so many
		values := math.Round((n.High-n.Low)/n.Step) + 1
		return 1 + *n.Keep*values/(1-*n.Keep)
	case n.Keep != nil && *n.Keep == 0:
		return 1
	case n.Normal > 0 && n.Epsilon == 0 && n.Ends:
		z := (n.High - n.Low) / n.Normal
		// of the density at an end, and of the end itself
		return max(portable.Exp(z*z/2), portable.Erfc(0)/portable.Erfc(z/math.Sqrt2))
	}
	return math.Inf(1)
}

// Conditional returns the privacy of the original with and without its released value, Pi(X) and Pi(X|Y), by the
// reconstructed distribution (Agrawal & Aggarwal 2001, section 2): of a number in its units, of a category in
// categories.
func (d *Distribution) Conditional(p *modelfile.Part, k int) (uncertainty.Figures, error) {
	j := uncertainty.Joint{}
	if n := p.Number; n != nil {
		lo, hi := n.Low, n.High
		if noise, added := n.Noise(); added && !n.Ends {
			far := min(noise.Reach(), 6*noise.SD()) + n.Step
			lo, hi = lo-far, hi+far
		}
		cells, err := reconstruction.Cover(d.Edges, lo, hi)
		if err != nil {
			return uncertainty.Figures{}, err
		}
		j.Weights = reconstruction.Transitions(d.Edges, cells, n.Law(), n.Step)
		for p := range d.Shares {
			j.Widths = append(j.Widths, d.Edges[p+1]-d.Edges[p])
		}
	} else {
		j.Weights, _ = p.Marginal(k, nil)
	}
	for p, f := range d.Shares {
		floats.Scale(f, j.Weights[p])
	}
	return j.Figures()
}
