package uncertainty

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// SERS measures how uncertain an intruder is about which released record is a given person's (Fletcher & Islam
// 2015, section 6, eq. 6-8: Security Evaluation using Record Similarity).
//
// The distance of an original and a released record is the mean over the attributes of |x-y|/domain for numbers and of
// 0 (equal) or 1 for categories; their similarity is 1 minus the distance. An original record's similarities to all
// released records, divided by their sum, are taken for the probabilities that each of them is the person. The score is
// the mean over the original records of the entropy of these probabilities, in bits; it is at most log2 n for n
// released records.
//
// It hardly discriminates: the similarities of unrelated records are far from 0, so the score lies just below log2 n
// for any release, the unprotected original included. Every value says so and has log2 n and the score of the original
// against itself beside it; read the differences, and use a linkage or entropy measure of the intruder's real knowledge
// for a verdict.
//
// Missing values: an attribute that either record lacks is left out of their distance, which is then the mean over the
// others (Gower 1971); records with nothing to compare have similarity 1, for the intruder cannot tell them apart.
//
// The domain of an attribute is the declared one, else that of the original. A distance beyond it counts as 1. An
// original record with no similarity to any released one has entropy log2 n.
//
// Cost: O(n m p) for n original and m released records and p attributes, on all cores; O((n+m) p) memory. Above the
// number of pairs that the parameter pairs allows, as many original records as it has room for, but at least 100, are
// drawn without replacement and Lo and Hi are the ends of the 95 % interval of the mean (normal law, with the
// correction for a finite population). The original against itself is measured on at most 1,000 of these records.
// Logarithms have an error below 6e-12 bits.
//
// Departures: sums start at 1; the domain size is max - min and distances are clamped to it, so that no similarity is
// negative.
//
// Reference: S. Fletcher and M. Z. Islam, "An anonymization technique using intersected decision trees", Journal of
// King Saud University - Computer and Information Sciences, 2015.
var SERS = measure.Measure{
	Card: card.Card{
		Name:    "sers",
		Title:   "Security evaluation using record similarity",
		Short:   "SERS",
		Aliases: []string{"SERS", "record similarity entropy"},
		Summary: "How uncertain an intruder is about which released record is the right one: mean entropy of the " +
			"record's similarities to all.",
		Paper:   "Fletcher & Islam 2015, section 6, eq. 6-8",
		Needs:   "any attributes; records need not be paired",
		Biases:  "hardly discriminates: it is just below log2 n for any release, including the unprotected original",
		Missing: "attributes missing in either record are omitted from the distance",
		Cost:    "O(n m p) for n original and m released records and p attributes; sampled above the parameter pairs",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Counts: measure.Records,
		Effort: measure.Fast,
		Bounds: map[string]string{"pairs": "10000000"},
	},
	Side:   measure.Risk,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 64},
	Unit:   measure.In(measure.Bits, message.Say("unit.bits")),
	New:    func() measure.Meter { return param.Default(&SERSMeter{}) },
}

const (
	leastSample = 100 // original records that a sample has at least

	// The original is compared with itself on as many records as these pairs have room for.
	referencePairs = 20_000_000
	mostReference  = 1000
)

// SERSMeter measures SERS.
type SERSMeter struct {
	Pairs int // pairs of records above which original records are sampled
}

// Params declares the parameters.
func (m *SERSMeter) Params() param.Set {
	return param.Set{param.Int(&m.Pairs, "pairs", 100_000_000, 1, math.MaxInt, "pairs of records",
		"compare all pairs up to this number; above it a sample of original records with all released ones")}
}

// Measure returns the mean entropy in bits, its largest possible value and the score of the original against itself as
// parts, and a SERSDetail. It fails when a table has no records or there is no attribute to compare.
func (m *SERSMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 || r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("a table has no records to compare")
	}
	// One order serves both samples.
	order := r.Original.Order(src)
	rows := order[:min(len(order), max(leastSample, m.Pairs/r.Released.Rows()))]
	entropies, err := Entropies(ctx, r.Original, r.Released, sorted(rows))
	if err != nil {
		return measure.Value{}, err
	}
	// Against itself a few records suffice: their entropies hardly vary.
	few := min(len(rows), mostReference, max(leastSample, referencePairs/r.Original.Rows()))
	itself, err := Entropies(ctx, r.Original, r.Original, sorted(order[:few]))
	if err != nil {
		return measure.Value{}, err
	}
	d := detail(entropies, r.Original.Rows(), r.Released.Rows())
	d.Itself = exact.Mean(itself)
	half := 0.0
	if d.Compared < d.Records {
		half = float64(confidence.Z * d.SD * math.Sqrt((1-float64(d.Compared)/float64(d.Records))/float64(d.Compared)))
	}
	v := measure.Value{Score: d.Mean, Lo: max(0, d.Mean-half), Hi: min(d.Largest, d.Mean+half), Detail: d}
	v.Hi = max(v.Hi, v.Score)
	v.Parts = []measure.Part{
		{Key: "most-possible", Name: message.Say("measure.sers.part.most-possible"), Score: d.Largest},
		{Key: "before", Name: message.Say("measure.sers.part.before"), Score: d.Itself},
		{Key: "lowest", Name: message.Say("measure.sers.part.lowest"), Score: d.Lowest},
	}
	v.Notes = []message.Sentence{message.Say("measure.sers.note.hardly").Count("records", r.Released.Rows()).
		Digits("largest", d.Largest, 5).Digits("itself", d.Itself, 5)}
	if half > 0 {
		v.Notes = append(v.Notes,
			message.Say("measure.sers.note.sample").Count("tried", d.Compared).Count("records", d.Records))
	}
	return v, nil
}

func sorted(rows []int) []int {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return rows
}
