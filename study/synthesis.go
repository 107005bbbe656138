package study

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bycolumn"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// This file prepares releases whose records are drawn anew, so that they stand for nobody (protect.Synthesiser). What
// such a release tells of the people whose records it was made of is held against what it tells of others, so some
// people, drawn at random, are kept out of the fit.

// Of every hundred people so many are kept out of a fit, but no more than heldMost, and none where that were fewer than
// heldLeast: more would tell little more, and fewer nothing.
const heldPercent, heldMost, heldLeast = 20, 5000, 5

// draws reports whether the release of a request is of new records: its technique draws some, and neither the request
// nor a parameter says which columns are drawn or left alone.
func (q *Request) draws() bool {
	if q.Plan != nil {
		return protect.Synthetic(q.Plan)
	}
	return slices.Contains(q.Method.Claims, protect.Synthesises) &&
		len(q.Keep) == 0 && q.Set[bycolumn.Columns] == "" && q.Set[bycolumn.Except] == ""
}

// anew prepares a release of new records: it refuses what cannot be done to records of nobody, keeps people out of the
// fit unless a plan is given, and has as many records drawn as the whole table has, unless the request says how many or
// their number is private.
func (p *Protected) anew(q *Request, src rng.Source) error {
	if p.Synthetic = q.draws(); !p.Synthetic {
		return nil
	}
	for _, what := range []struct {
		is  bool
		why string
	}{
		{len(q.Keep) > 0, "no column can be kept (--role COLUMN=keep)"},
		{q.DatesShift != (DateShift{}), "no dates can be shifted (dates-shift)"},
		{len(q.Blank) > 0, "no cells can be blanked (blank-lookups)"},
		{q.RoundWeights > 0, "no weights can be rounded (round-weights)"},
	} {
		if what.is {
			return errors.New("the records that are drawn stand for nobody, so " + what.why + "; leave it out, or take a " +
				"technique that perturbs records")
		}
	}
	q.KeepOrder = true // there is none that tells anything
	if q.Plan != nil {
		return nil
	}
	rows := p.Original.Rows()
	// of a technique that promises something of one record more or less their number is no fact to go by
	promises := slices.Contains(q.Method.Claims, protect.BoundsOdds)
	p.bounded = promises && q.Set["domains"] != "observed"
	p.holdOut(src.Fork("holdout"), promises)
	if _, set := q.Set[protect.RowsName]; !set && !promises && p.Holdout != nil {
		q.Set = maps.Clone(q.Set)
		if q.Set == nil {
			q.Set = map[string]string{}
		}
		q.Set[protect.RowsName] = strconv.Itoa(rows)
	}
	return nil
}

// holdOut takes people out of the table, all records of a person or of a household together: so many of them or, where
// the technique promises something of one more or less, each by a chance of their own. Were their number fixed, one
// person more could change who else takes part.
func (p *Protected) holdOut(src rng.Source, each bool) {
	t := p.Original
	of, n := t.People()
	k := min(n*heldPercent/100, heldMost)
	if k < heldLeast && !each {
		return
	}
	held, ids := make([]bool, n), t.Identities(of, n)
	if each {
		k = 0
		for unit, stream := 0, src.Stream(); unit < n; unit++ {
			if held[unit] = rng.Below(stream.At(uint64(ids[unit])).A, 100) < heldPercent; held[unit] {
				k++
			}
		}
	} else {
		for _, unit := range rng.Sample(src.Stream(), k, n, ids, 0) {
			held[unit] = true
		}
	}
	var out, in []int
	for i := range t.Rows() {
		unit := i
		if of != nil {
			unit = int(of[i])
		}
		if held[unit] {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	if p.Original = t.Gather(in); k < heldLeast {
		return
	}
	p.Holdout = t.Gather(out)
	p.Notes = append(p.Notes, message.Say("synthesis.heldOut").Count("n", k).Count("of", n))
}

// namesOfDrawn names those for whom drawn records stand together, from 1: a person, where people have several, or a
// record.
func namesOfDrawn(name string, t *table.Table) table.Column {
	of, number := t.Owners(), make([]float64, t.Rows())
	for i := range number {
		number[i] = float64(i + 1)
		if of != nil {
			number[i] = float64(of[i] + 1)
		}
	}
	return table.NumColumn(name, 1, number)
}
