package synthesis

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Copula draws new records from a normal copula over numbers and categories.
//
// Each column is a normal variable that nobody sees, divided into cells: a cell for each common value, one for each run
// of rare numbers that enough people share, and one for each category, which are as wide as their shares. Where values
// are missing, whether they are is a variable of its own. The correlations of the variables are those at which the
// scores of the cells are correlated as they are in the table, so that few cells do not weaken them. A record is drawn
// from the joint normal distribution and read off cell by cell; inside a run of rare numbers evenly on the grid.
// Released records stand for nobody.
//
// Kept are the distributions of columns and monotone relations of two; what three columns have together and no two of
// them, and relations that rise and fall, are not.
//
// Categories without an order stand in the order of what they go with: of the mean of the number, or of the share of
// the other column's largest category, that they tell most about.
//
// Where people have several records a person is drawn first, then the records, each given what is one for the person
// and the record before (protect/internal/newrecords).
//
// What an informed intruder learns: the plan holds the cells and the correlations, each of at least common people, and
// no record. A release tells no more than these.
//
// Departures: SDV, whose default model this is, fits parametric margins, codes categories by frequency and correlates
// scores as they are.
//
// Cost: O(p² n) for p columns and the n records it is fitted to; then O(p²) per record.
//
// Reference: Patki, Wedge & Veeramachaneni 2016, "The Synthetic Data Vault", DSAA; Sarathy, Muralidhar & Parsa 2002,
// "Perturbing nonnormal confidential attributes: the copula approach", Management Science 48(12); Pearson 1900 for the
// correlation behind scores, by the series of Hermite polynomials.
var Copula = protect.Method{
	Card: card.Card{
		Name:    "copulasynthesis",
		Title:   "Copula synthesis",
		Aliases: []string{"Gaussian copula synthesis", "SDV's Gaussian copula"},
		Summary: "Draws new records from a normal copula over numbers and categories.",
		Paper:   "Patki, Wedge & Veeramachaneni 2016; Sarathy, Muralidhar & Parsa 2002",
		Needs:   "any table",
		Changes: "every attribute: the released records stand for nobody",
		Preserves: "distributions of every column (type D) and monotone relations of two (types A to C); missing values; " +
			"who has several records",
		Biases: "what three columns have together and no two of them; relations that rise and fall, and those of " +
			"categories but for one order of them",
		Exposes: "shares of values and correlations, each of many people; rare numbers blurred, rare categories left out",
		Missing: "are drawn: whether a value is missing goes with the other columns",
		Cost:    "O(p² n) for p columns and n records; then O(p²) per record",
	},
	Purpose: protect.Draws,
	Growth:  1,
	New:     func() protect.Technique { return CopulaNew() },
	Plan:    func() protect.Plan { return &CopulaPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.Synthesises},
}

// CopulaTechnique holds the parameters.
type CopulaTechnique struct {
	Common int    // people who have a value that is released as it is, at least
	Rows   int    // to draw; 0 for as many as the table has
	Like   string // conditions on what is drawn
}

// CopulaNew returns the technique with its defaults.
func CopulaNew() *CopulaTechnique { return param.Default(&CopulaTechnique{}) }

// Params declares the parameters.
func (q *CopulaTechnique) Params() param.Set {
	return param.Set{
		param.Int(&q.Common, protect.CommonName, protect.Common, 1, protect.MostCommon, "people", "a number that fewer have "+
			"is drawn from a run of numbers that so many share, and a category that fewer have is not drawn; a limit on k "+
			"raises the default"),
		protect.RowsParam(&q.Rows),
		protect.LikeParam(&q.Like),
	}
}

// Fit fits cells and correlations.
func (q *CopulaTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	f := copulaFitting{CopulaTechnique: q, t: t}
	if err := f.begin(); err != nil {
		return nil, err
	}
	if err := f.correlate(ctx); err != nil {
		return nil, err
	}
	return f.plan, nil
}
