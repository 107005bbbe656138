// Package itemset finds the sets of items that many transactions contain: frequent itemsets (Agrawal, Imielinski &
// Swami 1993), all of them, the closed or the maximal ones.
//
// A set is frequent when at least minCount transactions contain all its items. It is closed when no larger set is in
// the same transactions, and maximal when no larger set is frequent. The empty set is never one of them.
package itemset

import (
	"context"
	"math"
	"strconv"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/text/numfmt"
)

// Transactions are the sets of items to mine: those of transaction t are Items[Start[t]:Start[t+1]], codes from 0 below
// Labels, ascending. Start has one entry more than there are transactions; an empty transaction counts as one.
type Transactions struct {
	Start  []int
	Items  []int32
	Labels int
	Space  *mmap.Space // where LCM makes what is as long as they are; nil is the heap
}

// Len returns the number of transactions.
func (t *Transactions) Len() int { return max(0, len(t.Start)-1) }

// Row returns the items of a transaction, which are shared and must not be written.
func (t *Transactions) Row(i int) []int32 { return t.Items[t.Start[i]:t.Start[i+1]:t.Start[i+1]] }

// counts returns in how many transactions every item is.
func (t *Transactions) counts() []int {
	out := make([]int, t.Labels)
	if t.Len() > 0 {
		for _, c := range t.Items[t.Start[0]:t.Start[t.Len()]] {
			out[c]++
		}
	}
	return out
}

// Kind says which of the frequent itemsets are wanted.
type Kind int

// The kinds.
const (
	All Kind = iota
	Closed
	Maximal
)

// Tally is a number of itemsets. Counting does not visit the subsets of items that always go together, so it may be
// larger than can be counted.
type Tally uint64

// Endless is the tally of that many itemsets or more.
const Endless Tally = math.MaxUint64

// String writes the tally as it is printed.
func (t Tally) String() string {
	if t == Endless {
		return "2^64 or more"
	}
	return numfmt.Group(strconv.FormatUint(uint64(t), 10), 4)
}

// Counted writes the tally with the name of what is counted in the singular: 1 itemset, 30,162 itemsets.
func (t Tally) Counted(noun string) string {
	if t != 1 {
		noun += "s"
	}
	return t.String() + " " + noun
}

// plus adds, and stays at Endless.
func (t Tally) plus(o Tally) Tally {
	if s := t + o; s >= t {
		return s
	}
	return Endless
}

// doubled returns t times 2^n, or Endless.
func (t Tally) doubled(n int) Tally {
	if t == 0 {
		return 0
	}
	if n > 63 || t > Endless>>n {
		return Endless
	}
	return t << n
}

// Visit gets the items of a frequent itemset, ascending, and in how many transactions they are. The items are valid
// until it returns. It returns false to end the search.
type Visit func(items []int32, count int) bool

// Query says which itemsets are looked for, and what becomes of them.
type Query struct {
	Least int // transactions that contain one, at least; below 1 is 1
	Kind  Kind
	Visit Visit // nil to count only

	best  *best       // where the commonest go when they are counted only; nil for nowhere
	space *mmap.Space // of what a search makes
}

// Miner finds itemsets and returns how many there are. All miners of this package find the same ones.
type Miner func(ctx context.Context, t *Transactions, q Query) (Tally, error)

// roomy empties a slice of a space and gives it room for so many. One that is too short is replaced by one twice as
// long at least: the lists of a depth become longer and longer, and what lies behind them is as long as the last.
func roomy[T any](in *mmap.Space, s []T, n int) []T {
	if cap(s) >= n {
		return s[:0]
	}
	mmap.Free(in, s)
	return mmap.Make[T](in, max(n, 2*cap(s)))[:0]
}

// push appends to a slice of a space.
func push[T any](in *mmap.Space, s []T, v T) []T {
	if in != nil && len(s) == cap(s) {
		s = moved(in, s, max(64, 2*cap(s)))
	}
	return append(s, v)
}

// moved returns a slice in a space, with room for so many, of the values of one there that is given back.
func moved[T any](in *mmap.Space, s []T, room int) []T {
	out := append(mmap.Make[T](in, room)[:0], s...)
	mmap.Free(in, s)
	return out
}

// Contains reports whether ascending items have all of some others, which ascend too.
func Contains(items, some []int32) bool {
	for _, v := range some {
		for len(items) > 0 && items[0] < v {
			items = items[1:]
		}
		if len(items) == 0 || items[0] != v {
			return false
		}
	}
	return true
}
