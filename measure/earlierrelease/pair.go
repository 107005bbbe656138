package earlierrelease

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/neighbour"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/table"
)

// pair is two releases of the same people, and what is known of these.
type pair struct {
	r            *measure.Release
	known        []intruder.Known
	both         []int        // rows of people who are in both releases
	was, is      *table.Table // the originals and the records that both releases make, every category twice
	knownOfJoint []intruder.Known
}

func newPair(r *measure.Release, known []intruder.Known) *pair {
	p := &pair{r: r, known: known, was: r.Original, is: r.Released}
	for i := range r.Earlier.Rows() {
		for j := range r.Earlier.Width() {
			if !r.Earlier.MissingAt(i, j) {
				p.both = append(p.both, i)
				break
			}
		}
	}
	was, is := r.Original.Columns(), r.Released.Columns()
	for _, k := range known {
		p.knownOfJoint = append(p.knownOfJoint, k)
		if is[k.Column].Kind == table.Numeric {
			is[k.Column].Num = means(r.Released.Num(k.Column), r.Earlier.Num(k.Column))
			continue
		}
		twin := k
		twin.Column = len(was)
		a, b := r.Original.Column(k.Column), r.Earlier.Column(k.Column)
		a.Name += " \x00earlier" // no column of a file is named so
		b.Name = a.Name
		was, is = append(was, a), append(is, b)
		p.knownOfJoint = append(p.knownOfJoint, twin)
	}
	p.was, p.is = must(r.Original.WithColumns(was)), must(r.Released.WithColumns(is))
	return p
}

// must returns the table: its columns are those of tables that are sound.
func must(t *table.Table, err error) *table.Table {
	if err != nil {
		panic("earlierrelease: " + err.Error())
	}
	return t
}

// means returns the means of two copies; where one is missing, the other.
func means(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		switch {
		case a[i] != a[i]:
			out[i] = b[i]
		case b[i] != b[i]:
			out[i] = a[i]
		default:
			out[i] = a[i]/2 + b[i]/2
		}
	}
	return out
}

// find returns the credits for people who are in both releases: by this release, by the earlier one, by both.
func (p *pair) find(ctx context.Context, people int) ([][]float64, error) {
	rows := measure.Drawn(len(p.both), people)
	for k, i := range rows {
		rows[k] = p.both[i]
	}
	var out [][]float64
	for _, by := range []struct {
		was, is *table.Table
		known   []intruder.Known
	}{{p.r.Original, p.r.Released, p.known}, {p.r.Original, p.r.Earlier, p.known}, {p.was, p.is, p.knownOfJoint}} {
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

// alike returns the mean of 1 over the number of records that look alike, in what is known, by this release and by both.
func (p *pair) alike(ctx context.Context) (one, both float64, err error) {
	mean := func(t *table.Table, known []intruder.Known) float64 {
		columns := make([]int, len(known))
		for k := range known {
			columns[k] = known[k].Column
		}
		var c *classes.Classes
		if c, err = classes.Of(ctx, classes.Exactly(columns...), false, t); err != nil {
			return 0
		}
		return float64(c.Len()) / float64(t.Rows()) // the mean of 1/size over records is the number of classes over theirs
	}
	one = mean(p.r.Released, p.known)
	if err != nil {
		return 0, 0, err
	}
	return one, mean(p.is, p.knownOfJoint), err
}

// noise returns the size of the noise of the mean of both copies beside that of one, on average over the known numbers that the release changes; nil
// without any.
func (p *pair) noise() *float64 {
	sum, n := 0.0, 0.0
	for _, k := range p.known {
		if p.is.Attr(k.Column).Kind != table.Numeric {
			continue
		}
		one, mean := 0.0, 0.0
		for _, i := range p.both {
			x := p.was.Num(k.Column)[i]
			a, b := p.r.Released.Num(k.Column)[i]-x, p.is.Num(k.Column)[i]-x
			if a == a && b == b {
				one, mean = one+a*a, mean+b*b
			}
		}
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
