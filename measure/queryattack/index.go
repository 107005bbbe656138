package queryattack

import "math/bits"

// Condition asks of one column that its code lies in lo..hi.
type Condition struct {
	Column int // position among the index's columns
	Lo, Hi int32
}

// Query is a conjunction of conditions on different columns, by column.
type Query []Condition

// rare is the share of the records, 1 in rare, from which a code has a bitmap. The records of a rarer one are looked at
// one by one.
const rare = 32

// Index answers queries on the columns of one table.
type Index struct {
	rows     int
	wildcard bool // a missing value matches every condition
	columns  []postings
}

// postings lists the records of every code of a column.
type postings struct {
	code    []int32    // by record; -1 is missing
	order   []int32    // records by code; the missing ones come first
	start   []int32    // the records of code c are order[start[c+1]:start[c+2]], the missing ones are order[:start[1]]
	bitmaps [][]uint64 // by code, of the records that match it; nil for a rare one
}

// NewIndex prepares columns of codes, 0 to size-1 or -1 for missing, of which there are rows each. With wildcard set a
// missing value matches every condition. Cost: O(rows + size) per column, and 4 bytes a record for each code that is
// not rare, at most 32 of them a column.
func NewIndex(rows int, codes [][]int32, sizes []int, wildcard bool) *Index {
	x := &Index{rows: rows, wildcard: wildcard, columns: make([]postings, len(codes))}
	for k := range codes {
		x.columns[k] = x.post(codes[k], sizes[k])
	}
	return x
}

func (x *Index) post(code []int32, size int) postings {
	p := postings{
		code:    code,
		order:   make([]int32, len(code)),
		start:   make([]int32, size+2),
		bitmaps: make([][]uint64, size),
	}
	next := make([]int32, size+2)
	for _, c := range code {
		next[c+2]++
	}
	for c := range size + 1 {
		next[c+1] += next[c]
	}
	copy(p.start, next)
	for i, c := range code {
		p.order[next[c+1]] = int32(i)
		next[c+1]++
	}
	for c := range p.bitmaps {
		if x.count(&p, int32(c), int32(c))*rare <= x.rows {
			continue
		}
		b := make([]uint64, (x.rows+63)/64)
		for _, i := range p.of(int32(c), int32(c)) {
			b[i/64] |= 1 << (i % 64)
		}
		for _, i := range x.missing(&p) {
			b[i/64] |= 1 << (i % 64)
		}
		p.bitmaps[c] = b
	}
	return p
}

// of returns the records with a code in lo..hi; codes beyond the last have none.
func (p *postings) of(lo, hi int32) []int32 {
	last := int32(len(p.start) - 3)
	if lo = max(lo, 0); lo > min(hi, last) {
		return nil
	}
	return p.order[p.start[lo+1]:p.start[min(hi, last)+2]]
}

// missing returns the records that match whatever is asked.
func (x *Index) missing(p *postings) []int32 {
	if !x.wildcard {
		return nil
	}
	return p.order[:p.start[1]]
}

// count returns how many records match a condition.
func (x *Index) count(p *postings, lo, hi int32) int { return len(p.of(lo, hi)) + len(x.missing(p)) }

// Holds reports whether a record matches a query.
func (x *Index) Holds(q Query, record int32) bool {
	for k := range q {
		c := x.columns[q[k].Column].code[record]
		if c < 0 && !x.wildcard || c >= 0 && (c < q[k].Lo || c > q[k].Hi) {
			return false
		}
	}
	return true
}

// Scratch is the memory of one goroutine that asks queries.
type Scratch struct {
	matches []int32
	bits    []uint64 // of the matches where dense is set
	dense   bool
	listed  bool // the matches are listed; those of bits are when somebody asks for them
	count   int  // of the matches
}

// Matches returns the records that match a query, in no order; the slice is used again by the next call with the
// scratch. Cost: see the package comment.
func (x *Index) Matches(q Query, s *Scratch) []int32 {
	x.find(q, s)
	return s.list()
}

// find looks for the records that match a query and returns how many there are.
func (x *Index) find(q Query, s *Scratch) int {
	s.matches, s.dense, s.listed = s.matches[:0], false, true
	fewest, at := x.rows+1, -1
	dense := false
	for k, c := range q {
		p := &x.columns[c.Column]
		if n := x.count(p, c.Lo, c.Hi); n < fewest {
			fewest, at = n, k
		}
		dense = dense || x.bitmap(c) != nil
	}
	switch {
	case at < 0:
		for i := range x.rows {
			s.matches = append(s.matches, int32(i))
		}
	case dense && fewest*rare > x.rows:
		x.and(q, s)
	default:
		p := &x.columns[q[at].Column]
		s.matches = append(append(s.matches, p.of(q[at].Lo, q[at].Hi)...), x.missing(p)...)
		s.filter(x, q)
	}
	if !s.dense {
		s.count = len(s.matches)
	}
	return s.count
}

// list returns the matches.
func (s *Scratch) list() []int32 {
	if s.listed {
		return s.matches
	}
	s.listed = true
	for w, v := range s.bits {
		for ; v != 0; v &= v - 1 {
			s.matches = append(s.matches, int32(64*w+bits.TrailingZeros64(v)))
		}
	}
	return s.matches
}

// bitmap returns that of a condition; nil when it has none.
func (x *Index) bitmap(c Condition) []uint64 {
	if p := &x.columns[c.Column]; c.Lo == c.Hi && c.Lo >= 0 && int(c.Lo) < len(p.bitmaps) {
		return p.bitmaps[c.Lo]
	}
	return nil
}

// and intersects the bitmaps of the conditions that have one and checks the others record by record.
func (x *Index) and(q Query, s *Scratch) {
	first, open := true, false
	for _, c := range q {
		b := x.bitmap(c)
		switch {
		case b == nil:
			open = true
		case first:
			s.bits = append(s.bits[:0], b...)
			first = false
		default:
			own := s.bits[:len(b)]
			for w, v := range b {
				own[w] &= v
			}
		}
	}
	s.listed = false
	if s.dense = !open; open {
		s.list()
		s.filter(x, q)
		return
	}
	s.count = 0
	for _, v := range s.bits {
		s.count += bits.OnesCount64(v)
	}
}

// filter keeps the matches that all conditions hold for.
func (s *Scratch) filter(x *Index, q Query) {
	kept := s.matches[:0]
	for _, i := range s.matches {
		if x.Holds(q, i) {
			kept = append(kept, i)
		}
	}
	s.matches = kept
}

// common returns how many records match a query in both tables, given what it finds in each. They have as many records.
func common(q Query, a, b *Index, inA, inB *Scratch) int {
	n := 0
	if inA.dense && inB.dense {
		for w, v := range inA.bits {
			n += bits.OnesCount64(v & inB.bits[w])
		}
		return n
	}
	few, other := inA, b
	if inB.count < few.count {
		few, other = inB, a
	}
	for _, i := range few.list() {
		if other.Holds(q, i) {
			n++
		}
	}
	return n
}
