package framework

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RandomExtFramework is the Random Extended Framework of Islam 2007: numbers regenerated with their
// correlations and random noise on everything else, without regard to the decision tree. It is the baseline for the
// Extended Framework: what regenerating numbers costs when done on all records at once.
//
// GADP regenerates all numeric attributes of the whole table from their means and covariances, Random Categorical
// replaces categorical values with probability p, and ALPT changes classes with one probability, chosen so that as many
// classes change as RPT would change. Every part reads the original records. classTechnique=keep leaves the class
// alone: that is the thesis' experiment "GADP without ALPT", which shows that the patterns are lost to GADP and not to
// ALPT.
//
// Cost: one C4.5 tree, then O(rows columns^2).
//
// Departures: those of the parts, see their packages. Values outside their domain become its nearest end
// (outside=clip), which is what the means in the thesis tell of its own runs; they are rounded and not truncated, so
// integers keep their mean.
//
// Reference: Islam 2007, section 7.3, "Experiments on Random Extended Framework" and "Experiments on GADP without
// ALPT".
var RandomExtFramework = protect.Method{
	Card: card.Card{
		Name:    "randomextframework",
		Title:   "Random Extended Framework",
		Short:   "Random Ext. Framework",
		Aliases: []string{"REF"},
		Summary: "Regenerates all numbers with their correlations and adds noise to the rest, ignoring the tree: " +
			"GADP, Random Categorical, ALPT.",
		Paper:   "Islam 2007, section 7.3",
		Needs:   "a categorical class, unless classTechnique=keep",
		Changes: "every attribute, the class included",
		Preserves: "means, variances and correlations of the numeric attributes (types A and B); the amount of class noise " +
			"of the Extended " +
			"Framework, as a yardstick",
		Biases: "values forced into their domain move means and variances (type A); distributions become normal " +
			"(type D), relations between numbers and categories or class vanish (type C), and rules with them " +
			"(type DM)",
		Exposes: "the moments of the numeric attributes; a categorical value with probability 1 - p",
		Missing: "stay missing; moments are pairwise",
		Shards:  protect.FromSample,
		Cost:    "one C4.5 tree, then O(rows * columns²)",
	},
	Purpose: protect.Counterparts,
	NoModel: "its steps gadp and alpt have none",
	Growth:  1,
	New:     func() protect.Technique { return NewRandomExtFramework() },
	Plan:    func() protect.Plan { return &RandomExtFrameworkPlan{} },
	Claims:  []protect.Claim{protect.HasSteps, protect.Notes, protect.Checks},
}

// What perturbs the class.
const (
	ALPT = "alpt" // one probability for all
	Keep = "keep" // nothing
)

// RandomExtFrameworkTechnique holds the parameters: those of ALPT, whose tree it is, those of Random Categorical, and
// GADP's treatment of values outside.
type RandomExtFrameworkTechnique struct {
	P              float64 // probability that a categorical value changes
	Outside        string
	ClassTechnique string   // alpt | keep
	Except         []string // columns left alone
	classnoise.ALPTTechnique
}

// NewRandomExtFramework returns the technique with the paper's parameters.
func NewRandomExtFramework() *RandomExtFrameworkTechnique {
	return param.Default(&RandomExtFrameworkTechnique{})
}

// Params declares the parameters.
func (q *RandomExtFrameworkTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.1, 0, 1, "", "probability that a categorical value is replaced by another value of its "+
			"domain"),
		fence.OutsideParam(&q.Outside, fence.OutsideClip),
		param.Choice(&q.ClassTechnique, "classTechnique", ALPT, []string{ALPT, Keep},
			"change classes with one probability for all (ALPT), or leave them alone (GADP without ALPT)"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}, q.ALPTTechnique.Params()...)
}

// Fit takes the moments, lists the columns and finds ALPT's probability.
func (q *RandomExtFrameworkTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *RandomExtFrameworkTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	p := &RandomExtFrameworkPlan{Attrs: r.Schema.Attrs(), P: q.P}
	var err error
	if p.Numbers, err = q.numbers(ctx, r); err != nil {
		return nil, err
	}
	if p.Categorical, err = protect.Columns(r.Schema, table.Categorical, q.Except); err != nil {
		return nil, err
	}
	if q.ClassTechnique == Keep {
		return p, nil
	}
	if p.Class, err = fitClass(ctx, r, &q.ALPTTechnique, q.Except); err != nil {
		return nil, err
	}
	return p, nil
}

// numbers fits GADP with all numeric columns confidential, whatever their role, but for those named in except.
func (q *RandomExtFrameworkTechnique) numbers(ctx context.Context, r *aggregate.Records) (Numbers, error) {
	g := gadp.NewGADP()
	g.Outside, g.Except = q.Outside, q.Except
	for j := range r.Schema.Width() {
		if a := *r.Schema.Attr(j); a.Kind == table.Numeric && a.Role&table.Confidential != 0 {
			a.Role &^= table.Confidential
			r = r.WithAttr(j, a)
		}
	}
	fitted, err := g.FitAggregates(ctx, r)
	if err != nil {
		return Numbers{}, err
	}
	f := fitted.(*gadp.GADPPlan)
	return Numbers{
		X:         f.Columns,
		S:         f.Others,
		Mean:      f.Mean,
		Cov:       f.Cov,
		Outside:   f.Outside,
		Unchanged: f.Constant,
		Repaired:  f.Repaired,
	}, nil
}
