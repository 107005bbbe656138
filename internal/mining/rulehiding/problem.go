package rulehiding

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// problem is a part of hiding that is decided by itself: its sensitive sets share no item with those of another, and no
// tight pattern has items of both.
type problem struct {
	sets    [][]int32
	need    []int // by sensitive set: transactions that must lose it
	has     []int // by sensitive set: transactions that have it
	slack   []int // by tight pattern: transactions that may lose it
	over    []int // by tight pattern: how many more than that lose it, at most
	classes []class
	ways    int // of all classes
}

// class is transactions that are equal in all that counts: what they have of the sensitive sets and of the tight
// patterns.
type class struct {
	rows []int32
	has  []int32 // sensitive sets
	ways []way
	from int  // number of the first way, of those of all classes
	cut  bool // it has more ways than are listed; the first one breaks all sets
}

// way is items that a transaction may lose together: of each some sensitive set has no other of them.
type way struct {
	items  []int32
	breaks []int32 // sensitive sets
	hits   []int32 // tight patterns
}

// mostWays bounds the ways of a class: transactions that have very many sensitive sets at once have very many.
const mostWays = 1000

// division divides hiding into problems.
type division struct {
	d        *Data
	g        Goal
	sets     [][]int32 // those that must be hidden and have no other in them
	rows     [][]int32 // transactions with each
	need     []int
	of       map[int32][]int // by item: sets
	others   int             // patterns that may stay
	tight    [][]int32       // patterns that may be lost
	slack    []int
	over     []int
	problems []*problem
}

// divide finds what must be decided. A pattern is tight where hiding, without a deletion too many, can lose it: of such
// deletions those that a set needs are as many as it must lose.
func divide(ctx context.Context, d *Data, patterns []basket.Pattern, g Goal) (*division, error) {
	v := &division{d: d, g: g, of: map[int32][]int{}}
	hidden := sets(patterns)
	for _, z := range hidden {
		if slices.ContainsFunc(hidden, func(o []int32) bool { return len(o) < len(z) && itemset.Contains(z, o) }) {
			continue // it goes with the smaller one
		}
		rows := d.with(z)
		if need := len(rows) - max(1, g.Hide) + 1; need > 0 {
			for _, item := range z {
				v.of[item] = append(v.of[item], len(v.sets))
			}
			v.sets, v.rows, v.need = append(v.sets, z), append(v.rows, rows), append(v.need, need)
		}
	}
	near := make([]int, 0, len(v.sets))
	err := frequent(ctx, d.origin, g.Keep, hidden, most, func(items []int32, support int) (held bool) {
		if g.Items > 0 && len(items) > g.Items {
			return false
		}
		v.others++
		near = near[:0]
		for _, item := range items {
			near = append(near, v.of[item]...)
		}
		slices.Sort(near)
		near = slices.Compact(near)
		slack := support - max(1, g.Keep)
		most := v.reach(items, near, slack)
		if most <= slack {
			return false
		}
		v.tight, v.slack, v.over = append(v.tight, slices.Clone(items)), append(v.slack, slack), append(v.over, most-slack)
		return true
	})
	if err != nil {
		return nil, err
	}
	return v, v.split(ctx)
}

// reach bounds how many transactions lose a pattern, whose items those sets share, where no deletion is one too many.
// It stops looking where they are no more than enough.
func (v *division) reach(items []int32, near []int, enough int) (most int) {
	for _, j := range near {
		most += v.need[j]
	}
	if most <= enough {
		return most
	}
	most = 0
	for _, j := range near {
		n := 0
		for _, i := range v.rows[j] {
			if n == v.need[j] {
				break
			}
			if itemset.Contains(v.d.rows[i], items) {
				n++
			}
		}
		most += n
	}
	return most
}

// split gives every problem its sets, patterns and classes.
func (v *division) split(ctx context.Context) error {
	root := map[int32]int32{}
	var find func(item int32) int32
	find = func(item int32) int32 {
		up, ok := root[item]
		if !ok || up == item {
			return item
		}
		root[item] = find(up)
		return root[item]
	}
	for _, list := range [][][]int32{v.sets, v.tight} {
		for _, z := range list {
			first := int32(-1)
			for _, item := range z {
				switch {
				case v.of[item] == nil:
				case first < 0:
					first = find(item)
				default:
					root[find(item)] = first
				}
			}
		}
	}
	at := map[int32]int{}
	var parts []*part
	for j, z := range v.sets {
		r := find(z[0])
		k, ok := at[r]
		if !ok {
			k = len(parts)
			at[r] = k
			parts = append(parts, &part{v: v, problem: &problem{}, of: map[int32][]int32{}})
		}
		p := parts[k]
		p.sets = append(p.sets, z)
		p.rows = append(p.rows, v.rows[j])
		p.need, p.has = append(p.need, v.need[j]), append(p.has, len(v.rows[j]))
	}
	for k, z := range v.tight {
		item := z[slices.IndexFunc(z, func(item int32) bool { return v.of[item] != nil })]
		p := parts[at[find(item)]]
		for _, item := range z {
			if v.of[item] != nil {
				p.of[item] = append(p.of[item], int32(len(p.tight)))
			}
		}
		p.tight = append(p.tight, z)
		p.slack, p.over = append(p.slack, v.slack[k]), append(p.over, v.over[k])
	}
	for _, p := range parts {
		if err := p.classify(ctx); err != nil {
			return err
		}
		v.problems = append(v.problems, p.problem)
	}
	return nil
}

// part is a problem in the making.
type part struct {
	*problem
	v     *division
	rows  [][]int32
	tight [][]int32
	of    map[int32][]int32 // by sensitive item: tight patterns
}

// classify puts the transactions into classes, in their order.
func (p *part) classify(ctx context.Context) error {
	has := map[int32][]int32{}
	for j, rows := range p.rows {
		for _, i := range rows {
			has[i] = append(has[i], int32(j))
		}
	}
	order := make([]int32, 0, len(has))
	for i := range has {
		order = append(order, i)
	}
	slices.Sort(order)
	at := map[string]int{}
	var key []byte
	for k, i := range order {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		may := union(has[i], p.sets)
		near := p.near(i, may)
		key = key[:0]
		for _, list := range [][]int32{has[i], near} {
			key = binary.AppendUvarint(key, uint64(len(list)))
			for _, x := range list {
				key = binary.AppendUvarint(key, uint64(x))
			}
		}
		c, ok := at[string(key)]
		if !ok {
			c = len(p.classes)
			at[string(key)] = c
			p.classes = append(p.classes, p.class(has[i], near, may))
			p.classes[c].from = p.ways
			p.ways += len(p.classes[c].ways)
		}
		p.classes[c].rows = append(p.classes[c].rows, i)
	}
	return nil
}

// near returns the tight patterns that a transaction has with one of the items.
func (p *part) near(i int32, items []int32) (out []int32) {
	for _, item := range items {
		for _, z := range p.of[item] {
			if itemset.Contains(p.v.d.rows[i], p.tight[z]) {
				out = append(out, z)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// union returns all items of some sets, ascending.
func union(which []int32, sets [][]int32) (out []int32) {
	for _, j := range which {
		out = append(out, sets[j]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// class lists the ways of transactions with these sets and patterns, those of few items first, and leaves out those
// that another is as good as.
func (p *part) class(has, near, items []int32) class {
	c := class{has: has}
	for level := [][]int32{nil}; len(level) > 0; {
		var next [][]int32
		for _, less := range level {
			for _, item := range items {
				if len(less) > 0 && item <= less[len(less)-1] {
					continue
				}
				w := way{items: append(slices.Clone(less), item)}
				if w.breaks = meeting(w.items, has, p.sets); !p.spare(w.items, w.breaks) {
					continue
				}
				w.hits = meeting(w.items, near, p.tight)
				if len(c.ways) == mostWays {
					c.cut = true
					c.ways = slices.Insert(c.ways, 0, p.whole(c.has, near))
					return c
				}
				c.ways, next = append(c.ways, w), append(next, w.items)
			}
		}
		level = next
	}
	return p.best(c)
}

// whole returns a way that breaks all sets: item by item that which breaks most, those taken back that are not needed.
func (p *part) whole(has, near []int32) way {
	var items []int32
	for left := has; len(left) > 0; {
		all := union(left, p.sets)
		item := slices.MaxFunc(all, func(a, b int32) int {
			return cmp.Or(cmp.Compare(len(meeting([]int32{a}, left, p.sets)), len(meeting([]int32{b}, left, p.sets))),
				cmp.Compare(b, a))
		})
		items = append(items, item)
		left = slices.DeleteFunc(slices.Clone(left),
			func(j int32) bool { _, ok := slices.BinarySearch(p.sets[j], item); return ok })
	}
	slices.Sort(items)
	for k := 0; k < len(items); {
		less := slices.Delete(slices.Clone(items), k, k+1)
		if len(meeting(less, has, p.sets)) == len(has) {
			items = less
		} else {
			k++
		}
	}
	return way{items, has, meeting(items, near, p.tight)}
}

// meeting returns those of some sets that have one of the items.
func meeting(items, which []int32, sets [][]int32) (out []int32) {
	for _, j := range which {
		if slices.ContainsFunc(items, func(v int32) bool { _, ok := slices.BinarySearch(sets[j], v); return ok }) {
			out = append(out, j)
		}
	}
	return out
}

// spare reports whether each of the items breaks a set that no other of them does.
func (p *part) spare(items, breaks []int32) bool {
	own := map[int32]bool{}
	for _, j := range breaks {
		only, n := int32(0), 0
		for _, v := range items {
			if _, ok := slices.BinarySearch(p.sets[j], v); ok {
				only, n = v, n+1
			}
		}
		if n == 1 {
			own[only] = true
		}
	}
	return len(own) == len(items)
}

// best keeps the ways that no other beats: one that breaks as much, hits no more and takes no more items. Very many are
// not compared. A count of all solutions wants all ways.
func (p *part) best(c class) class {
	if p.v.g.all || len(c.ways) > 64 {
		return c
	}
	beaten := make([]bool, len(c.ways))
	for a := range c.ways {
		for b := range c.ways {
			beaten[a] = beaten[a] || a != b && !beaten[b] && c.ways[b].beats(&c.ways[a])
		}
	}
	kept := c.ways[:0]
	for k, w := range c.ways {
		if !beaten[k] {
			kept = append(kept, w)
		}
	}
	c.ways = kept
	return c
}

func (w *way) beats(o *way) bool {
	return len(w.items) <= len(o.items) && itemset.Contains(w.breaks, o.breaks) && itemset.Contains(o.hits, w.hits)
}
