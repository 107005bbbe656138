package hidingeffects

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ruleMeasures measure how much weaker sensitive rules are in the release: by the information that knowing
// the antecedent of a rule gives of its consequent, times how common the antecedent is (the J-measure, jmeasure), and
// by how far rules are pushed down (J', which grows with the confidence of a rule, levelofprivacy).
//
// Rules are association rules that are listed (parameter sensitive, as basket.Coding.Patterns reads them), or with
// rules=tree the classification rules of a C4.5 tree of the original: the way to a leaf, and its class. The records of
// both tables are routed through the same tree. A rule "y then x" is described by a = p(x), b = p(y) and x = p(x|y), of
// the records of each table. Shares of 0 and 1 are taken half a record from there, and a note says so.
//
// jmeasure is the mean of J before minus J after, J = b (x log2(x/a) + (1-x) log2((1-x)/(1-a))). levelofprivacy is the
// mean of J' after minus J' before, J' = b (log2(x/a) - log2((1-x)/(1-a))), as equation 3.15 prints it, so that it is
// negative where rules are hidden; the reversed sign stands beside it.
//
// They need rules, and columns that give items; without rules they do not apply. Records need not be paired. A missing
// value is no item; in a tree it is treated as by C4.5, and a record without a class is left out. An item that may be
// there counts half.
//
// Cost: O(items) for each rule; for those of a tree that of growing it, which measures share.
//
// References: E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, equations 3.7 to 3.9, 3.14 and 3.15; P. Smyth
// and R. Goodman 1992 for the J-measure.
var ruleMeasures = []measure.Measure{
	ruleEntry(jMeasure, measure.Measure{
		Card: card.Card{
			Name:    "jmeasure",
			Title:   "J-measure of rules",
			Aliases: []string{"J-measure", "EP"},
			Summary: "How much of the information in sensitive rules the release withholds.",
			Paper:   "Bertino, Nai Fovino & Parasiliti Provenza 2005, equations 3.7 to 3.9; Smyth & Goodman 1992",
			Biases: "a rule with a consequent that became rarer than by chance carries information again: J does " +
				"not show the direction",
		},
		Better: measure.Higher,
	}),
	ruleEntry(levelOfPrivacy, measure.Measure{
		Card: card.Card{
			Name:    "levelofprivacy",
			Title:   "Level of privacy",
			Aliases: []string{"level of privacy", "LP"},
			Summary: "How far sensitive rules are pushed down: J' after minus before; negative when they are hidden.",
			Paper:   "Bertino, Nai Fovino & Parasiliti Provenza 2005, equations 3.14 and 3.15",
			Biases:  "rules with a frequent antecedent weigh more",
		},
		Better: measure.Lower,
	}),
}

// ruleEntry is the entry of a figure of the rules, with what both say.
func ruleEntry(of func(f *Found) measure.Value, e measure.Measure) measure.Measure {
	e.Needs = "rules, listed or of a tree"
	e.Preserves = "0 when every rule is as strong as before"
	e.Missing = "no item; an uncertain item counts half"
	e.Cost = "O(items) per rule; for rules of a tree, growing it"
	e.Facts = measure.Facts{Sets: true, About: measure.Secret, Effort: measure.Fast, Counts: measure.Records}
	e.Side, e.Unit = measure.Risk, measure.In(measure.Bits, message.Say("unit.bits"))
	e.Range = table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), OpenLo: true, OpenHi: true}
	e.New = func() measure.Meter { return param.Default(&RuleMeter{of: of}) }
	return e
}

// RuleMeter measures one of them.
type RuleMeter struct {
	RuleOptions
	of func(f *Found) measure.Value
}

// Measure returns the mean over the rules, with a Detail. It does not apply without rules.
func (m *RuleMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	f, err := RulesOf(ctx, r, m.RuleOptions)
	if err != nil {
		return measure.Value{}, err
	}
	v := m.of(f)
	v.CountRecords()
	return v, nil
}

// jMeasure is the mean of J before minus after (equation 3.9).
func jMeasure(f *Found) measure.Value {
	d, was, is := f.Judge(Terms.J)
	v := measure.Exact(was-is, []measure.Part{
		{Key: "rules", Name: message.Say("measure.jmeasure.part.rules"), Score: float64(len(d.Rules))},
		{Key: "before", Name: message.Say("measure.jmeasure.part.before"), Score: was},
		{Key: "after", Name: message.Say("measure.jmeasure.part.after"), Score: is},
	}, f.Notes...)
	v.Detail = d
	return v
}

// levelOfPrivacy is the mean of J' after minus before, as equation 3.15 prints it.
func levelOfPrivacy(f *Found) measure.Value {
	d, was, is := f.Judge(Terms.JPrime)
	v := measure.Exact(is-was, []measure.Part{
		{Key: "rules", Name: message.Say("measure.levelofprivacy.part.rules"), Score: float64(len(d.Rules))},
		{Key: "before", Name: message.Say("measure.levelofprivacy.part.before"), Score: was},
		{Key: "after", Name: message.Say("measure.levelofprivacy.part.after"), Score: is},
		{Key: "reversed", Name: message.Say("measure.levelofprivacy.part.reversed"), Score: was - is},
	}, f.Notes...)
	v.Detail = d
	return v
}
