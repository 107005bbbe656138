package executor

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Between releases the rare numbers that a plan takes from those of the original (protect.Empirical) between their
// neighbours.
//
// A number that fewer people have than the plan asks for (protect.Common, unless a limit on k asks for more), or that
// lies beside such a one, is drawn anew, evenly from the numbers on the grid of the column between the values half as
// many ranks below and above it, and inside the sub-domain of the record's segment. So the margin stays, up to a few
// ranks, and a value that a person has comes no oftener than those beside it that nobody has. What lies beside a rare
// number is drawn, too, since otherwise a person's value would come less often than these. Numbers that enough people
// have stay, and a column that has no others is released as it is.
type Between struct {
	Plan     protect.Plan
	Original *table.Table
	Routes   func() (*Routes, error) // asked at most once; nil: RoutesOf the original
	Draws    rng.Source              // one number a record and column, whatever the others are
	Identity func(row int) table.RecordID

	// What was drawn anew, once there is a release, and the most people whom a number of these needs to stay.
	Columns []string
	Least   int
}

// Release returns what is to be released in place of what the plan made of the original. Its records have the
// identities of theirs there. Cost: O(n log n) per column that has rare numbers, else O(n); nothing for other plans.
func (b *Between) Release(ctx context.Context, made *table.Table) (*table.Table, error) {
	least := protect.Takes(b.Plan)
	names := slices.DeleteFunc(protect.TakesOriginals(b.Plan), func(name string) bool {
		j, k := b.Original.Find(name), made.Find(name)
		return j < 0 || k < 0 || b.Original.Attr(j).Kind != table.Numeric || made.Attr(k).Kind != table.Numeric
	})
	margins := make([]*margin, len(names))
	err := parallel.Each(ctx, len(names), func(k int) error {
		margins[k] = marginOf(b.Original, b.Original.Find(names[k]), least[names[k]])
		return nil
	})
	if err != nil || !slices.ContainsFunc(margins, func(m *margin) bool { return m != nil }) {
		return made, err
	}
	routes, err := b.routes(ctx)
	if err != nil {
		return nil, err
	}
	cols, row := made.Columns(), b.row(made)
	for k, m := range margins {
		if m == nil {
			continue
		}
		c := &cols[made.Find(names[k])]
		s := smoothing{margin: m, domain: wrap.On(c.Domain, c.Step), routes: routes, at: routes.Column(names[k])}
		is, out := c.Num, mmap.Make[float64](made.Space(), made.Rows())
		stream := b.Draws.Fork(names[k]).Stream()
		err := parallel.Ranges(ctx, made.Rows(), 1<<14, func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				r := row(i)
				out[i] = s.draw(is[i], r, func() float64 { return rng.Unit(stream.At(uint64(b.Identity(r))).A) })
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		m.free(made.Space())
		c.Num, b.Columns, b.Least = out, append(b.Columns, names[k]), max(b.Least, m.least)
	}
	return made.WithColumns(cols)
}

func (b *Between) routes(ctx context.Context) (*Routes, error) {
	if b.Routes != nil {
		return b.Routes()
	}
	return RoutesOf(ctx, b.Plan, b.Original)
}

// row returns what tells the row of the original from that of a released record, of which there may be fewer.
func (b *Between) row(made *table.Table) func(i int) int {
	if made.Rows() == b.Original.Rows() {
		return func(i int) int { return i }
	}
	at := make(map[table.RecordID]int, b.Original.Rows())
	for i := range b.Original.Rows() {
		at[b.Original.ID(i)] = i
	}
	return func(i int) int { return at[made.ID(i)] }
}

// margin is the values of a numeric column, each once.
type margin struct {
	values []float64 // ascending
	least  int       // people who have a number that stays
	people []uint8   // who have it; least stands for more
	at     []float64 // the middle of their ranks, a value counting for least people at most
}

// marginOf returns the margin of a column; nil where no number is rare.
func marginOf(t *table.Table, j, least int) *margin {
	in := t.Space()
	r := rank.In(in, t.Num(j))
	defer r.Free()
	n, rare := 0, false
	owners := t.Owners()
	for a, b := 0, 0; a < len(r.Order); a = b {
		for b = a + 1; b < len(r.Order) && r.Sorted[b] == r.Sorted[a]; b++ {
		}
		n, rare = n+1, rare || people(owners, r.Order[a:b], least) < least
	}
	if !rare {
		return nil
	}
	m := &margin{mmap.Make[float64](in, n)[:0], least, mmap.Make[uint8](in, n)[:0], mmap.Make[float64](in, n)[:0]}
	before := 0
	for a, b := 0, 0; a < len(r.Order); a = b {
		for b = a + 1; b < len(r.Order) && r.Sorted[b] == r.Sorted[a]; b++ {
		}
		have := people(owners, r.Order[a:b], least)
		m.values, m.people = append(m.values, r.Sorted[a]), append(m.people, uint8(have))
		m.at = append(m.at, float64(before)+float64(have)/2)
		before += have
	}
	return m
}

// people counts whose some records are, up to so many.
func people(owners, rows []int32, most int) int {
	if owners == nil {
		return min(len(rows), most)
	}
	var seen []int32
	for _, i := range rows {
		if !slices.Contains(seen, owners[i]) {
			if seen = append(seen, owners[i]); len(seen) == most {
				break
			}
		}
	}
	return len(seen)
}

func (m *margin) free(in *mmap.Space) {
	mmap.Free(in, m.values)
	mmap.Free(in, m.people)
	mmap.Free(in, m.at)
}

// find returns the place of a number among the values, or between places k-1 and k; rare where it, or one beside it, is
// rare.
func (m *margin) find(v float64) (k int, is, rare bool) {
	k, is = slices.BinarySearch(m.values, v)
	switch {
	case is:
		rare = int(m.people[k]) < m.least
	case k > 0 && k < len(m.values):
		rare = int(m.people[k-1]) < m.least || int(m.people[k]) < m.least
	}
	return k, is, rare
}

// rank returns where a number lies that was found at a place; outside the values it is the end.
func (m *margin) rank(v float64, k int, is bool) float64 {
	switch {
	case is, k == 0:
		return m.at[k]
	case k == len(m.values):
		return m.at[k-1]
	}
	lo, hi := m.values[k-1], m.values[k]
	return m.at[k-1] + (m.at[k]-m.at[k-1])*(v/2-lo/2)/(hi/2-lo/2) // halves, so that the width is finite
}

// value returns the number at a rank near that of place k.
func (m *margin) value(rank float64, k int) float64 {
	for k = min(k, len(m.at)-1); k > 0 && m.at[k] > rank; {
		k--
	}
	for k < len(m.at)-1 && m.at[k+1] <= rank {
		k++
	}
	if k == len(m.at)-1 || rank <= m.at[k] {
		return m.values[k]
	}
	w := (rank - m.at[k]) / (m.at[k+1] - m.at[k])
	return float64(m.values[k]*(1-w)) + float64(m.values[k+1]*w)
}

// smoothing draws the numbers of a column.
type smoothing struct {
	margin *margin
	domain wrap.Domain // of the release
	routes *Routes
	at     int // position of the column in the schema of the segments; -1 where these do not know it
}

// draw returns what is released of a number in a row of the original; unit draws from [0, 1) for it.
func (s *smoothing) draw(v float64, row int, unit func() float64) float64 {
	if v != v {
		return v
	}
	k, is, rare := s.margin.find(v)
	if !rare {
		return v
	}
	half := float64(s.margin.least) / 2
	here := s.margin.rank(v, k, is)
	lo, hi := here-half, here+half
	box := table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
	if s.at >= 0 && s.routes.Of != nil {
		seg := s.routes.Box[s.routes.Of[row]]
		if own, ok := seg.Num[s.at]; ok && own.Contains(v) {
			box = own
			lo, hi = max(lo, s.limit(box.Lo, lo)), min(hi, s.limit(box.Hi, hi))
		}
	}
	lo, hi = max(lo, s.margin.at[0]), min(hi, s.margin.at[len(s.margin.at)-1])
	u := unit()
	x := s.domain.Clip(float64(s.margin.value(lo, k)*(1-u)) + float64(s.margin.value(hi, k)*u))
	for _, y := range []float64{x, s.domain.Clip(x + math.Copysign(s.domain.Step(), v-x))} { // rounded over the end
		if box.Contains(y) {
			return y
		}
	}
	return v
}

// limit returns the rank of an end of a segment, or the rank that was asked for where the end lies beyond.
func (s *smoothing) limit(end, rank float64) float64 {
	if math.IsInf(end, 0) {
		return rank
	}
	k, is, _ := s.margin.find(end)
	return s.margin.rank(end, k, is)
}
