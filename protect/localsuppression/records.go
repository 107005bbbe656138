package localsuppression

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// set is a set of keys, by position: which of them a record loses, lacks or keeps.
type set uint32

// combination holds the values of a record's keys: a field of bits for each, 0 where missing.
type combination [2]uint64

func (c combination) and(d combination) combination { return combination{c[0] & d[0], c[1] & d[1]} }
func (c combination) or(d combination) combination  { return combination{c[0] | d[0], c[1] | d[1]} }

// records are the keys of a table's records, and what they have lost so far.
type records struct {
	k      int32         // people: records, where every one is a person's
	fields []combination // by key: its bits
	values []int         // by key: different ones, about
	state  []combination // by record: what is left
	lost   []set         // by record
	first  []combination // by record: its keys before suppression
	whose  []int32       // by record: whose it is, numbered from 0; nil where every record is a person's
}

// encode packs the key columns of a table.
func encode(t *table.Table, columns []int) (*records, error) {
	r := &records{state: make([]combination, t.Rows()), lost: make([]set, t.Rows())}
	used := [2]int{}
	for _, j := range columns {
		codes, top := codes(t, j)
		width, word := bits.Len(uint(top)), 0
		if used[0]+width > 64 {
			word = 1
		}
		if used[word]+width > 64 {
			return nil, fmt.Errorf("the keys have too many different values together, more than 128 bits hold at %q; "+
				"recode numbers, or name fewer keys (parameter keys)", t.Attr(j).Name)
		}
		var field combination
		field[word] = (1<<width - 1) << used[word]
		for i, c := range codes {
			r.state[i][word] |= uint64(c) << used[word]
		}
		used[word] += width
		r.fields, r.values = append(r.fields, field), append(r.values, top)
	}
	r.first = slices.Clone(r.state)
	r.whose, _ = t.People()
	return r, nil
}

// codes returns the values of a column as whole numbers from 1 to top; 0 is missing.
func codes(t *table.Table, j int) (codes []int32, top int) {
	codes = make([]int32, t.Rows())
	switch t.Attr(j).Kind {
	case table.Numeric:
	case table.Categorical:
		for i, c := range t.Cat(j) {
			codes[i] = c + 1
		}
		return codes, len(t.Attr(j).Labels)
	case table.SetValued: // is not among the columns
		return codes, 0
	}
	v := t.Num(j)
	order, known := rank.Order(v)
	for r, i := range order[:known] {
		if r == 0 || v[i] != v[order[r-1]] {
			top++
		}
		codes[i] = int32(top)
	}
	return codes, top
}

// only returns the bits of a set of keys.
func (r *records) only(s set) (out combination) {
	for ; s != 0; s &= s - 1 {
		out = out.or(r.fields[bits.TrailingZeros32(uint32(s))])
	}
	return out
}

// all is the set of all keys.
func (r *records) all() set { return set(1<<len(r.fields) - 1) }

// shown returns the keys that are not missing.
func (r *records) shown(c combination) (out set) {
	for k, f := range r.fields {
		if c.and(f) != (combination{}) {
			out |= 1 << k
		}
	}
	return out
}

// option is a set of keys to suppress, with what this costs.
type option struct {
	set  set
	cost float64
}

// levels returns the sets of keys to try, by ascending cost; sets of one level cost the same, and those of keys with
// many values come first.
func (r *records) levels(weights []float64) [][]option {
	var options []option
	for _, s := range r.sets(weights) {
		o := option{set: s}
		for k, w := range weights {
			o.cost += float64(w * float64(s>>k&1))
		}
		options = append(options, o)
	}
	values := func(o option) (sum int) {
		for k, n := range r.values {
			sum += n * int(o.set>>k&1)
		}
		return sum
	}
	sorting.Func(options, func(a, b option) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(values(b), values(a)), cmp.Compare(a.set, b.set))
	})
	var out [][]option
	for lo, hi := 0, 1; lo < len(options); hi++ {
		if hi == len(options) || options[hi].cost > options[lo].cost {
			out = append(out, options[lo:hi])
			lo = hi
		}
	}
	return out
}

// manySets is about how many sets of keys are tried.
const manySets = 128

// sets returns all sets of at most so many keys that there are no more than manySets, and those of the least important
// keys of every size.
func (r *records) sets(weights []float64) []set {
	p := len(r.fields)
	size, sum, choose := 0, 1, 1
	for size < p && sum <= manySets {
		size++
		choose = choose * (p - size + 1) / size
		sum += choose
	}
	if sum > manySets {
		size--
	}
	var out []set
	var add func(s set, from, left int)
	add = func(s set, from, left int) {
		if s != 0 {
			out = append(out, s)
		}
		for k := from; k < p && left > 0; k++ {
			add(s|1<<k, k+1, left-1)
		}
	}
	add(0, 0, size)
	order := make([]int, p)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(weights[a], weights[b]), cmp.Compare(r.values[b], r.values[a]))
	})
	chain := set(0)
	for n, k := range order {
		if chain |= 1 << k; n >= size {
			out = append(out, chain)
		}
	}
	return out
}

// group is the records not yet hidden that would show the same once they lose the same keys.
type group struct {
	option
	shows   combination
	members []int32
	price   float64 // the lowest goes first
	number  int     // among equal ones
	known   bool    // that there is a class of what it shows
	class   int32
}

// queue is a heap of groups.
type queue []*group

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	return cmp.Or(cmp.Compare(q[a].price, q[b].price), cmp.Compare(q[a].number, q[b].number)) < 0
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(g any)   { *q = append(*q, g.(*group)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// groups returns the groups of some records by the options; a record takes part that shows a key to lose, and any where
// all are lost.
func (r *records) groups(pending []int32, options []option) (out []*group) {
	by := make([][]*group, len(options))
	_, _ = parallel.With(
		context.Background(),
		len(options),
		func() map[combination]*group { return make(map[combination]*group, len(pending)) },
		func(at map[combination]*group, n int) error {
			clear(at)
			by[n] = r.grouped(at, pending, options[n])
			return nil
		},
	)
	for _, some := range by {
		for _, g := range some {
			g.number = len(out)
			out = append(out, g)
		}
	}
	return out
}

// grouped returns those of one option; at is room to find them.
func (r *records) grouped(at map[combination]*group, pending []int32, o option) (out []*group) {
	lose, keep := r.only(o.set), r.only(r.all()&^o.set)
	for _, i := range pending {
		if r.state[i].and(lose) == (combination{}) && o.set != r.all() {
			continue
		}
		shows := r.state[i].and(keep)
		g := at[shows]
		if g == nil {
			g = &group{option: o, shows: shows}
			at[shows] = g
			out = append(out, g)
		}
		g.members = append(g.members, i)
	}
	return out
}
