package valuedisclosure

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
)

// groups are the rows of a release by the segment of their original.
type groups struct {
	r     *measure.Release
	rows  []int32 // by group
	first []int   // of every group in rows, and their number at the end
}

// newGroups routes the originals. Cost: O(n log n).
func newGroups(r *measure.Release) (*groups, error) {
	n := r.Original.Rows()
	keys := make([]uint64, n)
	if err := r.Segments.Route(r.Original, keys); err != nil {
		return nil, err
	}
	g := &groups{r: r, rows: make([]int32, n), first: []int{0}}
	for i := range g.rows {
		g.rows[i] = int32(i)
	}
	slices.SortStableFunc(g.rows, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	for i := 1; i <= n; i++ {
		if i == n || keys[g.rows[i]] != keys[g.rows[i-1]] {
			g.first = append(g.first, i)
		}
	}
	return g, nil
}

// each calls f with the rows of every group.
func (g *groups) each(f func(rows []int32)) {
	for k := range g.first[1:] {
		f(g.rows[g.first[k]:g.first[k+1]])
	}
}

// deals reports whether every group has as many records of each value of a column before and after, and some record
// another value than before.
func (g *groups) deals(j int) bool {
	was, is := g.r.Original.Cat(j), g.r.Released.Cat(j)
	if slices.Equal(was, is) {
		return false
	}
	left := make([]int, 1+max(len(g.r.Original.Attr(j).Labels), len(g.r.Released.Attr(j).Labels)))
	same := true
	g.each(func(rows []int32) {
		for _, i := range rows {
			left[was[i]+1]++
			left[is[i]+1]--
		}
		for _, i := range rows {
			same = same && left[was[i]+1] == 0 && left[is[i]+1] == 0
			left[was[i]+1], left[is[i]+1] = 0, 0
		}
	})
	return same
}

// tell returns what the groups tell of a column, and raises the risks of the records to the posteriors of their own
// values.
func (g *groups) tell(j int, risk []float64) Secret {
	codes := g.r.Original.Cat(j)
	all := make([]int, len(g.r.Original.Attr(j).Labels))
	s := Secret{Attribute: g.r.Original.Attr(j).Name}
	for _, c := range codes {
		if c >= 0 {
			all[c]++
			s.Records++
		}
	}
	n := float64(s.Records)
	in, own, prior := make([]int, len(all)), make([]float64, 0, s.Records), make([]float64, 0, s.Records)
	g.each(func(rows []int32) {
		size := 0
		for _, i := range rows {
			if codes[i] >= 0 {
				in[codes[i]]++
				size++
			}
		}
		for _, i := range rows {
			if c := codes[i]; c >= 0 {
				after, before := float64(in[c])/float64(size), float64(all[c])/n
				s.Largest, s.Gain = max(s.Largest, after), max(s.Gain, after-before)
				risk[i] = max(risk[i], after)
				own, prior = append(own, after), append(prior, before)
			}
		}
		for _, i := range rows {
			if codes[i] >= 0 {
				in[codes[i]] = 0
			}
		}
	})
	if s.Records > 0 {
		s.Posterior, s.Prior = exact.Mean(own), exact.Mean(prior)
		s.RCE = 1 - s.Posterior // of a record it is 1 - 2 c/s + the sum of all (c/s)^2, which over a group sum to this
	}
	return s
}
