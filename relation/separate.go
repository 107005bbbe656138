package relation

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// separate draws values anew where a release has a pair that never comes together. A value is drawn from those that the
// release has of the column in the record's segment and that the record's other values allow, as often as they stand
// there: so it stays inside the segment, and no value comes from the original. Where there is none, it is missing. It
// returns how many records it changed. A nil segment is one for all; else there is one key for every record. Draws are
// keyed by the records' identities. Cost: O(records x pairs).
func (r *Restatement) separate(t *table.Table, segments []uint64, src rng.Source) (*table.Table, int, error) {
	s := newSeparator(r, t)
	if len(s.pairs) == 0 {
		return t, 0, nil
	}
	changed := 0
	draws := src.Stream()
	for i := range t.Rows() {
		key := uint64(0)
		if segments != nil {
			key = segments[i]
		}
		if s.mend(i, key, segments, draws.At(uint64(t.ID(i)))) {
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
	by     [][]int     // of a column: its pairs
	at     []int       // positions of the columns in the table
	stay   []bool      // columns that are not drawn
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

func newSeparator(r *Restatement, t *table.Table) *separator {
	s := &separator{}
	for n := range r.Never {
		rel := &r.Never[n]
		a, b := s.place(r, t, rel.Columns[0]), s.place(r, t, rel.Columns[1])
		if a < 0 || b < 0 {
			continue
		}
		p := couple{a, b, s.code(t, a, rel.Other), s.code(t, b, rel.Value)}
		if p.ca < 0 || p.cb < 0 {
			continue
		}
		s.by[a], s.by[b] = append(s.by[a], len(s.pairs)), append(s.by[b], len(s.pairs))
		s.pairs = append(s.pairs, p)
	}
	return s
}

// place returns the place of a column, which it takes in; -1 where the table lacks it or has sets of items in it.
func (s *separator) place(r *Restatement, t *table.Table, name string) int {
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
			values, codes = ranks(t.Num(j))
		}
		s.at, s.by, s.values = append(s.at, j), append(s.by, nil), append(s.values, values)
		s.stay = append(s.stay, slices.Contains(r.Stay, name))
		s.was, s.codes = append(s.was, codes), append(s.codes, slices.Clone(codes))
	}
	return k
}

// ranks returns the different numbers in their order, and by row which it is; -1 for none.
func ranks(v []float64) (values []float64, codes []int32) {
	values = slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return x != x })
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
func (s *separator) mend(i int, key uint64, segments []uint64, words rng.Block) (changed bool) {
	for n := range s.pairs {
		p := &s.pairs[n]
		if !s.meets(p, i) {
			continue
		}
		changed = true
		first, second := p.b, p.a
		if s.stay[first] || !s.stay[second] && s.worse(second, first, i) {
			first, second = second, first
		}
		if !s.draw(first, i, key, segments, words.A^uint64(n)*0x9e3779b97f4a7c15) &&
			(s.stay[second] || !s.draw(second, i, key, segments, words.B^uint64(n)*0x9e3779b97f4a7c15)) {
			s.codes[first][i] = -1
		}
	}
	return changed
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
		slices.SortFunc(of[c], func(a, b tally) int { return cmp.Compare(a.code, b.code) })
	}
}
