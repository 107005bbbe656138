package queryattack

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// mostShown is the largest number of values of one wanted column that are reported.
const mostShown = 50

// secret is a column that the intruder wants to learn.
type secret struct {
	name          string
	size          int     // number of codes
	before, after []int32 // codes by record; -1 is missing
	shown         []int32 // codes that are reported: the most frequent in the original, ascending
	names         []string
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
	s := secret{name: was.Name, size: c.size, before: c.codes(was), after: c.codes(is)}
	counts := make([]int, c.size)
	for _, v := range s.before {
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
