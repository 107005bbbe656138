package gadp

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Shuffle is data shuffling (Muralidhar & Sarathy 2006).
//
// The confidential values of the table change places. The normal scores of the confidential attributes X are replaced
// by draws from their law given the scores of the non-confidential attributes S, as C-GADP does; the record with the
// r-th smallest draw then gets the r-th smallest original value. Equal draws go by the random numbers behind them.
//
// What an informed intruder learns: with security 1, of a record nothing that S does not tell already. Of the table
// every single value: that somebody earns exactly 12,345.67, and how many earn more; the largest fortune, though not
// whose. What S determines is released as it is. A security below 1 lets the share 1 - security of what S leaves open
// of the scores through; with 0 the release is the original.
//
// This is not the shuffle of other techniques, a permutation of the values of a group that is uniformly random (the
// class in the leaves of Islam 2007, the categories in the intersections of Fletcher & Islam 2015): that one keeps no
// relation inside the group, this one keeps ranks together.
//
// Missing values: a missing confidential value stays missing and takes no part; ranks are among the known values, rank
// correlations over the records that have both; a missing value of S is left out of the condition.
//
// Cost: O(n p (p + log n)) for n records and p attributes X and S, about 90 ns a value on one core; all cores share;
// Fit takes as long again. All records change places with each other: the plan is a protect.Grouper with one group, and
// holds no values of records.
//
// Small tables are refused: rank correlations of fewer than 2k+2 records, and 5 more for each column of S or indicator,
// would explain X by chance, and release it; and so are those whose S depend on each other so closely that the draws
// given them would be extremes. What S determines all the same is noted.
//
// Departures: the paper has no categorical attributes. A value outside the declared domain counts as the nearest end.
//
// Reference: Muralidhar & Sarathy 2006, on the law of Sarathy, Muralidhar & Parsa 2002; the security is that of
// Muralidhar, Parsa & Sarathy 1999, on scores.
var Shuffle = protect.Method{
	Card: card.Card{
		Name:    "shuffle",
		Title:   "Data shuffling",
		Aliases: []string{"data-shuffling"},
		Summary: "Reorders confidential values to follow the ranks of values simulated from the other columns, " +
			"which keeps relations.",
		Paper:   "Muralidhar & Sarathy 2006",
		Needs:   "numeric attributes; those marked confidential are reordered (none marked: all)",
		Changes: "the confidential numeric attributes",
		Preserves: "the values of every attribute exactly, in other places (types A and D); monotone relations among the " +
			"confidential " +
			"attributes and with the other numeric ones (types B and C), up to sampling error; ranks in the subpopulations of " +
			"attributes named in given",
		Biases: "relations that are not monotone, tail dependence, relations to other categorical attributes and " +
			"the class (type DM); relations weaken where many records share one value",
		Exposes: "with security 1, nothing about a record beyond what its other attributes reveal; every single " +
			"value in the table",
		Missing: "stay missing and are not used; ranks and correlations use known values",
		Cost:    "O(n p (p + log n)) for p numeric attributes and indicators",
	},
	Purpose: protect.Swaps,
	Growth:  1,
	New:     func() protect.Technique { return NewShuffle() },
	Plan:    func() protect.Plan { return &ShufflePlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Groups, protect.Notes, protect.Describes, protect.Checks,
		protect.TakesNumbers},
}

// ShuffleTechnique holds the parameters.
type ShuffleTechnique struct {
	Security float64  // 0 to 1
	Given    []string // further columns of S
	Except   []string // columns left alone
	Exact    bool     // release rare numbers as they are
	Common   int      // people who have a number that is released as it is, at least
}

// NewShuffle returns the technique with its defaults.
func NewShuffle() *ShuffleTechnique { return param.Default(&ShuffleTechnique{}) }

// Params declares the parameters.
func (q *ShuffleTechnique) Params() param.Set {
	return param.Set{
		regenerate.SecurityParam(&q.Security),
		regenerate.GivenParam(&q.Given),
		regenerate.ExceptParam(&q.Except),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}

// Fit lists the columns, and looks at the values for a refusal and for the plan's notes.
func (q *ShuffleTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.plan(t)
	if err == nil {
		err = p.Study(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// plan lists the columns.
func (q *ShuffleTechnique) plan(t *table.Table) (*ShufflePlan, error) {
	frame, err := regenerate.New(t, q.Security, q.Given, q.Except)
	exactly := protect.ExactlyOf(q.Exact, q.Common)
	return &ShufflePlan{ByRanks: regenerate.ByRanks{Frame: frame, Exactly: exactly}}, err
}
