// Package selectasize is select-a-size of Evfimievski, Srikant, Agrawal & Gehrke 2002, and its operator of limited amplification (Evfimievski, Gehrke &
// Srikant 2003): a random number of the items of a record are kept, and others are added.
//
// What it does: for a record of m items a number j of 0..m is drawn by probabilities of its own; j of its items, chosen evenly, are kept; and every item that
// the record did not have is added with probability rho. What the probabilities and rho are for records of m items is given (operators) or, by default, chosen so that
// no release changes the odds of two records of m items by more than gamma: a release is gamma times as likely if it has at least a number j* of the
// record's items, and j* and rho are those of least error for the support of a rare itemset of so many items (itemset), found by trying all j* and rho in
// steps of 1/steps.
//
// Needs and changes: columns of sets of items, those named in columns or all. Items that no record of the table has, but the column knows, are added too.
//
// Preserves and biases: supports of itemsets, after a correction that needs the operators and the number of items that every record had (--law-out publishes
// them); its error grows steeply with the size of the itemset. Without it rare items become common (type D), records long, and rules break (type DM).
//
// What an informed intruder learns: how many items every record had. Among the records of m items the odds of two originals change by the factor
// gamma at most, whatever else is known: with gamma = 19 what had the probability 5 % before has 50 % at most after. That is local differential privacy of
// epsilon = ln gamma for the whole record among those of its size. An innocent-looking operator of one's own may have a gamma of thousands; the notes say it.
//
// Missing sets stay missing, and items that may or may not be there stay so and do not count. Records without items stay empty under the chosen operators, for
// their size tells all of them.
//
// Cost: O(items of the release), about 20 ns an item; fitting takes some 0.3 us for every j* and step of every number of items.
//
// Departures: the paper leaves open how j* and rho are chosen; here by the least variance of the estimate of an itemset that no record has. For records
// with fewer items than the itemset looked at it is as large as the record.
//
// Reference: A. Evfimievski, R. Srikant, R. Agrawal & J. Gehrke, "Privacy preserving mining of association rules", KDD 2002, section 4.1; A. Evfimievski, J.
// Gehrke & R. Srikant, "Limiting privacy breaches in privacy preserving data mining", PODS 2003, section 4.
package selectasize

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/internal/randomised"
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
		Name:      "selectasize",
		Title:     "Select-a-size, a random number of items kept and others added",
		Aliases:   []string{"gamma-limited select-a-size", "select a size randomization"},
		Summary:   "Keeps a random number of the items of a record and adds others, so that the odds of no two records change by more than gamma.",
		Paper:     "Evfimievski, Srikant, Agrawal & Gehrke 2002; Evfimievski, Gehrke & Srikant 2003",
		Needs:     "columns of sets of items",
		Changes:   "the columns named, or every column of sets of items",
		Preserves: "supports of itemsets after a correction that needs the operators and the numbers of items, with an error that grows steeply with their size",
		Biases:    "without it rare items become common (type D), records long, and rules break (type DM)",
		Exposes:   "how many items a record has; and enough to change the odds of two records of one size by the factor gamma at most (local differential privacy)",
		Missing:   "sets stay missing, doubtful items doubtful",
		Cost:      "O(items of the release), after choosing operators",
	},
	Purpose: protect.Items,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes, protect.Memoises, protect.BoundsOdds},
	Sets:    true,
}

// Technique holds the parameters.
type Technique struct {
	Gamma     float64  // amplification of the operators that are chosen
	Itemset   int      // items of the itemset whose error is least
	Steps     int      // that rho is tried in
	Operators []string // m=rho/p0/p1/.../pm instead, for records of m items
	itemwise.Choice
}

// New returns the technique with gamma = 19, of which 5 % become 50 % at most, for pairs of items.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Gamma, "gamma", 19, 1.001, 1e9, "", "amplification: the largest factor by which a release changes the odds of two records of one size"),
		param.Int(&q.Itemset, "itemset", 2, 1, 5, "items", "the operators are chosen for the least error of rare itemsets of so many items"),
		param.Int(&q.Steps, "steps", 100, 2, 10_000, "", "rho is tried in steps of 1 by this"),
		param.Names(&q.Operators, "operators", "operators for records of m items that are used as they are, as m=rho/p0/p1/.../pm with the probabilities pj that j items are kept"),
	}, q.Choice.Params()...)
}

// Fit chooses the columns, and an operator for every number of items that a record has.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	given := map[int]published.Operator{}
	for _, text := range q.Operators {
		o, err := read(text)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", "operators", err)
		}
		given[o.Items] = o
	}
	p := &Plan{Gamma: q.Gamma}
	err := p.FitSized(ctx, t, &q.Choice, func(ctx context.Context, items []int) ([]published.Operator, error) {
		out := make([]published.Operator, len(items))
		p.From = make([]int, len(items))
		return out, parallel.Each(ctx, len(items), func(k int) (err error) {
			if o, ok := given[items[k]]; ok {
				out[k] = o
				return nil
			}
			out[k], p.From[k], err = q.limited(items[k])
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// limited returns the operator for records of m items of the least error, and from how many items kept on a release is gamma times as likely.
func (q *Technique) limited(m int) (published.Operator, int, error) {
	if m == 0 {
		return published.Operator{Kept: []float64{1}}, 0, nil
	}
	absent := make([]float64, min(m, q.Itemset)+1)
	absent[0] = 1
	best, from, _, err := randomised.Choose(m, q.Gamma, absent, q.Steps)
	return published.Operator{Items: m, Kept: best.Kept, Rho: best.Rho}, from, err
}

// read reads one operator.
func read(text string) (o published.Operator, err error) {
	name, rest, ok := strings.Cut(text, "=")
	o.Items, err = strconv.Atoi(strings.TrimSpace(name))
	if !ok || err != nil {
		return o, fmt.Errorf("%q does not begin with a number of items; expected m=rho/p0/p1/.../pm", text)
	}
	for k, word := range strings.Split(rest, "/") {
		p, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return o, fmt.Errorf("%q is no probability", word)
		}
		if k == 0 {
			o.Rho = p
		} else {
			o.Kept = append(o.Kept, p)
		}
	}
	return o, o.Check()
}

// Plan is the fitted technique.
type Plan struct {
	itemwise.Sized
	Gamma float64 `json:"gamma"` // asked for
	From  []int   `json:"from"`  // by operator: j*, from how many items kept on a release is gamma times as likely; 0 of one that was not chosen
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if len(p.From) != len(p.Operators) {
		return fmt.Errorf("there are %d numbers for %d operators", len(p.From), len(p.Operators))
	}
	return p.Sized.Check()
}

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "a random number of items kept and others added (select-a-size)"
}

// shown is how many operators the notes tell.
const shown = 12

// Notes says which operators were chosen, besides what all such plans say.
func (p *Plan) Notes() []string {
	var chosen []string
	for k, from := range p.From {
		if o := &p.Operators[k]; from > 0 {
			chosen = append(chosen, fmt.Sprintf("%d from %d on, rho %.3g, %.3g kept", o.Items, from, o.Rho, o.Sizes().KeptShare()*float64(o.Items)))
		}
	}
	out := p.Sized.Notes()
	if more := len(chosen) - shown; more > 0 {
		chosen = append(chosen[:shown], "and "+numeral.Counted(more, "further number"))
	}
	if len(chosen) > 0 {
		out = append(out, fmt.Sprintf("operators of amplification gamma = %.4g, by the number of items that a record has: a release is gamma times as likely from so many of them on; how many are kept in the mean: ",
			p.Gamma)+strings.Join(chosen, "; "))
	}
	return out
}
