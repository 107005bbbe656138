package main

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// unwrapped is the plan of the Framework on WBC as section 8.1 of the thesis reads it for P: the probability that the
// noise is the difference of two values of the sub-domain, as if the noise did not wrap around.
type unwrapped struct{ attrs []table.Attribute }

// withoutWrapping returns the release with the law that ignores the wrap-around.
func withoutWrapping(r *measure.Release) *measure.Release {
	return &measure.Release{
		Original: r.Original,
		Released: r.Released,
		Paired:   true,
		Making:   measure.Making{Segments: r.Segments, Mechanisms: []noisemodel.Mechanism{unwrapped{r.Original.Attrs()}}},
	}
}

func (u unwrapped) Changes() []string {
	var names []string
	for _, a := range u.attrs {
		names = append(names, a.Name)
	}
	return names
}

// Schema returns the attributes.
func (u unwrapped) Schema() []table.Attribute { return u.attrs }

// Law returns normal noise of 33.33 % of the sub-domain.
func (u unwrapped) Law(j int) (noisemodel.Column, bool) {
	if u.attrs[j].Kind != table.Numeric {
		return nil, false
	}
	return func(s *segment.Segment, _ *table.Table, _ int) noisemodel.Kernel {
		iv := u.attrs[j].Domain
		if sub, ok := s.Num[j]; ok {
			iv = iv.Intersect(sub)
		}
		iv = iv.OnGrid(1)
		return normal{iv.Lo, iv.Hi}
	}, true
}

// normal is rounded normal noise inside lo to hi, both whole numbers.
type normal struct{ lo, hi float64 }

func (n normal) P(x, y float64) float64 {
	if !(y >= n.lo && y <= n.hi) {
		return 0
	}
	sd := 0.3333 * (n.hi - n.lo + 1) * math.Sqrt2
	d := math.Abs(y - x)
	return (math.Erfc((d-0.5)/sd) - math.Erfc((d+0.5)/sd)) / 2
}
