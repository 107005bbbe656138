package study

import (
	"hash/maphash"
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// unaltered withholds a release that shows what identifies, or what is confidential, exactly as the original has it. It
// holds beside whatever limits were asked for: figures of risk rest on what is taken to be a person, and where that is
// wrong, a crowd that hides a record may be its owner's own records. It does not hold where no limits are asked for by
// name, and where the release is the original itself and meets all limits, against everybody who was played, with
// nothing left to look at: then nothing had to change.
func (j *judging) unaltered() {
	if j.e.Limits.Name == limit.None || !sameValues(j.Outcome) {
		return
	}
	if j.v.state() == Meets && j.v.Gate.Undecided == nil && !slices.ContainsFunc(j.v.Demands, overridden) &&
		sameTable(j.Outcome) {
		j.v.Unchanged = true
		return
	}
	none, least := 0.0, 1.0
	d := Demand{
		Measure:  limit.Altered,
		Title:    limit.Title(limit.Altered),
		Unit:     measure.Counting(measure.Count, "unit.columns"),
		Value:    &none,
		Lo:       &none,
		Hi:       &none,
		Min:      &least,
		Standing: Broke,
		Source:   limit.House.Sentence(),
		Usual:    true,
		said:     message.Say("demand.unaltered"),
	}
	j.v.Demands = slices.Insert(j.v.Demands, 0, d) // it is why all else is broken
	j.v.Gate.Limits++
	j.v.Gate.Failed++
}

// overridden reports whether a demand is met because the custodian accepted what it is on.
func overridden(d Demand) bool { return d.Accepted && d.Needed }

// sameTable reports whether no column at all has a changed value, and no record is left out.
func sameTable(o *Outcome) bool {
	return o.Original.Rows() == o.Released.Rows() && !slices.ContainsFunc(o.Changes, func(c Change) bool {
		return o.Original.Find(c.Column) >= 0 && c.Changed > 0
	})
}

// sameValues reports whether no quasi-identifier and no confidential column of a release has a changed value; where no
// column has such a role, all columns count. Where it is not known which record is whose, it is so where both tables
// hold the same records in some order. Cost: O(records x columns) in the latter case.
func sameValues(o *Outcome) bool {
	if o.Original == nil || o.Released == nil || o.Released.Rows() == 0 {
		return false
	}
	matters := table.Quasi | table.Confidential
	if o.Original.WithRole(table.Quasi) < 0 && o.Original.WithRole(table.Confidential) < 0 {
		matters = ^table.Role(0)
	}
	known := false
	for _, c := range o.Changes {
		switch k := o.Original.Find(c.Column); {
		case k < 0 || matters != ^table.Role(0) && o.Original.Attr(k).Role&matters == 0:
		case math.IsNaN(c.Changed):
			return sameRecords(o.Original, o.Released)
		case c.Changed > 0:
			return false
		default:
			known = true
		}
	}
	return known
}

// sameRecords reports whether two tables of one schema hold the same records in some order. Two that do not are taken
// to with a probability of at most 2^-100 or so.
func sameRecords(a, b *table.Table) bool {
	if a.Rows() != b.Rows() || a.Width() != b.Width() {
		return false
	}
	seeds := [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	sum := func(t *table.Table) (out [2]uint64) {
		var key []byte
		cols := t.Columns()
		for i := range t.Rows() {
			key = key[:0]
			for k := range cols {
				key = cols[k].AppendKey(key, i)
			}
			for k, s := range seeds {
				out[k] += maphash.Bytes(s, key)
			}
		}
		return out
	}
	return sum(a) == sum(b)
}
