package study

import (
	"hash/maphash"
	"slices"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// A technique that draws a record anew draws the same one now and then, most often where many records are alike. Such
// records tell nothing: nobody sees that they are as they were, and whom they give away, look-ups count. A record that
// a technique left alone is another thing. The two are told apart by how often the released records of others are equal
// to a record: were those that may be exchanged for each other dealt out anew, each of them would come to each record
// with the same chance. These are in one segment, miss the same values, and have the same values in the columns that
// the release shows as they were; where a record is the only such one, these conditions are dropped from the last on,
// the segment at last. Many alike hide a few that are not, so those that the release shows once are held against chance
// by themselves, too.

// mostByChance is how improbable it is, at least, that chance left so many records as they were, if it did.
const mostByChance = 0.01

// untouched counts the records that the release shows as they were in every column; 0 where rows are not paired.
func untouched(o *Outcome) int {
	if o.Original == nil || o.Released == nil || o.Generalised || o.Original.Rows() != o.Released.Rows() ||
		!slices.ContainsFunc(o.Changes, func(c Change) bool { return c.Changed == c.Changed }) {
		return 0
	}
	all := make([]int, o.Released.Width())
	for k := range all {
		all[k] = k
	}
	n := 0
	for i := range o.Released.Rows() {
		if unchanged(o.Original, o.Released, i, all) {
			n++
		}
	}
	return n
}

// LeftAlone counts the records that the release shows as they were in every column, where they are more than chance
// explains; 0 otherwise. Cost: O(records x columns), and that of routing them through segments where there are some.
func LeftAlone(o *Outcome, r *measure.Release) (int, error) {
	n := untouched(o)
	if n == 0 {
		return 0, nil
	}
	segments := make([]uint64, o.Original.Rows())
	if made := r.AsMade(); made.Segments != nil && made.Original.Rows() == len(segments) {
		if err := made.Segments.Route(made.Original, segments); err != nil {
			return 0, err
		}
	}
	all, once := returning(o, segments)
	if min(all.tail(), once.tail()) >= mostByChance/2 {
		return 0, nil
	}
	return n, nil
}

// tally is how many records are as they were, and how many are expected to be.
type tally struct {
	n        int
	expected float64
}

func (t *tally) tail() float64 { return confidence.PoissonTail(t.n, t.expected) }

func (t *tally) add(is bool, chance float64) {
	if t.expected += chance; is {
		t.n++
	}
}

// returning counts the records that are as they were, and how many are expected to be if those that may be exchanged
// were dealt out anew: all, and those of whom the release shows one such record.
func returning(o *Outcome, segments []uint64) (all, once tally) {
	var kept, drawn []int
	for j := range o.Original.Width() {
		name := o.Original.Attr(j).Name
		if slices.ContainsFunc(o.Changes, func(c Change) bool { return c.Column == name && c.Changed > 0 }) {
			drawn = append(drawn, j)
		} else {
			kept = append(kept, j)
		}
	}
	seed := maphash.MakeSeed()
	own, shown := keyed(o.Original, drawn, seed), keyed(o.Released, drawn, seed)
	groups := []*dealt{{in: make([]uint64, len(own))}}
	for _, by := range [][]uint64{segments, keyed(o.Original, kept, seed), gapped(o.Original, seed)} {
		in := slices.Clone(groups[0].in)
		for i := range in {
			in[i] = maphash.Comparable(seed, [2]uint64{in[i], by[i]})
		}
		groups = slices.Insert(groups, 0, &dealt{in: in})
	}
	for i, key := range own {
		k := slices.IndexFunc(groups, func(d *dealt) bool { return d.among(i, shown) > 1 })
		if k < 0 { // the only record of the table
			continue
		}
		among, have := groups[k].among(i, shown), groups[k].shown[shownKey(groups[k].in[i], key)]
		chance, is := float64(have)/float64(among), shown[i] == key
		if all.add(is, chance); have == 1 {
			once.add(is, chance)
		}
	}
	return all, once
}

// dealt are records that may be exchanged: by record which of the groups it is in, by group how many it has, and how
// many of it the release shows with a key.
type dealt struct {
	in    []uint64
	size  map[uint64]int // nil until a record asks for it: few need the wider groups
	shown map[uint64]int // by shownKey
}

// among is how many records are in the group of one.
func (d *dealt) among(i int, shown []uint64) int {
	if d.size == nil {
		d.size, d.shown = map[uint64]int{}, map[uint64]int{}
		for i, in := range d.in {
			d.size[in]++
			d.shown[shownKey(in, shown[i])]++
		}
	}
	return d.size[d.in[i]]
}

// shownKey tells pairs of a group and the key of a record apart, but for a chance of 2^-64 or so, as keys are hashes.
func shownKey(group, key uint64) uint64 { return group*0x9e3779b97f4a7c15 ^ key }

// keyed tells records apart by some columns, but for a chance of 2^-64 or so.
func keyed(t *table.Table, columns []int, seed maphash.Seed) []uint64 {
	out := make([]uint64, t.Rows())
	cols := t.Columns()
	var key []byte
	for i := range out {
		key = key[:0]
		for _, j := range columns {
			key = cols[j].AppendKey(key, i)
		}
		out[i] = maphash.Bytes(seed, key)
	}
	return out
}

// gapped tells records apart by the columns in which they miss a value.
func gapped(t *table.Table, seed maphash.Seed) []uint64 {
	out, missing := make([]uint64, t.Rows()), make([]byte, t.Width())
	for i := range out {
		for j := range missing {
			if missing[j] = 0; t.MissingAt(i, j) {
				missing[j] = 1
			}
		}
		out[i] = maphash.Bytes(seed, missing)
	}
	return out
}
