package rulepreservation

import (
	"context"
	"errors"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RuleSurvival measures which association rules of the original the release still has, and which new ones it
// has.
//
// Records are sets of items: attribute=value, an interval of a number, what a set holds (package basket); the intervals
// are those of the original in both tables. A rule X => y says that of the records with the items X a share, its
// confidence, has the item y. The rules of a table are those that at least a share of its records (support) bears out,
// with at least a confidence, and whose end is at least so many times as common among the records with X as among all
// (lift): without that, whatever nearly all records have would be the end of every rule. The score is the Jaccard index
// of the two sets of rules: those of both tables, of those of either. The parts tell the shares that are kept, lost and
// new, and how far supports and confidences of rules that are kept moved.
//
// Items that a released set may or may not have ("?") give three readings: pessimistic, in which a rule counts where it
// holds however they turn out; optimistic, where it may hold; and the middle of support and confidence between the two,
// which is the score (Saygin, Verykios & Clifton 2001). Such items of the original count as absent.
//
// Bounds: where the search would take more than the effort it is given, the least support is raised, and the note says
// to what. What is counted is exact: no record is left out.
//
// Cost: a comparison of at most n/64 words for every set of items that is tried; 100 frequent items and sets of 3 make
// at most 160,000. Whether the effort is exceeded is known once the pairs are counted.
//
// Detail: the rules by strength, the strongest that are lost and new, and up to 600 rules for a drawing.
//
// Reference: R. Agrawal, T. Imielinski and A. Swami, "Mining association rules between sets of items in large
// databases", SIGMOD 1993; E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005 (seed of the measures of hiding)
// for the comparison of the rules of two tables.
var RuleSurvival = measure.Measure{
	Card: card.Card{
		Name:      "rulesurvival",
		Title:     "Association rules that survive",
		Short:     "Rule survival",
		Aliases:   []string{"association rules", "rule survival", "jaccard of rules"},
		Summary:   "Share of association rules that the original and the release have in common, of all those in either.",
		Paper:     "Agrawal, Imielinski & Swami 1993; Bertino, Nai Fovino & Parasiliti Provenza 2005",
		Needs:     "columns with items; no class or paired records needed",
		Preserves: "1 when both tables have the same rules",
		Biases:    "changing one record can lose a rule just above a threshold; rules of frequent items outnumber the others",
		Missing:   "no item",
		Cost:      "O(n/64) per itemset tested",
	},
	Facts: measure.Facts{
		Sets:   true,
		About:  measure.Worth,
		Effort: measure.Fast,
		Figure: measure.Entry{Place: 6, Says: message.Say("headFigure.rulesurvival")},
	},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, message.Say("unit.ofRules")),
	Losses: []measure.Loss{{
		Name: "associations", Says: message.Say("loss.associations"),
		Of: func(v measure.Value, _ measure.Base) float64 { return 1 - v.Score },
		Weights: []measure.Weight{
			{Purpose: "everything", Weight: 1, Place: 3},
			{Purpose: "models", Weight: 1, Place: 3},
			{Purpose: "statistics", Weight: 1, Place: 5},
		},
	}},
	New: func() measure.Meter { return param.Default(&RuleSurvivalMeter{}) },
}

// RuleSurvivalMeter measures it.
type RuleSurvivalMeter struct {
	Support    float64 // least share of the records
	Confidence float64
	Lift       float64
	Items      int // of a rule, both sides, at most
	Intervals  int // that numbers are cut into
	Effort     int // comparisons of 64 records, in millions
}

// Params declares the parameters.
func (m *RuleSurvivalMeter) Params() param.Set {
	return param.Set{
		param.Float(&m.Support, "support", 0.05, 1e-9, 1, "share", "minimum support: share of the records with all "+
			"items of a rule"),
		param.Float(&m.Confidence, "confidence", 0.8, 0, 1, "share", "minimum confidence: share of the records "+
			"with the antecedent that have the consequent"),
		param.Float(&m.Lift, "lift", 1.1, 0, 1e9, "times", "minimum lift: how many times more frequent the "+
			"consequent is than among all records; 0 includes uninformative rules"),
		param.Int(&m.Items, "items", 3, 2, 12, "items", "largest number of items in a rule"),
		param.Int(&m.Intervals, "intervals", 4, 2, 1000, "intervals", "cut numbers into this many intervals of "+
			"about equal size"),
		param.Int(&m.Effort, "effort", 2000, 1, 1_000_000, "million comparisons", "beyond this the minimum support "+
			"is raised, which is reported"),
	}
}

// few is the least number of records that a rule rests on, whatever the support.
const few = 2

// mostSets bounds the memory for sets, about 60 bytes each.
const mostSets = 2_000_000

// raise is the factor by which the support is raised where the effort is exceeded.
const raise = 1.5

// Measure returns the Jaccard index of the rules of both tables, with a RuleSurvivalDetail. It does not apply where no
// column gives items or neither table has a rule.
func (m *RuleSurvivalMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	coding, err := basket.New(r.Original, basket.Options{Intervals: m.Intervals})
	if err != nil {
		return measure.Value{}, measure.NotApplicable(message.Text(err.Error()))
	}
	lists, err := coded(coding, r)
	if err != nil {
		return measure.Value{}, err
	}
	sets, used, err := m.find(ctx, lists)
	if err != nil {
		return measure.Value{}, err
	}
	s := survivalSurvey{RuleSurvivalMeter: *m, sets: sets, lists: lists, coding: coding}
	s.Support, s.least = used, [2]int{least(used, lists[0].Len()), least(used, lists[1].Len())}
	if err := s.take(ctx); err != nil {
		return measure.Value{}, err
	}
	if s.kept+s.lost+s.new == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noRule").Share("support", used).
			Share("confidence", m.Confidence).Number("lift", m.Lift, 0.01))
	}
	v := measure.Exact(s.jaccard(), s.parts())
	if used > m.Support {
		v.Notes = append(v.Notes,
			message.Say("measure.rulesurvival.note.raised").Share("asked", m.Support).Share("used", used))
	}
	if len(lists) > 2 {
		v.Notes = append(v.Notes, message.Say("measure.rulesurvival.note.doubt").
			Share("low", s.readings[pessimistic].jaccard()).Share("high", s.readings[optimistic].jaccard()))
	}
	d := s.detail()
	d.Asked = m.Support
	v.Detail = d
	return v, nil
}

// coded returns the original, the release, and the release with the items that may be there where there are such.
func coded(c *basket.Coding, r *measure.Release) ([]*itemset.Transactions, error) {
	before, err := c.Code(r.Original)
	if err != nil {
		return nil, err
	}
	if r.Released == r.Original {
		return []*itemset.Transactions{before, before}, nil
	}
	after, err := c.Code(r.Released)
	if err != nil {
		return nil, err
	}
	possible, err := c.CodePossible(r.Released)
	if err != nil {
		return nil, err
	}
	if possible == nil {
		return []*itemset.Transactions{before, after}, nil
	}
	return []*itemset.Transactions{before, after, possible}, nil
}

// find looks for the frequent sets, with a higher support where it takes too much. It returns the support it used.
func (m *RuleSurvivalMeter) find(
	ctx context.Context,
	lists []*itemset.Transactions,
) (*itemset.Together, float64, error) {
	for support := m.Support; ; support = min(1, support*raise) {
		lim := itemset.Limits{Most: m.Items, Effort: m.Effort * 1_000_000, Sets: mostSets}
		for _, l := range lists {
			lim.Least = append(lim.Least, least(support, l.Len()))
		}
		sets, err := itemset.FindTogether(ctx, lists, lim)
		if !errors.Is(err, itemset.ErrEffort) || support == 1 {
			return sets, support, err
		}
	}
}

// least returns how many records a rule needs.
func least(support float64, records int) int {
	if support == 1 {
		return max(few, records)
	}
	return max(few, itemset.Least(support, records))
}
