package itemset

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Apriori finds itemsets after Agrawal & Srikant (1994), by length: two sets of a length that differ in the last item
// make a candidate, which is dropped when another of its subsets is not frequent; the candidates of a length, in a tree
// of prefixes with a counter each, are counted in one pass. All sets of a length are held at a time. Cost: a pass over
// the transactions a length, on all cores, and memory of a counter a candidate.
func Apriori(ctx context.Context, t *Transactions, q Query) (Tally, error) {
	least := max(1, q.Least)
	v := transpose(t)
	var level candidates
	for c, in := range v.in {
		if len(in) >= least {
			level.sets, level.counts = append(level.sets, int32(c)), append(level.counts, int32(len(in)))
		}
	}
	a := &levelwise{v: v, query: &q}
	a.search = search{kind: q.Kind, min: least, stop: new(atomic.Bool)}
	for k := 1; len(level.sets) > 0; k++ {
		if !a.take(ctx, &level, k) || ctx.Err() != nil {
			break
		}
		next, err := level.join(ctx, k)
		if err == nil {
			err = next.count(ctx, t, k+1)
		}
		if err != nil {
			return a.total, err
		}
		next.keep(k+1, least)
		level = next
	}
	return a.total, ctx.Err()
}

// levelwise hands over the frequent sets of a length.
type levelwise struct {
	search
	v     *vertical
	query *Query
	total Tally
}

// take visits the sets of length k that are of the kind. It returns false when the visitor has enough.
func (a *levelwise) take(ctx context.Context, level *candidates, k int) bool {
	var tids, spare []int32
	for i, n := range level.counts {
		if i%1024 == 0 && ctx.Err() != nil {
			return false
		}
		set := level.sets[i*k : (i+1)*k]
		if a.kind != All {
			tids = append(tids[:0], a.v.in[set[0]]...)
			for _, c := range set[1:] {
				spare = meet(spare[:0], tids, a.v.in[c])
				tids, spare = spare, tids
			}
			if !a.wanted(a.v, set, tids) {
				continue
			}
		}
		a.total = a.total.plus(1)
		if b := a.query.best; b != nil && b.wants(k, int(n)) {
			b.take(set, int(n))
		}
		if visit := a.query.Visit; visit != nil && !visit(set, int(n)) {
			return false
		}
	}
	return true
}

// candidates are sets of one length, ascending, one after another, with their counts.
type candidates struct {
	sets   []int32
	counts []int32
}

// join returns the candidates of length k+1 from the frequent sets of length k.
func (c *candidates) join(ctx context.Context, k int) (out candidates, err error) {
	n := len(c.counts)
	set := make([]int32, k+1)
	part := make([]int32, k)
	for i := range n {
		if i%256 == 0 && ctx.Err() != nil {
			return out, ctx.Err()
		}
		a := c.sets[i*k : (i+1)*k]
		for j := i + 1; j < n; j++ {
			b := c.sets[j*k : (j+1)*k]
			if !slices.Equal(a[:k-1], b[:k-1]) {
				break
			}
			copy(set, a)
			set[k] = b[k-1]
			if c.whole(set, part) {
				out.sets = append(out.sets, set...)
			}
		}
	}
	out.counts = make([]int32, len(out.sets)/(k+1))
	return out, nil
}

// whole reports whether all subsets of a candidate that lack one item are frequent. Part is scratch.
func (c *candidates) whole(set, part []int32) bool {
	k := len(part)
	for leave := range k - 1 {
		copy(part, set[:leave])
		copy(part[leave:], set[leave+1:])
		if _, ok := c.find(part, k); !ok {
			return false
		}
	}
	return true
}

// find looks a set of length k up.
func (c *candidates) find(set []int32, k int) (int, bool) {
	lo, hi := 0, len(c.sets)/k
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if slices.Compare(c.sets[mid*k:(mid+1)*k], set) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(c.sets)/k && slices.Equal(c.sets[lo*k:(lo+1)*k], set)
}

// count counts the candidates of length k.
func (c *candidates) count(ctx context.Context, t *Transactions, k int) error {
	const grain = 4096
	tries := c.trie(k)
	states, err := parallel.With(
		ctx,
		(t.Len()+grain-1)/grain,
		func() []int32 { return make([]int32, len(c.counts)) },
		func(counts []int32, p int) error {
			for i := p * grain; i < min(t.Len(), (p+1)*grain); i++ {
				if row := t.Row(i); len(row) >= k {
					tries.visit(0, 0, row, counts)
				}
			}
			return nil
		},
	)
	for _, s := range states {
		for i, n := range s {
			c.counts[i] += n
		}
	}
	return err
}

// keep drops the candidates that are not frequent.
func (c *candidates) keep(k, least int) {
	n := 0
	for i, count := range c.counts {
		if int(count) >= least {
			copy(c.sets[n*k:], c.sets[i*k:(i+1)*k])
			c.counts[n] = count
			n++
		}
	}
	c.sets, c.counts = c.sets[:n*k], c.counts[:n]
}

// trie is the tree of prefixes of candidates, level by level: entry e of level d is an item, and its children are
// entries from[e] to from[e+1]-1 of level d+1.
type trie struct {
	items [][]int32
	from  [][]int32
}

func (c *candidates) trie(k int) *trie {
	t := &trie{items: make([][]int32, k), from: make([][]int32, k)}
	for i := range c.counts {
		set := c.sets[i*k : (i+1)*k]
		d := 0
		if i > 0 {
			for last := c.sets[(i-1)*k : i*k]; last[d] == set[d]; d++ {
			}
		}
		for ; d < k; d++ {
			if d+1 < k {
				t.from[d] = append(t.from[d], int32(len(t.items[d+1])))
			}
			t.items[d] = append(t.items[d], set[d])
		}
	}
	for d := range k - 1 {
		t.from[d] = append(t.from[d], int32(len(t.items[d+1])))
	}
	return t
}

// visit counts the candidates below an entry of the level before d that are in the row.
func (t *trie) visit(d int, entry int32, row, counts []int32) {
	lo, hi := int32(0), int32(len(t.items[d]))
	if d > 0 {
		lo, hi = t.from[d-1][entry], t.from[d-1][entry+1]
	}
	last := d == len(t.items)-1
	items := t.items[d]
	for i := 0; lo < hi && i < len(row); {
		switch {
		case items[lo] == row[i]:
			if last {
				counts[lo]++
			} else {
				t.visit(d+1, lo, row[i+1:], counts)
			}
			lo++
			i++
		case items[lo] < row[i]:
			at, _ := slices.BinarySearch(items[lo:hi], row[i])
			lo += int32(at)
		default:
			i++
		}
	}
}
