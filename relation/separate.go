package relation

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// separate draws values anew where a release has a pair that never comes together. A value is drawn from those that the
// release has of the column in the record's segment and that the record's other values allow, as often as they stand
// there: so it stays inside the segment, and no value comes from the original. Where there is none, it is missing. It
// returns how many records it changed. Draws are keyed by the records' identities. Where people recur they are keyed by
// the person and the values, and a value is drawn as often as the plan's table had it: what other records a release has
// does not matter. Cost: O(records x pairs).
func (r *Restatement) separate(t *table.Table, by Draws) (*table.Table, int, error) {
	s, segments := newSeparator(r, t, by), by.Segments
	if len(s.pairs) == 0 {
		return t, 0, nil
	}
	draws := by.Source.Stream()
	words := func(i int) rng.Block { return draws.At(uint64(t.ID(i))) }
	if by.Persons != nil {
		segments = nil
		s.counts = map[uint64][][]tally{0: s.shares(r, t)}
		pairs := draws.Pairs()
		words = func(i int) rng.Block {
			a := pairs.Of(by.Persons[i], s.name(i))
			return rng.Block{A: a, B: table.Spread(a)}
		}
	}
	changed := 0
	for i := range t.Rows() {
		key := uint64(0)
		if segments != nil {
			key = segments[i]
		}
		if s.mend(i, key, segments, words) {
			changed++
		}
	}
	cols := t.Columns()
	for k, j := range s.at {
		cols[j] = s.column(k, cols[j].Attribute)
	}
	out, err := t.WithColumns(cols)
	return out, changed, err
}

// couple is a pair of codes of two columns, by their places in the separator.
type couple struct {
	a, b   int
	ca, cb int32
}

// separator draws values anew. Numbers have codes, too: in their order.
type separator struct {
	pairs  []couple
	by     [][]int     // of a column: the pairs that it gives way to
	at     []int       // positions of the columns in the table
	stay   []bool      // columns that are not drawn
	alike  []bool      // columns that are released alike where people recur: never drawn for one that is not
	values [][]float64 // by column and code; nil of categories
	codes  [][]int32   // by column, changed on the way
	was    [][]int32   // as the technique released them
	counts map[uint64][][]tally
}

// tally is how often a segment has a code.
type tally struct {
	code int32
	n    int
}

func newSeparator(r *Restatement, t *table.Table, by Draws) *separator {
	s := &separator{}
	for n := range r.Never {
		rel := &r.Never[n]
		a, b := s.place(r, t, by, rel.Columns[0]), s.place(r, t, by, rel.Columns[1])
		if a < 0 || b < 0 {
			continue
		}
		p := couple{a, b, s.code(t, a, rel.Other), s.code(t, b, rel.Value)}
		if p.ca < 0 || p.cb < 0 {
			continue
		}
		s.pairs = append(s.pairs, p)
	}
	s.sort()
	return s
}

// sort puts pairs of columns that are released alike first, so that the others find them as they stay, and notes the
// pairs that a column has to give way to: one that is released alike gives way to none that is drawn anew.
func (s *separator) sort() {
	mixed := func(p *couple) int {
		if s.alike[p.a] && s.alike[p.b] {
			return 0
		}
		return 1
	}
	sorting.Stable(s.pairs, func(p, q couple) int { return mixed(&p) - mixed(&q) })
	for k, p := range s.pairs {
		if !s.alike[p.a] || s.alike[p.b] {
			s.by[p.a] = append(s.by[p.a], k)
		}
		if !s.alike[p.b] || s.alike[p.a] {
			s.by[p.b] = append(s.by[p.b], k)
		}
	}
}

// place returns the place of a column, which it takes in; -1 where the table lacks it or has sets of items in it.
func (s *separator) place(r *Restatement, t *table.Table, by Draws, name string) int {
	j := t.Find(name)
	if j < 0 || !t.Attr(j).Kind.Scalar() {
		return -1
	}
	k := slices.Index(s.at, j)
	if k < 0 {
		k = len(s.at)
		var values []float64
		codes := t.Cat(j)
		if t.Attr(j).Kind == table.Numeric {
			values, codes = ranks(t.Num(j), r.known(by, name))
		}
		s.at, s.by, s.values = append(s.at, j), append(s.by, nil), append(s.values, values)
		s.stay = append(s.stay, slices.Contains(r.Stay, name))
		s.alike = append(s.alike, slices.Contains(by.Alike, name))
		s.was, s.codes = append(s.was, codes), append(s.codes, slices.Clone(codes))
	}
	return k
}

// known are the numbers of a column of the plan's table, which may be drawn where people recur.
func (r *Restatement) known(by Draws, name string) (out []float64) {
	if by.Persons == nil {
		return nil
	}
	for text := range r.Shares[name] {
		if x, ok := number64(text); ok {
			out = append(out, x)
		}
	}
	return out
}

// ranks returns the different numbers in their order, with others, and by row which it is; -1 for none.
func ranks(v, others []float64) (values []float64, codes []int32) {
	values = slices.DeleteFunc(slices.Concat(v, others), func(x float64) bool { return x != x })
	slices.Sort(values)
	values = slices.Compact(values)
	codes = make([]int32, len(v))
	for i, x := range v {
		at, known := slices.BinarySearch(values, x)
		if codes[i] = int32(at); !known {
			codes[i] = -1
		}
	}
	return values, codes
}

// code returns the code of a value that is written as in a relation; -1 where the release lacks it.
func (s *separator) code(t *table.Table, k int, value string) int32 {
	if s.values[k] == nil {
		return t.Attr(s.at[k]).Code(value)
	}
	x, ok := number64(value)
	if at, known := slices.BinarySearch(s.values[k], x); ok && known {
		return int32(at)
	}
	return -1
}

// column returns the values of a column as they are now.
func (s *separator) column(k int, a table.Attribute) table.Column {
	if s.values[k] == nil {
		return table.Column{Attribute: a, Cat: s.codes[k]}
	}
	out := table.Column{Attribute: a, Num: make([]float64, len(s.codes[k]))}
	for i, code := range s.codes[k] {
		if out.Num[i] = math.NaN(); code >= 0 {
			out.Num[i] = s.values[k][code]
		}
	}
	return out
}

// meets reports whether the pair stands in record i.
func (s *separator) meets(p *couple, i int) bool {
	return s.codes[p.a][i] == p.ca && s.codes[p.b][i] == p.cb
}

// mend draws values of one record until no pair stands in it, and reports whether it had to. Every draw leaves its
// column without a pair, so there are at most as many as columns.
func (s *separator) mend(i int, key uint64, segments []uint64, of func(int) rng.Block) (changed bool) {
	var words rng.Block
	for n := range s.pairs {
		p := &s.pairs[n]
		if !s.meets(p, i) {
			continue
		}
		if !changed {
			changed, words = true, of(i)
		}
		first, second := s.order(p, i)
		if !s.draw(first, i, key, segments, words.A^uint64(n)*0x9e3779b97f4a7c15) &&
			(s.stay[second] || s.alike[second] && !s.alike[first] ||
				!s.draw(second, i, key, segments, words.B^uint64(n)*0x9e3779b97f4a7c15)) {
			s.codes[first][i] = -1
		}
	}
	return changed
}

// order returns the columns of a pair, the one to be drawn anew first.
func (s *separator) order(p *couple, i int) (first, second int) {
	turn := s.stay[p.b] || !s.stay[p.a] && s.worse(p.a, p.b, i)
	if s.alike[p.a] != s.alike[p.b] {
		turn = s.alike[p.b]
	}
	if turn {
		return p.a, p.b
	}
	return p.b, p.a
}

// shares counts the values of the plan's table, by column and code.
func (s *separator) shares(r *Restatement, t *table.Table) [][]tally {
	out := make([][]tally, len(s.at))
	for k, j := range s.at {
		for text, n := range r.Shares[t.Attr(j).Name] {
			if code := s.code(t, k, text); code >= 0 {
				out[k] = append(out[k], tally{code, n})
			}
		}
		sorting.Func(out[k], func(a, b tally) int { return cmp.Compare(a.code, b.code) })
	}
	return out
}

// name is one number for the values of a record that are released alike, as the technique released them.
func (s *separator) name(i int) (b rng.Block) {
	for k, codes := range s.was {
		if !s.alike[k] {
			continue
		}
		v := uint64(uint32(codes[i]))
		if s.values[k] != nil && codes[i] >= 0 {
			v = math.Float64bits(s.values[k][codes[i]])
		}
		b.A = table.Spread(b.A ^ v)
	}
	return b
}

// worse reports whether column a of a record is in more pairs than column b.
func (s *separator) worse(a, b, i int) bool {
	count := func(c int) (n int) {
		for _, k := range s.by[c] {
			if s.meets(&s.pairs[k], i) {
				n++
			}
		}
		return n
	}
	return count(a) > count(b)
}

// draw draws a value of column c for record i that is in no pair; false where there is none.
func (s *separator) draw(c, i int, key uint64, segments []uint64, word uint64) bool {
	var never []int32
	for _, k := range s.by[c] {
		p := &s.pairs[k]
		if p.a == c && s.codes[p.b][i] == p.cb {
			never = append(never, p.ca)
		}
		if p.b == c && s.codes[p.a][i] == p.ca {
			never = append(never, p.cb)
		}
	}
	total := 0
	free := slices.DeleteFunc(slices.Clone(s.of(key, segments)[c]), func(t tally) bool {
		return slices.Contains(never, t.code)
	})
	for _, t := range free {
		total += t.n
	}
	if total == 0 {
		return false
	}
	at := rng.Below(word, total)
	for _, t := range free {
		if at -= t.n; at < 0 {
			s.codes[c][i] = t.code
			return true
		}
	}
	return false
}

// of counts the released values of a segment, by column.
func (s *separator) of(key uint64, segments []uint64) [][]tally {
	if s.counts == nil {
		s.counts = map[uint64][][]tally{}
		for c, codes := range s.was {
			s.count(c, codes, segments)
		}
	}
	return s.counts[key]
}

// count counts the codes of a column in every segment.
func (s *separator) count(c int, codes []int32, segments []uint64) {
	type cell struct {
		key  uint64
		code int32
	}
	counts := map[cell]int{}
	for i, code := range codes {
		at := cell{code: code}
		if segments != nil {
			at.key = segments[i]
		}
		counts[at]++
	}
	for at, n := range counts {
		of := s.counts[at.key]
		if of == nil {
			of = make([][]tally, len(s.was))
			s.counts[at.key] = of
		}
		if at.code >= 0 {
			of[c] = append(of[c], tally{at.code, n})
		}
	}
	for _, of := range s.counts {
		sorting.Func(of[c], func(a, b tally) int { return cmp.Compare(a.code, b.code) })
	}
}
