package nearest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Distance is record linkage by distance (Domingo-Ferrer & Torra 2001).
type Distance struct {
	Release  *measure.Release // tells which records are one person's; nil where every record is a person's
	Pairs    int              // of records that an index may have to look at; above it, targets are a sample
	Reverse  bool             // look for released records among the originals, not for persons among the released records
	OneToOne bool             // a record is linked once
	// one to one: up to so many records the sum of the squared distances is the least possible, above it nearest pairs
	// come first
	Optimal int
}

// Links are what becomes of targets, by chance where records are equally near.
type Links struct {
	measure.Targets
	First []float64 // by target: the probability that the link is right, to any record of the person's
	// by target: the probability that the own record is one of the two nearest; nil one to one, and where some people have
	// several records
	Second []float64
	Axes   []int // columns that tell persons apart
}

// Link links the persons of the original, row i of which is the person of row i of the released table. One to one,
// records come in the given order where they are equally near; it should be random. Cost: that of a search for each
// target, on all cores; one to one as OneToOne.
func (o Distance) Link(
	ctx context.Context,
	original, released *table.Table,
	known []intruder.Known,
	order []int,
) (*Links, error) {
	if o.Reverse {
		for k := range known {
			if !known[k].Exact() {
				return nil, fmt.Errorf("column %q is not known exactly: released records cannot be looked for among the originals",
					original.Attr(known[k].Column).Name)
			}
		}
	}
	s, err := NewSpace(ctx, original, known)
	if err != nil {
		return nil, err
	}
	among, target := released, original
	if o.Reverse {
		among, target = original, released
	}
	points := s.Records(among, nil)
	index := s.Index(points)
	point := func(row int) []float64 { return points[row*len(s.nominal):][:len(s.nominal)] }
	mine := func(row int) []int { return []int{row} }
	if o.Release != nil {
		mine = o.Release.Own()
	}
	pose := func(rows []int) []float64 { return s.Questions(target, rows) }
	l := &Links{Axes: s.Columns()}
	rows, err := Sample(ctx, index, target, o.Pairs, pose,
		func(q *neighbour.MixedSearch, row int, known []float64) { rankOf(q, known, mine(row), point) })
	if err != nil {
		return nil, err
	}
	l.Targets = targets(o.Release, rows, target.Rows())
	l.First = make([]float64, len(l.Rows))
	if o.OneToOne {
		return l, l.oneToOne(ctx, s, pose(l.Rows), s.Records(among, order), order, o.Optimal, mine)
	}
	if l.Person == nil {
		l.Second = make([]float64, len(l.Rows))
	}
	return l, index.Each(ctx, pose(l.Rows), func(q *neighbour.MixedSearch, i int, known []float64) {
		r := rankOf(q, known, mine(l.Rows[i]), point)
		if l.First[i] = r.first(); l.Second != nil {
			l.Second[i] = r.second()
		}
	})
}

// targets returns the records to look for: those of a sample of as many as rows where it is known whose they are, else
// the rows.
func targets(r *measure.Release, rows []int, all int) measure.Targets {
	if r != nil {
		return r.Targets(len(rows), least)
	}
	return measure.Targets{Rows: rows, Tried: len(rows), People: all}
}

// oneToOne links to the points, which are in the given order of their records.
func (l *Links) oneToOne(
	ctx context.Context,
	s *Space,
	questions, points []float64,
	order []int,
	optimal int,
	mine func(row int) []int,
) error {
	links, err := s.OneToOne(ctx, questions, points, optimal)
	for i, at := range links {
		if at >= 0 && slices.Contains(mine(l.Rows[i]), order[at]) {
			l.First[i] = 1
		}
	}
	return err
}

// rank is where a target's own record, of several the nearest, stands among all when these are ordered by their
// distance from the target.
type rank struct {
	nearer int // records that are nearer, counted up to 2
	ties   int // records at the same distance, the own ones included; it means nothing when two are nearer
	own    int // own records at the same distance
}

func rankOf(q *neighbour.MixedSearch, known []float64, mine []int, point func(row int) []float64) (r rank) {
	least := math.Inf(1)
	for _, row := range mine {
		switch d := q.Distance(known, point(row)); {
		case d < least:
			least, r.own = d, 1
		case d == least:
			r.own++
		}
	}
	r.nearer, r.ties = q.Rank(known, least, 2)
	return r
}

// first returns the probability of taking the own record for the nearest when ties are broken at random.
func (r rank) first() float64 {
	if r.nearer > 0 {
		return 0
	}
	return float64(r.own) / float64(r.ties)
}

// second returns the probability that the own record is one of the two nearest when ties are broken at random.
func (r rank) second() float64 {
	if r.nearer > 1 {
		return 0
	}
	return min(1, float64(2-r.nearer)/float64(r.ties))
}
