package uncertainty

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Lambert measures perceived and true re-identification (Lambert 1993).
//
// An intruder who believes that released record j is the target's with probability P_ij (package posterior) links the
// target to the likeliest record. The belief itself is a harm, right or wrong: the perceived risk of a person is max_j
// P_ij, and the file's its mean (the score), its maximum and the share of persons above tau. Re-identification is true
// when the likeliest record is the person's own; of records that are equally likely each is chosen equally often. The
// parts count perceived and true re-identifications apart.
//
// It needs what the intruder knows; true re-identification needs paired records. Missing values and cost: as package
// reidentification, with which it shares the work.
//
// Reference: D. Lambert, "Measures of disclosure risk and harm", Journal of Official Statistics 9(2), 1993; Islam 2007,
// chapter 8.
var Lambert = measure.Measure{
	Card: card.Card{
		Name:      "lambert",
		Title:     "Perceived and true re-identification",
		Short:     "Lambert",
		Aliases:   []string{"perceived risk", "Lambert's risk"},
		Summary:   "How sure an intruder is of a matched record, right or wrong.",
		Paper:     "Lambert 1993; Islam 2007, chapter 8",
		Needs:     "an intruder; the plan, or paired records",
		Preserves: "1 when the intruder believes to have identified everyone",
		Missing:   "missing values are not known to the intruder",
		Cost:      "shared with reidentification",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Effort: measure.Fast,
		Place:  2,
		Bounds: map[string]string{"pairs": "5000000"},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Probability, message.Say("unit.probability")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&LambertMeter{}) },
}

// LambertMeter measures perceived and true re-identification.
type LambertMeter struct {
	posterior.Options
	Tau float64
}

// Params declares the parameters.
func (m *LambertMeter) Params() param.Set {
	return append(param.Set{
		param.Float(&m.Tau, "tau", 0.5, 0, 1, "probability", "an intruder acts on a belief above this"),
	}, m.Options.Params()...)
}

// LambertDetail holds the risk of every target.
type LambertDetail struct {
	Intruder  string    `json:"intruder"`
	Rows      []int     `json:"-"`
	Perceived []float64 `json:"-"`         // by target
	Originals int       `json:"originals"` // records
	Targets   int       `json:"targets"`   // people
	Tau       float64   `json:"tau"`
	Mean      float64   `json:"mean"`
	Largest   float64   `json:"largest"`
	Above     float64   `json:"above"` // share of targets whose perceived risk is above tau
	True      *float64  `json:"true"`  // share of targets whose likeliest record is their own
	Both      *float64  `json:"both"`  // share of targets that are above tau and true
}

// Measure returns the mean perceived risk with a LambertDetail. It fails when a table has no records or nothing tells
// the law of the noise.
func (m *LambertMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
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
	best, hit := s.Most(s.Best), s.Most(s.Hit)
	d := LambertDetail{
		Intruder:  view.Name,
		Rows:      s.Rows,
		Perceived: s.Best,
		Originals: r.Original.Rows(),
		Targets:   s.Tried,
		Tau:       m.Tau,
	}
	v := measure.Value{}
	v.Score, v.Lo, v.Hi = confidence.Mean(best, s.People)
	v.Lo, v.Hi = max(0, v.Lo), min(1, v.Hi)
	d.Mean = v.Score
	n, above := float64(s.Tried), 0.0
	var all, over exact.Sum // of the hits, and of those above the threshold
	for k, p := range best {
		d.Largest = max(d.Largest, p)
		if r.Paired {
			all.Add(hit[k])
		}
		if p > m.Tau {
			above++
			if r.Paired {
				over.Add(hit[k])
			}
		}
	}
	right, both := all.Float64(), over.Float64()
	d.Above = above / n
	v.Notes = s.Notes
	largest := message.Say("measure.lambert.part.largest")
	if s.Tried < s.People {
		largest = message.Say("measure.lambert.part.largestOfSample")
	}
	v.Parts = []measure.Part{
		{Key: "largest", Name: largest, Score: d.Largest},
		{Key: "above", Name: message.Say("measure.lambert.part.above").Number("tau", m.Tau, 0), Score: d.Above},
	}
	if r.Paired {
		t, b := right/n, both/n
		d.True, d.Both = &t, &b
		v.Parts = append(v.Parts, measure.Part{Key: "found", Name: message.Say("measure.lambert.part.found"), Score: t},
			measure.Part{Key: "found-above", Name: message.Say("measure.lambert.part.found-above"), Score: b})
	}
	v.Detail = d
	return v, nil
}

// Records returns the perceived risk of every original record; NaN where it was not judged.
func (d LambertDetail) Records() []float64 {
	return posterior.ByRow(d.Originals, d.Rows, d.Perceived)
}

// Sentence says what the intruder believes.
func (d LambertDetail) Sentence() message.Sentence {
	if d.Both == nil {
		return message.Say("measure.lambert.says").Share("above", d.Above).Number("tau", d.Tau, 0)
	}
	return message.Say("measure.lambert.saysRight").Share("above", d.Above).Number("tau", d.Tau, 0).Share("right", *d.Both)
}
