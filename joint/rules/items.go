// Package rules finds the association rules of all parties' records together. Where each party has records of its own
// (horizontally partitioned), itemsets that are frequent somewhere are put together by secure union, and counted by
// secure sums that are compared with the threshold and never opened. Where each party has columns of the same people
// (vertically partitioned), support is a secure scalar product, compared likewise.
//
// References: M. Kantarcioglu and C. Clifton, "Privacy-preserving distributed mining of association rules on
// horizontally partitioned data", DMKD 2002 and IEEE TKDE 16(9), 2004; A. Veloso, W. Meira, S. Parthasarathy and M. de
// Carvalho, "Efficient, accurate and privacy-preserving data mining for frequent itemsets in distributed databases",
// SBBD 2003; J. Vaidya and C. Clifton, "Privacy preserving association rule mining in vertically partitioned data", KDD
// 2002; M. Z. Islam, PhD thesis, 2008, section 3.3.
package rules

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/table"
)

// items are those that the plan names: every value of every column. An item's number is the same at all parties.
type items struct {
	names  []string
	column []int    // of the plan
	owner  []string // "": each party
	has    [][]uint64
	rows   int
	whole  []uint64 // of complete: the records that lack no value
}

// itemset is numbers of items, ascending.
type itemset []uint16

// mostItems is how many items a plan may have: their numbers have 16 bits.
const mostItems = 1 << 16

func itemsOf(p *joint.Plan) (*items, error) {
	it := &items{}
	for k, c := range p.Columns {
		if c.Role == joint.Key {
			continue
		}
		if c.Values == nil {
			return nil, joint.ColumnsFault("%q must have values: numbers are no items", c.Name)
		}
		for _, v := range c.Values {
			it.names = append(it.names, c.Name+" = "+v)
			it.column = append(it.column, k)
			it.owner = append(it.owner, c.Owner)
		}
	}
	if len(it.names) == 0 || len(it.names) > mostItems {
		return nil, joint.ColumnsFault("%d values in all; there must be 1 to %d", len(it.names), mostItems)
	}
	return it, nil
}

// read notes which records have which items, of the columns of the own table.
func (it *items) read(p *joint.Party, t *table.Table) error {
	it.rows, it.has = t.Rows(), make([][]uint64, len(it.names))
	columns := p.Plan().Columns
	for k, first := 0, 0; k < len(columns); k++ {
		c := &columns[k]
		if c.Role == joint.Key {
			continue
		}
		if c.Owner == "" || c.Owner == p.Name(p.Me()) {
			if err := it.readColumn(p, t, c, first); err != nil {
				return err
			}
		}
		first += len(c.Values)
	}
	return nil
}

func (it *items) readColumn(p *joint.Party, t *table.Table, c *joint.Column, first int) error {
	for k := range c.Values {
		it.has[first+k] = make([]uint64, (it.rows+63)/64)
	}
	set := func(i int, code int32) { it.has[first+int(code)][i/64] |= 1 << (i % 64) }
	if j := t.Find(c.Name); j >= 0 && t.Attr(j).Kind == table.SetValued {
		code := map[string]int32{}
		for k, v := range c.Values {
			code[v] = int32(k)
		}
		for i := range it.rows {
			for _, v := range t.Sets(j).Present.Row(i) {
				k, ok := code[t.Attr(j).Labels[v]]
				if !ok {
					return p.Mine(fmt.Errorf("column %q, record %d: the plan does not have an item of it", c.Name, i+1))
				}
				set(i, k)
			}
		}
		return nil
	}
	codes, err := p.Codes(t, c)
	if err != nil {
		return err
	}
	for i, v := range codes {
		if v >= 0 {
			set(i, v)
		}
	}
	return nil
}

// all returns the records that have all items of a set that this party has columns of; nil: it has none.
func (it *items) all(set itemset) (out []uint64) {
	for _, k := range set {
		switch {
		case it.has[k] == nil:
		case out == nil:
			out = slices.Clone(it.has[k])
		default:
			for w, b := range it.has[k] {
				out[w] &= b
			}
		}
	}
	return out
}

// count is how many records have all items of a set.
func (it *items) count(set itemset) int64 { return int64(pair.Count(it.all(set))) }

// text is a set as users read it.
func (it *items) text(set itemset) string {
	names := make([]string, len(set))
	for i, k := range set {
		names[i] = it.names[k]
	}
	return strings.Join(names, " & ")
}

// singles are the sets of one item.
func (it *items) singles() (out []itemset) {
	for k := range it.names {
		out = append(out, itemset{uint16(k)})
	}
	return out
}

// candidates are the sets of one item more whose subsets are all frequent (Agrawal & Srikant 1994), in order.
func (it *items) candidates(frequent []itemset) (out []itemset) {
	known := map[string]bool{}
	for _, s := range frequent {
		known[string(s.bytes())] = true
	}
	for i, a := range frequent {
		for _, b := range frequent[i+1:] {
			last := len(a) - 1
			if !slices.Equal(a[:last], b[:last]) {
				break
			}
			c := append(slices.Clone(a), b[last])
			if c.subsets(func(s itemset) bool { return known[string(s.bytes())] }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// subsets reports whether all subsets of one item less are as asked.
func (s itemset) subsets(ok func(itemset) bool) bool {
	less := make(itemset, len(s)-1)
	for k := range s {
		copy(less, s[:k])
		copy(less[k:], s[k+1:])
		if !ok(less) {
			return false
		}
	}
	return true
}

// bytes is the set for a union.
func (s itemset) bytes() []byte {
	var b []byte
	for _, k := range s {
		b = binary.BigEndian.AppendUint16(b, k)
	}
	return b
}

// parse reads what bytes wrote; false where it is no set of known items.
func (it *items) parse(b []byte) (s itemset, ok bool) {
	if len(b) == 0 || len(b)%2 > 0 {
		return nil, false
	}
	for ; len(b) > 0; b = b[2:] {
		k := binary.BigEndian.Uint16(b)
		if int(k) >= len(it.names) || len(s) > 0 && k <= s[len(s)-1] {
			return nil, false
		}
		s = append(s, k)
	}
	return s, true
}

func compare(a, b itemset) int { return slices.Compare(a, b) }

// rule is one from a set to a set.
type rule struct{ from, to, both itemset }

// rulesOf are all rules of frequent sets.
func rulesOf(frequent []itemset) (out []rule) {
	for _, s := range frequent {
		for mask := 1; mask < 1<<len(s)-1; mask++ {
			r := rule{both: s}
			for i, k := range s {
				if mask>>i&1 == 1 {
					r.from = append(r.from, k)
				} else {
					r.to = append(r.to, k)
				}
			}
			out = append(out, r)
		}
	}
	return out
}
