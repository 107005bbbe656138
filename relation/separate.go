package relation

import (
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// separate draws categories anew where a release has a pair that never comes together. A category is drawn from those
// that the release has of the column in the record's segment and that the record's other categories allow, as often as
// they stand there: so it stays inside the segment, and no value comes from the original. Where there is none, it is
// missing. It returns how many records it changed. A nil segment is one for all; else there is one key for every
// record. Draws are keyed by the records' identities. Cost: O(records x pairs).
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
		cols[j] = table.Column{Attribute: cols[j].Attribute, Cat: s.codes[k]}
	}
	out, err := t.WithColumns(cols)
	return out, changed, err
}

// couple is a pair of codes of two columns, by their places in the separator.
type couple struct {
	a, b   int
	ca, cb int32
}

// separator draws categories anew.
type separator struct {
	pairs  []couple
	by     [][]int   // of a column: its pairs
	at     []int     // positions of the columns in the table
	stay   []bool    // columns that are not drawn
	codes  [][]int32 // by column, changed on the way
	was    [][]int32 // as the technique released them
	counts map[uint64][][]int32
}

func newSeparator(r *Restatement, t *table.Table) *separator {
	s := &separator{counts: map[uint64][][]int32{}}
	place := func(name string) int {
		j := t.Find(name)
		if j < 0 || t.Attr(j).Kind != table.Categorical {
			return -1
		}
		k := slices.Index(s.at, j)
		if k < 0 {
			k = len(s.at)
			s.at = append(s.at, j)
			s.stay = append(s.stay, slices.Contains(r.Stay, name))
			s.was = append(s.was, t.Cat(j))
			s.codes = append(s.codes, slices.Clone(t.Cat(j)))
			s.by = append(s.by, nil)
		}
		return k
	}
	for n := range r.Never {
		rel := &r.Never[n]
		a, b := place(rel.Columns[0]), place(rel.Columns[1])
		if a < 0 || b < 0 {
			continue
		}
		p := couple{a, b, t.Attr(s.at[a]).Code(rel.Other), t.Attr(s.at[b]).Code(rel.Value)}
		if p.ca < 0 || p.cb < 0 {
			continue
		}
		s.by[a], s.by[b] = append(s.by[a], len(s.pairs)), append(s.by[b], len(s.pairs))
		s.pairs = append(s.pairs, p)
	}
	return s
}

// meets reports whether the pair stands in record i.
func (s *separator) meets(p *couple, i int) bool {
	return s.codes[p.a][i] == p.ca && s.codes[p.b][i] == p.cb
}

// mend draws categories of one record until no pair stands in it, and reports whether it had to. Every draw leaves its
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

// draw draws a category of column c for record i that is in no pair; false where there is none.
func (s *separator) draw(c, i int, key uint64, segments []uint64, word uint64) bool {
	counts := s.of(key, segments)[c]
	free := make([]int32, len(counts))
	copy(free, counts)
	for _, k := range s.by[c] {
		p := &s.pairs[k]
		if p.a == c && s.codes[p.b][i] == p.cb {
			free[p.ca] = 0
		}
		if p.b == c && s.codes[p.a][i] == p.ca {
			free[p.cb] = 0
		}
	}
	total := 0
	for _, n := range free {
		total += int(n)
	}
	if total == 0 {
		return false
	}
	at := rng.Below(word, total)
	for code, n := range free {
		if at -= int(n); at < 0 {
			s.codes[c][i] = int32(code)
			return true
		}
	}
	return false
}

// of counts the released categories of a segment, by column and code.
func (s *separator) of(key uint64, segments []uint64) [][]int32 {
	if len(s.counts) == 0 {
		s.count(segments)
	}
	return s.counts[key]
}

func (s *separator) count(segments []uint64) {
	most := make([]int32, len(s.was))
	for c, codes := range s.was {
		most[c] = max(0, slices.Max(codes)) + 1
		for _, p := range s.pairs {
			if p.a == c {
				most[c] = max(most[c], p.ca+1)
			}
			if p.b == c {
				most[c] = max(most[c], p.cb+1)
			}
		}
	}
	for i := range s.was[0] {
		key := uint64(0)
		if segments != nil {
			key = segments[i]
		}
		counts := s.counts[key]
		if counts == nil {
			counts = make([][]int32, len(s.was))
			for c := range counts {
				counts[c] = make([]int32, most[c])
			}
			s.counts[key] = counts
		}
		for c, codes := range s.was {
			if codes[i] >= 0 {
				counts[c][codes[i]]++
			}
		}
	}
}
