package attributedisclosure

import (
	"context"
	"math"
	"sync"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// AttributeInference measures how much better an intruder guesses secrets of people in a release than of
// others.
//
// For every person of the original the intruder takes the released records nearest in what is known (package
// measure/internal/nearest says how distances are taken): the parameter k of them, and with the last all that are as
// near. What most of them have in a secret column is the guess for a category, ties counted by their chance, and their
// median for a number; a number is right within the parameter tolerance. The same attack on a hold-out, persons from
// whom nothing was released, shows what the pattern in the data gives away of anyone; what goes beyond it is due to the
// release of the person's own record. The risk of a column is (attack - control) / (1 - control), the share of what the
// control left to learn, 0 when it is negative. The score is the largest risk of a secret column. Lo and Hi come from
// the 95 % intervals of both rates (Wilson 1927).
//
// Without a hold-out the guess of the commonest released value, or the median, for everyone stands for the control, and
// the value says so: the risk then includes what the pattern gives away. Parts give the rates of the attack, the
// control and the commonest value.
//
// The risk of a person is the share of the nearest records that have the person's own value, in the column where it is
// largest. A guess that is right as often of anybody is none: those columns alone say who is at risk in which people in
// the release are guessed, beyond doubt, more often than those of the hold-out.
//
// Missing values: a person who lacks the secret is not judged in it, and a record that lacks it has no vote; without
// any vote there is no right guess. What is not known of a person, or missing in a record, is at the mean distance.
//
// Cost: that of a search for each person, and of the votes, on all cores; 30,162 records like Adult's with 14
// attributes known take 0.8 times a slices.Sort of a million random float64 when released as they are, and 12 times it
// when their numbers are noise. Where more than the parameter pairs of records would have to be looked at, persons are
// a sample.
//
// Departures: ties of the farthest neighbour vote, too, so that the order of the records does not matter.
//
// Reference: M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework for quantifying privacy risk in
// synthetic data", PoPETs 2023.
var AttributeInference = measure.Measure{
	Card: card.Card{
		Name:    "attributeinference",
		Title:   "Attribute inference",
		Aliases: []string{"inference risk", "attribute disclosure"},
		Summary: "How much better secret values are guessed from the nearest released records for those in the " +
			"release than for others.",
		Paper: "Giomi, Boenisch, Wehmeyer & Tasnádi 2023",
		Needs: "an intruder with a secret; preferably a hold-out; records need not be paired",
		Preserves: "1 when secrets are read off, 0 when they are guessed equally well for people who are not in " +
			"the release",
		Missing: "people with a missing secret are not tested; records without it have no vote",
		Cost:    "a search per person; sampled above the parameter pairs",
	},
	Facts: measure.Facts{
		About:  measure.Secret,
		Counts: measure.Records,
		Effort: measure.Slow,
		Bounds: map[string]string{"pairs": "5000000"},
		Place:  2,
		Record: measure.Entry{Place: 3, Says: message.Say("riskOf.attributeinference")},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.beyondControl")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&AttributeInferenceMeter{}) },
}

// AttributeInferenceMeter measures attribute inference.
type AttributeInferenceMeter struct {
	K         int
	Tolerance float64
	Pairs     int
}

// Params declares the parameters.
func (m *AttributeInferenceMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.K, "k", 1, 1, 1000, "records", "number of nearest released records that vote; ties with the "+
			"last also vote"),
		param.Float(&m.Tolerance, "tolerance", 0.1, 0, 100, "standard deviations", "a guess this close to a number "+
			"is correct"),
		param.Int(&m.Pairs, "pairs", 10_000_000, 1, math.MaxInt, "pairs of records", "compare up to this many "+
			"pairs, at least 100 per search; above it a sample of people"),
	}
}

// Measure returns the largest risk of a secret column with an AttributeInferenceDetail. It fails when the intruder has
// no secret and when a table has no records.
func (m *AttributeInferenceMeter) Measure(
	ctx context.Context,
	r *measure.Release,
	_ rng.Source,
) (measure.Value, error) {
	view, err := r.SecretView()
	if err != nil {
		return measure.Value{}, err
	}
	space, err := nearest.NewSpace(ctx, r.Original, view.Known)
	if err != nil {
		return measure.Value{}, err
	}
	index := space.Index(space.Records(r.Released, nil))
	d := &AttributeInferenceDetail{Intruder: view.Name, Originals: r.Original.Rows()}
	attack, err := m.attack(ctx, r, space, index, r.Original, view.Secret)
	if err != nil {
		return measure.Value{}, err
	}
	var control *outcome
	if r.Holdout != nil && r.Holdout.Rows() > 0 {
		if control, err = m.attack(ctx, r, space, index, r.Holdout, view.Secret); err != nil {
			return measure.Value{}, err
		}
	}
	return d.value(r.Original, view.Secret, attack, control)
}

// attack guesses the secrets of the persons of a table from the released records.
func (m *AttributeInferenceMeter) attack(
	ctx context.Context,
	r *measure.Release,
	space *nearest.Space,
	index *neighbour.Mixed,
	persons *table.Table,
	secret []int,
) (*outcome, error) {
	pose := func(rows []int) []float64 { return space.Questions(persons, rows) }
	rows, err := nearest.Sample(ctx, index, persons, m.Pairs, pose,
		func(s *neighbour.MixedSearch, _ int, known []float64) { s.Ties(nil, known, m.K) })
	if err != nil {
		return nil, err
	}
	o := &outcome{rows: rows, persons: persons.Rows()}
	for _, j := range secret {
		q, err := newSecret(ctx, r, persons, j, m.Tolerance, len(rows))
		if err != nil {
			return nil, err
		}
		o.secrets = append(o.secrets, q)
	}
	rooms := sync.Pool{New: func() any { return &room{} }}
	return o, index.Each(ctx, pose(rows), func(s *neighbour.MixedSearch, i int, known []float64) {
		room := rooms.Get().(*room)
		defer rooms.Put(room)
		room.voters = s.Ties(room.voters[:0], known, m.K)
		for _, q := range o.secrets {
			q.judge(i, rows[i], room)
		}
	})
}
