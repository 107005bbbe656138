package informationloss

import (
	"context"
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

// Score measures the trade-off of information loss and disclosure risk by one number (Domingo-Ferrer & Torra
// 2001).
//
// With IL the information loss of the numeric attributes (package infoloss), DLD and PLD the shares of persons linked
// to their own record by distance and by probability (package measure/internal/nearest), and ID the share of original
// numbers inside intervals of 1 to 10 % of the ranks around the released ones (package measure/internal/proximity), all
// in per cent,
//
//	score = 0.5 IL + 0.125 DLD + 0.125 PLD + 0.25 ID
//
// DLD and PLD are averaged over intruders who know the first one, two, ... of the attributes that the declared intruder
// knows, up to the parameter attributes. The score is in [0, 100]; lower is better. The original, which loses nothing
// and discloses everything, has 25 plus an eighth of its links by either method, for ID is 100; noise, which discloses
// hardly anything, has half of its information loss. What is worth releasing is below both.
//
// It needs paired records, numeric attributes and what an intruder knows. IL and ID are taken over the numeric
// attributes that are neither identifiers nor weights and that the release changes, over all of them when it changes
// none. Changes of categories count in the links only.
//
// Cost: that of linkage by distance for every number of attributes; for links by probability all pairs are compared
// once. Persons are a sample where it would be above the parameter pairs, for PLD above a tenth of them; Lo and Hi then
// hold the 95 % intervals of all shares.
//
// Departures: each term of IL is at most 1 (Trottini 2003), so that the score stays below 100. Persons are looked for
// among the released records.
//
// Reference: J. Domingo-Ferrer and V. Torra, "A quantitative comparison of disclosure control methods for microdata",
// in Confidentiality, Disclosure and Data Access, North-Holland 2001; W. E. Yancey, W. E. Winkler and R. H. Creecy,
// "Disclosure risk assessment in perturbative microdata protection", LNCS 2316, 2002.
var Score = measure.Measure{
	Card: card.Card{
		Name:    "score",
		Title:   "Score of information loss and disclosure risk",
		Short:   "Score",
		Aliases: []string{"Domingo-Ferrer & Torra score", "trade-off score"},
		Summary: "Information loss, links by distance and by probability, and interval disclosure in one number.",
		Paper:   "Domingo-Ferrer & Torra 2001",
		Needs:   "an intruder; paired records; numeric attributes",
		Preserves: "the original scores 25 plus an eighth of its links, noise half of its information loss; " +
			"releases worth making score below both",
		Missing: "a suppressed number is lost and discloses nothing",
		Cost:    "linkage by both methods for every number of known attributes",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Counts: measure.Records,
		Effort: measure.Slow,
		Bounds: map[string]string{"pairs": "10000000"},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 100},
	Unit:     measure.In(measure.Percent, message.Sentence{}),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&ScoreMeter{}) },
}

// The weights of the score.
const (
	weightIL = 0.5
	weightDL = 0.125
	weightPL = 0.125
	weightID = 0.25
)

// ScoreMeter measures the score.
type ScoreMeter struct {
	Attributes int
	Stable     bool
	Tolerance  float64
	Pairs      int
}

// Params declares the parameters.
func (m *ScoreMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.Attributes, "attributes", 7, 1, 64, "attributes", "average links over intruders who know the "+
			"first 1, 2, ... up to this many"),
		param.Bool(&m.Stable, "stable", false, "measure differences of values in standard deviations (IL1s) "+
			"instead of shares of the value"),
		param.Float(&m.Tolerance, "tolerance", 0.1, 0, 100, "standard deviations", "numbers this close agree in "+
			"links by probability"),
		param.Int(&m.Pairs, "pairs", 20_000_000, 1, math.MaxInt, "pairs of records",
			"compare up to this many pairs per number of attributes, at least 100 per person and a tenth of it by "+
				"probability; above it a sample of people"),
	}
}

// Share is a figure in per cent with its bounds.
type Share struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// ScoreDetail is what the score is made of, in per cent.
type ScoreDetail struct {
	Intruder   string    `json:"intruder"`
	Score      float64   `json:"score"`
	IL         float64   `json:"il"`
	DLD        Share     `json:"dld"`
	PLD        Share     `json:"pld"`
	ID         float64   `json:"id"`
	Attributes []string  `json:"attributes"` // known, in the order in which they are added
	ByDistance []float64 `json:"byDistance"` // DLD of the first 1, 2, ... attributes
	ByLaw      []float64 `json:"byLaw"`      // and PLD
	Columns    []string  `json:"columns"`    // numeric ones in IL and ID
	Tried      [2]int    `json:"tried"`      // fewest persons of whom links were tried, by distance and by probability

	risk, judged []float64 // by original record: sum of the chances of being linked by distance, and their number
}

// Measure returns the score with a ScoreDetail. It fails when records are not paired, when there are none, when no
// attribute is numeric and when the intruder knows none.
func (m *ScoreMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	n := r.Original.Rows()
	columns := scoreNumeric(r)
	switch {
	case len(columns) == 0:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noScore"))
	case len(view.Known) == 0:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoLink"))
	}
	d := &ScoreDetail{Intruder: view.Name, risk: make([]float64, n), judged: make([]float64, n)}
	for _, j := range columns {
		d.Columns = append(d.Columns, r.Original.Attr(j).Name)
	}
	if d.IL, err = loss(ctx, r, columns, m.Stable); err != nil {
		return measure.Value{}, err
	}
	if d.ID, err = disclosed(ctx, r, columns); err != nil {
		return measure.Value{}, err
	}
	if err := m.links(ctx, r, view.Known[:min(m.Attributes, len(view.Known))], r.Original.Order(src), d); err != nil {
		return measure.Value{}, err
	}
	return d.value(), nil
}

// links averages the shares of persons linked over the numbers of attributes known.
func (m *ScoreMeter) links(
	ctx context.Context,
	r *measure.Release,
	known []intruder.Known,
	order []int,
	d *ScoreDetail,
) error {
	likely, err := nearest.Probabilistic{
		Tolerance: m.Tolerance,
		Pairs:     max(1, m.Pairs/10),
	}.Prefixes(ctx, r.Original, r.Released, known, order)
	if err != nil {
		return err
	}
	for k, alike := range likely {
		d.Attributes = append(d.Attributes, r.Original.Attr(known[k].Column).Name)
		near, err := nearest.Distance{Pairs: m.Pairs}.Link(ctx, r.Original, r.Released, known[:k+1], order)
		if err != nil {
			return err
		}
		for i, row := range near.Rows {
			d.risk[row] += near.First[i]
			d.judged[row]++
		}
		right := make([]float64, len(alike.Rows))
		for i, to := range alike.Link {
			if to == alike.Rows[i] {
				right[i] = 1
			}
		}
		if k == 0 {
			d.Tried = [2]int{len(near.Rows), len(alike.Rows)}
		}
		d.Tried = [2]int{min(d.Tried[0], len(near.Rows)), min(d.Tried[1], len(alike.Rows))}
		of := 100 / float64(len(known))
		d.ByDistance = append(d.ByDistance, d.DLD.add(near.First, len(order), of))
		d.ByLaw = append(d.ByLaw, d.PLD.add(right, len(order), of))
	}
	return nil
}

// add adds a share of hits among persons, or a sample of them, with a weight, and returns it in per cent.
func (s *Share) add(hits []float64, persons int, weight float64) float64 {
	v, lo, hi := confidence.Mean(hits, persons)
	s.Value += float64(weight * v)
	s.Lo += float64(weight * max(lo, 0))
	s.Hi += float64(weight * min(hi, 1))
	return float64(100 * v)
}

func (d *ScoreDetail) value() measure.Value {
	score := func(dld, pld float64) float64 {
		return min(100, max(0, weightIL*d.IL+weightDL*dld+weightPL*pld+weightID*d.ID))
	}
	d.Score = score(d.DLD.Value, d.PLD.Value)
	v := measure.Value{
		Score:  d.Score,
		Lo:     min(d.Score, score(d.DLD.Lo, d.PLD.Lo)),
		Hi:     max(d.Score, score(d.DLD.Hi, d.PLD.Hi)),
		Detail: d,
	}
	v.Parts = []measure.Part{
		{Key: "il", Name: message.Say("measure.score.part.il"), Score: d.IL},
		{Key: "dld", Name: message.Say("measure.score.part.dld"), Score: d.DLD.Value},
		{Key: "pld", Name: message.Say("measure.score.part.pld"), Score: d.PLD.Value},
		{Key: "id", Name: message.Say("measure.score.part.id"), Score: d.ID},
	}
	v.Notes = []message.Sentence{
		message.Say("measure.score.note.of").Names("columns", d.Columns).Count("n", len(d.Attributes)).
			Names("attributes", d.Attributes),
	}
	if v.Lo < v.Hi {
		v.Notes = append(v.Notes, message.Say("measure.score.note.samples").Count("distance", d.Tried[0]).
			Count("people", len(d.risk)).Count("probability", d.Tried[1]))
	}
	return v
}

// Records returns for every original record how likely it is linked by distance, averaged over the numbers of
// attributes known; NaN where it was not judged.
func (d *ScoreDetail) Records() []float64 {
	out := make([]float64, len(d.risk))
	for i := range out {
		out[i] = d.risk[i] / d.judged[i]
	}
	return out
}

// Sentence says what the score is made of.
func (d *ScoreDetail) Sentence() message.Sentence {
	return message.Say("measure.score.says").Fixed("score", d.Score, 1).Fixed("lost", d.IL, 1).
		Count("n", len(d.Attributes)).Fixed("distance", d.DLD.Value, 2).Fixed("probability", d.PLD.Value, 2).
		Fixed("disclosed", d.ID, 1)
}
