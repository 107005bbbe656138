package swapping

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Rank is rank swapping (Moore 1996): values of an attribute are swapped with values of similar rank.
//
// The known values of every attribute are ranked, equal ones by the identity of their record. From the lowest rank up,
// every value that was not yet swapped changes places with one drawn from those not yet swapped at most P per cent of
// the known values above it, each as likely; it stays where there is none. Attributes are swapped independently of each
// other. On request the values of the lowest and the highest ranks are first replaced by their mean, and swapped then.
//
// What an informed intruder learns: an original is within P per cent of the records of the released value, in rank, so
// an interval of the original; who knows several attributes of a person intersects intervals (rank interval and record
// linkage; Nin, Herranz & Torra 2008). Of the table every single value, though not whose. Swaps are pairs: who knows
// whose value a person got knows where theirs went. No law of the released value given the original is offered to
// measures, for it depends on all records.
//
// Cost: O(n) for n records of an attribute, some 35 ns a value on one core; on all cores, one attribute each. A drawn
// partner was swapped before with probability 0.28 on average, and is drawn again then. All records meet: the plan is a
// protect.Grouper with one group, and holds no values.
//
// Departures: the paper swaps within |i - j| < P n / 100; here the distance is at most P n / 100, and 1 at least.
//
// References: R. Moore, "Controlled data-swapping techniques for masking public use microdata sets", US Bureau of the
// Census RR 96-04, 1996; the ends as in A. Hundepool et al., "Statistical disclosure control", Wiley, 2012, section
// 3.4.3; J. Nin, J. Herranz & V. Torra, "Rethinking rank swapping to decrease disclosure risk", Data & Knowledge
// Engineering 64, 2008.
var Rank = protect.Method{
	Card: card.Card{
		Name:    "rankswap",
		Title:   "Rank swapping",
		Aliases: []string{"rank-swapping", "rankSwap", "rank-swap"},
		Summary: "Swaps each value with one that is at most P per cent of the records away in rank.",
		Paper:   "Moore 1996",
		Needs:   "numeric attributes or ordered categories",
		Changes: "all numeric attributes and ordered categories",
		Preserves: "the values of every attribute exactly, in other places (types A and D); relations, up to the distance " +
			"of the swaps",
		Biases:  "relations weaken with P (types B and C); thresholds of rules blur (type DM)",
		Exposes: "an interval of ranks around every original value; every single value in the table",
		Missing: "stay missing and are not swapped",
		Cost:    "O(n) per attribute",
	},
	Purpose: protect.Swaps,
	Growth:  1,
	Usual:   "where every column must keep its own distribution",
	New:     func() protect.Technique { return NewRank() },
	Plan:    func() protect.Plan { return &RankPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.TakesNumbers},
}

// RankTechnique holds the parameters.
type RankTechnique struct {
	P           float64 // per cent of the records
	Bottom, Top float64 // per cent of the records
	Except      []string
	Exact       bool // release rare numbers as they are
	Common      int  // people who have a number that is released as it is, at least
}

// NewRank returns the technique with its defaults.
func NewRank() *RankTechnique { return param.Default(&RankTechnique{}) }

// mostEnd is the largest share at an end, in per cent.
const mostEnd = 50

// Params declares the parameters.
func (q *RankTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.P, "p", 5, 0.001, 100, "% of the records", "largest distance between the ranks of swapped "+
			"values").Noisier(0.5, 100),
		param.Float(&q.Bottom, "bottom", 0, 0, mostEnd, "% of the records", "lowest values to replace by their "+
			"mean before swapping"),
		param.Float(&q.Top, "top", 0, 0, mostEnd, "% of the records", "highest values to replace by their mean "+
			"before swapping"),
		param.Names(&q.Except, "except", "columns to leave alone"),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}

// Fit lists the columns, and looks for values that are too frequent to be swapped.
func (q *RankTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	numeric, err := protect.Columns(t, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	categorical, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	categorical = slices.DeleteFunc(categorical, func(j int) bool { return !t.Attr(j).Ordered })
	columns := slices.Sorted(slices.Values(slices.Concat(numeric, categorical)))
	p := &RankPlan{
		Attrs:   t.Attrs(),
		Columns: columns,
		P:       q.P,
		Bottom:  q.Bottom,
		Top:     q.Top,
		Kept:    make([]int, len(columns)),
		Exactly: protect.ExactlyOf(q.Exact, q.Common),
	}
	err = parallel.Each(ctx, len(columns), func(k int) error {
		p.Kept[k] = newRanked(numbers(t, columns[k]), q.P).kept()
		return nil
	})
	if err == nil {
		err = ctx.Err() // without columns nothing was asked
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}
