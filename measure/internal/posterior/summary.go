package posterior

import (
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
)

// Rule says when a release counts as secure: the share of the persons whose entropy is below the threshold is at most V
// (Islam 2007, section 8.1).
type Rule struct {
	Threshold float64 // bits
	V         float64
}

// Params declares the parameters.
func (r *Rule) Params(threshold float64) param.Set {
	return param.Set{
		param.Float(&r.Threshold, "threshold", threshold, 0, 64, "bits", "a person with a lower entropy counts as at risk"),
		param.Float(&r.V, "v", 0.05, 0, 1, "share of the people", "largest share of people who may be below the threshold"),
	}
}

// Summary is the entropies of a release in figures.
type Summary struct {
	Mean      float64 `json:"mean"`
	SD        float64 `json:"sd"` // of the targets, divided by their number
	Threshold float64 `json:"threshold"`
	Below     float64 `json:"below"` // share of the targets below the threshold
	V         float64 `json:"v"`
	Upper     float64 `json:"upper"`  // Below or, of a sample, the upper end of its 95 % interval
	Unfit     int     `json:"unfit"`  // targets that no released record fits
	Secure    bool    `json:"secure"` // Upper is at most V, and there is no such target
}

// Judge sums up the entropies of a study's targets, of so many originals: a sample is held secure by what it proves of
// all.
func (r *Rule) Judge(s *Study, h []float64, originals int) Summary {
	sum := r.Summarise(h)
	if n := float64(len(h)); len(h) < originals {
		_, sum.Upper = confidence.Wilson(float64(sum.Below*n), n)
	}
	sum.Unfit = s.Unfit
	sum.Secure = sum.Upper <= sum.V && sum.Unfit == 0
	return sum
}

// Summarise sums up the entropies of all persons, of whom there is at least one.
func (r *Rule) Summarise(h []float64) Summary {
	s := Summary{Threshold: r.Threshold, V: r.V}
	s.Mean, _, _ = confidence.Mean(h, len(h))
	var squares exact.Sum
	for _, v := range h {
		if v < r.Threshold {
			s.Below++
		}
		squares.Add(float64((v - s.Mean) * (v - s.Mean)))
	}
	s.SD, s.Below = math.Sqrt(squares.Mean(len(h))), s.Below/float64(len(h))
	s.Upper = s.Below
	s.Secure = s.Below <= s.V
	return s
}

// Value returns the mean entropy of targets as a measured value, with its interval when they are a sample of so many
// originals.
func (s *Summary) Value(h []float64, originals int) measure.Value {
	v := measure.Value{Parts: []measure.Part{
		{Key: "sd", Name: message.Say("measure.posterior.part.sd"), Score: s.SD},
		{
			Key:   "below-threshold",
			Name:  message.Say("measure.posterior.part.below-threshold").Number("bits", s.Threshold, 0),
			Score: s.Below,
		},
	}}
	v.Score, v.Lo, v.Hi = confidence.Mean(h, originals)
	v.Lo, v.Hi = max(0, v.Lo), min(64, v.Hi)
	v.Notes = []message.Sentence{s.rule()}
	return v
}

// rule says in words whether the release keeps the rule.
func (s *Summary) rule() message.Sentence {
	below := message.Say("measure.posterior.below").Share("share", s.V).Number("bits", s.Threshold, 0)
	switch {
	case s.Below > s.V:
		return message.Say("measure.posterior.note.broken").Part("below", below).Share("share", s.Below)
	case s.Upper > s.V:
		return message.Say("measure.posterior.note.unshown").Part("below", below).Share("tried", s.Below).
			Share("all", s.Upper)
	case s.Unfit > 0:
		return message.Say("measure.posterior.note.unjudged").Part("below", below).Count("n", s.Unfit)
	}
	return message.Say("measure.posterior.note.kept").Part("below", below)
}

// ByRow returns values of targets by row of the original, NaN for rows that are none.
func ByRow(originals int, rows []int, values []float64) []float64 {
	out := make([]float64, originals)
	for i := range out {
		out[i] = math.NaN()
	}
	for k, i := range rows {
		out[i] = values[k]
	}
	return out
}
