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

// CGADP simulates confidential numbers by the normal copula: C-GADP (Sarathy, Muralidhar & Parsa 2002).
//
// The values of every attribute become normal scores of their ranks; the scores of the confidential attributes X are
// replaced by draws from their normal law given the scores of the non-confidential attributes S; and the draws become
// values again by the inverse of the attribute's empirical distribution. On an attribute with a grid (integers, cents)
// that inverse is the step function, so that only values are released that occur. With discrete=interpolate, and on a
// continuous attribute, it goes in straight lines between the sorted values, of which the i-th of n lies at (i -
// 0.5)/n, and is rounded to the grid.
//
// What an informed intruder learns: with security 1, of a record nothing that S does not tell already; of the table
// values that occur, with the smallest and the largest. What S determines is released as it is. A security below 1 lets
// the share 1 - security of what S leaves open of the scores through; with 0 the release is the original.
//
// Cost: O(n p (p + log n)) for n records and p attributes X and S, about 100 ns a value on one core; all cores share;
// Fit takes as long again. Ranks are those of all records together: the plan is a protect.Grouper with one group, and
// holds no values of records.
//
// Small tables are refused: rank correlations of fewer than 2k+2 records, and 5 more for each column of S or indicator,
// would explain X by chance, and release it; and so are those whose S depend on each other so closely that the draws
// given them would be extremes. What S determines all the same is noted.
//
// Departures: marginals are the empirical ones; the paper also fits parametric ones. It has no categorical attributes.
// A value outside the declared domain counts as the nearest end.
//
// Reference: Sarathy, Muralidhar & Parsa 2002; the security is that of Muralidhar, Parsa & Sarathy 1999, on scores;
// Islam 2007, sections 3.2.1 and 7.2.
var CGADP = protect.Method{
	Card: card.Card{
		Name:    "cgadp",
		Title:   "Copula-based General Additive Data Perturbation (C-GADP)",
		Short:   "C-GADP",
		Aliases: []string{"c-gadp", "copula-gadp"},
		Summary: "Simulates confidential numbers given the others, by ranks, so that every attribute keeps its " +
			"distribution.",
		Paper:   "Sarathy, Muralidhar & Parsa 2002; Islam 2007, sections 3.2.1 and 7.2",
		Needs:   "numeric attributes; those marked confidential are replaced (none marked: all)",
		Changes: "the confidential numeric attributes",
		Preserves: "the distribution and the range of every attribute (types A and D), monotone relations among the " +
			"confidential attributes " +
			"and with the other numeric ones (types B and C), up to sampling error; ranks in the subpopulations of attributes " +
			"named in given",
		Biases: "relations that are not monotone, tail dependence, relations to other categorical attributes and " +
			"the class (type DM); relations weaken where many records share one value",
		Exposes: "with security 1, nothing about a record beyond what its other attributes reveal; about the " +
			"table, which values occur",
		Missing: "stay missing; ranks and correlations use known values",
		Cost:    "O(n p (p + log n)) for p numeric attributes and indicators",
	},
	Purpose: protect.Redraws,
	Growth:  1,
	New:     func() protect.Technique { return NewCGADP() },
	Plan:    func() protect.Plan { return &CGADPPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Groups, protect.Notes, protect.Describes, protect.Checks,
		protect.TakesNumbers},
}

// How the scores of attributes with a grid become values again.
const (
	Step        = "step"
	Interpolate = "interpolate"
)

// CGADPTechnique holds the parameters.
type CGADPTechnique struct {
	Security float64  // 0 to 1
	Given    []string // further columns of S
	Except   []string // columns left alone
	Discrete string   // Step or Interpolate
	Exact    bool     // release rare numbers as they are
	Common   int      // people who have a number that is released as it is, at least
}

// NewCGADP returns the technique with its defaults.
func NewCGADP() *CGADPTechnique { return param.Default(&CGADPTechnique{}) }

// Params declares the parameters.
func (q *CGADPTechnique) Params() param.Set {
	return param.Set{
		regenerate.SecurityParam(&q.Security),
		regenerate.GivenParam(&q.Given),
		regenerate.ExceptParam(&q.Except),
		param.Choice(&q.Discrete, "discrete", Step, []string{Step, Interpolate},
			"attributes with a grid: release only values that occur (step), or interpolate between them and round "+
				"to the grid"),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}

// Fit lists the columns, and looks at the values for a refusal and for the plan's notes.
func (q *CGADPTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
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
func (q *CGADPTechnique) plan(t *table.Table) (*CGADPPlan, error) {
	frame, err := regenerate.New(t, q.Security, q.Given, q.Except)
	exactly := protect.ExactlyOf(q.Exact, q.Common)
	return &CGADPPlan{ByRanks: regenerate.ByRanks{Frame: frame, Exactly: exactly}, Discrete: q.Discrete}, err
}
