package microaggregation

import (
	"context"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/system/parallel"
)

// left is the records that are in no group yet, with what is asked of them.
type left struct {
	points  []float64
	dims    int
	squared func(a, b []float64) float64
	whose   []int32          // whose the records are; nil where every record is a person's
	people  *headcount.Tally // of the records left, where some have several
	index   index
	centre  *centre
	rim     rim

	at []float64 // the centre when it was asked for last
}

// index finds records that are left.
type index interface {
	Len() int
	Remove(record int)
	nearest(row []float64, k, except int) []neighbour.Hit
	farthest(row []float64) int
}

func newLeft(points []float64, kinds []Kind, whose []int32) *left {
	dims := len(kinds)
	n := len(points) / dims
	l := &left{
		points:  points[:n*dims],
		dims:    dims,
		squared: squared(kinds),
		centre:  newCentre(points, kinds),
		whose:   whose,
	}
	if whose != nil {
		l.people = headcount.All(whose)
	}
	l.rim = newRim(l, n)
	l.index = newIndex(l.points, kinds, l.centre.append(nil))
	return l
}

// newIndex finds records of the kinds; who is asked for the farthest ones tells a point in the middle of them, others
// nil.
func newIndex(points []float64, kinds []Kind, centre []float64) index {
	if numeric(kinds) {
		x := neighbour.Build(points, len(kinds))
		if centre != nil {
			x.About(centre)
		}
		return euclidean{x, x.Search()}
	}
	nominal := make([]bool, len(kinds))
	for d, kind := range kinds {
		nominal[d] = kind == Nominal
	}
	m := neighbour.BuildMixed(points, nominal)
	return mixed{m, m.Search(), make([]float64, 2*len(kinds))}
}

func (l *left) row(record int) []float64 { return l.points[record*l.dims:][:l.dims] }

// count returns how many people have records left: how many records there are, where every one is a person's.
func (l *left) count() int {
	if l.whose != nil {
		return l.people.Size()
	}
	return l.index.Len()
}

func (l *left) remove(record int) {
	l.index.Remove(record)
	l.centre.remove(l.row(record))
	l.rim.gone[record] = true
	if l.whose != nil {
		l.people.Remove(record)
	}
}

// outermost returns the record farthest from the centre of those left.
func (l *left) outermost() int {
	l.at = l.centre.append(l.at[:0])
	return l.rim.farthest(l.at)
}

// farthest returns the record farthest from another one.
func (l *left) farthest(from int) int { return l.index.farthest(l.row(from)) }

// distances returns the squared distances of records from a point.
func (l *left) distances(point []float64, records []int32) []float64 {
	out := make([]float64, len(records))
	_ = parallel.Ranges(context.Background(), len(records), 1<<14, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			out[i] = l.squared(l.row(int(records[i])), point)
		}
		return nil
	})
	return out
}

// euclidean is the index of numbers.
type euclidean struct {
	*neighbour.Index
	search *neighbour.Search
}

func (e euclidean) nearest(row []float64, k, except int) []neighbour.Hit {
	return e.search.Nearest(row, k, except)
}

func (e euclidean) farthest(row []float64) int { return e.search.Farthest(row).Record }

// mixed is the index of records of mixed types.
type mixed struct {
	*neighbour.Mixed
	search *neighbour.MixedSearch
	known  []float64 // a question: a record twice
}

func (m mixed) ask(row []float64) []float64 {
	copy(m.known, row)
	copy(m.known[len(row):], row)
	return m.known
}

func (m mixed) nearest(row []float64, k, except int) []neighbour.Hit {
	return m.search.Nearest(m.ask(row), k, except)
}

func (m mixed) farthest(row []float64) int { return m.search.Farthest(m.ask(row)).Record }
