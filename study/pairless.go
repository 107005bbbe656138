package study

import (
	"context"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// This file judges a release of which no record is anybody's, as a table that was drawn from a model: what it tells of
// people whose records it was made of, beyond what it tells of others.

// unanswered reports whether a limit asks what cannot be answered of such a release: a measure of single records, or
// what is learned of people where there are no others to hold it against.
func (j *judging) unanswered(l *limit.Limit, m *Measured) bool {
	return j.e.Limits.Pairless && (m.Skip && !l.IfAny || l.Measure == "learned" && !j.e.Control)
}

// pairless says which questions are not answered, and what would answer them.
func (j *judging) pairless() {
	if !j.e.Limits.Pairless || len(j.e.Limits.Limits) == 0 {
		return
	}
	if !j.Synthetic {
		j.care(message.Say("reason.pairless"), message.Say("remedy.pairless"), nil)
	}
	switch open := j.v.Gate.Undecided; {
	case !j.e.Control:
		do := message.Say("remedy.control")
		if j.Synthetic {
			do = message.Say("remedy.controlKept")
		}
		j.care(message.Say("reason.control"), do, nil)
	case len(open) > 0:
		do := message.Say("remedy.undecided")
		if j.Synthetic {
			do = message.Say("remedy.undecidedDrawn")
		}
		j.care(message.Say("reason.undecided").Listed("measures", open), do, nil)
		r := &j.v.Reasons[len(j.v.Reasons)-1]
		r.Remedies = append(r.Remedies, j.ways...)
	}
}

// LookUpApart counts whom an intruder can look up in a release of which no record is anybody's: of whom exactly one
// released record has all that is known exactly. Of people of the hold-out this holds by chance; what goes beyond them
// is due to the records that the release was made of. It is nil without a hold-out, or where no column is known
// exactly. Records are counted, no matter whose they are. The bounds are those of Clopper & Pearson (1934) of both
// shares at 97.5 %, which hold together at 95 % (Bonferroni). Cost: as LookUp.
func LookUpApart(ctx context.Context, r *measure.Release, i *intruder.Intruder, src rng.Source) (*Lookups, error) {
	if r.Holdout == nil || r.Holdout.Rows() == 0 {
		return nil, nil
	}
	members, columns, err := pointed(ctx, r.Original, r.Released, i, src.Fork("people"))
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	others, _, err := pointed(ctx, r.Holdout, r.Released, i, src.Fork("others"))
	if err != nil {
		return nil, err
	}
	out := &Lookups{Intruder: i.Name, Described: i.Described, People: r.Original.Rows(), Found: members.Found,
		Tried: members.Tried, Others: others}
	for _, j := range columns {
		out.Columns = append(out.Columns, r.Original.Attr(j).Name)
	}
	const both = 1 - (1-level)/2
	lo, hi := confidence.ClopperPearson(float64(members.Found), float64(members.Tried), both)
	least, most := confidence.ClopperPearson(float64(others.Found), float64(others.Tried), both)
	out.Lo, out.Hi = beyond(lo, most), beyond(hi, least)
	out.Says = message.Say("demand.apart").Share("members", part(members.Found, members.Tried)).
		Share("others", part(others.Found, others.Tried))
	return out, nil
}

// pointed counts the records of a table of which exactly one released record has all that is known exactly, and
// returns the columns that are. Where there are many it tries a sample.
func pointed(ctx context.Context, people, released *table.Table, i *intruder.Intruder, src rng.Source) (
	of Others, columns []int, err error) {
	c, err := newCatalogue(people, released, nil, i)
	if err != nil || len(c.columns) == 0 {
		return of, nil, err
	}
	n := people.Rows()
	rows := people.Order(src)
	if work := released.Rows() * len(c.columns); n*work > lookupWork {
		rows = rows[:min(n, max(fewestTried, lookupWork/work))]
	}
	one := make([]bool, len(rows))
	point := func(k int) error { one[k] = c.pointsAtOne(rows[k]); return nil }
	if err := parallel.Each(ctx, len(rows), point); err != nil {
		return of, nil, err
	}
	for _, is := range one {
		if is {
			of.Found++
		}
	}
	of.Tried = len(rows)
	return of, c.columns, nil
}

// pointsAtOne reports whether exactly one released record has all that is known exactly of a person.
func (c *catalogue) pointsAtOne(i int) bool {
	rarest := -1
	for k := range c.columns {
		if v := c.own[k][i]; v >= 0 && (rarest < 0 || c.have[k][v] < c.have[rarest][c.own[rarest][i]]) {
			rarest = k
		}
	}
	if rarest < 0 {
		return false
	}
	n := 0
	for _, row := range c.ofShown[rarest].of(c.own[rarest][i]) {
		same := true
		for k := range c.columns {
			same = same && (c.own[k][i] < 0 || c.shown[k][row] == c.own[k][i])
		}
		if same {
			n++
		}
	}
	return n == 1
}
