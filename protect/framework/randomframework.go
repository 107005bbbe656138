package framework

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RandomFramework is the Random Framework of Islam 2007, the Random Technique (RT) of Fletcher & Islam 2015:
// noise on all attributes that ignores the decision tree, the baseline for the Framework and the Forest Framework.
//
// RNAT perturbs the numeric attributes with uniform noise over the whole domain, Random Categorical
// replaces categorical values with probability p, and ALPT changes classes with one probability, chosen so that as
// many classes change as RPT would change. Every part reads the original records.
//
// Cost: one C4.5 tree, then O(rows * columns).
//
// Departures: those of the parts, see their packages. Fletcher & Islam 2015 say of RT only that it "adds uniform noise
// to all attributes indiscriminately", and name as its source the article in which the Random Framework was published
// after the thesis. So both are one technique here. A class drawn anew at random, the other reading, would leave
// nothing to learn, while section 7 reports "occasionally high" accuracies of RT, which a class mostly kept explains.
// With p = (v-1)/v an attribute of v categories becomes uniform.
//
// Reference: Islam 2007, section 7.3.1; Fletcher & Islam 2015, section 2.
var RandomFramework = protect.Method{
	Card: card.Card{
		Name:    "randomframework",
		Title:   "Random Framework",
		Aliases: []string{"Random Technique", "RT"},
		Summary: "Adds noise to all attributes, ignoring the decision tree: RNAT, Random Categorical and ALPT " +
			"combined.",
		Paper:     "Islam 2007, section 7.3.1; Fletcher & Islam 2015, section 2",
		Needs:     "a categorical class",
		Changes:   "every attribute, the class included",
		Preserves: "the domain and grid of every attribute; the amount of class noise of the Framework, as a yardstick",
		Biases: "everything else: distributions become uniform (types A and D), correlations and rules vanish (types B, " +
			"C and DM)",
		Exposes: "almost nothing about numeric attributes; a categorical value with probability 1 - p",
		Missing: "stay missing",
		Shards:  protect.FromSample,
		Cost:    "one C4.5 tree, then O(rows * columns)",
	},
	Purpose:  protect.Counterparts,
	NoModel:  "its steps rnat and alpt have none",
	Growth:   1,
	New:      func() protect.Technique { return NewRandomFramework() },
	Plan:     func() protect.Plan { return &RandomFrameworkPlan{} },
	Claims:   []protect.Claim{protect.HasSteps, protect.Checks},
	OnDomain: true,
}

// RandomFrameworkTechnique holds the parameters: those of ALPT, whose tree it is, and those of Random Categorical.
type RandomFrameworkTechnique struct {
	P      float64  // probability that a categorical value changes
	Except []string // columns left alone
	classnoise.ALPTTechnique
}

// NewRandomFramework returns the technique with the paper's parameters.
func NewRandomFramework() *RandomFrameworkTechnique {
	return param.Default(&RandomFrameworkTechnique{})
}

// Params declares the parameters.
func (q *RandomFrameworkTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.1, 0, 1, "", "probability that a categorical value is replaced by another value of its "+
			"domain"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}, q.ALPTTechnique.Params()...)
}

// Fit lists the columns and finds ALPT's probability.
func (q *RandomFrameworkTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *RandomFrameworkTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	p := &RandomFrameworkPlan{Attrs: r.Schema.Attrs(), P: q.P}
	var err error
	if p.Numeric, err = protect.Columns(r.Schema, table.Numeric, q.Except); err != nil {
		return nil, err
	}
	if p.Categorical, err = protect.Columns(r.Schema, table.Categorical, q.Except); err != nil {
		return nil, err
	}
	if p.Class, err = fitClass(ctx, r, &q.ALPTTechnique, q.Except); err != nil {
		return nil, err
	}
	return p, nil
}

// fitClass finds ALPT's probability; nil where the class is left alone.
func fitClass(ctx context.Context, r *aggregate.Records, q *classnoise.ALPTTechnique, except []string) (
	*RandomFrameworkClass, error) {
	class, err := protect.ClassOf(r.Schema)
	if err != nil || slices.Contains(except, r.Schema.Attr(class).Name) {
		return nil, err
	}
	fitted, err := q.FitAggregates(ctx, r)
	if err != nil {
		return nil, err
	}
	a := fitted.(*classnoise.ALPTPlan)
	return &RandomFrameworkClass{a.Class, a.P, a.Counts}, nil
}
