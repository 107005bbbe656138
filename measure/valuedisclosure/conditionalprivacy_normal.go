package valuedisclosure

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/noisemodel"
)

// Normal is what the law of additive noise gives in closed form where both the attribute and its noise are normal
// (Agrawal & Aggarwal 2001, section 2; Agrawal & Srikant 2000, section 2.1): what the technique promises, whatever the
// values. Where the attribute is far from normal the loss differs.
type Normal struct {
	Noise     float64    `json:"noise"`  // standard deviation of the noise
	Before    float64    `json:"before"` // Pi(X) of a normal attribute with the deviation of this one
	After     float64    `json:"after"`  // Pi(X|Y)
	Loss      float64    `json:"loss"`
	Intervals []Interval `json:"intervals"` // widths of the central intervals of the noise
}

// normal returns the closed form for a column of numbers in ascending order, of which a plan states the additive noise;
// nil for another one.
func (s *study) normal(name string, ascending []float64) *Normal {
	if len(ascending) < 2 {
		return nil
	}
	for _, m := range slices.Backward(s.release.Mechanisms) {
		a, ok := m.(noisemodel.Additive)
		if !ok || !slices.Contains(m.Changes(), name) {
			continue
		}
		names, _, noise, err := a.Additive(s.release.Released)
		k := slices.Index(names, name)
		if err != nil || k < 0 {
			return nil
		}
		n := &Normal{Noise: math.Sqrt(noise.At(k, k))}
		if !(n.Noise > 0) {
			return nil
		}
		f := uncertainty.Normal(vector.StdDev(ascending), n.Noise)
		n.Before, n.After, n.Loss = f.Privacy(), f.Remaining(), f.Loss()
		for _, c := range confidences {
			n.Intervals = append(n.Intervals, Interval{c, additive.Width(additive.Normal{Sigma: n.Noise}, c)})
		}
		return n
	}
	return nil
}
