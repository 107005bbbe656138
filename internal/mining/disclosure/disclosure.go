// Package disclosure is about what counts of patterns tell of few people: frequent itemsets and association rules with
// their supports, tables of counts by class, sizes of clusters.
//
// What a model tells is a set of statements: so many records meet a condition, which is a conjunction of items. From
// the supports of a set and of all its subsets anyone works out, by inclusion and exclusion, how many records have some
// of its items and none of the others: of items A and B with supports 40 and 37 of the two, 3 records have A and not B.
// Where a set is not told, the supports of its subsets bound its own, and so these groups. A group that is surely there
// and surely of few people is a finding, and so is a group of whom a secret follows, as all of them have one value.
// Items of one column exclude each other: what a condition has besides those of a column that are told is a group, too.
//
// Not derived: groups that lack several items of one column and items of others at the same time; what several sets
// that are not told bound together; and what an intruder knows besides, such as all people of a group but one.
//
// Sources: M. Atzori, F. Bonchi, F. Giannotti & D. Pedreschi, "Anonymity preserving pattern discovery", VLDB Journal
// 17, 2008 (inference channels; their removal by leaving sets out); T. Calders & B. Goethals, "Mining all non-derivable
// frequent itemsets", PKDD 2002 (bounds of a support); L. Sweeney's k as few.
package disclosure

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Statement says how many records have all of some items, which ascend; without items it says how many there are.
type Statement struct {
	Items []int32
	Count int
}

// Limits say what is too little, and what a reader knows of the items.
type Limits struct {
	Few    int                    // groups of fewer records than these are of few people
	Least  int                    // sets of fewer records than these are not told; 0 where this says nothing
	Column func(item int32) int   // items of one column exclude each other; below 0 they do not
	Secret func(item int32) Tells // whether an item is a secret; nil for none
}

// Tells is what is secret of an item.
type Tells int

// The item says nothing that is secret, who has it has a secret, or who lacks it has one, too, as of two values.
const (
	Nothing Tells = iota
	Value
	Either
)

// Findings count what statements tell.
type Findings struct {
	Statements int `json:"statements"`
	Least      int `json:"least"`   // records in the smallest group that is told or follows
	Small      int `json:"small"`   // statements of few people
	Groups     int `json:"groups"`  // sets by which counts differ by few people
	Rests      int `json:"rests"`   // sets and columns of which few people have no value that is told
	Secrets    int `json:"secrets"` // sets by which a secret follows
	Bounded    int `json:"bounded"` // sets that are not told and of which the others tell such a thing
}

// Open is how many things tell of few people, or a secret.
func (f *Findings) Open() int { return f.Small + f.Groups + f.Rests + f.Secrets + f.Bounded }

// longest is how many items a set has at most: its groups are 2^longest.
const longest = 16

// Attack looks for what statements tell. Cost: O(2^items) for each, with a look-up each.
func Attack(told []Statement, l Limits) Findings {
	a := newAttack(told, l)
	f := Findings{Statements: len(told)}
	for _, s := range told {
		g := a.groups(s.Items)
		switch {
		case l.few(s.Count):
			f.Small++
		case g.few:
			f.Groups++
		case g.secret:
			f.Secrets++
		}
		f.least(g.least)
	}
	a.border(func(items []int32) {
		if g := a.groups(items); g.few || g.secret {
			f.Bounded++
			f.least(g.least)
		}
	})
	a.rests(func(_ Statement, rest int, _ []int32) {
		if l.few(rest) {
			f.Rests++
			f.least(rest)
		}
	})
	return f
}

func (f *Findings) least(n int) {
	if n > 0 && (f.Least == 0 || n < f.Least) {
		f.Least = n
	}
}

func (l *Limits) few(n int) bool { return n > 0 && n < l.Few }

// attack is an attack under way.
type attack struct {
	Limits
	told  []Statement
	count map[string]int
	key   []byte
	part  []int32
	cells []int
}

func newAttack(told []Statement, l Limits) *attack {
	a := &attack{Limits: l, told: told, count: make(map[string]int, len(told))}
	for _, s := range told {
		a.count[a.name(s.Items)] = s.Count
	}
	return a
}

// name is that of a set in the map of counts.
func (a *attack) name(items []int32) string {
	a.key = a.key[:0]
	for _, k := range items {
		a.key = binary.AppendUvarint(a.key, uint64(k))
	}
	return string(a.key)
}

// support returns how many records have all of some items: what is told, or 0 where two of them exclude each other.
func (a *attack) support(items []int32) (n int, told bool) {
	if n, told = a.count[a.name(items)]; told {
		return n, true
	}
	for k := 1; k < len(items); k++ { // items of a column stand beside each other
		if c := a.Column(items[k]); c >= 0 && c == a.Column(items[k-1]) {
			return 0, true
		}
	}
	return 0, false
}

// group is what is worked out of the groups that a set makes.
type group struct {
	few, secret bool
	least       int // of the groups that surely hold somebody, the fewest that it surely has
}

// groups works out how many records have some items of a set and none of the others, for all parts of the set. It finds
// nothing where a part of it, but for the set itself, is not told.
func (a *attack) groups(items []int32) (out group) {
	if len(items) > longest {
		return group{few: true} // nobody looked
	}
	whole, known := a.split(items)
	if !known {
		return group{}
	}
	all := len(a.cells) - 1
	lo, hi := 0, 0 // the support of a set that is not told
	if !whole {
		lo, hi = a.bounds()
	}
	between := func(mask int) (int, int) {
		if bits.OnesCount(uint(all^mask))%2 == 0 {
			return a.cells[mask] + lo, a.cells[mask] + hi
		}
		return a.cells[mask] - hi, a.cells[mask] - lo
	}
	for mask := range a.cells {
		from, to := between(mask)
		if from > 0 && (out.least == 0 || from < out.least) {
			out.least = from
		}
		out.few = out.few || from > 0 && to < a.Few
		for b, item := range items {
			if mask>>b&1 == 1 || a.Secret == nil || a.Secret(item) == Nothing {
				continue
			}
			with, most := between(mask | 1<<b)
			out.secret = out.secret || to == 0 && with > 0 || a.Secret(item) == Either && most == 0 && from > 0
		}
	}
	return out
}

// split fills the cells: by part of a set, as bits, the records with its items and none of the others, by inclusion and
// exclusion. Whole says that the support of the set is told, which is else taken for 0, and known that those of all its
// other parts are.
func (a *attack) split(items []int32) (whole, known bool) {
	all := 1<<len(items) - 1
	a.cells = slices.Grow(a.cells[:0], all+1)[:all+1]
	for mask := range a.cells {
		a.part = a.part[:0]
		for b := range items {
			if mask>>b&1 == 1 {
				a.part = append(a.part, items[b])
			}
		}
		a.cells[mask], whole = a.support(a.part)
		if !whole && mask != all {
			return false, false
		}
	}
	for b := range items {
		for mask := range a.cells {
			if mask>>b&1 == 0 {
				a.cells[mask] -= a.cells[mask|1<<b]
			}
		}
	}
	return whole, true
}

// bounds returns between which numbers the support of a set is that is not told, by its cells: no group has fewer than
// no records.
func (a *attack) bounds() (lo, hi int) {
	all := len(a.cells) - 1
	hi = math.MaxInt
	for mask, n := range a.cells {
		if bits.OnesCount(uint(all^mask))%2 == 0 {
			lo = max(lo, -n)
		} else {
			hi = min(hi, n)
		}
	}
	if a.Least > 0 && lo < a.Least {
		hi = min(hi, a.Least-1)
	}
	return lo, max(lo, hi)
}

// border visits the sets that are not told, though those of one item less are.
func (a *attack) border(visit func(items []int32)) {
	var sets [][]int32
	for _, s := range a.told {
		if len(s.Items) > 0 && len(s.Items) < longest {
			sets = append(sets, s.Items)
		}
	}
	slices.SortFunc(sets, slices.Compare)
	for i, s := range sets {
		last := len(s) - 1
		for _, o := range sets[i+1:] {
			if len(o) > last && !slices.Equal(o[:last], s[:last]) {
				break
			}
			if len(o) != len(s) {
				continue
			}
			set := append(slices.Clone(s), o[last])
			if _, told := a.support(set); !told && a.parts(set) {
				visit(set)
			}
		}
	}
}

// parts reports whether all parts of a set of one item less are told.
func (a *attack) parts(set []int32) bool {
	for k := range set {
		if _, told := a.support(slices.Delete(slices.Clone(set), k, k+1)); !told {
			return false
		}
	}
	return true
}

// rests visits the statements with the records that have none of the values of a column that are told beside it, and
// these values, where there are two or more; of one the groups of a set tell.
func (a *attack) rests(visit func(s Statement, rest int, values []int32)) {
	type place struct {
		set    string
		column int
	}
	values := map[place][]int32{}
	for _, s := range a.told {
		for k, item := range s.Items {
			if c := a.Column(item); c >= 0 {
				at := place{a.name(slices.Delete(slices.Clone(s.Items), k, k+1)), c}
				values[at] = append(values[at], item)
			}
		}
	}
	columns := map[int]bool{}
	for at := range values {
		columns[at.column] = true
	}
	for _, s := range a.told {
		name := a.name(s.Items)
		for c := range columns {
			v := values[place{name, c}]
			if len(v) < 2 {
				continue
			}
			rest := s.Count
			for _, item := range v {
				n, _ := a.support(with(s.Items, item))
				rest -= n
			}
			visit(s, rest, v)
		}
	}
}

// with returns a set and one item more.
func with(items []int32, item int32) []int32 {
	at, _ := slices.BinarySearch(items, item)
	return slices.Insert(slices.Clone(items), at, item)
}
