// Package segments certifies that every released record is still inside its original segment (Islam 2007, sections 5
// and 7.1; Fletcher & Islam 2015, section 3).
//
// A forest segments the records: the tree or trees the release was made by, when its plan is given, else a C4.5 tree
// grown on the original. A record has stayed when every tree sends its original and its released values to the same
// leaf. The score is the share of the records that stayed; 1 is the certificate that the rules of all trees hold in the
// release as they did in the original, with the same records under each. The segments counted are those that hold
// original records. Parts count the values off their attribute's grid, outside its domain, and missing in one of the
// tables only (lost or invented), and the Detail says which attributes take records out: an attribute counts for every
// record that its released value alone, put in the place of the original one, takes out, so a record may count for
// several.
//
// Missing values: a record whose tested value is missing follows the heaviest branch, in both tables. So a missing
// value that stays missing keeps its record; a suppressed value may take it out, and is lost in any case. Missing
// values are neither off grid nor outside.
//
// Domains and grids are those of the original's attributes (of the segmentation's, when one is given).
//
// Cost: O(n (f depth + p)) for n records, p attributes and f trees, on all cores, and O(f depth) per tested attribute
// for each record that left; growing a tree when no segmentation is given.
//
// Departure: Islam 2007 argues that the techniques keep records in their leaves and does not measure it; CAPT as
// printed does not.
package segments

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "segments",
		Title:     "Segment certificate",
		Aliases:   []string{"certificate"},
		Summary:   "Share of records still inside their original segment; 1 is a certificate.",
		Paper:     "Islam 2007, sections 5 and 7.1; Fletcher & Islam 2015, section 3",
		Needs:     "paired tables; the plan's segmentation, or a categorical class to grow one for",
		Preserves: "at 1, the rules of the segmenting trees cover the same records in both tables",
		Missing:   "a missing tested value follows the heaviest branch, in both tables",
		Cost:      "O(records × (trees × depth + columns))",
		Shards:    measure.FromCounts + ", by the plan's segments",
	},
	Facts: measure.Facts{
		About:       measure.Worth,
		Effort:      measure.Fast,
		Figure:      measure.Entry{Place: 1, Says: message.Say("headFigure.segments")},
		Certificate: true,
	},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
	AsMade: true,
	New:    func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures the certificate. Its parameters are those of the tree builder, which serves when no segmentation is
// given.
type Meter struct{ trees.Learner }

// Measure returns the share of the records that stayed, with the counts as parts and a Detail. It fails when the tables
// are not paired or hold no records.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.CheckPaired(); err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 {
		return measure.Value{}, errors.New("the tables have no records")
	}
	by := r.Segments
	var notes []message.Sentence
	if by == nil && r.Original.Space() != nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.segmentsInMemory"))
	}
	if by == nil {
		t, err := trees.Original(ctx, r, m.Learner)
		if err != nil {
			return measure.Value{}, err
		}
		by = tree.One(t)
		notes = append(notes, message.Say("measure.segments.note.noPlan"))
	}
	d, err := Certify(ctx, by, r.Original, r.Released)
	if err != nil {
		return measure.Value{}, err
	}
	v := measure.Exact(float64(d.Stayed)/float64(d.Records), []measure.Part{
		{Key: "segments", Name: message.Say("measure.segments.part.segments"), Score: float64(d.Segments)},
		{Key: "left", Name: message.Say("measure.segments.part.left"), Score: float64(d.Records - d.Stayed)},
		{Key: "off-grid", Name: message.Say("measure.segments.part.off-grid"), Score: float64(d.OffGrid)},
		{Key: "outside", Name: message.Say("measure.segments.part.outside"), Score: float64(d.Outside)},
		{Key: "missing", Name: message.Say("measure.segments.part.missing"), Score: float64(d.Missing)},
	}, notes...)
	for _, name := range slices.Sorted(maps.Keys(d.LeftBy)) {
		v.Parts = append(
			v.Parts,
			measure.Part{
				Key:   "taken-out",
				Of:    name,
				Name:  message.Say("measure.segments.part.taken-out").Name("column", name),
				Score: float64(d.LeftBy[name]),
			},
		)
	}
	v.Detail = d
	return v, nil
}

// Certify compares the segments of the original and the released records, row by row: by a forest, every tree must send
// both to the same leaf; by another segmentation, the released values must lie inside the original's segment. Both
// tables must have the columns of the segmentation's schema, in any order. A released category that the schema does not
// have is outside its domain and follows the heaviest branch. It fails when the tables do not have the columns, the
// original has other categories, the trees have more than 2^63 tuples of leaves, or the context ends.
func Certify(ctx context.Context, by segment.Segmentation, original, released *table.Table) (Detail, error) {
	before, err := original.Conform(by.Attrs(), false)
	if err != nil {
		return Detail{}, fmt.Errorf("the original does not fit the segmentation: %w", err)
	}
	after, err := released.Conform(by.Attrs(), true)
	if err != nil {
		return Detail{}, fmt.Errorf("the release does not fit the segmentation: %w", err)
	}
	if f, ok := by.(*tree.Forest); ok {
		return certify(ctx, f, before, after)
	}
	return contained(ctx, by, before, after, released)
}
