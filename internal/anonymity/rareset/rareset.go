// Package rareset finds sets of a few items that are in some records, but in those of fewer than k people, and deletes
// items until there is none: k^m-anonymity (Terrovitis, Mamoulis & Kalnis 2008).
//
// Where it is told whose the records are, k is of people: those with a record that has the set.
//
// Items stand in every record from the rarest to the most frequent. A set is found from its rarest item on, in the
// records that have it, so the memory is that of one item's records for every core, whatever the number of sets.
package rareset

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/text/numfmt"
)

// Most is how many sets, counted once for every record that has them, are looked through at most.
const Most = 1 << 34

// What stands in place of an item.
const (
	end  = -1 // of a record
	gone = -2 // it was deleted
)

// Data are records with their items.
type Data struct {
	items  []int32 // ranks, ascending in a record, and its end; the first record begins after an end
	start  []int   // by record
	label  []int32 // by rank
	who    []int32 // by place in items: whose the record is; nil where every record is a person's
	where  []int32 // the places in items of every rank, one rank after the other
	from   []int   // by rank: its first one in where
	labels int
}

// New returns the data of so many records; row returns the labels of one, each once, below labels. Whose says by record
// whose it is, nil that every record is a person's: k counts people. It fails where there are 2^31 items or more. Cost:
// O(items log items of a record).
func New(rows, labels int, whose []int32, row func(i int) []int32) (*Data, error) {
	d := &Data{start: make([]int, rows), labels: labels}
	count := make([]int, labels)
	total := 1
	for i := range rows {
		for _, v := range row(i) {
			count[v]++
		}
		total += len(row(i)) + 1
	}
	if total > math.MaxInt32 {
		return nil, fmt.Errorf("the records have 2^31 items or more")
	}
	rank := make([]int32, labels)
	for v := range labels {
		if count[v] > 0 {
			d.label = append(d.label, int32(v))
		}
	}
	slices.SortStableFunc(d.label, func(a, b int32) int { return cmp.Compare(count[a], count[b]) })
	d.from = make([]int, len(d.label)+1)
	for r, v := range d.label {
		rank[v] = int32(r)
		d.from[r+1] = d.from[r] + count[v]
	}
	d.items = append(make([]int32, 0, total), end)
	for i := range rows {
		d.start[i] = len(d.items)
		for _, v := range row(i) {
			d.items = append(d.items, rank[v])
		}
		slices.Sort(d.items[d.start[i]:])
		d.items = append(d.items, end)
		for whose != nil && len(d.who) < len(d.items) {
			d.who = append(d.who, whose[i])
		}
	}
	d.where = make([]int32, d.from[len(d.label)])
	next := slices.Clone(d.from)
	for at, r := range d.items {
		if r >= 0 {
			d.where[next[r]] = int32(at)
			next[r]++
		}
	}
	return d, nil
}

// Row appends the labels of what is left of a record, ascending.
func (d *Data) Row(i int, dst []int32) []int32 {
	from := len(dst)
	for _, r := range d.items[d.start[i]:] {
		if r == end {
			break
		}
		if r >= 0 {
			dst = append(dst, d.label[r])
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// Work returns how many sets of up to m items the records have, one by one. Cost: O(records m).
func (d *Data) Work(m int) float64 {
	sum := 0.0
	for i, s := range d.start {
		last := len(d.items)
		if i+1 < len(d.start) {
			last = d.start[i+1]
		}
		sum += subsets(last-1-s, m)
	}
	return sum
}

// Check refuses what would take too long.
func (d *Data) Check(m int) error {
	if w := d.Work(m); w > Most {
		return fmt.Errorf("the records have %s sets of up to %s, and %s are looked through at most; expected a smaller m, "+
			"or records of fewer items", numfmt.Count(w),
			numfmt.Counted(m, "item"), numfmt.Count(Most))
	}
	return nil
}

// subsets returns how many sets of 1 to m of n items there are.
func subsets(n, m int) (sum float64) {
	term := 1.0
	for i := range min(n, m) {
		term = float64(term * (float64(n-i) / float64(i+1)))
		sum += term
	}
	return sum
}

// places returns where an item is left.
func (d *Data) places(r int, dst []int32) []int32 {
	for _, at := range d.where[d.from[r]:d.from[r+1]] {
		if d.items[at] != gone {
			dst = append(dst, at)
		}
	}
	return dst
}

// search finds the sets that begin with one item. It is the memory of a worker.
type search struct {
	d       *Data
	k, m    int
	through bool // look into rare sets too: their larger sets are as rare or rarer
	// visit gets the ranks of a set, ascending, that fewer than k people have, and where the last of them stands in these;
	// it returns false to end the search.
	visit func(set, last []int32) bool

	people *headcount.Tally // of places
	first  []int32
	set    []int32
	least  []int   // by size less 1: in how many records the rarest set is that was counted
	count  []int32 // by rank: zero between uses
	place  []int32 // by rank: where its next one goes in lists, or -1
	levels []level
}

// level is the memory of the sets of one size.
type level struct {
	seen, ends []int32 // the ranks that follow, and where their lists end, -1 for those without
	lists      []int32
}

func (d *Data) search(k, m int) *search {
	return &search{
		d:      d,
		k:      k,
		m:      m,
		people: headcount.Of(d.who),
		least:  slices.Repeat([]int{math.MaxInt}, m),
		count:  make([]int32, len(d.label)),
		place:  make([]int32, len(d.label)),
		levels: make([]level, m),
	}
}

// from visits the rare sets whose first item has a rank; larger ones than a rare one only where it looks through. It
// returns false where visit did.
func (s *search) from(rank int) bool {
	s.first = s.d.places(rank, s.first[:0])
	if len(s.first) == 0 {
		return true
	}
	s.set = append(s.set[:0], int32(rank))
	s.least[0] = min(s.least[0], len(s.first))
	return s.extend(s.first)
}

// extend visits the set at hand, whose last items stand at some places, if it is rare, and looks for larger ones.
func (s *search) extend(last []int32) bool {
	if s.few(last) {
		if !s.visit(s.set, last) {
			return false
		}
		if !s.through {
			return true
		}
	}
	if len(s.set) == s.m {
		return true
	}
	l := &s.levels[len(s.set)]
	s.follow(l, last)
	n := len(s.set)
	from := int32(0)
	for k, v := range l.seen {
		if l.ends[k] < 0 {
			continue
		}
		s.set = append(s.set[:n], v)
		own := l.lists[from:l.ends[k]]
		from = l.ends[k]
		if !s.extend(own) {
			return false
		}
	}
	s.set = s.set[:n]
	return true
}

// few reports whether the records at some places are of fewer than k people.
func (s *search) few(last []int32) bool {
	if s.d.who == nil || len(last) < s.k {
		return len(last) < s.k
	}
	s.people.Clear()
	for _, at := range last {
		if s.people.Add(int(at)) == s.k {
			return false
		}
	}
	return true
}

// follow lists, by item that follows the set in a record, where it does; of the largest sets those that are rare.
func (s *search) follow(l *level, last []int32) {
	items := s.d.items
	l.seen, l.ends = l.seen[:0], l.ends[:0]
	for _, at := range last {
		for q := at + 1; items[q] != end; q++ {
			if v := items[q]; v >= 0 {
				if s.count[v] == 0 {
					l.seen = append(l.seen, v)
				}
				s.count[v]++
			}
		}
	}
	largest, need := len(s.set)+1 == s.m, int32(0)
	least := &s.least[len(s.set)]
	for _, v := range l.seen {
		*least = min(*least, int(s.count[v]))
		if s.place[v] = -1; !largest || s.d.who != nil || int(s.count[v]) < s.k {
			s.place[v] = need
			need += s.count[v]
		}
		s.count[v] = 0
	}
	if need > 0 {
		l.lists = slices.Grow(l.lists[:0], int(need))[:need]
		for _, at := range last {
			for q := at + 1; items[q] != end; q++ {
				if v := items[q]; v >= 0 && s.place[v] >= 0 {
					l.lists[s.place[v]] = q
					s.place[v]++
				}
			}
		}
	}
	for _, v := range l.seen {
		l.ends = append(l.ends, s.place[v])
	}
}

// piece is how many sets, by the number of records, are looked through before what is found is handed over.
const piece = 1 << 22

// found are rare sets: of each how many items and how many places there are, the ranks, ascending, and where the last
// of them stands in the records with all.
type found []int32

// all goes through the sets.
func (f found) all(yield func(set, last []int32) bool) {
	for len(f) > 0 {
		n, last := 2+f[0], 2+f[0]+f[1]
		if !yield(f[2:n], f[n:last]) {
			return
		}
		f = f[last:]
	}
}

// each hands the rare sets of up to m items over, those of a stretch of first items at once, in an order that does not
// depend on the number of cores. Cost: Work.
func (d *Data) each(ctx context.Context, k, m int, visit func(found)) error {
	for lo := 0; lo < len(d.label); {
		hi, work := lo, 0.0
		for ; hi < len(d.label) && work < piece; hi++ {
			work += float64(float64(d.from[hi+1]-d.from[hi]) * (1 + d.after(hi, m)))
		}
		parts := make([]found, hi-lo)
		_, err := parallel.With(ctx, hi-lo, func() *search { return d.search(k, m) }, func(s *search, i int) error {
			s.visit = func(set, last []int32) bool {
				parts[i] = append(append(append(parts[i], int32(len(set)), int32(len(last))), set...), last...)
				return true
			}
			s.from(lo + i)
			return nil
		})
		if err != nil {
			return err
		}
		visit(slices.Concat(parts...))
		lo = hi
	}
	return nil
}

// after estimates how many sets of a record begin with an item: those of as many others as follow it in the first
// record with it.
func (d *Data) after(rank, m int) float64 {
	at := d.where[d.from[rank]]
	n := 0
	for q := at + 1; d.items[q] != end; q++ {
		n++
	}
	return subsets(n, m-1)
}
