// Package queryattack measures what an intruder finds by querying for all records that match what is known about a
// person (Peters 2011, chapter 4).
//
// Random queries model the intruder's knowledge: each is about a random person of the original and asks for some of the
// columns that the intruder knows, how many and which being random too, as a conjunction of the person's values. A
// query that was asked before is not asked again, and when tries of them in a row are nothing new, or queries are
// found, the list is complete. Every query is asked of the original, before, and of the release, after:
//
//   - S1, identity: the probability of finding the person's record, 1 over the number of matching records; 0 when none
//     matches, and the share of such queries is reported.
//   - S2, sensitive value: for every value of a column that the intruder wants, the matching records with that value
//     over the matching records; 0 when none matches.
//   - IPR, the increased privacy ratio of such a column: a query is breached when the value that is most common among
//     the matching records of the release is most common among those of the original too, and IPR = 100 (1 -
//     breaches/queries) over the queries of 1, of 2 and of 4 columns. Of several that are equally common the intruder
//     takes one at random; a query to which the release gives no value is not breached, one to which the original gives
//     none does not count. It compares answers, not persons, so it is as good for a release of fewer records or other
//     ones. It is 0 when nothing is changed, but a release that tells nothing except which value is commonest of all
//     breaches every query of which that is the answer.
//
// S1 of single queries is no risk as it stands: noise that moves records about leaves queries with few matches, all of
// them wrong. So where records are paired the score counts only right finds: the probability that a record picked from
// the matches in the release is that of a person picked from those in the original whom the query describes, |before
// and after| / (|before| |after|). It is S1 when nothing is changed, and never more. Where records are not paired, the
// score is S1 after. It is the mean over the queries; quartiles, and those of S1 and S2, are in the detail.
//
// Numbers are compared by bins of equal frequency in the original (values = bins, by default ten; a value never spans
// two), by the bands or the error that the intruder's knowledge has, or exactly (values = exact); categories are
// compared exactly or by the groups that are known. Numbers that the intruder wants are always in bins.
//
// Missing values: what a person does not have is not asked for. A suppressed value matches nothing (missing = strict)
// or everything (missing = wildcard), as a careful intruder would have it. A suppressed value of a wanted column is
// none of its values.
//
// Cost: about k n/64 word operations for a query of k columns on n records, and a pass over its matches; queries that
// ask for a rare value look at the records that have it alone. O(n p) memory: 12 bytes for every record, column and
// table at most.
//
// Departures: the list also ends at a number of queries, for on wide tables it would not otherwise; the query is always
// about someone, as the listing asks of a query "worth" asking. IPR is taken of the same list, where Peters & Menzies
// draw queries for it; they say nothing of ties. The interval of the score takes the queries for a random sample of
// all.
//
// Reference: Peters 2011, sections 3 and 4.2, figure 4.3 and appendix A.1; F. Peters and T. Menzies, "Privacy and
// utility for defect prediction: experiments with MORPH", ICSE 2012.
package queryattack

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "queryattack",
		Title:     "Query attack",
		Aliases:   []string{"S1 and S2", "random query attack", "IPR", "increased privacy ratio"},
		Summary:   "What an intruder finds by querying for records that match what is known.",
		Paper:     "Peters 2011, sections 2.3 and 4.2; Peters & Menzies 2012",
		Needs:     "an intruder who knows something; paired records to check matches",
		Preserves: "the probability before the release when nothing is changed",
		Missing:   "a person's missing values are not queried; a suppressed value matches nothing, or everything",
		Cost:      "O(q n p/64) for q queries",
	},
	Facts:    measure.Facts{About: measure.Identity, Effort: measure.Fast, Place: 8},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Probability, message.Say("unit.probability")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&Meter{}) },
}

// Choices of the parameters.
const (
	Strict   = "strict"
	Wildcard = "wildcard"
	Bins     = "bins"
	Exact    = "exact"
)

// Meter measures the query attack.
type Meter struct {
	Missing string
	Values  string
	Bins    int
	Queries int
	Tries   int
}

// Params declares the parameters.
func (m *Meter) Params() param.Set {
	return param.Set{
		param.Choice(&m.Missing, "missing", Strict, []string{Strict, Wildcard}, "a suppressed value matches no value, or "+
			"every value"),
		param.Choice(&m.Values, "values", Bins, []string{Bins, Exact}, "how exactly known numbers are compared"),
		param.Int(&m.Bins, "bins", 10, 2, 1000, "bins", "bins of equal frequency in the original, for numbers"),
		param.Int(&m.Queries, "queries", 5000, 1, 10_000_000, "queries", "largest number of queries"),
		param.Int(&m.Tries, "tries", 100, 1, 1_000_000, "queries", "the list is complete after this many queries "+
			"in a row without a new one"),
	}
}

// Measure returns the mean probability of a right find, or of S1 where records are not paired, with a Detail. It fails
// when the intruder knows no column or the original has no values in those.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	if len(view.Known) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoColumn").
			Name("intruder", view.Name))
	}
	a := m.attack(r, view)
	list, err := m.draw(ctx, a, src)
	if err != nil {
		return measure.Value{}, err
	}
	if len(list.queries) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noQuery"))
	}
	finds, err := a.ask(ctx, list)
	if err != nil {
		return measure.Value{}, err
	}
	d := a.detail(list, finds)
	d.Intruder, d.Missing = view.Name, m.Missing
	v := measure.Value{Parts: d.parts(), Detail: d, Notes: d.notes(m)}
	v.Score, v.Lo, v.Hi = confidence.Mean(finds.score(), math.MaxInt)
	v.Lo, v.Hi = max(0, v.Lo), min(1, v.Hi)
	return v, nil
}
