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

// CGADP is C-GADP, general additive data perturbation by the normal copula (Sarathy, Muralidhar & Parsa 2002).
//
// What it does: the values of every attribute become normal scores of their ranks; the scores of the confidential attributes X are replaced
// by draws from their normal law given the scores of the non-confidential attributes S; and the draws become values again by
// the inverse of the attribute's empirical distribution. On an attribute with a grid (integers, cents) that inverse is the step function, so
// that only values are released that occur. With discrete=interpolate, and on a continuous attribute, it goes in straight lines between
// the sorted values, of which the i-th of n lies at (i - 0.5)/n, and is rounded to the grid.
//
// Needs and changes: no class; changes the numeric attributes with the role confidential or, where none has it, all numeric ones except
// weights, a numeric class and those named in "except". S, released as it is, are the other numeric attributes, and what "given" names; a
// categorical attribute enters S with an indicator of every value but the first, which is taken as it is, not as a score.
//
// Preserves and biases: the distribution and the range of every attribute (types A and D), monotone relations among X and with S (types B
// and C), all up to sampling error; with a categorical attribute in "given" the mean scores of its subpopulations. Not relations that rise
// and fall, nor dependence in the tails alone; not relations to other categorical attributes and the class, so rules are lost (type DM).
// Ties weaken relations, for mid-ranks are less correlated than the normal scores behind them: hardly with a hundred values, by some 40 %
// where nine of ten records share one. Where S has few values and explains much, the draws vary less than normal ones and extremes are
// released more rarely.
//
// What an informed intruder learns: with security 1, of a record nothing that S does not tell already; of the table values that occur, with
// the smallest and the largest. What S determines is released as it is. A security below 1 lets the share 1 - security of what S
// leaves open of the scores through; with 0 the release is the original.
//
// Missing values: a missing confidential value stays missing; ranks are among the known values, rank correlations over the records that
// have both; a missing value of S is left out of the condition.
//
// Cost: O(n p (p + log n)) for n records and p attributes X and S, about 100 ns a value on one core; all cores share; Fit takes as long again. Ranks are those of all
// records together: the plan is a protect.Grouper with one group, and holds no values of records.
//
// Small tables are refused: rank correlations of fewer than 2k+2 records, and 5 more for each column of S or indicator, would explain X by chance,
// and release it; and so are those whose S depend on each other so closely that the draws given them would be extremes. What S determines
// all the same is noted.
//
// Departures: marginals are the empirical ones; the paper also fits parametric ones. It has no categorical attributes. A value outside the
// declared domain counts as the nearest end.
//
// Reference: Sarathy, Muralidhar & Parsa 2002; the security is that of Muralidhar, Parsa & Sarathy 1999, on scores; Islam 2007, sections
// 3.2.1 and 7.2.
var CGADP = protect.Method{
	Card: card.Card{
		Name:    "cgadp",
		Title:   "Copula-based General Additive Data Perturbation (C-GADP)",
		Aliases: []string{"c-gadp", "copula-gadp"},
		Summary: "Draws confidential numbers anew given the others, by ranks, so that every attribute keeps its own distribution.",
		Paper:   "Sarathy, Muralidhar & Parsa 2002; Islam 2007, sections 3.2.1 and 7.2",
		Needs:   "numeric attributes, those to replace marked confidential (none marked: all)",
		Changes: "the confidential numeric attributes",
		Preserves: "the distribution and the range of every attribute (types A and D), monotone relations among the confidential attributes " +
			"and with the other numeric ones (types B and C), up to sampling error; ranks in the subpopulations of attributes named in given",
		Biases: "relations that rise and fall, dependence in the tails, relations to other categorical attributes and the class (type DM); " +
			"relations of attributes of which many records share one value weaken",
		Exposes: "with security 1, of a record nothing that its other attributes do not tell; of the table, values that occur",
		Missing: "stay missing; ranks and correlations are over the known values",
		Cost:    "O(n p (p + log n)) for p numeric attributes and indicators",
	},
	Purpose: protect.Redraws,
	Growth:  1,
	New:     func() protect.Technique { return NewCGADP() },
	Plan:    func() protect.Plan { return &CGADPPlan{} },
	Claims:  []protect.Claim{protect.HasLaw, protect.Groups, protect.Notes, protect.Describes, protect.Checks},
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
			"attributes with a grid: release values that occur (step), or interpolate between them and round to the grid"),
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
	return &CGADPPlan{ByRanks: regenerate.ByRanks{Frame: frame}, Discrete: q.Discrete}, err
}
