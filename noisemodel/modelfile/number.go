package modelfile

import (
	"errors"
	"math"

	"github.com/dither-data/dither/internal/noise/additive"
)

// Number is noise on numbers: of Uniform, Normal (with Epsilon), Keep and Classes exactly one is set.
type Number struct {
	Low     float64  `json:"low"` // the range that the originals are taken from
	High    float64  `json:"high"`
	Step    float64  `json:"step,omitempty"`    // originals and released values are multiples of it; 0 is none
	Ends    bool     `json:"ends,omitempty"`    // what would be released below Low or above High is released as these
	Uniform float64  `json:"uniform,omitempty"` // half the width of uniform noise
	Normal  float64  `json:"normal,omitempty"`  // standard deviation of normal noise
	Epsilon float64  `json:"epsilon,omitempty"` // the normal noise is drawn until it is half of this from 0
	Keep    *float64 `json:"keep,omitempty"`    // a value is kept with this probability, and otherwise one is drawn evenly from the range
	Classes int      `json:"classes,omitempty"` // the range has so many classes of the same width, and the middle of a value's class is released
}

// Range returns the limits of the range with half a step on both sides, so that it holds as much of every multiple.
func (n *Number) Range() (lo, hi float64) { return n.Low - n.Step/2, n.High + n.Step/2 }

// Noise returns the law of what is added; false where nothing is added.
func (n *Number) Noise() (additive.Noise, bool) {
	switch {
	case n.Uniform != 0:
		return additive.Uniform{Half: n.Uniform}, true
	case n.Epsilon != 0:
		return additive.Holed{Epsilon: n.Epsilon, Sigma: n.Normal}, true
	case n.Normal != 0:
		return additive.Normal{Sigma: n.Normal}, true
	}
	return nil, false
}

// Class returns the law of the classes. Of multiples of the step every class but the last holds as many.
func (n *Number) Class() additive.Classes {
	lo, hi := n.Range()
	width := (hi - lo) / float64(n.Classes)
	if n.Step > 0 {
		width = float64(math.Ceil(width/n.Step-1e-9) * n.Step)
	}
	return additive.Classes{From: lo, Width: width, Number: n.Classes}
}

// Law returns the law as it is calculated with. Check has found nothing wrong with it.
func (n *Number) Law() additive.Law {
	var l additive.Law
	noise, added := n.Noise()
	switch {
	case added:
		l = additive.Added{Noise: noise}
	case n.Keep != nil:
		lo, hi := n.Range()
		return additive.Redrawn{Keep: *n.Keep, Low: lo, High: hi}
	default:
		return n.Class()
	}
	if n.Ends {
		l = additive.Clamped{Law: l, Low: n.Low, High: n.High}
	}
	return l
}

// Check refuses what is no law.
func (n *Number) Check() error {
	if math.IsInf(n.High-n.Low, 0) || !(n.Low <= n.High) || !(n.Step >= 0) || !(n.Low-n.Step/2 < n.High+n.Step/2) {
		return errors.New("the range of the originals is not finite and ascending, or their step is not valid")
	}
	kinds := 0
	for _, set := range []bool{n.Uniform != 0, n.Normal != 0, n.Keep != nil, n.Classes != 0} {
		if set {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return errors.New("expected one of uniform, normal, keep and classes")
	case n.Epsilon != 0 && n.Normal == 0:
		return errors.New("epsilon belongs to normal noise")
	case n.Ends && (n.Keep != nil || n.Classes != 0):
		return errors.New("nothing that is released leaves the range, so nothing is brought to its ends")
	}
	if noise, added := n.Noise(); added {
		return noise.Check()
	}
	if n.Keep != nil {
		return probabilities(*n.Keep)
	}
	return n.Class().Check()
}
