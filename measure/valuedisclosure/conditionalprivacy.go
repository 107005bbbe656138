package valuedisclosure

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ConditionalPrivacy measures how much of the privacy of single values a release removes (Agrawal & Aggarwal
// 2001; Nai Fovino & Masera 2008, section 3.2).
//
// For an attribute with original values X and released values Y, the privacy Pi(X) = 2^h(X) is the width of the
// interval, or the number of equally likely categories, on which a uniform value is as uncertain as X; Pi(X|Y) =
// 2^h(X|Y) is what is left of it for anyone who sees Y and knows the distributions of values and noise; the privacy
// loss is 1 - 2^-I(X;Y), 0 when Y says nothing. The score is the largest loss among the attributes that are
// confidential or the class and those that the release changes or, when there is none of either, among all: the
// attribute that gives most away. Others may be released as they are, and only their number is told. Parts give the
// loss, both privacies and the interval privacy of Agrawal & Srikant 2000: the width of the central interval of the
// noise x - y that holds 50, 95 and 99.9 % of it.
//
// The joint law of X and Y comes from the plan where it states the law of its noise (noisemodel.Lawful): exact for the
// original's values, inside the segments that the plan has, however the noise fell. Otherwise it is counted from the
// pairs, where records are paired: X and Y are put into cells of equal frequency, n^0.4 of them unless the parameter
// cells says otherwise, the information is corrected for the number of cells (Miller 1955), and Lo and Hi are its 95 %
// interval. Information inside a cell is not seen, so of noise that is narrower than the cells the loss is understated;
// and where many pairs of cells are rare the correction leaves some hundredths of a bit. A column that is released as
// it is tells all there is: its loss is 1.
//
// Of a number to which the plan adds normal noise the Detail has the closed form besides: both privacies, the loss and
// the intervals of a normal attribute with that noise, which is what the technique promises; the loss of the values as
// they are is the figure above.
//
// It is the same for every intruder: the plan's law is taken to be known to all, as the technique is published, and a
// note says so.
//
// It looks at attributes one by one: what others tell of a value (correlations, the segment) is not in it. Identifiers
// and weights are left out, and attributes whose values are all equal, of which there is nothing to learn.
//
// Cost: O(n log n) per attribute and, by the plan's law, at most 8,192 values times 256 released ones, or all of a
// domain of 1,024; on all cores.
//
// Departures: of an attribute released as it is nothing is left, so the loss is 1, where 1 - 2^-I would be 1/2 for two
// equally likely categories. Loss and privacies are of the discretised attribute. The law of a continuous attribute, or
// one of more than 1,024 values, is taken at 256 released values and not used where these are too far apart for it.
//
// References: D. Agrawal and C. C. Aggarwal, "On the design and quantification of privacy preserving data mining
// algorithms", PODS 2001; R. Agrawal and R. Srikant, "Privacy-preserving data mining", SIGMOD 2000; Nai Fovino & Masera
// 2008, eq. 3.1 to 3.3.
var ConditionalPrivacy = measure.Measure{
	Card: card.Card{
		Name:    "conditionalprivacy",
		Title:   "Conditional privacy",
		Aliases: []string{"privacy loss", "interval privacy", "entropy privacy"},
		Summary: "How much of the privacy of single values a release removes, in the most revealing changed or " +
			"confidential attribute.",
		Paper: "Agrawal & Aggarwal 2001; Nai Fovino & Masera 2008, eq. 3.3; Agrawal & Srikant 2000",
		Needs: "the plan, or paired records",
		Preserves: "0 when released values reveal nothing about the original ones, 1 when a confidential one is " +
			"released unchanged",
		Missing: "records without an original value are omitted; suppressed is a separate released value",
		Cost:    "O(n log n) per attribute",
	},
	Facts:  measure.Facts{About: measure.Secret, Counts: measure.Records, Effort: measure.Slow, Place: 6},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofPrivacy")),
	AsMade: true,
	New:    func() measure.Meter { return param.Default(&ConditionalPrivacyMeter{}) },
}

// ConditionalPrivacyMeter measures conditional privacy.
type ConditionalPrivacyMeter struct {
	Cells int
}

// Params declares the parameters.
func (m *ConditionalPrivacyMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.Cells, "cells", 0, 0, 1000, "cells", "cells of equal frequency for the pairs of an attribute; "+
			"0: n^0.4 for n records, from 2 to 100"),
	}
}

// Measure returns the largest privacy loss with a ConditionalPrivacyDetail. It fails when no attribute varies, or no
// law is known and records are not paired.
func (m *ConditionalPrivacyMeter) Measure(
	ctx context.Context,
	r *measure.Release,
	_ rng.Source,
) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	judged, constant := judge(r)
	if len(judged) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.constant"))
	}
	s, err := newStudy(r, m.Cells)
	if err != nil {
		return measure.Value{}, err
	}
	columns := make([]*column, len(judged))
	if err := parallel.Each(ctx, len(judged),
		func(k int) error { columns[k] = s.column(judged[k]); return nil }); err != nil {
		return measure.Value{}, err
	}
	columns = slices.DeleteFunc(columns, func(c *column) bool { return c == nil })
	if len(columns) == 0 {
		return measure.Value{}, errors.New("no plan states the noise model and the tables are not paired, so the " +
			"meaning of released values is unknown")
	}
	d := detail(columns, r.Original.Rows())
	worst := d.Columns[d.worst()]
	v := measure.Value{Score: worst.Loss, Lo: worst.Lo, Hi: worst.Hi, Parts: d.parts(), Detail: d}
	v.Notes = append(v.Notes, message.Say("measure.conditionalprivacy.note.worst").Name("column", worst.Name))
	if d.from(FromLaw) > 0 {
		v.Notes = append(v.Notes, message.Say("measure.conditionalprivacy.note.known"))
	}
	for _, n := range []struct {
		attributes int
		note       string
	}{{d.from(FromNothing), "untouched"}, {d.from(FromPairs), "pairs"}, {constant, "constant"},
		{len(judged) - len(columns), "silent"}} {
		if n.attributes > 0 {
			v.Notes = append(v.Notes, message.Say("measure.conditionalprivacy.note."+n.note).Count("n", n.attributes))
		}
	}
	return v, nil
}

// judge returns the columns of numbers and categories with different values but identifiers and weights, and how many
// have none.
func judge(r *measure.Release) (columns []int, constant int) {
	for j := range r.Original.Width() {
		if a := r.Original.Attr(j); !a.Kind.Scalar() || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		if varies(r.Original.Column(j)) {
			columns = append(columns, j)
		} else {
			constant++
		}
	}
	return columns, constant
}

// varies reports whether a column has two different values.
func varies(c table.Column) bool {
	first := -1
	for i := range c.Len() {
		switch {
		case c.MissingAt(i):
		case first < 0:
			first = i
		case !c.Same(first, &c, i):
			return true
		}
	}
	return false
}
