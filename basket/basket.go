// Package basket turns the records of any table into sets of items, so that association rules can be mined in it
// (Srikant & Agrawal 1996).
//
// An item of a categorical column is attribute=value, one of a numeric column an interval of its values, one of a
// set-valued column each of what the set holds. A missing value is no item. A Coding is made from one table and serves
// others of the same columns, so that items mean the same before and after a release.
package basket

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/table"
)

// Item is what a record may have.
type Item struct {
	Attribute string `json:"attribute,omitempty"` // empty where the table has one set-valued column and nothing else
	Value     string `json:"value"`
	Interval  bool   `json:"interval,omitempty"` // Value reads like a comparison: < 26, [26, 37) or >= 37
}

// String writes the item as it is printed: bread, sex=female, age < 26, age in [26, 37).
func (i Item) String() string {
	switch {
	case i.Attribute == "":
		return i.Value
	case !i.Interval:
		return i.Attribute + "=" + i.Value
	case i.Value[0] == '[':
		return i.Attribute + " in " + i.Value
	}
	return i.Attribute + " " + i.Value
}

// Options say which columns give items, and how numbers are cut.
type Options struct {
	Attributes []string // columns to use; none: all but identifiers, persons, households and weights
	Exclude    []string // columns to leave out
	// numbers are cut into so many intervals of about equally many records, at least 2; each value is an item where there
	// are no more
	Intervals int
	// or at these limits, ascending, by column: limits a and b make the items < a, [a, b) and >= b
	Cuts map[string][]float64
}

// Coding is which items a table has. An item's number is its position in Items.
type Coding struct {
	Items   []Item
	columns []column
}

// column is where the items of a column begin.
type column struct {
	name  string
	kind  table.Kind
	first int32
	code  map[string]int32 // of a label
	cuts  []float64        // of numbers: interval k begins at cuts[k-1]
	each  bool             // of numbers: cuts are the values, and each is an item
}

// New returns the coding of a table. It fails where a column that is named is not there, where limits do not ascend,
// and where no column gives items. Cost: O(n log n) a numeric column, in the table's space.
func New(t *table.Table, o Options) (*Coding, error) {
	cols, err := o.columns(t)
	if err != nil {
		return nil, err
	}
	c := &Coding{}
	for _, j := range cols {
		col := t.Column(j)
		k := column{name: col.Name, kind: col.Kind, first: int32(len(c.Items))}
		if col.Kind == table.Numeric {
			k.limit(&col, o, t.Space())
		}
		if err := c.add(k, &col.Attribute, len(cols) == 1); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// add adds a column with its items, those of an attribute that may be the only one that gives some.
func (c *Coding) add(k column, a *table.Attribute, only bool) (err error) {
	own := Item{Attribute: a.Name}
	if only && a.Kind == table.SetValued {
		own.Attribute = ""
	}
	values := a.Labels
	if a.Kind == table.Numeric {
		if values, own.Interval, err = k.names(a); err != nil {
			return err
		}
	} else {
		k.code = make(map[string]int32, len(values))
		for v, label := range values {
			k.code[label] = k.first + int32(v)
		}
	}
	for _, v := range values {
		own.Value = v
		c.Items = append(c.Items, own)
	}
	c.columns = append(c.columns, k)
	return nil
}

// columns returns the columns that give items.
func (o *Options) columns(t *table.Table) ([]int, error) {
	var names []string
	for j := range t.Width() {
		names = append(names, t.Attr(j).Name)
	}
	for _, n := range slices.Concat(o.Attributes, o.Exclude) {
		if t.Find(n) < 0 {
			return nil, fmt.Errorf("no column %q%s", n, spelling.Hint(n, names))
		}
	}
	for n := range o.Cuts {
		if j := t.Find(n); j < 0 || t.Attr(j).Kind != table.Numeric {
			return nil, fmt.Errorf("limits are given for %q, which is not a numeric column%s", n, spelling.Hint(n, names))
		}
	}
	var out []int
	for j := range t.Width() {
		a := t.Attr(j)
		left := a.Role&(table.Identifier|table.Weight|table.Person|table.Household) != 0
		if len(o.Attributes) > 0 {
			left = !slices.Contains(o.Attributes, a.Name)
		}
		if !left && !slices.Contains(o.Exclude, a.Name) {
			out = append(out, j)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no column has items: columns with the role identifier, person, household or weight " +
			"are not used")
	}
	return out, nil
}

// limit finds where a numeric column is cut, with what it takes in a space.
func (k *column) limit(col *table.Column, o Options, in *mmap.Space) {
	var given bool
	if k.cuts, given = o.Cuts[col.Name]; !given {
		sorted := rank.AscendingIn(in, col.Num)
		k.cuts, k.each = evenly(sorted, max(2, o.Intervals))
		mmap.Free(in, sorted)
	}
}

// names returns the names of the items of a numeric column, and whether they are intervals.
func (k *column) names(a *table.Attribute) (names []string, intervals bool, err error) {
	if k.each {
		for _, v := range k.cuts {
			names = append(names, string(a.AppendValue(nil, v)))
		}
		return names, false, nil
	}
	h, err := hierarchy.Cut(a, k.cuts)
	if err != nil {
		return nil, false, err
	}
	return h.Labels(1), len(k.cuts) > 0, nil
}

// evenly returns limits between at most so many intervals of about equally many values, which ascend. Single says that
// they are the values themselves, for there are no more.
func evenly(sorted []float64, intervals int) (limits []float64, single bool) {
	for at := 0; at < len(sorted) && len(limits) <= intervals; at += sort.Search(len(sorted)-at,
		func(k int) bool { return sorted[at+k] > sorted[at] }) {
		limits = append(limits, sorted[at])
	}
	if len(limits) <= intervals {
		return limits, true
	}
	limits = limits[:0]
	for _, last := range quantile.Cuts(sorted, intervals) {
		limits = append(limits, sorted[sort.SearchFloat64s(sorted, math.Nextafter(last, math.Inf(1)))])
	}
	return limits, false
}

// Code returns the records of a table as transactions of this coding. A label, or a single number, that the coding does
// not know is no item, and neither is an item that a set may or may not have. The caller does not change them: those of
// a table of sets alone are shared with it. It fails where a column is missing or of another kind. Cost: O(cells log
// intervals).
func (c *Coding) Code(t *table.Table) (*itemset.Transactions, error) { return c.transactions(t, false) }

// CodePossible is Code with the items that a set may or may not have among those that it has. It returns nil where
// there are none.
func (c *Coding) CodePossible(t *table.Table) (*itemset.Transactions, error) {
	for k := range c.columns {
		if j := t.Find(c.columns[k].name); j >= 0 && t.Attr(j).Kind == table.SetValued && len(t.Sets(j).Unknown.All()) > 0 {
			return c.transactions(t, true)
		}
	}
	return nil, nil
}

func (c *Coding) transactions(t *table.Table, possible bool) (*itemset.Transactions, error) {
	if own := c.same(t); own != nil && !possible {
		return own, nil
	}
	out := &itemset.Transactions{Start: mmap.Make[int](t.Space(), t.Rows()+1)[:1], Labels: len(c.Items), Space: t.Space()}
	add := make([]func(row int), len(c.columns))
	most := 0 // items
	for k := range c.columns {
		col := &c.columns[k]
		j := t.Find(col.name)
		if j < 0 || t.Attr(j).Kind != col.kind {
			return nil, fmt.Errorf("column %q is not there, or of another kind", col.name)
		}
		add[k] = col.adder(t.Column(j), out, possible)
		switch s := t.Sets(j); {
		case col.kind.Scalar():
			most += t.Rows()
		case s != nil && possible:
			most += len(s.Present.All()) + len(s.Unknown.All())
		case s != nil:
			most += len(s.Present.All())
		}
	}
	out.Items = mmap.Make[int32](t.Space(), most)[:0]
	for i := range t.Rows() {
		for _, f := range add {
			f(i)
		}
		out.Start = append(out.Start, len(out.Items))
	}
	return out, nil
}

// same returns the transactions of a table that has them as they are in its one column, which it shares, and nil for
// another.
func (c *Coding) same(t *table.Table) *itemset.Transactions {
	j := t.Find(c.columns[0].name)
	if len(c.columns) > 1 || j < 0 || c.columns[0].kind != table.SetValued || t.Attr(j).Kind != table.SetValued {
		return nil
	}
	for v, label := range t.Column(j).Labels {
		if code, ok := c.columns[0].code[label]; !ok || code != int32(v) {
			return nil
		}
	}
	sets := t.Sets(j).Present
	if sets.Start == nil || sets.Start[0] != 0 || sets.Start[t.Rows()] != len(sets.Codes) {
		return nil // none, or a part of a longer list
	}
	return &itemset.Transactions{Start: sets.Start, Items: sets.Codes, Labels: len(c.Items), Space: t.Space()}
}

// interval returns how many cuts are at most a number.
func (k *column) interval(v float64) (at int) {
	if len(k.cuts) > fewCuts {
		return sort.Search(len(k.cuts), func(i int) bool { return k.cuts[i] > v })
	}
	for _, cut := range k.cuts {
		if cut <= v {
			at++
		}
	}
	return at
}

// fewCuts is up to how many cuts counting them beats halving.
const fewCuts = 8

// adder returns what appends the items of a row, ascending.
func (k *column) adder(col table.Column, out *itemset.Transactions, possible bool) func(row int) {
	if col.Kind == table.Numeric {
		return func(row int) {
			v := col.Num[row]
			at := k.interval(v)
			switch {
			case v != v:
			case !k.each:
				out.Items = append(out.Items, k.first+int32(at))
			case at > 0 && k.cuts[at-1] == v:
				out.Items = append(out.Items, k.first+int32(at-1))
			}
		}
	}
	codes := make([]int32, len(col.Labels))
	for v, label := range col.Labels {
		code, ok := k.code[label]
		if codes[v] = code; !ok {
			codes[v] = -1
		}
	}
	if col.Kind == table.Categorical {
		return func(row int) {
			if v := col.Cat[row]; v >= 0 && codes[v] >= 0 {
				out.Items = append(out.Items, codes[v])
			}
		}
	}
	return func(row int) {
		from := len(out.Items)
		lists := [2][]int32{col.Sets.Present.Row(row)}
		if possible {
			lists[1] = col.Sets.Unknown.Row(row)
		}
		for _, list := range lists {
			for _, v := range list {
				if codes[v] >= 0 {
					out.Items = append(out.Items, codes[v])
				}
			}
		}
		if own := out.Items[from:]; !slices.IsSorted(own) {
			slices.Sort(own)
		}
	}
}

// Column returns the name of the column that gives an item.
func (c *Coding) Column(item int32) string {
	k, _ := slices.BinarySearchFunc(c.columns, item, func(k column, item int32) int { return int(k.first - item) })
	if k == len(c.columns) || c.columns[k].first > item {
		k--
	}
	for k+1 < len(c.columns) && c.columns[k+1].first <= item { // columns without items begin where the next does
		k++
	}
	return c.columns[k].name
}
