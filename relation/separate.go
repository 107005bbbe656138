package relation

import (
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// separate draws categories anew where a release has a pair that never comes together. A category is drawn from those
// that the release has of the column in the record's segment and that the record's other categories allow, as often as
// they stand there: so it stays inside the segment, and no value comes from the original. Where there is none, it is
// missing. It returns how many records it changed. Draws are keyed by the records' identities. Where people recur they
// are keyed by the person and the categories, and a category is drawn as often as the plan's table had it: what other
// records a release has does not matter. Cost: O(records x pairs).
func (r *Restatement) separate(t *table.Table, by Draws) (*table.Table, int, error) {
	s := newSeparator(r, t, by.Alike)
	segments := by.Segments
	if len(s.pairs) == 0 {
		return t, 0, nil
	}
	draws := by.Source.Stream()
	words := func(i int) rng.Block { return draws.At(uint64(t.ID(i))) }
	if by.Persons != nil {
		segments = nil
		s.counts[0] = s.shares(r, t)
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
	by     [][]int   // of a column: the pairs that it gives way to
	at     []int     // positions of the columns in the table
	stay   []bool    // columns that are not drawn
	alike  []bool    // columns that are released alike where people recur: never drawn for one that is not
	codes  [][]int32 // by column, changed on the way
	was    [][]int32 // as the technique released them
	counts map[uint64][][]int32
}

func newSeparator(r *Restatement, t *table.Table, alike []string) *separator {
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
			s.alike = append(s.alike, slices.Contains(alike, name))
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
	slices.SortStableFunc(s.pairs, func(p, q couple) int { return mixed(&p) - mixed(&q) })
	for k, p := range s.pairs {
		if !s.alike[p.a] || s.alike[p.b] {
			s.by[p.a] = append(s.by[p.a], k)
		}
		if !s.alike[p.b] || s.alike[p.a] {
			s.by[p.b] = append(s.by[p.b], k)
		}
	}
}

// meets reports whether the pair stands in record i.
func (s *separator) meets(p *couple, i int) bool {
	return s.codes[p.a][i] == p.ca && s.codes[p.b][i] == p.cb
}

// mend draws categories of one record until no pair stands in it, and reports whether it had to. Every draw leaves its
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
			(s.stay[second] || s.alike[second] && !s.alike[first] || !s.draw(second, i, key, segments, words.B^uint64(n)*0x9e3779b97f4a7c15)) {
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

// shares counts the categories of the plan's table, by column and code.
func (s *separator) shares(r *Restatement, t *table.Table) [][]int32 {
	out := make([][]int32, len(s.at))
	for k, j := range s.at {
		a := t.Attr(j)
		out[k] = make([]int32, len(a.Labels))
		for code, label := range a.Labels {
			out[k][code] = int32(r.Shares[a.Name][label])
		}
	}
	return out
}

// name is one number for the categories of a record that are released alike, as the technique released them.
func (s *separator) name(i int) (b rng.Block) {
	for k, codes := range s.was {
		if s.alike[k] {
			b.A = table.Spread(b.A ^ uint64(uint32(codes[i])))
		}
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
