// Package natwichai hides classification rules: a leaf with a sensitive rule takes the class mix of neighbouring
// regions (Natwichai, Li & Orlowska).
//
// Data are rebuilt from the rules that may stay. The rules are the leaves of a C4.5 tree for the class. A leaf is
// sensitive where its conditions hold the beginning of a rule that is listed and its majority class is the end. Its
// records get the class mix of the smallest part of the tree around it that has another class, sensitive leaves left
// out: of its siblings first, weighted by their records, in whole records by largest remainder. Which records change
// class is drawn. All other attributes are permuted inside the leaf, each by itself, or drawn from what records of the
// class have in the leaf (rest=marginals). Then the rule is counted in the release. While its support and its
// confidence reach the thresholds, further records lose the end for the siblings' other classes, the fewest that hide
// it, found by bisection.
//
// What an informed intruder learns: the leaf of a record, and in a leaf that is not sensitive its class. A leaf with
// just the mix of its siblings is one that was hidden, and its majority class may be guessed. Only what is listed is
// hidden, at these thresholds, and finer rules of the same records may show it again: remine=true looks for those that
// the same learner finds.
//
// Cost: O(columns * rows log rows) after the tree, some ten times the yardstick for 1,000,000 records of eleven
// columns; with remine=true a tree of all records for each step of a bisection. All records meet: the plan is a
// protect.Grouper with one group.
//
// Departures: this is a reconstruction from abstracts and surveys, for the papers print no procedure that could be
// followed to the letter. The rules that stay are held as the tree that they are read from, so the tree is not built a
// second time from them. Records keep their leaf and are not generated from its weight. The paper says nothing of
// numbers: an interval of a rule must hold that of the leaf. Whether a leaf that merely may hold records of the rule is
// sensitive is a parameter (reach), as is what becomes of other attributes (rest). A rule is counted in the release,
// which no learner can find with more, and not mined unless remine asks for it. Bisection goes from the siblings' mix
// towards the same without the end; a rule that even this does not hide stays at the siblings' mix, and the release is
// withheld.
//
// Reference: J. Natwichai, X. Li and M. Orlowska, "A reconstruction-based algorithm for classification rules hiding",
// ADC 2006; J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
package natwichai

import (
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "natwichai",
		Title:   "Reconstruction-based hiding of classification rules",
		Short:   "Natwichai",
		Aliases: []string{"classification rule hiding"},
		Summary: "Gives leaves with a sensitive rule the class mix of neighbouring regions.",
		Paper:   "Natwichai, Li & Orlowska 2006, reconstructed",
		Needs:   "a categorical class, and rules with a class as consequent and the conditions of a leaf as antecedent",
		Changes: "numbers and categories in all leaves, the class in sensitive ones",
		Preserves: "the leaf of every record, and the class counts of all leaves that are not sensitive, and so " +
			"their rules with support and confidence (type DM)",
		Biases: "relations of attributes inside a leaf are lost (types B and C); sensitive leaves get an " +
			"invented class mix",
		Exposes: "the leaf of a record, and its class in leaves that are not sensitive; a leaf with exactly the " +
			"mix of its siblings was hidden; finer rules may reveal it again",
		Missing: "stay missing and are not used; a record with a missing tested value belongs to the leaf of the " +
			"heaviest branch",
		Cost: "O(columns * rows log rows), after growing a tree",
	},
	Purpose: protect.Hides,
	NoModel: "its changes depend on the leaves of a tree that is grown on the original, which are confidential",
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.Groups, protect.Notes, protect.Describes,
		protect.Checks, protect.HidesPatterns},
}

// Which leaves are sensitive, and what becomes of attributes other than the class.
const (
	Inside    = "inside"
	Overlap   = "overlap"
	Permute   = "permute"
	Marginals = "marginals"
	Keep      = "keep"
)

// Settings are the parameters that a plan needs.
type Settings struct {
	Sensitive  string  `json:"sensitive"` // as basket.Coding.Patterns reads it
	Support    float64 `json:"support"`
	Confidence float64 `json:"confidence"`
	Reach      string  `json:"reach"` // inside | overlap
	Rest       string  `json:"rest"`  // permute | marginals | keep
}

// Technique holds the parameters: those of the tree, and its own.
type Technique struct {
	Settings
	Intervals int
	Except    []string
	Remine    bool
	leafwise.Leaves
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(append(param.Set{
		param.Patterns(&q.Sensitive, "sensitive", "the rules to hide, with a class as consequent, such as "+
			"outlook=overcast=>play=yes, one per line or separated by semicolons (--sensitive FILE)"),
		param.Int(&q.Intervals, "intervals", 4, 2, 1000, "intervals", "cut numbers in rules into this many "+
			"intervals of about equal size"),
	}, q.Settings.params()...), append(param.Set{
		param.Bool(&q.Remine, "remine", false, "regrow the tree on the release, and also hide its rules inside the "+
			"antecedent of a sensitive one"),
		param.Names(&q.Except, "except", "attributes to leave alone"),
	}, q.Leaves.Params()...)...)
}

// params declares those that a plan holds as they are.
func (s *Settings) params() param.Set {
	return param.Set{
		param.Float(&s.Support, "support", 0.01, 1e-12, 1e12, "share or records", "minimum support; a rule below "+
			"it is hidden; values below 1 are a share of the records, others a number"),
		param.Float(&s.Confidence, "confidence", 0.6, 0, 1, "share", "minimum confidence; a rule below it is hidden"),
		param.Choice(&s.Reach, "reach", Inside, []string{Inside, Overlap}, "a leaf is sensitive if its conditions "+
			"include the whole antecedent of a rule, or if a record with the antecedent may be in it"),
		param.Choice(&s.Rest, "rest", Permute, []string{Permute, Marginals, Keep},
			"other attributes: permuted inside the leaf, drawn from records of the same class there, or kept"),
	}
}

// Fit grows the tree, unless one was handed over, and finds the sensitive leaves.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p := &Plan{Settings: q.Settings}
	for _, kind := range []table.Kind{table.Numeric, table.Categorical} {
		columns, err := protect.Columns(t, kind, q.Except)
		if err != nil {
			return nil, err
		}
		if q.Rest != Keep {
			p.Columns = append(p.Columns, columns...)
		}
	}
	slices.Sort(p.Columns)
	in, err := q.Segment(ctx, aggregate.Over(t, src))
	if err != nil {
		return nil, err
	}
	p.InLeaves = in
	c, err := basket.New(t, basket.Options{Intervals: q.Intervals})
	if err != nil {
		return nil, err
	}
	p.Coding = c.Save()
	if q.Remine {
		learner := q.Learner
		learner.Workers = 0
		p.Learner = &learner
	}
	return p, p.study(t)
}
