package valuedisclosure

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/proximity"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// IntervalDisclosure measures how often an original number lies close to the released one of the same person
// (Domingo-Ferrer & Torra 2001): an intruder who finds the record learns the approximate value.
//
// By rank (variant=rank): the released values of an attribute are ranked, and around each an interval of w % of them is
// laid, half of it on either side in rank. The value is disclosed at w when the original one lies in the interval. The
// score is the share of disclosed values, averaged over w = 1 ... width per cent and over the attributes; beside it
// stands what records paired at random would give. By standard deviation (variant=sd): the value is disclosed when it
// lies within k standard deviations of the released values from the released one; a person is disclosed when that is so
// in all attributes, and the score is the share of disclosed persons.
//
// It needs paired records and numeric attributes: those that the intruder wants to learn; where none of them is
// numeric, all that the release changes; where it changes none, all numeric ones. Identifiers and weights are left out.
// Released as they are, all values are disclosed: 1. Values that have nothing to do with the original ones are
// disclosed by chance alone.
//
// Missing values: an original value that is missing cannot be disclosed and does not count; an original value whose
// released one is missing is not disclosed. Ranks and deviations are among the released values that are there. Equal
// released values share their middle rank, so the interval around a value that more than w % of the records share is
// that value alone. In a column that is released constant only the value itself is disclosed.
//
// Cost: O(n log n) per attribute, on all cores.
//
// Departures: none from the description; the interval's limits are released values, and the half of a width that is not
// a whole rank is rounded down.
//
// Reference: J. Domingo-Ferrer and V. Torra, "A quantitative comparison of disclosure control methods for microdata",
// in Confidentiality, Disclosure and Data Access, 2001.
var IntervalDisclosure = measure.Measure{
	Card: card.Card{
		Name:      "intervaldisclosure",
		Title:     "Interval disclosure",
		Aliases:   []string{"ID", "rank interval disclosure", "standard deviation interval disclosure"},
		Summary:   "How often an original number lies close to the released one.",
		Paper:     "Domingo-Ferrer & Torra 2001",
		Needs:     "paired records; numeric attributes",
		Preserves: "1 when numbers are released unchanged",
		Missing:   "a missing original value is not counted; a missing released one discloses nothing",
		Cost:      "O(n log n) per attribute",
	},
	Facts:    measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Fast, Place: 5},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.ofValues")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&IntervalDisclosureMeter{}) },
}

// The variants.
const (
	Rank      = "rank"
	Deviation = "sd"
)

// IntervalDisclosureMeter measures interval disclosure.
type IntervalDisclosureMeter struct {
	Variant string
	Width   int     // widest interval, in per cent of the records
	K       float64 // in standard deviations of the released values
}

// Params declares the parameters.
func (m *IntervalDisclosureMeter) Params() param.Set {
	return param.Set{
		param.Choice(&m.Variant, "variant", Rank, []string{Rank, Deviation},
			"intervals of ranks, averaged over widths and attributes, or of standard deviations, in all attributes at once"),
		param.Int(&m.Width, "width", 10, 1, 100, "% of the records", "widest interval of ranks; the average is "+
			"over all whole widths from 1"),
		param.Float(&m.K, "k", 0.05, 0, 100, "standard deviations", "half the interval width in the variant sd"),
	}
}

// Measure returns the share of disclosed values, by rank, or persons, by standard deviation, with an
// IntervalDisclosureDetail. It fails when records are not paired, or no record has a value in a numeric column that is
// neither identifier nor weight.
func (m *IntervalDisclosureMeter) Measure(
	ctx context.Context,
	r *measure.Release,
	_ rng.Source,
) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	columns, how := disclosureWanted(r, view.Secret)
	if len(columns) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noDisclosure"))
	}
	d, err := m.disclose(ctx, r, columns)
	if err != nil {
		return measure.Value{}, err
	}
	d.Intruder, d.Variant = view.Name, m.Variant
	v := measure.Exact(d.Disclosed, d.parts(), how)
	v.Detail = *d
	return v, nil
}

// disclosureWanted returns the numeric columns that are judged and says why these.
func disclosureWanted(r *measure.Release, secret []int) (columns []int, how message.Sentence) {
	var numeric, changed []int
	for j := range r.Original.Width() {
		if a := r.Original.Attr(j); a.Kind == table.Numeric && a.Role&(table.Identifier|table.Weight) == 0 {
			numeric = append(numeric, j)
		}
	}
	secret = slices.DeleteFunc(slices.Clone(secret), func(j int) bool { return !slices.Contains(numeric, j) })
	if len(secret) > 0 {
		return secret, message.Say("measure.intervaldisclosure.note.secret")
	}
	for _, j := range numeric {
		if proximity.Changed(r.Original.Column(j), r.Released.Column(j)) {
			changed = append(changed, j)
		}
	}
	if len(changed) > 0 {
		return changed, message.Say("measure.intervaldisclosure.note.changed")
	}
	return numeric, message.Say("measure.intervaldisclosure.note.all")
}

// disclose judges every value of the columns; those without an original value are left out.
func (m *IntervalDisclosureMeter) disclose(
	ctx context.Context,
	r *measure.Release,
	columns []int,
) (*IntervalDisclosureDetail, error) {
	judged := make([]*IntervalDisclosureColumn, len(columns))
	values := make([][]float64, len(columns)) // by column and record: share of the widths, or 0 or 1
	err := parallel.Each(ctx, len(columns), func(k int) error {
		x, y := r.Original.Num(columns[k]), r.Released.Num(columns[k])
		judged[k], values[k] = m.column(x, y)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := &IntervalDisclosureDetail{}
	for k, j := range columns {
		if judged[k] == nil {
			values[k] = nil
			continue
		}
		judged[k].Name = r.Original.Attr(j).Name
		d.Columns = append(d.Columns, *judged[k])
	}
	if len(d.Columns) == 0 {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noneDisclosed"))
	}
	d.summarise(slices.DeleteFunc(values, func(v []float64) bool { return v == nil }), m.Variant, r.Original.Rows())
	return d, nil
}

// column judges one attribute; nil when it has no original value.
func (m *IntervalDisclosureMeter) column(x, y []float64) (*IntervalDisclosureColumn, []float64) {
	if !slices.ContainsFunc(x, func(v float64) bool { return v == v }) {
		return nil, nil
	}
	if m.Variant == Deviation {
		near := proximity.Deviations(x, y, m.K)
		return &IntervalDisclosureColumn{Disclosed: share(near)}, near
	}
	ranks := proximity.RankColumn(x, y)
	c := &IntervalDisclosureColumn{}
	for w := 1; w <= m.Width; w++ {
		c.ByWidth = append(c.ByWidth, ranks.Share(w))
		c.Chance += ranks.Chance(w)
	}
	c.Chance /= float64(m.Width)
	shares := make([]float64, len(x))
	for i, w := range ranks.Narrowest {
		shares[i] = max(0, float64(m.Width)-w+1) / float64(m.Width)
	}
	c.Disclosed = share(shares)
	return c, shares
}

// share returns the mean of the values that are there.
func share(values []float64) float64 {
	var sum exact.Sum
	n := sum.AddKnown(values)
	return sum.Mean(n)
}

// parts lists the columns and, by rank, the narrowest and the widest interval.
func (d *IntervalDisclosureDetail) parts() []measure.Part {
	var parts []measure.Part
	for _, c := range d.Columns {
		parts = append(parts, measure.Part{Key: measure.OfColumn, Of: c.Name, Name: message.Name(c.Name), Score: c.Disclosed})
	}
	if d.Variant == Deviation {
		return append(parts,
			measure.Part{Key: "values", Name: message.Say("measure.intervaldisclosure.part.values"), Score: d.Values})
	}
	widest := len(d.Columns[0].ByWidth)
	return append(
		parts,
		measure.Part{Key: "chance", Name: message.Say("measure.intervaldisclosure.part.chance"), Score: d.Chance},
		measure.Part{Key: "narrowest", Name: message.Say("measure.intervaldisclosure.part.narrowest"), Score: d.at(1)},
		measure.Part{
			Key:   "widest",
			Name:  message.Say("measure.intervaldisclosure.part.widest").Count("n", widest),
			Score: d.at(widest),
		},
	)
}
