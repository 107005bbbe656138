package aggregate

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/system/sorting"
)

// Spans counts the numbers of columns that lie in spans, by cells of these, and by value where these are few. Numbers
// go by their ordinals, which are whole numbers of the same order.
type Spans struct {
	Columns []int
	Spans   [][]Span // by column, ascending, without common ordinals
	Most    int      // values of a column that are counted one by one

	Counts [][]int          // by column and cell, of one span after the other
	Values []map[uint64]int // by column: the records by ordinal; nil with too many
	Over   []bool           // by column: there are more values than Most
}

// Span is a run of cells of 2^Shift ordinals each.
type Span struct {
	Lo    uint64
	Shift int
	Cells int
}

// Fresh implements Aggregate.
func (s *Spans) Fresh() Aggregate { return &Spans{Columns: s.Columns, Spans: s.Spans, Most: s.Most} }

func (s *Spans) room() {
	if s.Counts != nil {
		return
	}
	s.Values, s.Over = make([]map[uint64]int, len(s.Columns)), make([]bool, len(s.Columns))
	for k, spans := range s.Spans {
		n := 0
		for _, p := range spans {
			n += p.Cells
		}
		s.Counts, s.Values[k] = append(s.Counts, make([]int, n)), map[uint64]int{}
	}
}

// Add implements Aggregate.
func (s *Spans) Add(p Part) error {
	s.room()
	for k, j := range s.Columns {
		spans := s.Spans[k]
		first := make([]int, len(spans)+1)
		for i, span := range spans {
			first[i+1] = first[i] + span.Cells
		}
		for _, v := range p.Num(j) {
			if v != v {
				continue
			}
			o := sorting.Key(v)
			i := sort.Search(len(spans), func(i int) bool { return spans[i].Lo > o }) - 1
			if i < 0 {
				continue
			}
			if cell := (o - spans[i].Lo) >> spans[i].Shift; cell < uint64(spans[i].Cells) {
				s.Counts[k][first[i]+int(cell)]++
				s.value(k, o, 1)
			}
		}
	}
	return nil
}

// value counts records of a value.
func (s *Spans) value(k int, o uint64, n int) {
	if s.Over[k] {
		return
	}
	s.Values[k][o] += n
	if len(s.Values[k]) > s.Most {
		s.Values[k], s.Over[k] = nil, true
	}
}

// Merge implements Aggregate.
func (s *Spans) Merge(from Aggregate) error {
	o, err := same[*Spans](from)
	if err != nil || o.Counts == nil {
		return err
	}
	s.room()
	for k, counts := range s.Counts {
		if len(o.Counts) != len(s.Counts) || len(o.Counts[k]) != len(counts) {
			return errOther
		}
		for c, n := range o.Counts[k] {
			counts[c] += n
		}
		if len(s.Values[k]) == 0 && !s.Over[k] && len(o.Values[k]) > 0 {
			s.Values[k], o.Values[k] = o.Values[k], nil
		}
		for v, n := range o.Values[k] {
			s.value(k, v, n)
		}
		if o.Over[k] {
			s.Values[k], s.Over[k] = nil, true
		}
	}
	return nil
}

// Ladder is the numbers of a column in ascending order, as far as that is known: cells, each with the number of records
// in it. A cell of one value is open no more.
type Ladder struct {
	N     int // numbers that are not missing
	Rungs []Rung
	up    []int // records below each rung, and in all at the end
}

// Rung is a cell with records.
type Rung struct {
	Lo, Hi float64 // equal where all records have one value
	N      int
}

// below counts up.
func (l *Ladder) below() {
	l.up = make([]int, len(l.Rungs)+1)
	for k, r := range l.Rungs {
		l.up[k+1] = l.up[k] + r.N
	}
}

// at returns the rung of the record at a place of the ascending order.
func (l *Ladder) at(place int) int {
	return sort.Search(len(l.Rungs), func(k int) bool { return l.up[k+1] > place })
}

func (l *Ladder) exact(k int) bool { return l.Rungs[k].Lo == l.Rungs[k].Hi }

// Ends returns the least and the largest number, of which there are some.
func (l *Ladder) Ends() (least, most float64) { return l.Rungs[0].Lo, l.Rungs[len(l.Rungs)-1].Hi }

// Ranks returns the numbers at places of the ascending order, from 0, and the rungs that must be known better for that.
func (l *Ladder) Ranks(places ...int) (values []float64, open []int) {
	for _, p := range places {
		k := l.at(p)
		if !l.exact(k) {
			open = append(open, k)
		}
		values = append(values, l.Rungs[k].Lo)
	}
	return values, open
}

// apart is how many rungs may lie between where a cut is at least and at most for all of them to be looked into.
const apart = 64

// Cuts returns those of quantile.Cuts, and how many numbers are in each bin: up to the first cut, from there to the
// second, and so on. Open are the rungs that must be known better for that.
func (l *Ladder) Cuts(bins int) (cuts []float64, counts, open []int) {
	cuts = []float64{}
	next := func(start int) int { return start + (l.N-start-1)/bins }
	last := 0
	for lo, hi := 0, 0; lo < l.N && bins > 1; bins-- { // the records up to the cut before are lo to hi
		from, to := l.at(next(lo)), l.at(min(next(hi), l.N-1))
		if to-from > apart {
			break // what is open before tells where to look
		}
		for k := from; k <= to; k++ {
			if !l.exact(k) {
				open = append(open, k)
			}
		}
		if lo = next(lo) + 1; l.exact(from) {
			lo = l.up[from+1]
		}
		if hi = l.up[to+1]; lo < l.N {
			cuts, counts, last = append(cuts, l.Rungs[to].Lo), append(counts, hi-last), hi
		}
	}
	return cuts, append(counts, l.N-last), open
}

// cells is how many cells of a column are counted in a pass, and values that are counted one by one, at most.
const cells = 1 << 16

// fine is how many these are of a column of so many numbers: few numbers need few, and have no more values than that.
func fine(numbers int) int { return min(cells, max(64, 4*min(numbers, cells))) }

// Ladders returns what is known of the order of columns when no rung is open: open says by column which must be known
// better. What was found before is known still. Cost: one or two passes, and three or four for columns of many values
// in up to 10^9 records.
func (r *Records) Ladders(ctx context.Context, columns []int, open func(k int, l *Ladder) []int) ([]*Ladder, error) {
	ranges, known, err := r.Ranges(ctx, columns)
	if err != nil {
		return nil, err
	}
	out := make([]*Ladder, len(columns))
	for k, j := range columns {
		if out[k] = r.memo.ladders[j]; out[k] != nil {
			continue
		}
		out[k] = &Ladder{N: known[k]}
		if known[k] > 0 {
			out[k].Rungs = []Rung{{ranges[k].Lo, ranges[k].Hi, known[k]}}
		}
		out[k].below()
		r.memo.ladders[j] = out[k]
	}
	for {
		s, of := Spans{}, []*Ladder{}
		for k, l := range out {
			if l.N == 0 {
				continue
			}
			if rungs := open(k, l); len(rungs) > 0 {
				s.Columns, s.Spans, of = append(s.Columns, columns[k]), append(s.Spans, l.spans(rungs)), append(of, l)
				s.Most = max(s.Most, fine(l.N))
			}
		}
		if len(of) == 0 {
			return out, nil
		}
		if err := r.Pass(ctx, &s); err != nil {
			return nil, err
		}
		for k, l := range of {
			l.refine(s.Spans[k], s.Counts[k], s.Values[k])
		}
	}
}

// spans are the rungs that must be known better, divided into cells. These are so many together, about.
func (l *Ladder) spans(rungs []int) (out []Span) {
	slices.Sort(rungs)
	rungs = slices.Compact(rungs)
	for _, k := range rungs {
		lo, wide, shift := sorting.Key(l.Rungs[k].Lo), sorting.Key(l.Rungs[k].Hi)-sorting.Key(l.Rungs[k].Lo), 0
		for wide>>shift >= uint64(max(2, fine(l.N)/len(rungs))) {
			shift++
		}
		out = append(out, Span{lo, shift, int(wide>>shift) + 1})
	}
	return out
}

// starting returns the rung that starts at an ordinal.
func (l *Ladder) starting(o uint64) int {
	return sort.Search(len(l.Rungs), func(k int) bool { return sorting.Key(l.Rungs[k].Lo) >= o })
}

// refine replaces the rungs of spans by what was counted in them.
func (l *Ladder) refine(spans []Span, counts []int, values map[uint64]int) {
	var fine []Rung
	if values != nil {
		for _, o := range slices.Sorted(maps.Keys(values)) {
			fine = append(fine, Rung{sorting.Value(o), sorting.Value(o), values[o]})
		}
	} else {
		for _, s := range spans {
			top := l.Rungs[l.starting(s.Lo)].Hi
			for c, n := range counts[:s.Cells] {
				if lo := s.Lo + uint64(c)<<s.Shift; n > 0 {
					fine = append(fine, Rung{sorting.Value(lo), sorting.Value(min(lo+(1<<s.Shift-1), sorting.Key(top))), n})
				}
			}
			counts = counts[s.Cells:]
		}
	}
	known := slices.DeleteFunc(l.Rungs, func(r Rung) bool {
		_, refined := slices.BinarySearchFunc(spans, sorting.Key(r.Lo),
			func(s Span, o uint64) int { return cmp.Compare(s.Lo, o) })
		return refined
	})
	l.Rungs = append(known, fine...)
	slices.SortFunc(l.Rungs, func(a, b Rung) int { return cmp.Compare(a.Lo, b.Lo) })
	l.below()
}
