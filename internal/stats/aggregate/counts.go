package aggregate

import (
	"slices"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Categories counts records by category, and finds out which categories enough units have: people or, where these are
// told, households.
type Categories struct {
	Columns []int
	Enough  int // units that a category which many have has at least; 0 does not ask

	Counts [][]int // by column and category; missing values are not counted
	// Who are, by column and category, units that have it: all or, where these are more, Enough of them. It is nil where
	// every record is a unit of its own.
	Who [][][]int32
}

// Fresh implements Aggregate.
func (c *Categories) Fresh() Aggregate { return &Categories{Columns: c.Columns, Enough: c.Enough} }

// Add implements Aggregate.
func (c *Categories) Add(p Part) error {
	c.room(len(c.Columns))
	for k, j := range c.Columns {
		c.Counts[k] = longer(c.Counts[k], len(p.Attr(j).Labels))
		for _, v := range p.Cat(j) {
			if v >= 0 {
				c.Counts[k][v]++
			}
		}
		if p.Units == nil || c.Enough == 0 {
			continue
		}
		if c.Who == nil {
			c.Who = make([][][]int32, len(c.Columns))
		}
		c.Who[k] = longer(c.Who[k], len(p.Attr(j).Labels))
		for i, v := range p.Cat(j) {
			if v >= 0 {
				c.has(k, v, p.Units[i])
			}
		}
	}
	return nil
}

// has notes that a unit has a category.
func (c *Categories) has(k int, v, unit int32) {
	who := &c.Who[k][v]
	if len(*who) >= c.Enough {
		return
	}
	if at, known := slices.BinarySearch(*who, unit); !known {
		*who = slices.Insert(*who, at, unit)
	}
}

func (c *Categories) room(n int) {
	if c.Counts == nil {
		c.Counts = make([][]int, n)
	}
}

// longer returns a list of n at least.
func longer[T any](list []T, n int) []T {
	if len(list) < n {
		list = append(list, make([]T, n-len(list))...)
	}
	return list
}

// Merge implements Aggregate.
func (c *Categories) Merge(from Aggregate) error {
	o, err := same[*Categories](from)
	if err != nil || o.Counts == nil {
		return err
	}
	if len(o.Counts) != len(c.Columns) {
		return errOther
	}
	c.room(len(c.Columns))
	if c.Who == nil && o.Who != nil {
		c.Who = make([][][]int32, len(c.Columns))
	}
	for k, counts := range o.Counts {
		c.Counts[k] = longer(c.Counts[k], len(counts))
		for v, n := range counts {
			c.Counts[k][v] += n
		}
		if o.Who == nil {
			continue
		}
		c.Who[k] = longer(c.Who[k], len(counts))
		for v, who := range o.Who[k] {
			for _, unit := range who {
				c.has(k, int32(v), unit)
			}
		}
	}
	return nil
}

// Of returns the counts of the k-th column by category, of which there are so many.
func (c *Categories) Of(k, labels int) []int {
	c.room(len(c.Columns))
	return longer(c.Counts[k], labels)
}

// Common returns by category of the k-th column whether enough units have it.
func (c *Categories) Common(k, labels int) []bool {
	out := make([]bool, labels)
	for v, n := range c.Of(k, labels) {
		if c.Who != nil {
			n = len(longer(c.Who[k], labels)[v])
		}
		out[v] = n > 0 && n >= c.Enough
	}
	return out
}

// Leaves counts records by leaf and class of trees. Those whose class is missing are not counted.
type Leaves struct {
	Trees []*tree.Tree // the table conforms to their schemas

	Counts [][][]int // by tree, leaf and class
}

// Fresh implements Aggregate.
func (l *Leaves) Fresh() Aggregate { return &Leaves{Trees: l.Trees} }

// Add implements Aggregate.
func (l *Leaves) Add(p Part) error {
	l.room()
	for k, tr := range l.Trees {
		tr.Count(p.Table, l.Counts[k])
	}
	return nil
}

// room makes counts of nothing.
func (l *Leaves) room() {
	for _, tr := range l.Trees[len(l.Counts):] {
		l.Counts = append(l.Counts, tr.NoCounts())
	}
}

// Merge implements Aggregate.
func (l *Leaves) Merge(from Aggregate) error {
	o, err := same[*Leaves](from)
	if err != nil || o.Counts == nil {
		return err
	}
	if len(o.Counts) != len(l.Trees) {
		return errOther
	}
	l.room()
	for k, counts := range l.Counts {
		if len(counts) != len(o.Counts[k]) {
			return errOther
		}
		for leaf, by := range counts {
			for c, n := range o.Counts[k][leaf] {
				by[c] += n
			}
		}
	}
	return nil
}

// Of returns the counts of the k-th tree.
func (l *Leaves) Of(k int) [][]int {
	l.room()
	return l.Counts[k]
}

// Recount replaces the counts of all trees' nodes by those of the records that were counted (tree.Tree.SetCounts).
func (l *Leaves) Recount() {
	l.room()
	for k, tr := range l.Trees {
		tr.SetCounts(l.Counts[k])
	}
}

// Cells counts the combinations of categories of columns, the missing one among them, that occur.
type Cells struct {
	Columns []int
	Radix   []uint64 // as in Keys
	Most    int      // combinations; of more than Most + 1 some are left out

	Counts map[uint64]int // by key
}

// keyed is how many records' keys are held at a time.
const keyed = 1 << 12

// Fresh implements Aggregate.
func (c *Cells) Fresh() Aggregate { return &Cells{Columns: c.Columns, Radix: c.Radix, Most: c.Most} }

// Keys returns by record the key of its combination: the sum of the codes of columns, from 1 and 0 for a missing one,
// each times its place in the radix.
func Keys(t *table.Table, columns []int, radix []uint64) []uint64 {
	out := make([]uint64, t.Rows())
	for k, j := range columns {
		for i, v := range t.Cat(j) {
			out[i] += uint64(v+1) * radix[k]
		}
	}
	return out
}

// Add implements Aggregate.
func (c *Cells) Add(p Part) error {
	if c.Counts == nil {
		c.Counts = map[uint64]int{}
	}
	for lo := 0; lo < p.Rows(); lo += keyed {
		for _, key := range Keys(p.Slice(lo, min(lo+keyed, p.Rows())), c.Columns, c.Radix) {
			c.add(key, 1)
		}
	}
	return nil
}

// add adds records of a key, where there is room for it.
func (c *Cells) add(key uint64, n int) {
	if _, known := c.Counts[key]; known || len(c.Counts) <= c.Most {
		c.Counts[key] += n
	}
}

// Merge implements Aggregate.
func (c *Cells) Merge(from Aggregate) error {
	o, err := same[*Cells](from)
	if err != nil {
		return err
	}
	if c.Counts == nil {
		c.Counts = map[uint64]int{}
	}
	for key, n := range o.Counts {
		c.add(key, n)
	}
	return nil
}

// Segments counts records by the key of their segment.
type Segments struct {
	By interface { // as tree.Forest.Route, to whose schema the table conforms
		Route(t *table.Table, dst []uint64) error
	}

	Counts map[uint64]int
}

// Fresh implements Aggregate.
func (s *Segments) Fresh() Aggregate { return &Segments{By: s.By} }

// Add implements Aggregate.
func (s *Segments) Add(p Part) error {
	keys := make([]uint64, min(p.Rows(), keyed))
	for lo := 0; lo < p.Rows(); lo += keyed {
		some := p.Slice(lo, min(lo+keyed, p.Rows()))
		if err := s.By.Route(some, keys[:some.Rows()]); err != nil {
			return err
		}
		for _, k := range keys[:some.Rows()] {
			s.All()[k]++
		}
	}
	return nil
}

// All returns the counts, of no records too.
func (s *Segments) All() map[uint64]int {
	if s.Counts == nil {
		s.Counts = map[uint64]int{}
	}
	return s.Counts
}

// Merge implements Aggregate.
func (s *Segments) Merge(from Aggregate) error {
	o, err := same[*Segments](from)
	if err != nil {
		return err
	}
	for k, n := range o.Counts {
		s.All()[k] += n
	}
	return nil
}
