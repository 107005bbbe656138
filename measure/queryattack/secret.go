package queryattack

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// mostShown is the largest number of values of one wanted column that are reported.
const mostShown = 50

// secret is a column that the intruder wants to learn.
type secret struct {
	name          string
	size          int // number of codes
	before, after values
	shown         []int32 // codes that are reported: the most frequent in the original, ascending
	names         []string
}

// values are what the records of a table have in a wanted column.
type values struct {
	codes   []int32    // by record; -1 is missing
	bitmaps [][]uint64 // by code, of the records that have it; nil where there are many codes
}

// mostBitmaps is how many codes have bitmaps.
const mostBitmaps = 16

func newValues(codes []int32, size int) values {
	v := values{codes: codes}
	if size > mostBitmaps {
		return v
	}
	for range size {
		v.bitmaps = append(v.bitmaps, make([]uint64, (len(codes)+63)/64))
	}
	for i, c := range codes {
		if c >= 0 {
			v.bitmaps[c][i/64] |= 1 << (i % 64)
		}
	}
	return v
}

// shares writes the share of every code among the matches, as S2 does. Bits of many matches are counted where they are,
// which takes less than listing them.
func (v *values) shares(s *Scratch, dst []float64) {
	if v.bitmaps == nil || s.listed || s.count <= len(v.bitmaps)*len(s.bits) {
		S2(v.codes, s.list(), dst)
		return
	}
	for c, own := range v.bitmaps {
		n := 0
		for w, b := range s.bits[:len(own)] {
			n += bits.OnesCount64(b & own[w])
		}
		dst[c] = float64(n) / float64(s.count)
	}
}

// secret prepares a wanted column: its categories, or its bins.
func (m *Meter) secret(r *measure.Release, j int) secret {
	was, is := r.Original.Column(j), r.Released.Column(j)
	var c coding
	switch was.Kind {
	case table.Numeric:
		c = bins(was.Num, m.Bins)
	case table.Categorical:
		c = categories(len(was.Labels), nil)
	case table.SetValued: // is not among the columns
	}
	s := secret{
		name:   was.Name,
		size:   c.size,
		before: newValues(c.codes(was), c.size),
		after:  newValues(c.codes(is), c.size),
	}
	counts := make([]int, c.size)
	for _, v := range s.before.codes {
		if v >= 0 {
			counts[v]++
		}
	}
	for v := range int32(c.size) {
		s.shown = append(s.shown, v)
	}
	slices.SortStableFunc(s.shown, func(a, b int32) int { return counts[b] - counts[a] })
	s.shown = s.shown[:min(len(s.shown), mostShown)]
	slices.Sort(s.shown)
	for _, v := range s.shown {
		switch was.Kind {
		case table.Numeric:
			s.names = append(s.names, fmt.Sprintf("bin %d of %d", v+1, c.size))
		case table.Categorical:
			s.names = append(s.names, was.Labels[v])
		case table.SetValued: // is not among the columns
		}
	}
	return s
}
