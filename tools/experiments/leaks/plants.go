package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// scene is an original and a release of it, row by row: at first the values of every column in a random order, so that
// nothing tells who is who.
type scene struct {
	original, released *table.Table
	draw               *rand.Rand
}

// stage returns a scene of a table. What is kept of the table is nothing but the distribution of every column.
func stage(t *table.Table, draw *rand.Rand) *scene {
	s := &scene{original: t, released: t, draw: draw}
	for j := range t.Width() {
		s.set(j, t.Column(j).Gather(draw.Perm(t.Rows())))
	}
	return s
}

// set replaces a released column.
func (s *scene) set(j int, c table.Column) {
	released, err := s.released.WithColumn(j, c)
	if err != nil {
		panic(err) // the column is one of the same table
	}
	s.released = released
}

// some draws a share of the people.
func (s *scene) some(share float64) []int {
	n := s.original.Rows()
	return s.draw.Perm(n)[:int(math.Ceil(share*float64(n)))]
}

// show releases values of these rows as they are, in the columns, or in all without one.
func (s *scene) show(rows []int, columns ...string) {
	from := make([]int, s.original.Rows())
	for j := range s.original.Width() {
		if len(columns) > 0 && !slices.Contains(columns, s.original.Attr(j).Name) {
			continue
		}
		for i := range from {
			from[i] = len(from) + i
		}
		for _, i := range rows {
			from[i] = i
		}
		a, b := s.original.Column(j), s.released.Column(j)
		both, err := table.Chain(a, b)
		if err != nil {
			panic(err)
		}
		s.set(j, both.Gather(from))
	}
}

// copies releases a share of the people as they are.
func copies(share float64) func(*scene) { return func(s *scene) { s.show(s.some(share)) } }

// nearCopies releases a share of the people as they are but for a step of some 1 % of the range up or down in each
// number.
func nearCopies(share float64) func(*scene) {
	return func(s *scene) {
		rows := s.some(share)
		s.show(rows)
		s.jitter(rows, 0.01)
	}
}

// jitter moves the released numbers of the rows by so large a share of the range, up or down.
func (s *scene) jitter(rows []int, share float64) {
	for j := range s.released.Width() {
		c := s.released.Column(j)
		if c.Kind != table.Numeric {
			continue
		}
		lo, hi := table.Range(c.Num)
		c.Num = slices.Clone(c.Num)
		for _, i := range rows {
			by := share * (hi - lo)
			if s.draw.IntN(2) == 0 {
				by = -by
			}
			c.Num[i] = math.Min(hi, math.Max(lo, c.Snap(c.Num[i]+by)))
		}
		s.set(j, c)
	}
}

// unusual releases those as they are who lie furthest from the mean in any number, or have the rarest category.
func unusual(share float64) func(*scene) {
	return func(s *scene) {
		n := s.original.Rows()
		far := make([]float64, n)
		for j := range s.original.Width() {
			for i, v := range strangeness(s.original.Column(j)) {
				far[i] = math.Max(far[i], v)
			}
		}
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(far[b], far[a]) })
		s.show(rows[:int(math.Ceil(share*float64(n)))])
	}
}

// strangeness says how far every value is from the others: in standard deviations, or as minus the logarithm of the
// share of a category.
func strangeness(c table.Column) []float64 {
	out := make([]float64, c.Len())
	if c.Kind == table.Categorical {
		count := make([]float64, len(c.Labels)+1)
		for _, v := range c.Cat {
			count[v+1]++
		}
		for i, v := range c.Cat {
			out[i] = -math.Log(count[v+1] / float64(len(c.Cat)))
		}
		return out
	}
	n, sum, square := 0.0, 0.0, 0.0
	for _, v := range c.Num {
		if v == v {
			n, sum, square = n+1, sum+v, square+v*v
		}
	}
	mean := sum / n
	sd := math.Sqrt(math.Max(square/n-mean*mean, 1e-12))
	for i, v := range c.Num {
		if v == v {
			out[i] = math.Abs(v-mean) / sd
		}
	}
	return out
}

// intact releases whole columns as they are.
func intact(columns ...string) func(*scene) {
	return func(s *scene) {
		for _, name := range columns {
			j := s.original.Find(name)
			s.set(j, s.original.Column(j))
		}
	}
}

// weakNoise adds noise of so large a share of the range to every number and exchanges as large a share of the
// categories.
func weakNoise(share float64) func(*scene) {
	return func(s *scene) {
		all := make([]int, s.original.Rows())
		for i := range all {
			all[i] = i
		}
		random := s.released
		s.show(all)
		s.jitter(all, share)
		for j := range s.original.Width() {
			c, r := s.released.Column(j), random.Column(j)
			if c.Kind == table.Categorical {
				c.Cat = slices.Clone(c.Cat)
				for i := range c.Cat {
					if s.draw.Float64() < share {
						c.Cat[i] = r.Cat[i]
					}
				}
				s.set(j, c)
			}
		}
	}
}

// fewSwapped gives every column of a share of the people the values of another one, and leaves the rest.
func fewSwapped(share float64) func(*scene) { return copies(1 - share) }

// elsewhere releases the rows of people as they are, each in the record of somebody else, but for some columns.
func elsewhere(but ...string) func(*scene) {
	return func(s *scene) {
		from := s.draw.Perm(s.original.Rows())
		for j := range s.original.Width() {
			if !slices.Contains(but, s.original.Attr(j).Name) {
				s.set(j, s.original.Column(j).Gather(from))
			}
		}
	}
}

// nearlyElsewhere does so and moves the numbers by so large a share of the range, up or down.
func nearlyElsewhere(share float64) func(*scene) {
	return func(s *scene) {
		elsewhere()(s)
		all := make([]int, s.original.Rows())
		for i := range all {
			all[i] = i
		}
		s.jitter(all, share)
	}
}

// triples replaces every number by the mean of three neighbours in its order, on its grid: univariate microaggregation.
// Categories stay.
func triples(s *scene) {
	for j := range s.original.Width() {
		c := s.original.Column(j)
		if c.Kind == table.Numeric {
			order, known := rank.Order(c.Num)
			out := slices.Clone(c.Num)
			for at := 0; at+3 <= known; at += 3 {
				group := order[at : at+3]
				mean := (c.Num[group[0]] + c.Num[group[1]] + c.Num[group[2]]) / 3
				for _, i := range group {
					out[i] = c.Snap(mean)
				}
			}
			c.Num = out
		}
		s.set(j, c)
	}
}

// keptGaps lets values change places with values only, so that what is missing is missing in the same rows.
func keptGaps(s *scene) {
	for j := range s.original.Width() {
		c := s.original.Column(j)
		var have []int
		for i := range c.Len() {
			if !c.MissingAt(i) {
				have = append(have, i)
			}
		}
		from := make([]int, c.Len())
		for i := range from {
			from[i] = i
		}
		for k, at := range s.draw.Perm(len(have)) {
			from[have[k]] = have[at]
		}
		s.set(j, c.Gather(from))
	}
}

// inOrder sorts the original by a number, and releases it in that order with every value exchanged among so many
// neighbours.
func inOrder(column string, among int) func(*scene) {
	return func(s *scene) {
		j := s.original.Find(column)
		order, known := rank.Order(s.original.Num(j))
		rows := make([]int, 0, len(order))
		for _, i := range order[:known] {
			rows = append(rows, int(i))
		}
		s.original = s.original.Gather(rows)
		s.released = stage(s.original, s.draw).released
		from := make([]int, known)
		for lo := 0; lo < known; lo += among {
			n := min(among, known-lo)
			for k, at := range s.draw.Perm(n) {
				from[lo+k] = lo + at
			}
		}
		s.set(j, s.original.Column(j).Gather(from))
	}
}

// exchanged releases a category of every record exchanged for a random one with a probability, where each person has
// many records.
func exchanged(column string, p float64) func(*scene) {
	return func(s *scene) {
		j := s.original.Find(column)
		c := s.original.Column(j)
		c.Cat = slices.Clone(c.Cat)
		for i := range c.Cat {
			if s.draw.Float64() < p {
				c.Cat[i] = int32(s.draw.IntN(len(c.Labels)))
			}
		}
		s.set(j, c)
	}
}
