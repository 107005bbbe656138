// Package natwichai hides classification rules: a leaf whose rule is sensitive borrows the class mix of the regions beside it (Natwichai, Li & Orlowska).
//
// What it does: data are rebuilt from the rules that may stay. The rules are the leaves of a C4.5 tree for the class. A leaf is sensitive where its conditions hold the beginning of a rule that is
// listed and its majority class is the end. Its records get the class mix of the smallest part of the tree around it that has another class, sensitive leaves left out: of its
// siblings first, weighted by their records, in whole records by largest remainder. Which records change class is drawn. All other attributes are permuted inside the
// leaf, each by itself, or drawn from what records of the class have in the leaf (rest=marginals). Then the rule is counted in the release. While its
// support and its confidence reach the thresholds, further records lose the end for the siblings' other classes, the fewest that hide it, found by bisection.
//
// Needs and changes: a categorical class, and rules whose end is a class and whose beginning is that of a leaf; changes numbers and categories in all leaves, and the class in
// sensitive ones. Sets of items, sampling weights and columns in except stay.
//
// Preserves and biases: every record stays in its leaf. The class counts of all other leaves stay, so their rules keep support and confidence; with rest=permute every distribution
// inside a leaf stays, too. Relations of attributes inside a leaf are lost (types B and C), and sensitive leaves have a class mix that nobody had.
//
// What an informed intruder learns: the leaf of a record, and in a leaf that is not sensitive its class. A leaf with just the mix of its siblings is one that was hidden, and its majority class may be
// guessed. Only what is listed is hidden, at these thresholds, and finer rules of the same records may show it again: remine=true looks for those that the same learner finds.
//
// Missing values: stay missing and take no part, and so do numbers outside their domain or off their grid; a record whose tested value is missing belongs to the leaf of the heaviest branch.
//
// Cost: O(columns * rows log rows) after the tree, some ten times the yardstick for 1,000,000 records of eleven columns; with remine=true a tree of all records for each step of a bisection. All records
// meet: the plan is a protect.Grouper with one group.
//
// Departures: this is a reconstruction from abstracts and surveys, for the papers print no procedure that could be followed to the letter. The rules that stay are held as the tree
// that they are read from, so the tree is not built a second time from them. Records keep their leaf and are not generated from its weight. The paper says nothing of numbers: an interval of a rule must hold that of
// the leaf. Whether a leaf that merely may hold records of the rule is sensitive is a parameter (reach), as is what becomes of other attributes (rest). A rule is counted in the release, which no learner can find with more, and not mined unless remine
// asks for it. Bisection goes from the siblings' mix towards the same without the end; a rule that even this does not hide stays at the siblings' mix, and the release is withheld.
//
// Reference: J. Natwichai, X. Li and M. Orlowska, "A reconstruction-based algorithm for classification rules hiding", ADC 2006; J. R. Quinlan, "C4.5: Programs for
// Machine Learning", 1993.
package natwichai

import (
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "natwichai",
		Title:     "Reconstruction-based hiding of classification rules",
		Aliases:   []string{"classification rule hiding"},
		Summary:   "Gives leaves whose rule is sensitive the class mix of the regions beside them.",
		Paper:     "Natwichai, Li & Orlowska 2006, reconstructed",
		Needs:     "a categorical class, and rules whose end is a class and whose beginning is that of a leaf",
		Changes:   "numbers and categories in all leaves, the class in sensitive ones",
		Preserves: "the leaf of every record, and the class counts of all leaves that are not sensitive, so their rules with support and confidence (type DM)",
		Biases:    "relations of attributes inside a leaf are lost (types B and C); sensitive leaves have a class mix that nobody had",
		Exposes:   "the leaf of a record, and its class in leaves that are not sensitive; a leaf with just the mix of its siblings is one that was hidden; finer rules may show it again",
		Missing:   "stay missing and take no part; a record whose tested value is missing belongs to the leaf of the heaviest branch",
		Cost:      "O(columns * rows log rows), after growing a tree",
	},
	Purpose: protect.Hides,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.HasLaw, protect.Segments, protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.HidesPatterns},
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
		param.Text(&q.Sensitive, "sensitive", "the rules that are to be hidden, such as outlook=overcast=>play=yes, whose end is a class, a line each or with semicolons between them (--sensitive FILE)"),
		param.Int(&q.Intervals, "intervals", 4, 2, 1000, "intervals", "numbers in rules are cut into so many of about equally many records"),
	}, q.Settings.params()...), append(param.Set{
		param.Bool(&q.Remine, "remine", false, "grow the tree again on the release, and hide rules that it then has in a leaf inside the beginning of a sensitive one, too"),
		param.Names(&q.Except, "except", "attributes to leave alone"),
	}, q.Leaves.Params()...)...)
}

// params declares those that a plan holds as they are.
func (s *Settings) params() param.Set {
	return param.Set{
		param.Float(&s.Support, "support", 0.01, 1e-12, 1e12, "share or records", "the minimum support threshold, below which a rule is hidden: below 1 a share of the records, from 1 on a number"),
		param.Float(&s.Confidence, "confidence", 0.6, 0, 1, "share", "the minimum confidence threshold, below which a rule is hidden"),
		param.Choice(&s.Reach, "reach", Inside, []string{Inside, Overlap}, "a leaf is sensitive where the whole beginning of a rule is among its conditions, or where a record of the beginning may be in it"),
		param.Choice(&s.Rest, "rest", Permute, []string{Permute, Marginals, Keep},
			"attributes other than the class: permuted inside the leaf, drawn from what records of the class have there, or kept"),
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
	in, err := q.Segment(ctx, t, src)
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
