package hidingeffects

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ArtifactualPatterns and MissesCost measure what hiding does to other patterns: those lost (missescost), and new ones
// in the release (artifactualpatterns), such as ghost rules.
//
// Patterns are frequent itemsets, or association rules where one is listed as sensitive, with the same thresholds on
// both tables. Sensitive are those that are listed (parameter sensitive) and, unless asked otherwise, all that have all
// items of one of them: who knows the larger pattern knows the smaller one. An empty denominator gives 0, and a note
// says so.
//
// They need columns that give items (package basket), and the list; without one they do not apply. Records need not be
// paired. A missing value is no item. Items of the release that may or may not be there give three readings; the score
// is the middle one, and its bounds are the others.
//
// Cost: that of counting all frequent itemsets of both tables: n/64 for each that is tried; the measures of hiding
// share it.
//
// Departures: The published misses cost counts the patterns before and after, so that new ones hide losses (alternative
// mc_counts of the golden cases); here those that are lost are counted.
//
// References: S. Oliveira and O. Zaiane 2002; E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, section 2.3.

// ArtifactualPatterns is the share of the patterns of the release that the original lacks.
var ArtifactualPatterns = sideEffect(artifactual, measure.Measure{
	Card: card.Card{
		Name:      "artifactualpatterns",
		Title:     "Artifactual patterns",
		Aliases:   []string{"artifactual patterns", "ghost rules", "AP"},
		Summary:   "How many of the patterns of the release are not in the original.",
		Preserves: "0 when the release has no new pattern",
		Biases:    "deletions create no new itemsets, but may create new rules",
	},
	Unit: measure.In(measure.Ratio, message.Say("unit.ofReleasePatterns")),
	Losses: []measure.Loss{{
		Name: "artefacts", Says: message.Say("loss.artefacts"),
		Of:      measure.ByScore,
		Weights: []measure.Weight{{Purpose: "hiding", Weight: 1, Place: 2}},
	}},
})

// MissesCost is the share of the patterns of the original, those that are sensitive left out, that the release lacks.
var MissesCost = sideEffect(misses, measure.Measure{
	Card: card.Card{
		Name:      "missescost",
		Title:     "Misses cost",
		Aliases:   []string{"misses cost", "MC"},
		Summary:   "How many of the non-sensitive patterns are lost.",
		Preserves: "0 when all non-sensitive patterns are kept",
		Biases:    "changing one record can lose patterns just above a threshold; long patterns outnumber short ones",
	},
	Unit: measure.In(measure.Ratio, message.Say("unit.ofOtherPatterns")),
	Losses: []measure.Loss{{
		Name: "misses", Says: message.Say("loss.misses"),
		Of:      measure.ByScore,
		Weights: []measure.Weight{{Purpose: "hiding", Weight: 3, Place: 1}},
	}},
})

// sideEffect is the entry of a figure, with what both say.
func sideEffect(of func(m *SideEffectMeter, s *Survey) measure.Value, e measure.Measure) measure.Measure {
	e.Paper = "Bertino, Nai Fovino & Parasiliti Provenza 2005, section 2.3; Oliveira & Zaiane 2002"
	e.Needs = "a list of sensitive itemsets or rules, and columns that give items"
	e.Missing = "no item; items that may be there give bounds"
	e.Cost = "O(n/64) for every itemset tried"
	e.Facts = measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Fast}
	e.Side, e.Better, e.Range = measure.Utility, measure.Lower, table.Interval{Lo: 0, Hi: 1}
	e.New = func() measure.Meter { return param.Default(&SideEffectMeter{of: of}) }
	return e
}

// SideEffectMeter measures one of them.
type SideEffectMeter struct {
	Options
	of func(m *SideEffectMeter, s *Survey) measure.Value
}

// Measure returns the share of the patterns that are new, or lost.
func (m *SideEffectMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	return m.of(m, s), nil
}

// artifactual returns the share of the release's patterns that are new.
func artifactual(_ *SideEffectMeter, s *Survey) measure.Value {
	v := s.Value(func(reading int) float64 { return Share(s.New[reading], s.After[reading]) })
	after := s.After[Middle]
	v.Parts = []measure.Part{
		{Key: "patterns", Name: message.Say("measure.artifactualpatterns.part.patterns"), Score: float64(after)},
		{Key: "new", Name: message.Say("measure.artifactualpatterns.part.new"), Score: float64(s.New[Middle])},
	}
	if after == 0 {
		v.Notes = append(v.Notes, message.Say("measure.artifactualpatterns.note.none").Count("n", s.HiddenFrom+s.Others))
	}
	return v
}

// misses returns the share of the patterns that are not sensitive that are lost.
func misses(m *SideEffectMeter, s *Survey) measure.Value {
	v := s.Value(func(reading int) float64 { return Share(s.Lost[reading], s.Others) })
	v.Parts = []measure.Part{
		{Key: "patterns", Name: message.Say("measure.missescost.part.patterns"), Score: float64(s.Others)},
		{Key: "lost", Name: message.Say("measure.missescost.part.lost"), Score: float64(s.Lost[Middle])},
	}
	if s.Others == 0 {
		v.Notes = append(v.Notes, message.Say("measure.missescost.note.none"))
	} else {
		v.Parts = append(v.Parts, measure.Part{
			Key:   "lost-weighted",
			Name:  message.Say("measure.missescost.part.lost-weighted"),
			Score: s.LostWeight[Middle] / s.Weight,
		})
	}
	if m.Supersets == Exclude {
		v.Notes = append(v.Notes, message.Say("measure.missescost.note.excluded").Count("n", s.HiddenFrom))
	}
	return v
}
