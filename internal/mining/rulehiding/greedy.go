package rulehiding

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/system/sorting"
)

// solution is how many transactions go each way, with what that does.
type solution struct {
	p           *problem
	taken       []int // by way
	left        []int // by class: transactions that stay as they are
	need        []int // by sensitive set: transactions that must lose it yet
	avail       []int // by sensitive set: transactions that have it and stay as they are
	hits        []int // by tight pattern
	lost, cells int
}

func newSolution(p *problem) *solution {
	s := &solution{
		p:     p,
		taken: make([]int, p.ways),
		left:  make([]int, len(p.classes)),
		need:  slices.Clone(p.need),
		avail: slices.Clone(p.has),
		hits:  make([]int, len(p.slack)),
	}
	for k := range p.classes {
		s.left[k] = len(p.classes[k].rows)
	}
	return s
}

// take lets so many transactions more of a class go a way, or fewer where the number is negative.
func (s *solution) take(class, way, n int) {
	c := &s.p.classes[class]
	s.taken[c.from+way] += n
	s.left[class] -= n
	for _, j := range c.has {
		s.avail[j] -= n
	}
	for _, j := range c.ways[way].breaks {
		s.need[j] -= n
	}
	for _, z := range c.ways[way].hits {
		before := s.hits[z] > s.p.slack[z]
		s.hits[z] += n
		if now := s.hits[z] > s.p.slack[z]; now && !before {
			s.lost++
		} else if before && !now {
			s.lost--
		}
	}
	s.cells += n * len(c.ways[way].items)
}

func (s *solution) choice() *choice { return &choice{s.taken, s.lost, s.cells} }

// like returns what deletions by transaction come to: the way that breaks as much by the same items, or else by one
// that hits least.
func (p *problem) like(gone map[int32][]int32) *choice {
	s := newSolution(p)
	for k := range p.classes {
		c := &p.classes[k]
		for _, i := range c.rows {
			items := gone[i]
			broken := meeting(items, c.has, p.sets)
			if len(broken) == 0 {
				continue
			}
			other := func(w way) int {
				if itemset.Contains(items, w.items) {
					return 0
				}
				return 1
			}
			at := -1
			for n, w := range c.ways {
				if !itemset.Contains(w.breaks, broken) {
					continue
				}
				if at < 0 ||
					cmp.Or(cmp.Compare(other(w), other(c.ways[at])), cmp.Compare(len(w.hits), len(c.ways[at].hits)),
						cmp.Compare(len(w.items), len(c.ways[at].items))) < 0 {
					at = n
				}
			}
			s.take(k, max(0, at), 1) // there is one, but where ways are not listed
		}
	}
	return s.finish(func(int) int64 { return unit })
}

// greedy deletes where a broken set costs least: by the tolls of the relaxation, or by how little slack a pattern has
// left.
func (p *problem) greedy(u *dual, tolled bool) *choice {
	s := newSolution(p)
	return s.finish(func(z int) int64 {
		slack := s.p.slack[z] - s.hits[z]
		switch {
		case slack < 0:
			return 0
		case slack == 0:
			return u.cost.lost*unit + 1
		case tolled:
			return u.toll[z] + 1
		}
		return (u.cost.lost*unit + unit) / int64(slack+1)
	})
}

// finish hides what is not hidden yet, by a price of hitting a pattern. As many transactions at once go a way as do not
// change much of what it is worth, and no more than leave enough of them for every other set: there always is a way, as
// one breaks all sets of a transaction.
//
// What a way is worth is looked at again when it comes first: others were worth more before, for prices rise with every
// hit. They fall only where a pattern is lost; then all ways are weighed anew, unless they just were.
func (s *solution) finish(toll func(z int) int64) *choice {
	q := &queue{}
	lost, looked := -1, 0
	for slices.ContainsFunc(s.need, func(n int) bool { return n > 0 }) {
		if s.lost != lost && 8*looked >= q.Len() {
			q.fill(s, toll)
			lost, looked = s.lost, 0
		}
		if q.Len() == 0 {
			panic("hide: sets that enough transactions have cannot be hidden")
		}
		looked++
		first := (*q)[0]
		cost, gain, number := s.worth(first.class, first.way, toll)
		if gain == 0 { // and never again: neither what is needed nor what is left grows
			heap.Pop(q)
			continue
		}
		(*q)[0].cost, (*q)[0].gain = cost, gain
		heap.Fix(q, 0)
		if now := (*q)[0]; now.class == first.class && now.way == first.way {
			s.take(first.class, first.way, number)
		}
	}
	return s.choice()
}

// queue is ways by what a broken set costs, the cheapest first, of equal ones the first.
type queue []offer

// offer is a way of a class, and what it was worth when it was looked at.
type offer struct {
	class, way int
	cost, gain int64
}

func (q *queue) fill(s *solution, toll func(z int) int64) {
	*q = (*q)[:0]
	for k := range s.p.classes {
		for w := range s.p.classes[k].ways {
			if cost, gain, _ := s.worth(k, w, toll); gain > 0 {
				*q = append(*q, offer{k, w, cost, gain})
			}
		}
	}
	heap.Init(q)
}

// Len is that of heap.Interface, as are the others.
func (q *queue) Len() int { return len(*q) }

// Less compares what a broken set costs.
func (q *queue) Less(i, j int) bool {
	a, b := &(*q)[i], &(*q)[j]
	return cmp.Or(cmp.Compare(a.cost*b.gain, b.cost*a.gain), cmp.Compare(a.class, b.class), cmp.Compare(a.way, b.way)) < 0
}

// Swap swaps.
func (q *queue) Swap(i, j int) { (*q)[i], (*q)[j] = (*q)[j], (*q)[i] }

// Push adds.
func (q *queue) Push(x any) { *q = append(*q, x.(offer)) }

// Pop takes the last.
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// worth returns what a way costs a transaction of a class, how many sets that are not hidden it breaks, 0 where it
// cannot be gone, and how many transactions may go it before that changes much.
func (s *solution) worth(class, way int, toll func(z int) int64) (cost, gain int64, number int) {
	w := &s.p.classes[class].ways[way]
	if number = s.left[class]; number == 0 {
		return 0, 0, 0
	}
	for _, j := range w.breaks {
		if s.need[j] > 0 {
			gain++
			number = min(number, s.need[j])
		}
	}
	if gain == 0 {
		return 0, 0, 0
	}
	for _, j := range s.p.classes[class].has {
		if _, breaks := slices.BinarySearch(w.breaks, j); !breaks && s.need[j] > 0 {
			number = min(number, s.avail[j]-s.need[j])
		}
	}
	if number == 0 {
		return 0, 0, 0
	}
	for _, z := range w.hits {
		cost += toll(int(z))
		if slack := s.p.slack[z] - s.hits[z]; slack > 0 {
			number = min(number, max(1, slack/4))
		}
	}
	return cost + int64(len(w.items)), gain, number
}

// cells adds the deletions of a choice.
func (p *problem) cells(x *choice, out []Cell) []Cell {
	for k := range p.classes {
		c := &p.classes[k]
		next := 0
		for w := range c.ways {
			for range x.taken[c.from+w] {
				for _, item := range c.ways[w].items {
					out = append(out, Cell{c.rows[next], item})
				}
				next++
			}
		}
	}
	return out
}

// tidy takes back deletions that are not needed, the last first, and counts what is lost.
func (v *division) tidy(o *Optimum) {
	sorting.Func(o.Deleted,
		func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Item, b.Item)) })
	gone := map[int32][]int32{}
	for _, c := range o.Deleted {
		gone[c.Row] = append(gone[c.Row], c.Item)
	}
	has := map[int32][]int32{}
	spare := make([]int, len(v.sets)) // transactions more than need to lose it
	for j, rows := range v.rows {
		spare[j] = -v.need[j]
		for _, i := range rows {
			has[i] = append(has[i], int32(j))
			if len(meeting(gone[i], []int32{int32(j)}, v.sets)) > 0 {
				spare[j]++
			}
		}
	}
	kept := o.Deleted[:0:0]
	for _, c := range slices.Backward(o.Deleted) {
		others := slices.DeleteFunc(slices.Clone(gone[c.Row]), func(item int32) bool { return item == c.Item })
		mine := meeting([]int32{c.Item}, has[c.Row], v.sets)
		back := slices.DeleteFunc(mine, func(j int32) bool { return len(meeting(others, []int32{j}, v.sets)) > 0 })
		if slices.ContainsFunc(back, func(j int32) bool { return spare[j] == 0 }) {
			kept = append(kept, c)
			continue
		}
		for _, j := range back {
			spare[j]--
		}
		gone[c.Row] = others
	}
	slices.Reverse(kept)
	o.Deleted, o.Cells = kept, len(kept)
	o.Lost = v.lost(gone)
}

// lost counts the tight patterns that deletions by transaction take.
func (v *division) lost(gone map[int32][]int32) (n int) {
	of := map[int32][]int32{}
	for z, items := range v.tight {
		for _, item := range items {
			if v.of[item] != nil {
				of[item] = append(of[item], int32(z))
			}
		}
	}
	hits := make([]int, len(v.tight))
	for i, items := range gone {
		var own []int32
		for _, item := range items {
			for _, z := range of[item] {
				if itemset.Contains(v.d.origin.Row(int(i)), v.tight[z]) {
					own = append(own, z)
				}
			}
		}
		slices.Sort(own)
		for _, z := range slices.Compact(own) {
			hits[z]++
		}
	}
	for z, k := range hits {
		if k > v.slack[z] {
			n++
		}
	}
	return n
}
