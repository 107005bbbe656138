package forests

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// ForEx finds the rules worth showing among those of a decision forest: ForEx++ (Adnan & Islam 2017).
//
// A forest is a pool of rules, one for each leaf, too many to read. Of the rules of each class those are taken that are
// at least as accurate as the rules of the class on the average, cover at least as many records, and have at most as
// many conditions: the intersection of the three sets. The thresholds are averages, so there is none to choose.
//
// A rule's accuracy is the share of the records that it covers that are of its class; its coverage is the share of all
// records that it covers.
//
// What an intruder learns from the rules: as from the leaves of the forest, exact counts and cuts, but of large leaves
// only, since those of few records are below the average coverage of their class. They are confidential.
//
// Missing values: a rule does not cover a record of which a value that it asks for is missing. Records without a class
// count nowhere.
//
// Readings. Rules are a set: one that several trees have counts once in the averages. The conditions are those that a
// reader sees, at most one limit of either side and one set of categories for an attribute, however often a path tests
// it, in the order of the table. A rule that covers no record, and one without a condition, is none. Of the rules worth
// showing that ask for the same sides of the same attributes, at limits between which no record lies, one is shown.
//
// Where it departs from the published program and why: that one rounds rates and averages to five decimals before it
// compares them; here numbers are equal that differ by rounding of the last digits only.
//
// Cost: that of the forest, which is SysFor's, and one walk of the records through its trees.
//
// Reference: M. N. Adnan and M. Z. Islam, "ForEx++: A new framework for knowledge discovery from decision forests",
// Australasian Journal of Information Systems 21, 2017.
var ForEx = mine.Miner{
	Card: card.Card{
		Name:    "forex",
		Title:   "ForEx++",
		Aliases: []string{"ForEx", "Forest Explorer", "rules worth showing"},
		Summary: "Takes from a SysFor forest the rules that are more accurate, more general and shorter than the average " +
			"rule of their class.",
		Paper:   "Adnan & Islam 2017",
		Needs:   "a categorical class; all other attributes except identifiers and weights are inputs",
		Exposes: "exact counts and cuts of large leaves of the training records",
		Missing: "a rule does not cover a record with a missing value that it asks for; records without a class are " +
			"omitted",
		Cost: "growing the forest, then O(n depth) per tree",
	},
	New: func() mine.Learner { return ForExNew() },
}

// ForExLearner grows a forest and takes its rules. The zero value is not usable; take New. Its parameters are SysFor's.
type ForExLearner struct{ SysForLearner }

// ForExNew returns a learner with the defaults of SysFor.
func ForExNew() *ForExLearner { return &ForExLearner{*SysForNew()} }

// Fit returns a *Model for the column with the role Class. It draws no random numbers.
func (l *ForExLearner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	m, err := l.SysForLearner.Fit(ctx, t, src)
	if err != nil {
		return nil, err
	}
	f := m.(*tree.Forest)
	all, err := Rules(ctx, f, t)
	if err != nil {
		return nil, err
	}
	out := &Model{Forest: f, All: len(all), Rules: Worth(all, Bars(all, len(f.ClassLabels())))}
	Strongest(out.Rules, Shares(f, t))
	out.Rules = Once(out.Rules, t)
	return out, nil
}
