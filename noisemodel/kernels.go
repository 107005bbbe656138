package noisemodel

import (
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Kept is the kernel of a value that is released as it is.
type Kept struct{}

// P returns 1 when the values are the same, missing ones included.
func (Kept) P(x, y float64) float64 {
	if x == y || x != x && y != y {
		return 1
	}
	return 0
}

// Dealt is the kernel of categories that are dealt out anew inside a segment: which of them a record gets does not
// depend on its own, so a released value says nothing of whose it was. A missing value stays missing.
type Dealt struct{}

// P returns 1, and 0 for a missing y.
func (Dealt) P(_, y float64) float64 {
	if y < 0 || y != y {
		return 0
	}
	return 1
}

// Anew is the kernel of numbers that are drawn anew without regard to the original one. A missing value stays missing.
type Anew struct{}

// P returns 1, and 0 for a missing y.
func (Anew) P(_, y float64) float64 {
	if y != y {
		return 0
	}
	return 1
}

// Exchanged is the kernel of a code that becomes another one of N codes, each as likely, with probability Share. A
// missing value stays missing.
type Exchanged struct {
	N     int
	Share float64
}

// P returns the probability of the code y.
func (k Exchanged) P(x, y float64) float64 {
	switch {
	case y < 0:
		return 0
	case k.N < 2:
		return 1
	case x == y:
		return 1 - k.Share
	}
	return k.Share / float64(k.N-1)
}

// Noise is the law of noise that wraps around inside the sub-domain that a segment gives numeric column j or, where it
// gives none, inside the attribute's whole domain. On a continuous attribute P is the probability of a step of the
// whole domain's implied grid, in every sub-domain.
func Noise(a *table.Attribute, j int, noise wrap.Noise) Column {
	whole := wrap.On(a.Domain, a.Step)
	return func(s *segment.Segment, _ *table.Table, _ int) Kernel {
		d, unit := whole, 1.0
		if sub, ok := s.Num[j]; ok {
			if in := wrap.On(sub.Intersect(a.Domain), a.Step); in.Size() > 0 {
				d, unit = in, whole.Step()/in.Step()
			}
		}
		return noise.In(d, unit)
	}
}
