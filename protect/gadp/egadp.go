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

// EGADP regenerates confidential attributes with exactly the moments of the original, however few the records:
// Enhanced General Additive Data Perturbation.
//
// The confidential attributes X are regressed on the non-confidential ones S, X = F + E. Random normals are made
// orthogonal to constants, to S and to X, and recoloured (Cholesky factors) to the covariance of E; that is B, and Y =
// F + a E + sqrt(1-a²) B is released in place of X, with a = 1 - security. The recoloured noise has exactly the
// covariance wanted, not in expectation, so that small tables keep their moments too.
//
// What an informed intruder learns: with security 1 the release depends on X through F and the moments alone, so it
// tells of a record what S and the published moments tell. With less, a share a of what S leaves open passes: an
// intruder who knows a estimates E by (Y - F)/a with an error of sqrt(1-a²)/a of its standard deviation. Exact moments
// of few records tell them: k + k(k+1)/2 equations, and k more for each column of S, are enough for about (k+3)/2 + q
// unknown records, so anyone who knows all the others works these out; tables of fewer than 10 + k + q records get a
// note, and larger ones are exposed to anyone who knows nearly all of them. The mean of a category in "given" is exact,
// so of two records each learns the other's; the only record of a category would be released as it is, and is refused;
// other records that S singles out are noted. With r the rank of E and d = n - 1 - rank(S), noise orthogonal to X that
// can turn freely takes d > 2r (n >= 2k + q + 2 of full rank). With fewer records X is dropped from the regressors and
// security counts as 1: exact moments, but noise that may resemble the original by chance. With d <= r every matrix
// with these moments is the original or its mirror image, and means are released; that of a single record is the
// record.
//
// Missing values stay missing. The moments are those of the complete records and exact for them; an incomplete record
// is drawn by the law of GADP with these moments, given what is known of it. An attribute without values has no part in
// it.
//
// Cost: O(rows * (k + q)²) for k confidential and q other attributes, memory O(rows * k) and of the indicators of
// "given"; under 1 µs a row for k = q = 10 on two cores.
//
// Departures: the paper asks for enough records and is silent about fewer, singular moments and missing values.
// Symmetric square roots serve as well as Cholesky factors; the moments are the same.
//
// Reference: Muralidhar & Sarathy 2005, An enhanced data perturbation approach for small data sets, Decision Sciences
// 36(3); Islam 2007, sections 3.2.1 and 7.2. Method C of IPSO (Burridge 2003) is the same construction.
var EGADP = protect.Method{
	Card: card.Card{
		Name:    "egadp",
		Title:   "Enhanced General Additive Data Perturbation",
		Short:   "EGADP",
		Aliases: []string{"Enhanced GADP"},
		Summary: "Regenerates the confidential attributes with exactly the original means and covariances, even in " +
			"small tables.",
		Paper:   "Muralidhar & Sarathy 2005; Islam 2007, section 3.2.1",
		Needs:   "numeric attributes; those marked confidential are replaced",
		Changes: "the confidential numeric attributes (none marked: all)",
		Preserves: "means, covariances, covariances with the other numeric attributes, and means of the " +
			"subpopulations of attributes listed in given: exactly for complete records, apart from rounding to " +
			"the grid and clipping",
		Biases: "distributions become normal (type D); nonlinear relations and patterns are lost (type DM)",
		Exposes: "what the other attributes in the regression and the moments reveal: about (k+3)/2 records of k " +
			"columns to someone who knows all others; with security below 1, part of the rest",
		Missing: "stay missing; moments are exact for complete records; the others are drawn as in GADP",
		Cost:    "O(rows * numeric columns²)",
	},
	Purpose: protect.Redraws,
	Growth:  1,
	New:     func() protect.Technique { return NewEGADP() },
	Plan:    func() protect.Plan { return &EGADPPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.AddsNoise, protect.Groups, protect.Corrects, protect.Notes,
		protect.Describes, protect.Checks},
}

// EGADPTechnique holds the parameters.
type EGADPTechnique struct {
	Security float64  // 1 - a, the share of what S leaves open that stays hidden
	Given    []string // further columns of S
	Except   []string // columns left alone
	Outside  string   // what becomes of a value outside its domain
}

// NewEGADP returns the technique with its defaults.
func NewEGADP() *EGADPTechnique { return param.Default(&EGADPTechnique{}) }

// Params declares the parameters.
func (q *EGADPTechnique) Params() param.Set {
	return param.Set{
		regenerate.SecurityParam(&q.Security),
		regenerate.GivenParam(&q.Given),
		regenerate.ExceptParam(&q.Except),
		regenerate.ExactOutsideParam(&q.Outside),
	}
}

// Fit chooses the columns and looks at the records for the plan's notes. The plan holds no moments: those of the
// records at hand are kept.
func (q *EGADPTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	frame, err := regenerate.Exactly(ctx, t, q.Given, q.Except, q.Outside)
	if err != nil {
		return nil, err
	}
	security := q.Security
	if security > 0 && !frame.Facts.Roomy() {
		security = 1
	}
	frame.Reach(security)
	return &EGADPPlan{frame}, nil
}
