// Package uma is univariate microaggregation by individual ranking: every attribute is grouped separately.
//
// The known values of an attribute are sorted and divided into groups of neighbours of at least k, and every value
// becomes the mean of its group. The next attribute is grouped anew. With grouping=classic groups have k values, and
// the last one takes the remainder; with grouping=optimal they have k to 2k-1, those with the least sum of squares
// within groups of all divisions into groups of k or more (Hansen & Mukherjee 2003). Optimal is the default: at the
// same k, and so with the same protection, it never loses more, and it does not tear clusters apart that fixed counts
// cut through. An ordered categorical attribute is grouped by its codes, at the least distance from medians, and a
// category becomes the median of its group, of two middle ones the lower.
//
// What an informed intruder learns: every value within the limits of its group, which are narrow where values lie
// dense; and this holds attribute by attribute. Each released value is shared by records of k people at least, but a
// combination of two or three attributes is as rare as in the original: anyone who knows somebody's values about finds
// the record, and then reads all others off, about. Individual ranking keeps no k-anonymity and is the weakest of the
// microaggregations against record linkage on several attributes (Domingo-Ferrer & Torra 2001); multivariate
// microaggregation groups whole records. A mean with sampling weights leans to the records with the largest: one that
// outweighs its group is released nearly as it is. Who knows the values of all others in a group works out the last
// from the mean.
//
// Sampling weights (role weight) make weighted means, and the weighted sum of squares is the least among groups of
// neighbours; groups count people, whatever the weights. Medians do not use weights.
//
// Where it is told whose the records are (table.Table.People) and some people have several, k counts people: a group
// has values of k people, and there is no cut that leaves k on both sides (optimal), or it ends with the k-th person's
// (classic). Equal values are then in one group, so nothing is drawn, and a value that a person has in several records
// is released alike in all of them.
//
// Which of equal values at the limit of two groups goes where is drawn: by position it would tell of the order of the
// file, and tie the released value to whatever the file is sorted by.
//
// Means are rounded to the grid of their attribute (grid=keep), or to two more decimals (grid=finer), and then the
// released attribute's step says so. Those of a continuous attribute have its implied grid.
//
// Cost: O(n log k) for the classic grouping of n values, O(n k) for the optimal one, besides sorting: about a quarter
// of a second for a million values and k = 3; attributes share the cores. Where people have several records the k of
// O(n k) is how many values 2k-1 people have beside each other. All records meet: the plan is a protect.Grouper with
// one group, and holds no values.
//
// Departures: Roy says "groups of small sizes" and not what becomes of a remainder. A value outside a declared domain
// counts as the nearest end.
//
// Reference: Roy, section 2.3; the optimal grouping is that of S. Hansen and S. Mukherjee, "A polynomial algorithm for
// optimal univariate microaggregation", IEEE Transactions on Knowledge and Data Engineering 15, 2003.
package uma

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "uma",
		Title:   "Univariate microaggregation",
		Short:   "UMA",
		Aliases: []string{"individual-ranking", "univariate-microaggregation"},
		Summary: "Sorts each confidential attribute separately and replaces every k neighbours by their mean.",
		Paper:   "Roy, section 2.3; Hansen & Mukherjee 2003",
		Needs: "numeric or ordered categorical attributes; those marked confidential are replaced (none marked: " +
			"all); known values of k people in each",
		Changes: "the confidential numeric and ordered categorical attributes",
		Preserves: "the mean of every attribute, up to rounding; its order, up to ties; nearly its distribution, " +
			"relations and patterns, as every value stays close to the original",
		Biases: "variances shrink by SSE/SST (type A); extremes move inwards (type D)",
		Exposes: "every value within the limits of its group; combinations of attributes stay as rare as before, " +
			"so records can be linked",
		Missing: "stay missing and are not used; an attribute with known values of fewer than k people is an error",
		People:  "a group has values of k people, and equal values are in one group",
		Cost:    "O(n k) per attribute of n values (optimal), or sorting (classic)",
	},
	Purpose: protect.Aggregates,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Divides, protect.Groups, protect.Corrects, protect.Notes, protect.Describes,
		protect.Checks},
}

// largestK bounds k, for the optimal grouping takes n k steps.
const largestK = 10_000

// Technique holds the parameters.
type Technique struct {
	K        int
	Grouping string
	Grid     string
	Except   []string // columns left alone
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Int(&q.K, "k", 3, 2, largestK, "people", "the smallest group").Noisier(2, 200),
		param.Choice(&q.Grouping, "grouping", Optimal, []string{Optimal, Classic},
			"groups of k to 2k-1 with the least sum of squares, or of k with the remainder in the last"),
		fence.GridParam(&q.Grid, fence.GridKeep),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit lists the columns and groups them once, for refusals and for the plan's notes. Cost: that of a release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Plan{Counted: protect.CountedIn(t), Attrs: t.Attrs(), K: q.K, Grouping: q.Grouping, Grid: q.Grid}
	var err error
	if p.Columns, err = columns(t, q.Except); err != nil {
		return nil, err
	}
	if j := t.WithRole(table.Weight); j >= 0 && t.Attr(j).Kind == table.Numeric {
		p.Weights = []int{j}
	}
	p.Lost = make([]float64, len(p.Columns))
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) { return t, p.lose(ctx, t) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// lose groups the columns of a table whose records are in the order of their identities, and sets Lost.
func (p *Plan) lose(ctx context.Context, t *table.Table) error {
	weights, err := p.weights(t)
	if err != nil {
		return err
	}
	return parallel.Each(ctx, len(p.Columns), func(k int) error {
		c, err := p.gather(t, k, weights, nil)
		if err == nil {
			p.Lost[k] = c.lost(p.partition(c))
		}
		return err
	})
}

// columns lists the numeric and ordered categorical columns to change, ascending.
func columns(t *table.Table, except []string) ([]int, error) {
	list := func(except []string) ([]int, error) {
		numeric, err := protect.Columns(t, table.Numeric, except)
		if err != nil {
			return nil, err
		}
		codes, err := protect.Columns(t, table.Categorical, except)
		if err != nil {
			return nil, err
		}
		codes = slices.DeleteFunc(codes, func(j int) bool { return !t.Attr(j).Ordered })
		out := append(numeric, codes...)
		slices.Sort(out)
		return out, nil
	}
	all, err := list(nil)
	if err != nil {
		return nil, err
	}
	may, err := list(except)
	if err != nil {
		return nil, err
	}
	return protect.Chosen(t, all, may), nil
}
