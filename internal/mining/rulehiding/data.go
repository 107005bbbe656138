// Package rulehiding changes transactions until sensitive patterns can no longer be found: the algorithms of rule
// hiding, on item codes.
//
// A pattern is an itemset or a rule X=>Y. Deleting an item from a transaction lowers supports, adding one raises that
// of the beginning of a rule and so lowers its confidence, and an item that becomes unknown ("?") does either, by the
// reading. Every algorithm is deterministic: ties go to the transaction that comes first and the item of the lower
// code, so the same transactions in the same order give the same release.
//
// References: M. Atallah et al. 1999; V. Verykios et al. 2004; Y. Saygin, V. Verykios and C. Clifton 2001; S. Oliveira
// and O. Zaiane 2002 and 2003; X. Sun and P. Yu 2005; G. Moustakides and V. Verykios 2006; A. Gkoulalas-Divanis and V.
// Verykios 2006.
package rulehiding

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// Data is transactions that change.
type Data struct {
	rows    [][]int32 // ascending items
	unknown [][]int32 // ascending items that became unknown; nil where none did
	// by item: ascending numbers of the transactions that ever had it, for sure or not; ever gives them
	tids   [][]int32
	late   [][]int32                        // by item: those that got it since, in any order; nil where none did
	watch  func(i, item int32, change int8) // is told of every item that a transaction gets or loses; nil for nobody
	count  []int                            // by item: of the transactions that have it now
	origin *itemset.Transactions
	closed []bool // transactions that nothing is added to; nil where there are none
	// by item: that of a table which gives a transaction one item at most, or -1; nil where there are none
	column  []int32
	given   map[cell]bool // values that were put in the place of others; nil where there are none
	Changes int           // cells that differ from the original
	edits   int           // changes made, those that were undone again too
}

// NewData copies transactions, which must stay as they are. Cost: O(items).
func NewData(t *itemset.Transactions) *Data {
	d := &Data{origin: t, rows: make([][]int32, t.Len()), tids: make([][]int32, t.Labels), count: make([]int, t.Labels)}
	all := slices.Clone(t.Items)
	for _, v := range all {
		d.count[v]++
	}
	flat := make([]int32, len(all))
	at := 0
	for v, n := range d.count {
		d.tids[v] = flat[at : at : at+n]
		at += n
	}
	for i := range d.rows {
		d.rows[i] = all[t.Start[i]:t.Start[i+1]:t.Start[i+1]]
		for _, v := range d.rows[i] {
			d.tids[v] = append(d.tids[v], int32(i))
		}
	}
	return d
}

// Close keeps a transaction from additions: not all is known of what it holds.
func (d *Data) Close(i int) {
	if d.closed == nil {
		d.closed = make([]bool, len(d.rows))
	}
	d.closed[i] = true
}

// open reports whether something may be added to a transaction.
func (d *Data) open(i int) bool { return d.closed == nil || !d.closed[i] }

// Single says which items stand for one column of a table, of which a transaction has one at most: an item that is
// added takes the place of another.
func (d *Data) Single(column []int32) { d.column = column }

// cell is a value of a table.
type cell struct{ row, column int32 }

// free reports whether no column was given another value than that of the items in a transaction already. A value is
// put in the place of another once: two rules that want different ones would go on for ever.
func (d *Data) free(i int32, items []int32) bool {
	if d.column == nil {
		return true
	}
	for _, v := range items {
		if c := d.column[v]; c >= 0 && d.given[cell{i, c}] && !d.Has(int(i), v) {
			return false
		}
	}
	return true
}

// displace deletes what stands where an item is added or becomes unknown.
func (d *Data) displace(i, item int32) {
	if d.column == nil || d.column[item] < 0 {
		return
	}
	if d.given == nil {
		d.given = map[cell]bool{}
	}
	d.given[cell{i, d.column[item]}] = true
	for _, v := range slices.Clone(d.rows[i]) {
		if v != item && d.column[v] == d.column[item] {
			d.delete(i, v)
		}
	}
}

// Len returns the number of transactions, which never changes.
func (d *Data) Len() int { return len(d.rows) }

// Row returns the items of a transaction, ascending, and those that became unknown.
func (d *Data) Row(i int) (items, unknown []int32) {
	if d.unknown != nil {
		unknown = d.unknown[i]
	}
	return d.rows[i], unknown
}

// Was returns the items of a transaction in the original, ascending.
func (d *Data) Was(i int) []int32 { return d.origin.Row(i) }

// Changed reports whether a transaction is not as it was.
func (d *Data) Changed(i int) bool {
	return !slices.Equal(d.rows[i], d.origin.Row(i)) || d.unknown != nil && len(d.unknown[i]) > 0
}

// Count returns how many transactions have all items.
func (d *Data) Count(items []int32) int { return len(d.with(items)) }

func (d *Data) tell(i, item int32, change int8) {
	if d.watch != nil {
		d.watch(i, item, change)
	}
}

// ever returns the transactions that had an item at any time, ascending.
func (d *Data) ever(item int32) []int32 {
	if d.late != nil && len(d.late[item]) > 0 {
		all := slices.Concat(d.tids[item], d.late[item])
		slices.Sort(all)
		d.tids[item], d.late[item] = slices.Compact(all), d.late[item][:0]
	}
	return d.tids[item]
}

// with returns the transactions that have all items, ascending.
func (d *Data) with(items []int32) (out []int32) {
	if len(items) == 0 {
		for i := range d.rows {
			out = append(out, int32(i))
		}
		return out
	}
	for _, i := range d.fewest(items) {
		if itemset.Contains(d.rows[i], items) {
			out = append(out, i)
		}
	}
	return out
}

// fewest returns the shortest list of transactions that ever had one of the items.
func (d *Data) fewest(items []int32) []int32 {
	return d.ever(slices.MinFunc(items, func(a, b int32) int { return cmp.Compare(len(d.ever(a)), len(d.ever(b))) }))
}

// incomplete visits the transactions that lack, for sure, a part of both sides of a rule, those that have or may have
// most of the beginning first, until told to stop. What is done to them does not change their order.
func (d *Data) incomplete(p basket.Pattern, visit func(i int32) bool) {
	tally := func(items []int32) []uint16 {
		has := make([]uint16, d.Len())
		for _, v := range items {
			for _, i := range d.ever(v) {
				if d.may(i, v) {
					has[i]++
				}
			}
		}
		return has
	}
	begun, ended := tally(p.If), tally(p.Then)
	for most := len(p.If) - 1; most >= 0; most-- {
		for i, k := range begun {
			if int(k) == most && int(ended[i]) < len(p.Then) && d.open(i) && !visit(int32(i)) {
				return
			}
		}
	}
}

// delete takes an item out of a transaction.
func (d *Data) delete(i, item int32) {
	at, ok := slices.BinarySearch(d.rows[i], item)
	if !ok {
		return
	}
	d.rows[i] = slices.Delete(d.rows[i], at, at+1)
	d.tell(i, item, -1)
	d.count[item]--
	d.changed(d.had(i, item))
}

// had reports whether the original transaction has an item.
func (d *Data) had(i, item int32) bool {
	_, ok := slices.BinarySearch(d.origin.Row(int(i)), item)
	return ok
}

// changed counts a change of a cell, away from the original or back.
func (d *Data) changed(away bool) {
	d.edits++
	if away {
		d.Changes++
	} else {
		d.Changes--
	}
}

// add puts an item into a transaction.
func (d *Data) add(i, item int32) {
	if _, there := slices.BinarySearch(d.rows[i], item); there {
		return
	}
	d.displace(i, item)
	at, _ := slices.BinarySearch(d.rows[i], item)
	d.rows[i] = slices.Insert(d.rows[i], at, item) // the rows have no room to grow, so it moves
	d.list(i, item)
	d.tell(i, item, 1)
	d.count[item]++
	d.changed(!d.had(i, item))
}

// list notes that a transaction has an item, or may have it.
func (d *Data) list(i, item int32) {
	if d.late == nil {
		d.late = make([][]int32, len(d.tids))
	}
	d.late[item] = append(d.late[item], i)
}

// blur makes an item of a transaction unknown, one that it has or has not.
func (d *Data) blur(i, item int32) {
	if d.unknown == nil {
		d.unknown = make([][]int32, len(d.rows))
	}
	at, there := slices.BinarySearch(d.unknown[i], item)
	if there {
		return
	}
	k, has := slices.BinarySearch(d.rows[i], item)
	if has {
		d.rows[i] = slices.Delete(d.rows[i], k, k+1)
		d.count[item]--
	}
	before := d.Changes
	d.displace(i, item) // what was known of the column is not any more
	d.unknown[i] = slices.Insert(d.unknown[i], at, item)
	d.list(i, item)
	d.edits++
	d.Changes = before
	if has == d.had(i, item) { // else the cell differs already
		d.Changes++
	}
}

// Blur makes an item unknown that a transaction is not known to have: it may have it.
func (d *Data) Blur(i int, item int32) { d.blur(int32(i), item) }

// Put gives a transaction an item, which takes the place of another of its column.
func (d *Data) Put(i int, item int32) { d.add(int32(i), item) }

// Has reports whether a transaction has an item for sure.
func (d *Data) Has(i int, item int32) bool {
	_, ok := slices.BinarySearch(d.rows[i], item)
	return ok
}

// may reports whether a transaction has an item or may have it.
func (d *Data) may(i, item int32) bool {
	if d.Has(int(i), item) {
		return true
	}
	if d.unknown == nil {
		return false
	}
	_, ok := slices.BinarySearch(d.unknown[i], item)
	return ok
}

// shortest orders transactions by their number of items now, those that come first before others of as many.
func (d *Data) shortest(rows []int32) {
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(len(d.rows[a]), len(d.rows[b])) })
}

// commonest returns the item that most transactions have now, of these the lower.
func (d *Data) commonest(items []int32) int32 { return commonest(items, d.count) }

// commonest returns the item that most transactions have by a count, of these the lower.
func commonest(items []int32, count []int) int32 {
	best := items[0]
	for _, v := range items[1:] {
		if count[v] > count[best] {
			best = v
		}
	}
	return best
}

// rarest returns the item that fewest transactions have by a count, of these the lower.
func rarest(items []int32, count []int) int32 {
	best := items[0]
	for _, v := range items[1:] {
		if count[v] < count[best] {
			best = v
		}
	}
	return best
}

// sets returns the itemsets of patterns, a rule's with all its items; equal ones once.
func sets(patterns []basket.Pattern) (out [][]int32) {
	for _, p := range patterns {
		if z := p.Items(); !slices.ContainsFunc(out, func(o []int32) bool { return slices.Equal(o, z) }) {
			out = append(out, z)
		}
	}
	return out
}
