package synthesis

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CART draws records anew, column after column, from trees on the columns before (sequential CART
// synthesis).
//
// Columns are drawn from few values to many, or in the order of the table. The first is drawn as often as its values
// stand in the table; for every other one a CART tree on the columns before it is grown until a leaf would be of fewer
// than leaf people, and a record that falls into a leaf with what was drawn of it so far gets the value of a random
// donor of the leaf. A missing value is a value of its own. Released records stand for nobody, so nobody can be found
// among them; what is told of people is what the mass of them tells.
//
// Where columns are left alone (columns, except) the others are drawn given these, and each record stands for its
// person as before (partial synthesis): linkage is measured as ever.
//
// Where people have several records a person is drawn first: how many records, and what is one for the person; then the
// records in order, each given the one before (protect/internal/newrecords).
//
// A number that fewer than common people have is not released: the donor gives a value strictly between its own and
// that of the next donor of the leaf, on the column's grid. This is the smoothing; numbers that more people have,
// spikes among them, are given out as they are. A category that fewer have makes no donor.
//
// What an informed intruder learns: the plan holds the values of donors, blurred where rare, so it is as confidential
// as the records. The release shows what donors of a leaf have in common; people of the hold-out show how much of that
// is about those whose records it was made of.
//
// Departures: Reiter draws by a Bayesian bootstrap in the leaf; here, as in synthpop, a donor is as likely as any
// other. Leaves are of 50 people, not of 5: on Adult margins of three columns are as close (0.041 against 0.044 of
// total variation), and nobody can be looked up oftener than people who were kept out of the fit, which with leaves
// of 5 one in ten can. Leaves are by variance of ranks, not of numbers, on at most 255 bins of a column. A spike is
// not drawn in a step of its own: donors have it as often as people did. Smoothing between neighbours replaces kernel
// densities.
//
// Cost: O(p² n log n) for p columns and the n records that trees are grown on; then O(p depth) per record.
//
// Reference: Reiter 2005, "Using CART to generate partially synthetic public use microdata", Journal of Official
// Statistics 21(3); Nowok, Raab & Dibben 2016, "synthpop: Bespoke creation of synthetic data in R", Journal of
// Statistical Software 74(11).
var CART = protect.Method{
	Card: card.Card{
		Name:    "cartsynthesis",
		Title:   "CART synthesis",
		Aliases: []string{"sequential CART synthesis", "synthpop"},
		Summary: "Draws new records, column after column, from donors that agree in the columns drawn before.",
		Paper:   "Reiter 2005; Nowok, Raab & Dibben 2016",
		Needs:   "any table",
		Changes: "every attribute: the released records stand for nobody; or the columns that are named, of every record",
		Preserves: "distributions of every column (type D) and relations among two, three and more of them (types A to C), " +
			"as far as donors of a leaf agree; missing values; who has several records",
		Biases: "relations that show in fewer records than a leaf has; rare values give way to neighbours, rare categories " +
			"to others",
		Exposes: "what donors of a leaf have in common; of their values rare ones blurred or left out",
		Missing: "are drawn like a value of their own",
		Cost:    "O(p² n log n) for p columns and the n records that trees are grown on; then O(p depth) per record",
	},
	Purpose: protect.Draws,
	Growth:  1,
	New:     func() protect.Technique { return CARTNew() },
	Plan:    func() protect.Plan { return &CARTPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.Synthesises},
}

// The orders in which columns are drawn.
const (
	ByValues = "values" // from few values to many
	AsGiven  = "given"  // as in the table
)

// CARTTechnique holds the parameters.
type CARTTechnique struct {
	Leaf    int      // people in a leaf, at least
	Common  int      // people who have a value that is released as it is, at least
	Order   string   // values | given
	Rows    int      // to draw; 0 for as many as the table has
	Like    string   // conditions on what is drawn
	FitRows int      // records that trees are grown on, at most
	Except  []string // columns left alone, of a partial synthesis
}

// CARTNew returns the technique with its defaults.
func CARTNew() *CARTTechnique { return param.Default(&CARTTechnique{}) }

// Params declares the parameters.
func (q *CARTTechnique) Params() param.Set {
	return param.Set{
		param.Int(&q.Leaf, "leaf", 50, 1, math.MaxInt32, "people", "a value comes from one of at least so many donors that "+
			"agree in the columns drawn before; fewer tell more of them (synthpop has 5)").Noisier(5, 200),
		param.Int(&q.Common, protect.CommonName, protect.Common, 1, protect.MostCommon, "people", "a number that fewer have "+
			"is drawn between neighbouring donors, and a category that fewer have is not drawn; 1 releases the values of "+
			"donors as they are; a limit on k raises the default"),
		param.Choice(&q.Order, "order", ByValues, []string{ByValues, AsGiven}, "draw columns from few values to many, or as "+
			"they stand in the table"),
		protect.RowsParam(&q.Rows),
		protect.LikeParam(&q.Like),
		param.Int(&q.FitRows, "fitRows", 100_000, 100, math.MaxInt32, "records", "grow trees on a sample of at most so "+
			"many records"),
		param.Names(&q.Except, "except", "columns to leave alone: the others are drawn given these, and every record stands "+
			"for its person"),
	}
}

// Fit grows the trees by which columns are drawn.
func (q *CARTTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	f := cartFitting{CARTTechnique: q, t: t, src: src}
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	if err := f.draw(ctx); err != nil {
		return nil, err
	}
	return f.plan, nil
}
