package linkage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/table"
)

// pair is this release and the earlier ones of the same people, and what is known of these.
type pair struct {
	r     *measure.Release
	known []intruder.Known
	both  []int // rows of people who are in an earlier release, too
	// the originals and the records that all releases make together, every category once for each
	was, is      *table.Table
	knownOfJoint []intruder.Known
	besides      []string     // further columns of earlier releases, as these show them
	voted        *table.Table // the records that all releases make together, every category the one that most of them show
}

func newPair(r *measure.Release, known []intruder.Known) *pair {
	p := &pair{r: r, known: known, was: r.Original, is: r.Released}
	for i := range r.Released.Rows() {
		if slices.ContainsFunc(r.Earlier, func(t *table.Table) bool { return present(t, i) }) {
			p.both = append(p.both, i)
		}
	}
	was, is, voted := r.Original.Columns(), r.Released.Columns(), r.Released.Columns()
	for _, k := range known {
		p.knownOfJoint = append(p.knownOfJoint, k)
		if is[k.Column].Kind == table.Numeric {
			copies := [][]float64{r.Released.Num(k.Column)}
			for _, t := range r.Earlier {
				copies = append(copies, t.Num(k.Column))
			}
			is[k.Column].Num = means(copies)
			voted[k.Column].Num = is[k.Column].Num
			continue
		}
		if is[k.Column].Kind == table.Categorical {
			copies := [][]int32{r.Released.Cat(k.Column)}
			for _, t := range r.Earlier {
				copies = append(copies, t.Cat(k.Column))
			}
			voted[k.Column].Cat = votes(copies)
		}
		for n, t := range r.Earlier {
			twin := k
			twin.Column = len(was)
			a, b := r.Original.Column(k.Column), t.Column(k.Column)
			a.Name += fmt.Sprintf(" \x00earlier %d", n) // no column of a file is named so
			b.Name = a.Name
			was, is = append(was, a), append(is, b)
			p.knownOfJoint = append(p.knownOfJoint, twin)
		}
	}
	for n, t := range r.Further {
		for _, j := range p.further(t) {
			c := t.Column(j)
			p.besides = append(p.besides, c.Name)
			c.Name += fmt.Sprintf(" \x00further %d", n)
			p.knownOfJoint = append(p.knownOfJoint, intruder.Known{Column: len(was)})
			was, is = append(was, c), append(is, c)
		}
	}
	p.was, p.is = sound(r.Original.WithColumns(was)), sound(r.Released.WithColumns(is))
	p.voted = sound(r.Released.WithColumns(voted))
	return p
}

// further are the columns of an earlier release that the intruder is taken to know as it shows them: who knows all
// quasi-identifiers of this table knows those of the earlier release, and who knows all that has no role, that.
func (p *pair) further(t *table.Table) (columns []int) {
	const private = table.Confidential | table.Class | table.Identifier | table.Weight
	knows := func(of func(table.Role) bool) bool {
		for j, a := range p.r.Original.Attrs() {
			is := func(k intruder.Known) bool { return k.Column == j }
			if a.Kind.Scalar() && of(a.Role) && !slices.ContainsFunc(p.known, is) {
				return false
			}
		}
		return true
	}
	quasi := knows(func(r table.Role) bool { return r&table.Quasi != 0 })
	other := knows(func(r table.Role) bool { return r&private == 0 })
	for j, a := range t.Attrs() {
		if a.Kind.Scalar() && (a.Role&table.Quasi != 0 && quasi || a.Role&private == 0 && other) {
			columns = append(columns, j)
		}
	}
	return columns
}

// present reports whether a table has any value in a row.
func present(t *table.Table, row int) bool {
	for j := range t.Width() {
		if !t.MissingAt(row, j) {
			return true
		}
	}
	return false
}

// sound returns the table: its columns are those of tables that are sound.
func sound(t *table.Table, err error) *table.Table {
	if err != nil {
		panic("earlierrelease: " + err.Error())
	}
	return t
}

// means returns the means of the copies that are there; NaN where none is.
func means(copies [][]float64) []float64 {
	out := make([]float64, len(copies[0]))
	for i := range out {
		mean, n := math.NaN(), 0.0
		for _, c := range copies {
			switch v := c[i]; {
			case v != v:
			case n == 0:
				mean, n = v, 1
			default:
				n++
				mean += v/n - mean/n // does not overflow, and the same copy again changes nothing
			}
		}
		out[i] = mean
	}
	return out
}

// votes returns of every row the category that most copies show, of as many the one that is shown first; -1 where none
// is.
func votes(copies [][]int32) []int32 {
	out := make([]int32, len(copies[0]))
	for i := range out {
		best, most := int32(-1), 0
		for _, c := range copies {
			n := 0
			for _, other := range copies {
				if other[i] == c[i] {
					n++
				}
			}
			if c[i] >= 0 && n > most {
				best, most = c[i], n
			}
		}
		out[i] = best
	}
	return out
}

// find returns the credits for people who are in more than one release: by this release, by every earlier one, and by
// all together, first where every copy of a category counts and then where the one does that most copies show.
func (p *pair) find(ctx context.Context, people int) ([][]float64, error) {
	rows := measure.Drawn(len(p.both), people)
	for k, i := range rows {
		rows[k] = p.both[i]
	}
	var out [][]float64
	type way struct {
		was, is *table.Table
		known   []intruder.Known
	}
	ways := []way{{p.r.Original, p.r.Released, p.known}}
	for _, t := range p.r.Earlier {
		ways = append(ways, way{p.r.Original, t, p.known})
	}
	for _, by := range append(ways, way{p.was, p.is, p.knownOfJoint}, way{p.r.Original, p.voted, p.known}) {
		credit, err := link(ctx, by.was, by.is, by.known, rows)
		if err != nil {
			return nil, err
		}
		out = append(out, credit)
	}
	return out, nil
}

// link returns for every row the probability that the nearest record is the own one.
func link(ctx context.Context, was, is *table.Table, known []intruder.Known, rows []int) ([]float64, error) {
	s, err := nearest.NewSpace(ctx, was, known)
	if err != nil {
		return nil, err
	}
	points := s.Records(is, nil)
	index := s.Index(points)
	width := len(points) / max(1, is.Rows())
	credit := make([]float64, len(rows))
	return credit, index.Each(ctx, s.Questions(was, rows), func(q *neighbour.MixedSearch, k int, known []float64) {
		own := points[rows[k]*width:][:width]
		if nearer, ties := q.Rank(known, q.Distance(known, own), 1); nearer == 0 {
			credit[k] = 1 / float64(ties)
		}
	})
}

// alike puts into the detail the mean of 1 over the number of records that look alike, in what is known, by this
// release and by all, and how many people are alone, or among few, by all.
func (p *pair) alike(ctx context.Context, d *EarlierReleaseDetail) error {
	of := func(t *table.Table, known []intruder.Known) (*classes.Classes, error) {
		columns := make([]int, len(known))
		for k := range known {
			columns[k] = known[k].Column
		}
		return classes.Of(ctx, classes.Exactly(columns...), false, t)
	}
	n := float64(p.r.Released.Rows())
	one, err := of(p.r.Released, p.known)
	if err != nil {
		return err
	}
	all, err := of(p.is, p.knownOfJoint)
	if err != nil {
		return err
	}
	// the mean of 1/size over records is the number of classes over theirs
	d.Alike, d.AlikeBoth = float64(one.Len())/n, float64(all.Len())/n
	for _, i := range p.both {
		switch k := all.Sizes[0][all.Of[0][i]]; {
		case k == 1:
			d.Alone++
			fallthrough
		case k < few:
			d.Few++
		}
	}
	d.Alone, d.Few = d.Alone/float64(len(p.both)), d.Few/float64(len(p.both))
	return nil
}

// few is the number of people alike from which on many a rule lets cells be shown.
const few = 5

// noise returns the size of the noise of the mean of all copies beside that of one, on average over the known numbers
// that the release changes; nil without any.
func (p *pair) noise() *float64 {
	sum, n := 0.0, 0.0
	for _, k := range p.known {
		if p.is.Attr(k.Column).Kind != table.Numeric {
			continue
		}
		var ones, means exact.Sum
		for _, i := range p.both {
			x := p.was.Num(k.Column)[i]
			a, b := p.r.Released.Num(k.Column)[i]-x, p.is.Num(k.Column)[i]-x
			if a == a && b == b {
				ones.Add(float64(a * a))
				means.Add(float64(b * b))
			}
		}
		one, mean := ones.Float64(), means.Float64()
		if one > 0 && !math.IsInf(one, 0) {
			sum, n = sum+math.Sqrt(mean/one), n+1
		}
	}
	if n == 0 {
		return nil
	}
	v := sum / n
	return &v
}
