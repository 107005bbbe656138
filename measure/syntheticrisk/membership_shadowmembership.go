package syntheticrisk

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Shadow measures whether an intruder who has tried the technique on other files can detect that a
// person is in this one: membership inference with shadow models.
//
// Some people of the original (parameter people) are dealt into halves at random, several times (parameter models), and
// each time one half is released by the same technique, fitted anew. So the intruder learns of every person how far the
// nearest released record is when the person is in the file and when not: the means of the logarithm of the squared
// distance, and its common variance. Then the intruder meets a release that is not among those learned from, and calls
// in whose distance is likelier for a member; each release is met once with the others learned from. The score is the
// true positive rate at 1 % false ones; Lo and Hi are one-sided 95 % bounds (Clopper & Pearson 1934) with every person
// counted once. Parts give the rate at 0.1 %, the area under the curve, and those tried.
//
// It needs no hold-out and no pairs, but the way the release was made: the plan (--plan), or the release that has just
// been made. What it measures is the technique with its settings on a file of half so many people: a larger file hides
// its people better, so the figure is on the safe side.
//
// It is played with what each intruder knows, whether or not that one already knows who is in the file, and does not
// apply to techniques that generalise: each release is general in its own way.
//
// Cost: that of fitting and applying the technique to people/2 records, models times, whatever the size of the file.
//
// Departures: Carlini et al. learn from models fitted on other people too; here those of the file stand for the
// population.
//
// Reference: N. Carlini, S. Chien, M. Nasr, S. Song, A. Terzis and F. Tramèr, "Membership inference attacks from first
// principles", IEEE S&P 2022; R. Shokri et al., "Membership inference attacks against machine learning models", IEEE
// S&P 2017.
var Shadow = measure.Measure{
	Card: card.Card{
		Name:    "shadowmembership",
		Title:   "Membership inference with shadow models",
		Short:   "Shadow membership",
		Aliases: []string{"likelihood ratio attack", "LiRA", "shadow models"},
		Summary: "Share whose membership in the file can be detected by an intruder who has tried the technique on " +
			"random halves.",
		Paper:     "Carlini et al. 2022",
		Needs:     "an intruder; the plan, or a release made in the same run",
		Preserves: "1 when copies are released, 0.01 when a record reveals nothing about its person",
		Missing:   "at the mean distance",
		Cost:      "running the technique on half of the people tested, once per model",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Effort: measure.Slow,
		Place:  15,
		Bounds: map[string]string{"people": "400"},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeopleAtOne"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&ShadowMeter{}) },
}

// ShadowMeter measures membership inference with shadow models.
type ShadowMeter struct{ People, Models int }

// Params declares the parameters.
func (m *ShadowMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.People, "people", 1000, shadowFewest, 1_000_000, "people", "divide this many people into halves"),
		param.Int(&m.Models, "models", 8, 4, 1000, "releases", "release this many halves"),
	}
}

// shadowFewest is how many people halves are worth the name of.
const shadowFewest = 20

// ShadowDetail is how well members are told.
type ShadowDetail struct {
	Intruder string `json:"intruder"`
	Models   int    `json:"models"`
	channel.Detection
}

// Measure returns the share of members told with a Detail. It does not apply where it is not known how to make the
// release again, to one that generalises, and to fewer than 20 people.
func (m *ShadowMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	switch {
	case r.Again == nil:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.notMadeByPlan"))
	case r.Exact != nil:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.generalises"))
	}
	targets := r.Targets(m.People, 0)
	if targets.People < shadowFewest {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noHalves").Count("n", shadowFewest))
	}
	records := r.Original.Gather(targets.Rows)
	key := fmt.Sprintf("shadow releases %d %d", m.People, m.Models)
	shadows, err := measure.PerReading(r, key, func(r *measure.Release) ([]shadow, error) {
		return m.release(ctx, r, &targets, records, src)
	})
	if err != nil {
		return measure.Value{}, err
	}
	s, err := nearest.NewSpace(ctx, r.Original, view.Known)
	if err != nil {
		return measure.Value{}, err
	}
	figures := make([][]float64, len(shadows))
	for k := range shadows {
		near, err := membershipDistances(ctx, s, records, shadows[k].released)
		if err != nil {
			return measure.Value{}, err
		}
		figures[k] = targets.Least(near)
	}
	members, others := membershipRatios(shadows, figures)
	d := &ShadowDetail{Intruder: view.Name, Models: m.Models, Detection: channel.Detect(members, others)}
	d.Members, d.Others = targets.Tried, targets.Tried // every person was met several times, and counts once
	v := d.Detection.Value(targets.People)
	v.Detail = d
	return v, nil
}

// shadow is the release of a half.
type shadow struct {
	in       []bool // by person
	released *table.Table
}

// release releases halves of the people, each with all records that are tried of theirs. Every person is in half of
// them, as nearly as may be: two halves that make a whole come after one another.
func (m *ShadowMeter) release(
	ctx context.Context,
	r *measure.Release,
	targets *measure.Targets,
	records *table.Table,
	src rng.Source,
) ([]shadow, error) {
	out := make([]shadow, m.Models)
	for k := range out {
		own := src.Fork(fmt.Sprintf("half %d", k/2))
		in := channel.Halves(own, targets.Tried)
		for p := range in {
			in[p] = in[p] == (k%2 == 0)
		}
		var rows []int
		for i := range targets.Rows {
			if in[targets.Of(i)] {
				rows = append(rows, i)
			}
		}
		released, err := r.Again(ctx, records.Gather(rows), own.Fork(fmt.Sprintf("release %d", k%2)))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, measure.NotApplicable(message.Say("measure.skipped.noHalf"))
		case released.Rows() == 0:
			return nil, measure.NotApplicable(message.Say("measure.skipped.emptyHalf"))
		}
		if released, err = released.Conform(records.Attrs(), true); err != nil {
			return nil, measure.NotApplicable(message.Say("measure.skipped.otherHalf"))
		}
		out[k] = shadow{in, released}
	}
	return out, nil
}

// membershipDistances returns of every record the logarithm of the squared distance to the nearest released one.
func membershipDistances(ctx context.Context, s *nearest.Space, records, released *table.Table) ([]float64, error) {
	out := make([]float64, records.Rows())
	return out, s.Index(s.Records(released, nil)).Each(
		ctx,
		s.Questions(records, nil),
		func(q *neighbour.MixedSearch, i int, known []float64) {
			near := q.Nearest(known, 1, -1)
			out[i] = portable.Log(near[0].Squared + 1e-4) // a copy is not infinitely nearer than a hair's breadth
		},
	)
}

// membershipRatios returns of everybody in every release, learned from the others, the logarithm of how much likelier
// the distance is for one who is not in it, members and others apart.
func membershipRatios(shadows []shadow, figures [][]float64) (members, others []float64) {
	people := len(shadows[0].in)
	for e := range shadows {
		var mean [2][]float64
		square, n := 0.0, 0.0
		for side := range mean {
			mean[side] = make([]float64, people)
			for i := range people {
				met := 0.0
				for k := range shadows {
					if k != e && shadows[k].in[i] == (side == 1) {
						mean[side][i] += figures[k][i]
						met++
					}
				}
				if mean[side][i] /= met; met < 2 {
					continue
				}
				for k := range shadows {
					if k != e && shadows[k].in[i] == (side == 1) {
						d := figures[k][i] - mean[side][i]
						square, n = square+d*d*met/(met-1), n+1
					}
				}
			}
		}
		variance := square/max(1, n) + 1e-9
		for i := range people {
			out, in := figures[e][i]-mean[0][i], figures[e][i]-mean[1][i]
			ratio := (float64(in*in) - float64(out*out)) / (2 * variance)
			if shadows[e].in[i] {
				members = append(members, ratio)
			} else {
				others = append(others, ratio)
			}
		}
	}
	return members, others
}

// Sentence says of how many people membership shows.
func (d *ShadowDetail) Sentence() message.Sentence {
	return message.Say("measure.shadowmembership.says").Count("halves", d.Models).Count("people", d.Members).
		Share("told", d.AtOne)
}
