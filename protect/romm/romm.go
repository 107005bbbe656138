// Package romm is Random Orthogonal Matrix Masking: the records are multiplied by a random orthogonal matrix that keeps
// constants, so means and covariances stay exact.
//
// X stands for the confidential attributes, F for their regression on constants and the non-confidential attributes S,
// E for the residuals. E = Q R with orthonormal columns Q. Standard normals G, orthogonal to constants and S, are
// added, W = Q + lambda G, and the orthonormal columns Q* of W take the place of Q: Y = F + Q* R. Lambda 0 releases the
// originals; with lambda large the release has nothing of them but the moments, as EGADP with security 1.
//
// What an informed intruder learns: released and original residuals correlate by a = 1/sqrt(1 + lambda² d), d = n - 1 -
// rank(S), so an intruder who knows lambda estimates E by a (Y - F), which leaves a share 1 - a² of its variance open.
// Lambda counts against entries of Q, whose size is 1/sqrt(n): what is mild on a hundred records is strong on a
// million. The default of 1 is the safe end on any table (a is 0.1 on a hundred records); a given a takes lambda =
// sqrt((1/a² - 1)/d). Exact moments of few records tell them: k + k(k+1)/2 equations, and k more for each column of S,
// are enough for about (k+3)/2 + q unknown records, so anyone who knows all the others works these out; tables of fewer
// than 10 + k + q records get a note, and larger ones are exposed to anyone who knows nearly all of them. The mean of a
// category in "given" is exact, so of two records each learns the other's; the only record of a category would be
// released as it is, and is refused; other records that S singles out are noted. With r the rank of E, d <= r leaves no
// rotation but the originals and their mirror image, and means are released; that of a single record is the record.
//
// Missing values stay missing. The moments are those of the complete records and exact for them; an incomplete record
// is drawn by the law of GADP with these moments and the dial a, given what is known of it. An attribute without values
// has no part in it.
//
// Cost: O(rows * (k + q)²) for k confidential and q other attributes, indicators counted; memory O(rows * k) and of the
// indicators.
//
// Departures: the paper draws an n x n orthogonal matrix from I + lambda G. This is the thin version, which turns what
// the k columns span and never holds such a matrix; at both ends of lambda they agree in law. The paper has no S: here
// it is taken off first.
//
// Reference: Ting, Fienberg & Trottini 2008, Random orthogonal matrix masking methodology for microdata release,
// International Journal of Information and Computer Security 2(1).
package romm

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:  "romm",
		Title: "Random Orthogonal Matrix Masking",
		Short: "ROMM",
		Summary: "Multiplies the confidential attributes by a random orthogonal matrix that keeps means and " +
			"covariances exactly.",
		Paper:   "Ting, Fienberg & Trottini 2008",
		Needs:   "numeric attributes; those marked confidential are replaced",
		Changes: "the confidential numeric attributes (none marked: all)",
		Preserves: "means, covariances, covariances with the other numeric attributes, and means of the " +
			"subpopulations of attributes listed in given: exactly for complete records, apart from rounding to " +
			"the grid and clipping",
		Biases: "distributions become normal as lambda grows (type D); nonlinear relations and patterns are lost (type DM)",
		Exposes: "what the other attributes in the regression and the moments reveal: about (k+3)/2 records of k " +
			"columns to someone who knows all others; with a lambda that is small for the number of records, much " +
			"of the rest",
		Missing: "stay missing; moments are exact for complete records; the others are drawn as in GADP",
		Cost:    "O(rows * numeric columns²)",
	},
	Purpose: protect.Redraws,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.AddsNoise, protect.Groups, protect.Corrects, protect.Notes,
		protect.Describes, protect.Checks},
}

// MaxLambda is the largest lambda: there nothing of the originals is left on any table.
const MaxLambda = 1000

// Technique holds the parameters.
type Technique struct {
	Lambda  float64  // weight of the normals against the orthonormal columns
	Given   []string // further columns of S
	Except  []string // columns left alone
	Outside string   // what becomes of a value outside its domain
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.Lambda, "lambda", 1, 0, MaxLambda, "", "size of the rotation: residuals of n records correlate with "+
			"the originals by 1/sqrt(1 + n lambda²)").Noisier(0.05, 10),
		regenerate.GivenParam(&q.Given),
		regenerate.ExceptParam(&q.Except),
		regenerate.ExactOutsideParam(&q.Outside),
	}
}

// Fit chooses the columns and looks at the records for the plan's notes. The plan holds no moments: those of the
// records at hand are kept.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	frame, err := regenerate.Exactly(ctx, t, q.Given, q.Except, q.Outside)
	if err != nil {
		return nil, err
	}
	frame.Reach(1 - Dial(q.Lambda, frame.Facts.Free))
	return &Plan{frame, q.Lambda}, nil
}
