// Package cutandpaste is cut-and-paste of Evfimievski, Srikant, Agrawal & Gehrke 2002: some items of a record are cut out and kept, and every other item is
// pasted in with one probability.
//
// What it does: of a record of m items a number j is drawn evenly from 0 to most, or is m where that is less; j of its items, chosen evenly, are kept; and every
// other item that there is, those of the record that were not kept among them, is put in with probability rho. Long records keep few of their items, and these
// hide among those that are pasted.
//
// Needs and changes: columns of sets of items, those named in columns or all. Items that no record of the table has, but the column knows, are added too.
//
// Preserves and biases: supports of itemsets, after a correction that needs most, rho and the number of items that every record had (--law-out publishes
// them); its error grows steeply with the size of the itemset. Without it rare items become common (type D), records long, and rules break (type DM).
//
// What an informed intruder learns: how many items every record had. Among the records of m items a release changes the odds of two originals by the
// factor gamma at most, which the notes give with epsilon, its logarithm; it is large where most is near m or rho small. What a released item, or itemset,
// tells of its items is the breach: the notes give it for one item at the mean support. Whoever knows most of a record may recognise it.
//
// Missing sets stay missing, and items that may or may not be there stay so and do not count.
//
// Cost: O(items of the release), about 20 ns an item; with many items to have releases are large.
//
// Departures: most and rho are the same for records of all sizes; the paper chooses them for every size, so that the breach of the data at hand is
// 50 %. What is drawn is how many items are left of the record, by the law that this process has, and then which.
//
// Reference: A. Evfimievski, R. Srikant, R. Agrawal & J. Gehrke, "Privacy preserving mining of association rules", KDD 2002, section 4.2.
package cutandpaste

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/itemwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "cutandpaste",
		Title:     "Cut-and-paste, some items kept and others added",
		Aliases:   []string{"C&P", "cut and paste randomization"},
		Summary:   "Keeps a few items of a record and adds every other one there is with probability rho.",
		Paper:     "Evfimievski, Srikant, Agrawal & Gehrke 2002",
		Needs:     "columns of sets of items",
		Changes:   "the columns named, or every column of sets of items",
		Preserves: "supports of itemsets after a correction that needs most, rho and the numbers of items, with an error that grows steeply with their size",
		Biases:    "without it rare items become common (type D), records long, and rules break (type DM)",
		Exposes:   "how many items a record has; and enough to change the odds of two records of one size by the factor gamma, which is large for small rho",
		Missing:   "sets stay missing, doubtful items doubtful",
		Cost:      "O(items of the release)",
	},
	Purpose: protect.Items,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes, protect.Memoises, protect.BoundsOdds},
	Sets:    true,
}

// Technique holds the parameters.
type Technique struct {
	Most int     // the most items that are cut
	Rho  float64 // probability that any other is pasted
	itemwise.Choice
}

// New returns the technique with most = 3 and rho = 0.2.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Int(&q.Most, "most", 3, 0, 1000, "items", "the most items of a record that are kept for certain; how many is drawn evenly from 0 on"),
		param.Float(&q.Rho, "rho", 0.2, 0, 1, "", "probability that any other item, of the record or not, is put in; 1 tells nothing"),
	}, q.Choice.Params()...)
}

// Fit chooses the columns, and counts the items of the records.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p := &Plan{}
	err := p.FitSized(ctx, t, &q.Choice, func(_ context.Context, items []int) (out []published.Operator, _ error) {
		for _, m := range items {
			most := q.Most
			out = append(out, published.Operator{Items: m, Most: &most, Rho: q.Rho})
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Plan is the fitted technique.
type Plan struct{ itemwise.Sized }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "a few items kept and any other put in with one probability (cut-and-paste)"
}
