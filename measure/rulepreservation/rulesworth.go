package rulepreservation

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// RulesWorth measures which of the rules worth showing of the original the release still has.
//
// A SysFor forest is grown on either table. Of its rules ForEx++ takes those that are more accurate, more general and
// shorter than the average rule of their class (package mine/forests). A rule of the original is kept where it
// holds in the release: it is at least as accurate and as general there as that average of the original, or at most 5
// points of per cent less accurate than it was, covering at least four fifths of what it did. It is lost where not, and
// hidden where it was to be: all records that it is right about have the items of a pattern that is listed as
// sensitive. A rule of the release is new where it does not hold in the original, by the same; those who believe it
// are misled. The score is the share that is kept of the rules that were not to be
// hidden.
//
// An alert says which rules that are kept are about something sensitive: a column with the role confidential stands in
// them, be it declared or guessed, or they tell what was to be hidden. Nobody need be found for such a rule to harm: it
// is believed of everybody who meets its conditions. The alert is graded (Fule & Roddick 2004): high where a rule tells
// what is confidential from quasi-identifiers, which others know of a person, medium where it tells it from other
// columns only, low where what is confidential is but a condition.
//
// What it does not say: a rule near these bounds may be lost, or new, by chance.
//
// Detail: how many rules there are of each state, and the ten strongest, the most beyond chance first. Of those of a
// state and class that cover nearly the same records the strongest stands for all.
//
// Missing values: a rule does not cover a record with a missing value that it asks for; records without a class count
// nowhere.
//
// Cost: growing two forests, which measures of the same settings share, and two walks of either table through them.
//
// Departures: Fule & Roddick give every value a degree and combine the degrees of both sides of a rule by a function
// that the custodian chooses; here the degree of a side is the role of its columns.
//
// Reference: M. N. Adnan and M. Z. Islam, "ForEx++: A new framework for knowledge discovery from decision forests",
// Australasian Journal of Information Systems 21, 2017; P. Fule and J. F. Roddick, "Detecting privacy and ethical
// sensitivity in data mining results", ACSC 2004.
var RulesWorth = measure.Measure{
	Card: card.Card{
		Name:    "rulesworth",
		Title:   "Rules worth showing",
		Aliases: []string{"ForEx++ rules", "sensitive rules that are kept"},
		Summary: "Share of the accurate, general and short rules of the original's forest that hold in the release, too.",
		Paper:   "Adnan & Islam 2017; Fule & Roddick 2004",
		Needs:   "a categorical class; all attributes except identifiers and weights",
		Preserves: "1 when every such rule is nearly as accurate and as general in the release, or as the original's " +
			"average rule of its class is",
		Biases:  "a rule that few records support may be lost by chance",
		Missing: "a rule does not cover a record with a missing value that it asks for",
		Cost:    "growing two forests, then O(n depth) per tree",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofRulesWorth")),
	New:    func() measure.Meter { return param.Default(&RulesWorthMeter{}) },
}

// RulesWorthMeter measures it. Its parameters are those of SysFor, and what is sensitive.
type RulesWorthMeter struct {
	forests.SysForLearner
	Sensitive  string // itemsets and rules as basket.Coding.Patterns reads them
	Support    float64
	Confidence float64
	Intervals  int
}

// Params declares the parameters; support and confidence say what a * in the list stands for.
func (m *RulesWorthMeter) Params() param.Set {
	return append(param.Set{
		param.Patterns(&m.Sensitive, "sensitive", "what was to be hidden: itemsets such as sex=female,job=nurse and "+
			"rules such as job=nurse=>ward=3, one per line or separated by semicolons"),
		param.Float(&m.Support, "support", 0.01, 1e-12, 1e12, "share or records", "minimum support of what a * in "+
			"the list stands for; values below 1 are a share of the records, others a number"),
		param.Float(&m.Confidence, "confidence", 0.6, 0, 1, "share", "minimum confidence of what a * in the list "+
			"stands for"),
		param.Int(&m.Intervals, "intervals", 4, 2, 1000, "intervals", "cut numbers into this many intervals of "+
			"about equal size, for the items of the list"),
	}.Shared(), m.SysForLearner.Params()...)
}

// Measure returns the share of the rules that are kept, with a RulesWorthDetail. It does not apply where the forest of
// the original has no rule, and fails without a categorical class.
func (m *RulesWorthMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	original, released, err := trees.Forests(ctx, r, m.SysForLearner)
	if err != nil {
		return measure.Value{}, err
	}
	s := worthSurvey{r: r, attrs: original.Attrs(), class: original.Class()}
	if s.listed, err = m.patterns(r.Original); err != nil {
		return measure.Value{}, err
	}
	if err := s.owners(ctx, original); err != nil {
		return measure.Value{}, err
	}
	if len(s.fates) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noRuleWorth"))
	}
	if err := s.others(ctx, released); err != nil {
		return measure.Value{}, err
	}
	d := s.detail()
	v := measure.Exact(d.share(), []measure.Part{
		{Key: "kept", Name: message.Say("measure.rulesworth.part.kept"), Score: float64(d.Kept)},
		{Key: "lost", Name: message.Say("measure.rulesworth.part.lost"), Score: float64(d.Lost)},
		{Key: "new", Name: message.Say("measure.rulesworth.part.new"), Score: float64(d.New)},
		{Key: "hidden", Name: message.Say("measure.rulesworth.part.hidden"), Score: float64(d.Hidden)},
	}, d.Alerts()...)
	v.Detail = d
	return v, ctx.Err()
}

// fate is what became of a rule. What it is worth in the original stands in Strength.
type fate struct {
	forests.Rule
	state     RulesWorthState
	after     forests.Strength
	weight    float64 // leverage, in the table that has the rule
	sensitive []string
	grade     Grade
	listed    bool
}

// worthSurvey is the comparison of two forests.
type worthSurvey struct {
	r      *measure.Release
	attrs  []table.Attribute
	class  int
	bars   []forests.Bar // of the original
	listed [][]bool      // by pattern that was to be hidden, which records of the original have all its items
	fates  []fate
}

// owners looks at the rules of the original.
func (s *worthSurvey) owners(ctx context.Context, f *tree.Forest) error {
	all, err := forests.Rules(ctx, f, s.r.Original)
	if err != nil {
		return err
	}
	after, err := forests.Strengths(ctx, f, s.r.Released)
	if err != nil {
		return err
	}
	s.bars = forests.Bars(all, len(f.ClassLabels()))
	shares := forests.Shares(f, s.r.Original)
	for _, r := range forests.Worth(all, s.bars) {
		x := s.look(r, after[r.Tree][r.Leaf])
		x.weight = r.Leverage(shares[r.Then])
		switch {
		case s.holds(&r, x.after):
			x.state = RulesWorthKept
		case x.listed:
			x.state = Hidden
		default:
			x.state = RulesWorthLost
		}
		s.fates = append(s.fates, x)
	}
	return nil
}

// others looks at the rules that the release alone has.
func (s *worthSurvey) others(ctx context.Context, f *tree.Forest) error {
	all, err := forests.Rules(ctx, f, s.r.Released)
	if err != nil {
		return err
	}
	before, err := forests.Strengths(ctx, f, s.r.Original)
	if err != nil {
		return err
	}
	shares := forests.Shares(f, s.r.Released)
	for _, r := range forests.Worth(all, forests.Bars(all, len(f.ClassLabels()))) {
		was, is := before[r.Tree][r.Leaf], r.Strength
		if s.holds(&r, was) {
			continue
		}
		weight := is.Leverage(shares[r.Then])
		r.Strength = was
		x := s.look(r, is)
		x.state, x.weight = RulesWorthNew, weight
		s.fates = append(s.fates, x)
	}
	return nil
}

// By how much a rule may be less accurate in the other table, and what share of its coverage it has there at least, to
// hold as it did.
const (
	near  = 0.05
	still = 0.8
)

// holds reports whether a rule with the strength it has in one table holds with that in the other: as well as the
// average rule of its class in the original, or nearly as well as in its own table.
func (s *worthSurvey) holds(r *forests.Rule, there forests.Strength) bool {
	return s.bars[r.Then].Holds(there) || there.Accuracy() >= r.Accuracy()-near && there.Coverage() >= still*r.Coverage()
}

// look says whether a rule is about something sensitive.
func (s *worthSurvey) look(r forests.Rule, after forests.Strength) fate {
	x := fate{Rule: r, after: after, listed: s.tells(&r)}
	var conditions []int
	for _, c := range r.If {
		conditions = append(conditions, c.Attr)
	}
	columns := append(conditions, s.class)
	x.grade = s.grade(conditions)
	for j := range s.attrs { // in the order of the table
		if s.attrs[j].Role&table.Confidential != 0 && slices.Contains(columns, j) {
			x.sensitive = append(x.sensitive, s.attrs[j].Name)
		}
	}
	return x
}
