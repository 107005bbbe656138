package syntheticrisk

import (
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/table"
)

// set is a set of records, a bit each.
type set []uint64

func setOf(records int) set { return make(set, (records+63)/64) }

func (s set) add(record int) { s[record/64] |= 1 << (record % 64) }

func (s set) drop(record int) { s[record/64] &^= 1 << (record % 64) }

// index lists the records of a table by what they show in a column, so that the records that are equal to one are
// marked without a look at those that are not. Numbers lie in classes by size, about as many in each; every code is a
// class; what is missing is the first.
type index struct {
	lists  table.Lists // the records by class
	common []set       // those of a class of many records, by class; nil of others
	cuts   []float64   // the least number that may be in a class of numbers but the first of these
	lo, hi []float64   // the least and the largest number of a class
}

// Of about so many classes are numbers; a class of more than one in 1/many of the records is kept as a set, too.
const replicatedClasses, many = 1024, 32

// indexOf lists the records of one of the two tables. Cost: O(n) for codes, O(n log classes) for numbers.
func (c *values) indexOf(in int) *index {
	x, of := &index{}, []int32(nil)
	if c.code[0] != nil {
		of = make([]int32, len(c.code[in]))
		for i, code := range c.code[in] {
			of[i] = code + 1
		}
		x.list(of, 2+int(max(slices.Max(c.code[0]), slices.Max(c.code[1]))))
		return x
	}
	numbers := c.num[in]
	for i := 0; i < len(numbers); i += 1 + len(numbers)/replicatedClasses {
		if v := numbers[i]; v == v {
			x.cuts = append(x.cuts, v)
		}
	}
	slices.Sort(x.cuts)
	x.cuts = slices.Compact(x.cuts)
	x.lo, x.hi = make([]float64, 2+len(x.cuts)), make([]float64, 2+len(x.cuts))
	for k := range x.lo {
		x.lo[k], x.hi[k] = math.Inf(1), math.Inf(-1)
	}
	of = make([]int32, len(numbers))
	for i, v := range numbers {
		if v == v {
			k := x.class(v)
			of[i], x.lo[k], x.hi[k] = int32(k), min(x.lo[k], v), max(x.hi[k], v)
		}
	}
	x.list(of, len(x.lo))
	return x
}

// class is the class of a number.
func (x *index) class(v float64) int {
	at, there := slices.BinarySearch(x.cuts, v)
	if there {
		at++
	}
	return 1 + at
}

// list lists the records by class.
func (x *index) list(of []int32, classes int) {
	x.lists = table.Lists{Start: make([]int, classes+1), Codes: make([]int32, len(of))}
	start := x.lists.Start
	for _, k := range of {
		start[k+1]++
	}
	for k := range classes {
		start[k+1] += start[k]
	}
	next := slices.Clone(start)
	for i, k := range of {
		x.lists.Codes[next[k]] = int32(i)
		next[k]++
	}
	x.common = make([]set, classes)
	for k := range classes {
		if rows := x.lists.Row(k); len(rows) > len(of)/many {
			x.common[k] = setOf(len(of))
			for _, r := range rows {
				x.common[k].add(int(r))
			}
		}
	}
}

// mark adds the records of a class to a set.
func (x *index) mark(to set, class int) {
	if all := x.common[class]; all != nil {
		for w, word := range all {
			to[w] |= word
		}
		return
	}
	for _, r := range x.lists.Row(class) {
		to.add(int(r))
	}
}

// equal makes a set of the records of a table that do not differ from one of the original. Cost: O(n/64), and the
// records that do not differ.
func (c *replicatedColumn) equal(to set, in, person int, exact bool) {
	clear(to)
	x := c.index[in]()
	if c.code[0] != nil {
		x.mark(to, int(c.code[0][person])+1)
		return
	}
	v, reach := c.num[0][person], c.within(exact)
	if v != v {
		x.mark(to, 0)
		return
	}
	// Rounding keeps the order, so numbers between two that are near are near. Each class but the first of the numbers
	// has some, so behind one without any that is near no other has.
	near := func(w float64) bool { return math.Abs(v-w) <= reach }
	at := x.class(v)
	for k := at; k < len(x.lo) && (k == at || near(x.lo[k])); k++ {
		c.some(to, x, in, k, near)
	}
	for k := at - 1; k > 0 && near(x.hi[k]); k-- {
		c.some(to, x, in, k, near)
	}
}

// some adds the records of a class that are near to a set.
func (c *replicatedColumn) some(to set, x *index, in, class int, near func(w float64) bool) {
	if near(x.lo[class]) && near(x.hi[class]) {
		x.mark(to, class)
		return
	}
	for _, r := range x.lists.Row(class) {
		if near(c.num[in][r]) {
			to.add(int(r))
		}
	}
}

// sums holds a whole number for every record, bit by bit: of 64 records at a time the lowest bits of all, then the next
// ones.
type sums struct {
	bits  []uint64
	depth int // bits of a number
	among set // the records that count
}

// sumsOf holds numbers up to the most.
func sumsOf(records, most int) *sums {
	s := &sums{depth: bits.Len(uint(most)), among: setOf(records)}
	s.bits = make([]uint64, s.depth*len(s.among))
	for i := range records {
		s.among.add(i)
	}
	return s
}

// add adds 1 << shift to the numbers of the records that are not in a set.
func (s *sums) add(equal set, shift int) {
	for w, same := range equal {
		for at, carry := w*s.depth+shift, ^same; carry != 0 && at < (w+1)*s.depth; at++ {
			s.bits[at], carry = s.bits[at]^carry, s.bits[at]&carry
		}
	}
}

// upTo returns which of the 64 records from 64 w on count and have no more than a number.
func (s *sums) upTo(w, most int) uint64 {
	less, same := uint64(0), s.among[w]
	for at := s.depth - 1; at >= 0; at-- {
		bit := s.bits[w*s.depth+at]
		if most>>at&1 == 1 {
			less |= same &^ bit
			same &= bit
		} else {
			same &^= bit
		}
	}
	return less | same
}

// count returns how many records count and have no more than a number.
func (s *sums) count(most int) (n int) {
	for w := range s.among {
		n += bits.OnesCount64(s.upTo(w, most))
	}
	return n
}
