package linkage

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Linkage measures how many people an intruder links to their own released record by comparing what is known
// with what is released: record linkage.
//
// By distance (Domingo-Ferrer & Torra 2001), every person of the original is linked to the nearest released record in
// the space of what the intruder knows (package measure/internal/nearest says how distances are taken); of several
// equally near ones each is taken equally often. By probability (Fellegi & Sunter 1969), the intruder notes in which
// attributes a person and a record agree, learns from the patterns of all pairs, by expectation and maximisation, how
// often those of one person agree and how often others do, and links pairs in the order of their weight, the sum of
// log2(m/u) over agreements and log2((1-m)/(1-u)) over disagreements, as long as it is positive, each record once. The
// score is the share of persons linked to their own record. Lo and Hi are the 95 % interval (Wilson 1927) of the rate
// with which persons like these are linked.
//
// Parts give what guessing would link and, by distance, how often the own record is one of the two nearest; by
// probability, how many persons are linked at all and how many links are right. With oneToOne, links by distance take
// each record once, too: the sum of the squared distances is the least possible for up to the parameter optimal
// records, and above it the nearest pairs are linked first. Links by probability are always so. Released records
// equally likely come in random order.
//
// A distance is blind to values that are released as they are among others that are not: an exact one counts no more
// than a near one. A note names such columns; found looks people up by them.
//
// It needs paired records and what the intruder knows. An attribute in which the originals are all equal counts for
// nothing; where none is left everyone is as near as anyone, and a link is a guess.
//
// Missing values: a value that either record lacks is at the mean distance, and neither agrees nor disagrees. Persons
// who lack the attribute of their block are not linked.
//
// Cost: by distance that of a search for each person, some O(log n) for few attributes: a million records like Adult's
// take 35 times a slices.Sort of as many random float64 when 14 attributes are known, and 16 times it for 6 numeric
// ones; by probability O(pairs p). Above the parameter pairs the persons are a sample, the same for all measures; the
// probabilistic method, to which a pair costs ten times as much, compares a tenth of them. Above 5,000 records it
// compares only those that agree in a block: the columns of the parameter block or, of the known categories that every
// record is released with, those with the fewest pairs. Where the release changes all, there is no block.
//
// Departures: probabilities m start at 0.9, or halfway from u to 1 where that is more, and the share of matching pairs
// never exceeds one record a person. Without that bound what is learned is mostly which attributes go together. It is
// still no match for distances where attributes depend on each other, as the model takes them to be independent.
//
// References: J. Domingo-Ferrer and V. Torra, "A quantitative comparison of disclosure control methods for microdata",
// 2001; I. P. Fellegi and A. B. Sunter, "A theory for record linkage", JASA 64, 1969; M. A. Jaro, "Advances in
// record-linkage methodology", JASA 84, 1989.
var Linkage = measure.Measure{
	Card: card.Card{
		Name:    "linkage",
		Title:   "Record linkage",
		Aliases: []string{"distance-based record linkage", "probabilistic record linkage", "DLD", "PLD"},
		Summary: "How often an intruder links an original record to its released one, by distance or by probabilities " +
			"of agreement.",
		Paper:     "Domingo-Ferrer & Torra 2001; Fellegi & Sunter 1969",
		Needs:     "an intruder; paired records",
		Preserves: "1 when everyone is linked, 1/n for n released records when links are guesses",
		Missing:   "at the mean distance; neither agrees nor disagrees",
		Cost: "a search per person by distance; O(n m p) by probability, inside blocks and sampled above the " +
			"parameter pairs",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Finds:  true,
		Effort: measure.Fast,
		Bounds: map[string]string{"pairs": "3000000"},
		Place:  4,
		Record: measure.Entry{Place: 2, Says: message.Say("riskOf.linkage")},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.ofPersons")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&LinkageMeter{}) },
}

// The methods.
const (
	Distance      = "distance"
	Probabilistic = "probabilistic"
)

// What is looked for.
const (
	Persons = "persons" // each person among the released records
	Records = "records" // each released record among the originals
)

// LinkageMeter measures record linkage.
type LinkageMeter struct {
	Method    string
	LookFor   string
	OneToOne  bool
	Optimal   int
	Tolerance float64
	Block     []string
	Pairs     int
}

// Params declares the parameters.
func (m *LinkageMeter) Params() param.Set {
	return param.Set{
		param.Choice(&m.Method, "method", Distance, []string{Distance, Probabilistic}, "link by distance, or by "+
			"probabilities of agreement"),
		param.Choice(&m.LookFor, "lookFor", Persons, []string{Persons, Records},
			"by distance: search for each person among the released records, or for each released record among the originals"),
		param.Bool(&m.OneToOne, "oneToOne", false, "link each record once; always so by probability"),
		param.Int(&m.Optimal, "optimal", 2000, 1, 20_000, "records",
			"one to one by distance: up to this many, the least sum of squared distances; above, nearest first"),
		param.Float(&m.Tolerance, "tolerance", 0.1, 0, 100, "standard deviations", "by probability: numbers this "+
			"close agree"),
		param.Names(&m.Block, "block",
			"by probability: compare only records that agree in these columns; none: above 5,000 records, an "+
				"unchanged column is chosen"),
		param.Int(&m.Pairs, "pairs", 1_000_000_000, 1, math.MaxInt, "pairs of records",
			"compare up to this many pairs, a tenth of it by probability; above it a sample of people"),
	}
}

// Measure returns the share of persons linked to their own record with a LinkageDetail. It fails when records are not
// paired, when there are none, and when a block is not known exactly.
func (m *LinkageMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := r.CheckPaired(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	n := r.Original.Rows()
	if n == 0 {
		return measure.Value{}, errors.New("the original table has no records")
	}
	d := LinkageDetail{
		Intruder:  view.Name,
		Method:    m.Method,
		Originals: n,
		OneToOne:  m.OneToOne || m.Method == Probabilistic,
	}
	order := r.Original.Order(src)
	if m.Method == Probabilistic {
		err = m.probabilistic(ctx, r, view.Known, order, &d)
	} else {
		err = m.distance(ctx, r, view.Known, order, &d)
	}
	if err != nil {
		return measure.Value{}, err
	}
	return d.value(), nil
}

func (m *LinkageMeter) distance(
	ctx context.Context,
	r *measure.Release,
	known []intruder.Known,
	order []int,
	d *LinkageDetail,
) error {
	o := nearest.Distance{
		Release:  r,
		Pairs:    m.Pairs,
		Reverse:  m.LookFor == Records,
		OneToOne: m.OneToOne,
		Optimal:  m.Optimal,
	}
	l, err := o.Link(ctx, r.Original, r.Released, known, order)
	if err != nil {
		return err
	}
	d.Rows, d.Risk, d.Tried, d.People = l.Rows, l.First, l.Tried, l.People
	d.Share, _, _ = confidence.Mean(l.Most(l.First), l.Tried)
	d.Attributes = names(r.Original, l.Axes)
	d.Intact = intact(r, l.Axes)
	if l.Second != nil {
		second, _, _ := confidence.Mean(l.Second, len(l.Second))
		d.Second = &second
	}
	return nil
}

func (m *LinkageMeter) probabilistic(
	ctx context.Context,
	r *measure.Release,
	known []intruder.Known,
	order []int,
	d *LinkageDetail,
) error {
	o := nearest.Probabilistic{Tolerance: m.Tolerance, Block: m.Block, Pairs: max(1, m.Pairs/10)}
	l, err := o.Match(ctx, r.Original, r.Released, known, order)
	if err != nil {
		return err
	}
	of, people := r.People()
	if d.Rows, d.Risk, d.Tried, d.People = l.Rows, l.Own, len(l.Rows), r.Original.Rows(); of != nil {
		d.Notes = append(d.Notes, message.Say("measure.linkage.note.oneByOne").Count("records", d.Tried).
			Count("people", people))
	}
	linked, right := 0.0, 0.0
	for i, to := range l.Link {
		if to >= 0 {
			linked++
		}
		if to == l.Rows[i] || to >= 0 && of != nil && of[to] == of[l.Rows[i]] {
			right++
		}
	}
	d.Share = right / float64(len(l.Rows))
	d.Attributes, d.Block, d.Apart = names(r.Original, l.Axes), l.Block, l.Apart
	d.Law = &Law{
		Pairs:    l.Pairs,
		Linked:   linked / float64(len(l.Rows)),
		Matching: l.Model.Pi,
		M:        l.Model.M[:len(l.Axes)],
		U:        l.Model.U[:len(l.Axes)],
	}
	if linked > 0 {
		d.Law.Right = right / linked
	}
	return nil
}

// intact returns the columns that are released as they are, where others are not: by distance an exact value counts no
// more than a near one.
func intact(r *measure.Release, columns []int) []string {
	var out []string
	for _, j := range columns {
		was, is := r.Original.Column(j), r.Released.Column(j)
		if was.Differ(&is) == 0 {
			out = append(out, was.Name)
		}
	}
	if len(out) == len(columns) {
		return nil
	}
	return out
}

func names(t *table.Table, cols []int) []string {
	out := []string{}
	for _, j := range cols {
		out = append(out, t.Attr(j).Name)
	}
	return out
}
