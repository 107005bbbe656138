package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Reidentification measures how uncertain an intruder is about which released record is a given person's: the
// entropy H^RI of Islam 2007, section 8.1.
//
// For every original record, the target, it works out the probability of each released record being the target's, from
// what the intruder knows of the target and the law of the noise (package posterior); the entropy of these
// probabilities is 0 when one record is certain and log2 n when all n are equally likely. Of an outsider it is the
// entropy given that the target is in the file. The score is the mean over the targets, in bits. Parts give the
// standard deviation, the share of targets below the threshold (the paper's T, with the threshold its H_t) and, where
// records are paired, the share of targets whose own record is the likeliest and the mean probability of the own
// record. A note says whether at most the share v of the people are below it: whether that share, of a sample the upper
// end of its 95 % interval, is at most v, and some record fits every target.
//
// It needs what the intruder knows; the class, if there is one, guides the segments. With a plan the law of its noise
// is used, wrap-around included; without one, or where a technique has no law for single values, normal noise and
// exchanges as the pairs show them stand for it, and the value says so. Records are paired in that case.
//
// Missing values: what the target does not have the intruder does not know; a released record that misses what the
// target has cannot be the target's unless the technique suppresses values.
//
// Cost: at most 1 ns for every target, different released record and known attribute, on all cores; above the parameter
// pairs the targets are a sample and Lo and Hi the 95 % interval.
//
// Departures: section 8.1 takes P(X to Y) for the product of the probabilities of the differences and so ignores the
// wrap-around; here all pre-images count. Where no record fits the sub-domains of the target's leaf in the released
// tree, whole domains are used.
//
// Reference: Islam 2007, section 8.1.
var Reidentification = measure.Measure{
	Card: card.Card{
		Name:    "reidentification",
		Title:   "Re-identification entropy",
		Short:   "Re-identification",
		Aliases: []string{"H_RI", "entropy based disclosure risk"},
		Summary: "How uncertain an intruder is about which released record is the right one, given what is known and " +
			"the noise model.",
		Paper:     "Islam 2007, section 8.1",
		Needs:     "an intruder; the plan, or paired records",
		Preserves: "0 when everyone is identified with certainty, log2 of the number of records when nothing is learned",
		Missing:   "missing values are not known to the intruder",
		Cost:      "O(n m p) for n targets, m released records and p known attributes; sampled above the parameter pairs",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Effort: measure.Fast,
		Bounds: map[string]string{"pairs": "5000000"},
		Place:  1,
		Record: measure.Entry{Place: 1, Says: message.Say("riskOf.reidentification")},
	},
	Side:     measure.Risk,
	Better:   measure.Higher,
	Range:    table.Interval{Lo: 0, Hi: 64},
	Unit:     measure.In(measure.Bits, message.Say("unit.bits")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&ReidentificationMeter{}) },
}

// ReidentificationMeter measures the entropy of re-identification.
type ReidentificationMeter struct {
	posterior.Options
	posterior.Rule
}

// Params declares the parameters.
func (m *ReidentificationMeter) Params() param.Set {
	return append(m.Rule.Params(2.45), m.Options.Params()...)
}

// ReidentificationDetail is the entropy of every target.
type ReidentificationDetail struct {
	Intruder string           `json:"intruder"`
	How      message.Sentence `json:"how"` // where the law of the noise comes from
	Rows     []int            `json:"-"`   // of the targets in the original, of some people several
	H        []float64        `json:"-"`   // in bits, by target
	Best     []float64        `json:"-"`   // probability of the likeliest record, by target
	Own      []float64        `json:"-"`   // probability of the own record, by target; NaN when not known
	hit      []float64        // credit for taking the likeliest record, by target; NaN when not known
	posterior.Summary
	// probability that the intruder gives to a person's not being in the file
	Outside   float64            `json:"outside"`
	Released  int                `json:"released"`  // records, or the people whose they are where some have several
	Originals int                `json:"originals"` // records
	Of        string             `json:"-"`         // what Released counts: records or people
	Suspects  posterior.Suspects `json:"-"`         // of the person at the highest risk
	Found     *float64           `json:"found"`     // share of targets whose own record is the likeliest, ties shared out
	OwnMean   *float64           `json:"ownMean"`   // mean probability of the own record
}

// Measure returns the mean entropy in bits with a Detail. It fails when the tables have no records or nothing tells the
// law of the noise.
func (m *ReidentificationMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	s, err := posterior.Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	if len(s.Rows) == 0 {
		return measure.Value{}, errors.New("the original table has no records")
	}
	h := s.Least(s.H)
	d := ReidentificationDetail{
		Intruder:  view.Name,
		How:       s.How,
		Rows:      s.Rows,
		H:         s.H,
		Best:      s.Best,
		Own:       s.Own,
		hit:       s.Hit,
		Summary:   m.Judge(s, h, s.People),
		Suspects:  s.Riskiest,
		Outside:   s.Outside,
		Released:  s.Records,
		Originals: r.Original.Rows(),
		Of:        "records",
	}
	if s.Person != nil && r.Paired {
		d.Of = "people"
	}
	v := d.Value(h, s.People)
	v.Parts = append(
		v.Parts,
		measure.Part{
			Key:   "most-possible",
			Name:  message.Say("measure.reidentification.part.most-possible").Part("of", message.Say("measure.who."+d.Of)),
			Score: portable.Log2(float64(s.Records)),
		},
	)
	if r.Paired {
		found, _, _ := confidence.Mean(s.Most(s.Hit), s.Tried)
		own, _, _ := confidence.Mean(s.Most(s.Own), s.Tried)
		d.Found, d.OwnMean = &found, &own
		v.Parts = append(v.Parts,
			measure.Part{Key: "likeliest", Name: message.Say("measure.reidentification.part.likeliest"), Score: found},
			measure.Part{Key: "own", Name: message.Say("measure.reidentification.part.own"), Score: own})
	}
	v.Notes = append(append(v.Notes, message.Say("measure.note.by").Part("how", s.How)), s.Notes...)
	v.Detail = d
	return v, nil
}

// Suspected returns for every released record how likely the intruder finds it to be that of the person in a row of the
// original (figure 8.1). The probabilities sum to that of the person's being in the file. It fails as Measure does.
// Cost: that of Measure for one person.
func (m *ReidentificationMeter) Suspected(ctx context.Context, r *measure.Release, row int) ([]float64, error) {
	view, err := r.View()
	if err != nil {
		return nil, err
	}
	if row < 0 || row >= r.Original.Rows() {
		return nil, fmt.Errorf("the original table has no row %d; expected 0 to %d", row, r.Original.Rows()-1)
	}
	matcher, err := posterior.NewMatcher(ctx, r, view, m.Options)
	if err != nil {
		return nil, err
	}
	out := make([]float64, r.Released.Rows())
	err = matcher.Each(ctx, []int{row}, func(_ int, b *posterior.Belief) { b.Records(out) })
	return out, err
}

// Records returns for every original record how likely the intruder finds its own released record; where records are
// not paired, how likely the likeliest one is. NaN where it was not judged.
func (d ReidentificationDetail) Records() []float64 {
	if d.Found == nil {
		return posterior.ByRow(d.Originals, d.Rows, d.Best)
	}
	return posterior.ByRow(d.Originals, d.Rows, d.Own)
}

// Hits returns for every original record how often taking the likeliest released record is right; NaN where it was not
// tried, or where records are not paired.
func (d ReidentificationDetail) Hits() []float64 {
	if len(d.hit) != len(d.Rows) {
		return nil
	}
	return posterior.ByRow(d.Originals, d.Rows, d.hit)
}

// Believed returns the row of the person at the highest risk in the original, from 0, the probabilities of the
// likeliest released records, falling, and the place of the person's own among these, -1 when it is not (figure 8.1).
func (d ReidentificationDetail) Believed() (row int, p []float64, own int) {
	return d.Suspects.Row, d.Suspects.P, d.Suspects.Own
}

// NotInFile returns the probability that the intruder gives to a person's not being in the file.
func (d ReidentificationDetail) NotInFile() float64 { return d.Outside }

// Sentence says what the intruder can do.
func (d ReidentificationDetail) Sentence() message.Sentence {
	who := message.Say("measure.reidentification.who.any")
	if d.Outside > 0 {
		who = message.Say("measure.reidentification.who.inside")
	}
	records := portable.Exp2(d.Mean)
	left := message.Fixed(records, 1)
	if records >= 10 {
		left = message.Count(int(math.Round(records)))
	}
	says := message.Say("measure.reidentification.says").Part("who", who).Part("records", left).
		Part("of", message.Say("measure.who."+d.Of)).Count("released", d.Released).Share("below", d.Below).
		Number("bits", d.Threshold, 0)
	var found, outside message.Sentence
	if d.Found != nil {
		found = message.Say("measure.reidentification.found").Share("found", *d.Found).Count("released", d.Released)
	}
	if d.Outside > 0 {
		outside = message.Say("measure.reidentification.inside").Share("inside", 1-d.Outside)
	}
	return message.After(says, found, outside)
}
