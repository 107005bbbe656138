package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// personsOf returns by row whose the record is, numbered from 0, by the column with the role Person; nil where there is none, or everybody has one record.
func personsOf(t *table.Table) []int32 {
	j := t.WithRole(table.Person)
	if j < 0 {
		return nil
	}
	name := t.Attr(j).Name
	return Whose(t, Persons(t, []string{name})[name])
}

// Whose returns by row of a table whose the record is, numbered from 0, by the identities of the records, as Persons tells them; nil where they are not told, or
// everybody has one record.
func Whose(t *table.Table, persons map[table.RecordID]int32) []int32 {
	if persons == nil {
		return nil
	}
	const by = "person"
	of, _ := (&measure.Release{Original: t, Persons: map[string]map[table.RecordID]int32{by: persons}, Person: by}).People()
	return of
}

// drawnOnce gives a value that a person has in several records one draw: the release shows in all of them what it shows in the first, the one of the
// smallest identity. Otherwise whoever knows which records are one person's averages the noise away. Of says by row whose the records are.
//
// It is done for columns whose released value depends on the record alone (protect.Alone), and for those that are dealt out inside leaves (dealtOnce). Where the
// value of the first record would take another out of its segment, that record shares the draw with those of the person's in its own segment, so the certificate
// holds. What is left to average is said in words; counts is what the technique counts of people. Cost: O(n) per column, and of a plan with segments two routings of the records.
func (p *Protected) drawnOnce(ctx context.Context, of []int32, counts string) error {
	if of == nil || p.Released.Rows() != p.Original.Rows() {
		return nil
	}
	alone, met := protect.Alone(p.Plan)
	records := recordsOf(p.Original, of, p.order)
	dealt, varies, err := p.dealtOnce(records)
	if err != nil {
		return err
	}
	met = slices.DeleteFunc(met, func(name string) bool { return slices.Contains(dealt, name) })
	if _, recodes := p.Plan.(law.Recoder); recodes && len(met) == 0 || len(alone) == 0 { // equal values are recoded alike as it is
		p.tell(records, dealt, varies, met, counts)
		return nil
	}
	vary, err := p.aloneOnce(ctx, records, alone)
	if err != nil {
		return err
	}
	p.tell(records, append(alone, dealt...), append(vary, varies...), met, counts)
	return nil
}

// aloneOnce is drawnOnce for columns whose released value depends on the record alone. It returns of which of them some person has several values.
func (p *Protected) aloneOnce(ctx context.Context, records [][]int, alone []string) (vary []bool, err error) {
	firsts := make([][]int, len(alone))
	vary = make([]bool, len(alone))
	err = parallel.Each(ctx, len(alone), func(k int) error {
		firsts[k], vary[k] = first(p.Original.Column(p.Original.Find(alone[k])), records)
		return nil
	})
	if err != nil {
		return nil, err
	}
	once, err := p.shown(alone, firsts)
	if err != nil {
		return nil, err
	}
	left, keys, err := p.leave(ctx, once)
	if err != nil {
		return nil, err
	}
	if n := trues(left); n > 0 {
		apart := apart(records, left, keys)
		for k, name := range alone {
			rows, _ := first(p.Original.Column(p.Original.Find(name)), apart)
			for i := range rows {
				if left[i] {
					firsts[k][i] = rows[i]
				}
			}
		}
		if once, err = p.shown(alone, firsts); err != nil {
			return nil, err
		}
		p.OfPeople = append(p.OfPeople, ofPeople("Over the segments of a person noise averages out", anotherDraw(n)+", one for each segment, since that of the person's first record would lead out of it"))
	}
	p.Released = once
	return vary, nil
}

// dealtOnce is drawnOnce for columns that are dealt out inside leaves (protect.Dealer): a record gets any of its leaf's values, so what one gets serves others of
// the person's as well. A record whose leaf holds no such value shares the draw with those of the person's in that leaf. Leaves then have as many of every value as
// before on average only. It returns the columns, and of which of them some person has several values.
func (p *Protected) dealtOnce(records [][]int) (dealt []string, vary []bool, err error) {
	apartOf := 0
	for _, d := range protect.Dealers(p.Plan) {
		leaf, err := d.Group(p.Original)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range d.Changes() {
			was := p.Original.Column(p.Original.Find(name))
			rows, varies := first(was, records)
			shown, err := p.shown([]string{name}, [][]int{rows})
			if err != nil {
				return nil, nil, err
			}
			left := foreign(was, shown.Column(shown.Find(name)), leaf)
			if n := trues(left); n > 0 {
				apartOf += n
				near, _ := first(was, apart(records, left, leaf))
				for i := range rows {
					if left[i] {
						rows[i] = near[i]
					}
				}
				if shown, err = p.shown([]string{name}, [][]int{rows}); err != nil {
					return nil, nil, err
				}
			}
			p.Released = shown
			dealt, vary = append(dealt, name), append(vary, varies)
		}
	}
	if apartOf > 0 {
		p.OfPeople = append(p.OfPeople, ofPeople("Over the leaves of a person noise averages out", anotherDraw(apartOf)+" of what is dealt out there, one for each leaf, since that of the person's first record has no such value in it"))
	}
	return dealt, vary, nil
}

// anotherDraw counts records that do not share the draw of their person's first one.
func anotherDraw(n int) string { return numeral.Verb(n, "record", "has", "have") + " another draw" }

// foreign reports of every record whether its leaf has no original of the value that is released.
func foreign(was, is table.Column, leaf []uint64) []bool {
	type held struct{ leaf, value uint64 }
	some := map[held]bool{}
	before, after := valuesOf(&was), valuesOf(&is)
	for i, l := range leaf {
		some[held{l, before(i)}] = true
	}
	out := make([]bool, len(leaf))
	for i, l := range leaf {
		out[i] = !is.MissingAt(i) && !some[held{l, after(i)}]
	}
	return out
}

// recordsOf returns the rows of everybody with several records, in the given order, then by identity.
func recordsOf(t *table.Table, of []int32, order []table.RecordID) (out [][]int) {
	by := make([][]int, 1+slices.Max(of))
	for i, p := range of {
		by[p] = append(by[p], i)
	}
	for _, rows := range by {
		if len(rows) > 1 {
			slices.SortFunc(rows, func(a, b int) int {
				if order != nil && order[a] != order[b] {
					return cmp.Compare(order[a], order[b])
				}
				return cmp.Compare(t.ID(a), t.ID(b))
			})
			out = append(out, rows)
		}
	}
	return out
}

// first returns for every row of a column the first row of the same person with the same value, itself as a rule, and whether some person has several values.
func first(c table.Column, records [][]int) (rows []int, vary bool) {
	rows = make([]int, c.Len())
	for i := range rows {
		rows[i] = i
	}
	value := valuesOf(&c)
	seen := map[uint64]int{}
	for _, own := range records {
		if len(seen) > 1024 { // clearing it would cost more
			seen = map[uint64]int{}
		}
		clear(seen)
		for _, i := range own {
			if c.MissingAt(i) {
				continue
			}
			v := value(i)
			at, ok := seen[v]
			if !ok {
				seen[v], at = i, i
			}
			rows[i] = at
		}
		vary = vary || len(seen) > 1
	}
	return rows, vary
}

// valuesOf returns what gives numbers that tell the values of a column apart.
func valuesOf(c *table.Column) func(i int) uint64 {
	switch c.Kind {
	case table.Numeric:
		return func(i int) uint64 { return math.Float64bits(c.Num[i] + 0) } // -0 is 0
	case table.Categorical:
		return func(i int) uint64 { return uint64(c.Cat[i]) }
	case table.SetValued:
	}
	codes, _ := table.SetCodes(c.Sets)
	return func(i int) uint64 { return uint64(codes[0][i]) }
}

// shown returns the release with the values of other rows in some columns.
func (p *Protected) shown(columns []string, rows [][]int) (*table.Table, error) {
	out := p.Released
	for k, name := range columns {
		j := out.Find(name)
		c := out.Column(j)
		var err error
		if out, err = out.WithColumn(j, c.Gather(rows[k])); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// apart returns the rows that left a segment, of everybody and every segment together.
func apart(records [][]int, left []bool, keys []uint64) (out [][]int) {
	for _, own := range records {
		by := map[uint64][]int{}
		for _, i := range own {
			if left[i] {
				by[keys[i]] = append(by[keys[i]], i)
			}
		}
		for _, rows := range by { // in any order: no row is in two
			out = append(out, rows)
		}
	}
	return out
}

// leave reports of every record whether a release takes it out of the segment of its original, and the key of that.
func (p *Protected) leave(ctx context.Context, released *table.Table) (out []bool, all []uint64, err error) {
	out, all = make([]bool, released.Rows()), make([]uint64, released.Rows())
	by, err := segmentsOf(p.Plan, p.Original)
	if by == nil || err != nil {
		return out, all, err
	}
	before, err := p.Original.Conform(by.Attrs(), false)
	if err != nil {
		return nil, nil, err
	}
	after, err := released.Conform(by.Attrs(), true)
	if err != nil {
		return nil, nil, err
	}
	const chunk = 1 << 14
	forest, _ := by.(*tree.Forest)
	return out, all, parallel.Each(ctx, (len(out)+chunk-1)/chunk, func(k int) error {
		lo, hi := k*chunk, min((k+1)*chunk, len(out))
		was, is := before.Slice(lo, hi), after.Slice(lo, hi)
		keys := all[lo:hi]
		if err := by.Route(was, keys); err != nil {
			return err
		}
		if forest != nil {
			now := make([]uint64, hi-lo)
			if err := by.Route(is, now); err != nil {
				return err
			}
			for i := range keys {
				out[lo+i] = keys[i] != now[i]
			}
			return nil
		}
		segments := map[uint64]segment.Segment{}
		for i, key := range keys {
			s, ok := segments[key]
			if !ok {
				s = by.Segment(key)
				segments[key] = s
			}
			for j := range is.Width() {
				out[lo+i] = out[lo+i] || s.Outside(is, i, j)
			}
		}
		return nil
	})
}

// tell says what is drawn once, and what averages out over the records of a person. Counts is what the technique counts of people, empty for records.
func (p *Protected) tell(records [][]int, alone []string, vary []bool, met []string, counts string) {
	sizes := make([]int, len(records))
	for k, rows := range records {
		sizes[k] = len(rows)
	}
	slices.Sort(sizes)
	over := numeral.Sprintf("%d people have several records (half of them %d or more, one %d)", len(sizes), sizes[len(sizes)/2], sizes[len(sizes)-1])
	if len(alone) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: a value that stands in several of these is drawn once, so its noise does not average out, in %s", over, strings.Join(alone, ", ")))
	}
	var some []string
	for k, name := range alone {
		if vary[k] {
			some = append(some, name)
		}
	}
	if some != nil {
		p.OfPeople = append(p.OfPeople, ofPeople("Over the records of a person noise averages out where values differ", fmt.Sprintf("%s, and such values are treated one by one, in %s",
			over, strings.Join(some, ", "))))
	}
	switch {
	case len(met) > 0 && counts != "":
		p.Notes = append(p.Notes, over+": the technique counts people: "+counts)
		p.OfPeople = append(p.OfPeople, ofPeople("A person's records may be in several groups", fmt.Sprintf("%s, and what is done to a value then differs between them, in %s; kanonymity and found count people",
			over, strings.Join(met, ", "))))
	case len(met) > 0:
		p.OfPeople = append(p.OfPeople, ofPeople("The technique takes each record for a person", fmt.Sprintf("%s, so a group of so many records may be of fewer people, and what is done to a value differs between a person's records, in %s; kanonymity and found count people",
			over, strings.Join(met, ", "))))
	}
}

func trues(v []bool) (n int) {
	for _, b := range v {
		if b {
			n++
		}
	}
	return n
}
