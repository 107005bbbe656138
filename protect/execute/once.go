package execute

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// once gives a value that a person has in several records one draw: the release shows in all of them what it shows in
// the first, the one of the smallest identity. Otherwise whoever knows which records are one person's averages the
// noise away.
//
// It is done for columns whose released value depends on the record alone (protect.Alone), and for those that are dealt
// out inside leaves (dealtOnce). Where the value of the first record would take another out of its segment, that record
// shares the draw with those of the person's in its own segment, so the certificate holds. What is left to average is
// said in words; counts is what the technique counts of people. Cost: O(n) per column, and of a plan with segments two
// routings of the records.
func (d *draw) once(ctx context.Context, counts string) error {
	of, _ := d.original.People()
	if of == nil {
		return nil
	}
	alone, met := protect.Alone(d.plan)
	_, recodes := d.plan.(noisemodel.Recoder)
	if d.released.Rows() != d.original.Rows() {
		if len(alone) > 0 && !recodes {
			d.open = append(d.open, Open{"Over the records of a person noise averages out", "the technique leaves out " +
				"records, " +
				"and draws for each of the others, in " + strings.Join(alone, ", ")})
		}
		return nil
	}
	records := recordsOf(d.original, of, d.order)
	dealt, varies, err := d.dealtOnce(records)
	if err != nil {
		return err
	}
	met = slices.DeleteFunc(met, func(name string) bool { return slices.Contains(dealt, name) })
	if recodes && len(met) == 0 || len(alone) == 0 { // equal values are recoded alike as it is
		d.tell(records, dealt, varies, met, counts)
		return nil
	}
	vary, err := d.aloneOnce(ctx, records, alone)
	if err != nil {
		return err
	}
	d.tell(records, append(alone, dealt...), append(vary, varies...), met, counts)
	return nil
}

// aloneOnce is once for columns whose released value depends on the record alone. It returns of which of them some
// person has several values.
func (d *draw) aloneOnce(ctx context.Context, records [][]int, alone []string) (vary []bool, err error) {
	firsts := make([][]int, len(alone))
	vary = make([]bool, len(alone))
	err = parallel.Each(ctx, len(alone), func(k int) error {
		firsts[k], vary[k] = first(d.original.Column(d.original.Find(alone[k])), records)
		return nil
	})
	if err != nil {
		return nil, err
	}
	once, err := d.shown(alone, firsts)
	if err != nil {
		return nil, err
	}
	left, keys, err := d.leave(ctx, once)
	if err != nil {
		return nil, err
	}
	if n := trues(left); n > 0 {
		apart := apart(records, left, keys)
		for k, name := range alone {
			rows, _ := first(d.original.Column(d.original.Find(name)), apart)
			for i := range rows {
				if left[i] {
					firsts[k][i] = rows[i]
				}
			}
		}
		if once, err = d.shown(alone, firsts); err != nil {
			return nil, err
		}
		d.open = append(d.open, Open{"Over the segments of a person noise averages out", "" + anotherDraw(n) +
			", one for each segment, since that of the person's first record would lead out of it"})
	}
	d.released = once
	return vary, nil
}

// dealtOnce is once for columns that are dealt out inside leaves (protect.Dealer): a record gets any of its leaf's
// values, so what one gets serves others of the person's as well. A record whose leaf holds no such value shares the
// draw with those of the person's in that leaf. Leaves then have as many of every value as before on average only. It
// returns the columns, and of which of them some person has several values.
func (d *draw) dealtOnce(records [][]int) (dealt []string, vary []bool, err error) {
	apartOf := 0
	for _, step := range protect.Dealers(d.plan) {
		leaf, err := step.Group(d.original)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range step.Changes() {
			was := d.original.Column(d.original.Find(name))
			rows, varies := first(was, records)
			shown, err := d.shown([]string{name}, [][]int{rows})
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
				if shown, err = d.shown([]string{name}, [][]int{rows}); err != nil {
					return nil, nil, err
				}
			}
			d.released = shown
			dealt, vary = append(dealt, name), append(vary, varies)
		}
	}
	if apartOf > 0 {
		d.open = append(d.open, Open{"Over the leaves of a person noise averages out", "" + anotherDraw(apartOf) +
			" of what is dealt out there, one for each leaf, since that of the person's first record has no such value in it"})
	}
	return dealt, vary, nil
}

// anotherDraw counts records that do not share the draw of their person's first one.
func anotherDraw(n int) string { return numfmt.Verb(n, "record", "has", "have") + " another draw" }

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

// first returns for every row of a column the first row of the same person with the same value, itself as a rule, and
// whether some person has several values.
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
func (d *draw) shown(columns []string, rows [][]int) (*table.Table, error) {
	out := d.released
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
func (d *draw) leave(ctx context.Context, released *table.Table) (out []bool, all []uint64, err error) {
	out, all = make([]bool, released.Rows()), make([]uint64, released.Rows())
	by, err := protect.SegmentsOf(d.plan, d.original)
	if by == nil || err != nil {
		return out, all, err
	}
	before, err := d.original.Conform(by.Attrs(), false)
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

func trues(v []bool) (n int) {
	for _, b := range v {
		if b {
			n++
		}
	}
	return n
}
