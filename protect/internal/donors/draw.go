package donors

import (
	"math"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/wrap"
)

// Chosen returns the position of the value of a random donor.
func Chosen(donors []Donor, w uint64) int {
	r := int32(rng.Below(w, int(donors[len(donors)-1].UpTo)))
	lo, hi := 0, len(donors)-1
	for lo < hi { // donors[hi].UpTo > r
		if m := (lo + hi) / 2; donors[m].UpTo > r {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// Number returns what the donor of the value at a position gives: the value where it is common, and otherwise one
// between it and that of a neighbouring donor, either as likely, but neither of the two unless nothing is between them.
// A donor without neighbours in the leaf has those among all donors.
func (m *Model) Number(donors []Donor, at int, box *wrap.Domain, w uint64) float64 {
	own := donors[at]
	v := m.Values[own.Code]
	if own.Exact || box.Size() <= 1 {
		return box.Clip(v)
	}
	below, above := -1, -1
	if at > 0 {
		below = int(donors[at-1].Code)
	}
	if at+1 < len(donors) && int(donors[at+1].Code) < len(m.Values) {
		above = int(donors[at+1].Code)
	}
	if below < 0 && above < 0 {
		below = int(own.Code) - 1
		if above = int(own.Code) + 1; above == len(m.Values) {
			above = -1
		}
	}
	other := below
	if below < 0 || above >= 0 && w&1 == 1 {
		other = above
	}
	if other < 0 {
		return box.Clip(v)
	}
	lo, hi := min(v, m.Values[other]), max(v, m.Values[other])
	n := int(math.RoundToEven((hi - lo) / box.Step()))
	switch {
	case n > 1:
		return box.Clip(lo + float64(float64(1+rng.Below(w, n-1))*box.Step()))
	case w&2 == 0:
		return box.Clip(lo)
	}
	return box.Clip(hi)
}
