package gadp

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// GADP is General Additive Data Perturbation (Muralidhar, Parsa & Sarathy 1999).
//
// The confidential numeric attributes X of a record are drawn anew, jointly, from a normal law that is chosen so that
// the release Y has the means and covariances of X, among each other and with the non-confidential attributes S, and
// lets no more of X through than asked for. With F = mean of X + C_XS C_SS^-1 (S - mean of S), what S tells of X, and
// a_j = 1 - security of attribute j,
//
//	Y_j = F_j + a_j (X_j - F_j) + e_j,  e normal with covariance M - diag(a) M diag(a),  M = C_XX - C_XS C_SS^-1 C_SX.
//
// Security 1, the default, is the minimum disclosure: Y depends on S only. Without S and with security 1 the table is
// regenerated from its mean vector and covariances, which is what Islam (2007) uses.
//
// The paper leaves the covariances of Y, among each other and with S, to the owner of the table; those of X are the
// choice without bias. Others can be wanted for single pairs and variances ("correlations", "covariances"), at security
// 1: F and the noise are then those of the wanted matrix. Where it is not positive definite no table has it, and the
// columns that contradict each other are named.
//
// What an informed intruder learns: S; the best linear prediction of X from S; and of what that leaves open the share
// a_j^2 of the variance. The plan notes, for every attribute, 1 - R^2 of a regression on all that is released and, for
// the linear combination of X that is known best, 1 - the largest squared canonical correlation. A category that few
// records have tells their mean of X.
//
// Missing values stay missing. Moments are pairwise; where that gives no covariance matrix it is repaired, which is
// noted. A missing value of S is left out of the condition: F is what the rest of S tells.
//
// Cost: O(n (k+q)^2) for k attributes X and q columns S, indicators counted: of 20 columns, 10 of them confidential,
// some 15 ns a value of the table on two cores.
//
// Departures: values are rounded to the grid, where Islam 2007 truncates, so integers keep their mean. What becomes of
// values outside the domain, which the papers leave open, is the parameter "outside"; the whole-file results of Islam
// 2007, section 7.3, are those of clipping. An attribute of which all values are equal is released unchanged. k+q+1
// records or fewer are refused.
//
// Reference: Muralidhar, Parsa & Sarathy 1999; Tendick & Matloff 1994; Islam 2007, sections 3.2.1 and 7.2.
var GADP = protect.Method{
	Card: card.Card{
		Name:    "gadp",
		Title:   "General Additive Data Perturbation",
		Short:   "GADP",
		Summary: "Simulates confidential numbers with the original means and covariances, at a chosen security.",
		Paper:   "Muralidhar, Parsa & Sarathy 1999; Islam 2007, sections 3.2.1 and 7.2",
		Needs:   "numeric attributes; those marked confidential are replaced (none marked: all)",
		Changes: "the confidential numeric attributes",
		Preserves: "means, variances, covariances among the confidential attributes and with the others (types A, B and " +
			"C); means of the " +
			"subpopulations of attributes named in given",
		Biases: "distributions become normal (type D) and exceed skewed domains; nonlinear relations, and rules " +
			"that test confidential attributes (type DM), are lost",
		Exposes: "what the other attributes predict linearly about the confidential ones, and the square of 1 - " +
			"security of the remaining variance; the means of the categories in given",
		Missing: "stay missing; covariances are pairwise, and missing values are not conditioned on",
		Shards:  protect.FromMoments,
		Cost:    "O(n (k+q)^2) for k confidential columns and q others",
	},
	Purpose: protect.Redraws,
	Growth:  1,
	Usual:   "where means and covariances of numbers matter",
	New:     func() protect.Technique { return NewGADP() },
	Plan:    func() protect.Plan { return &GADPPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.AddsNoise, protect.Corrects, protect.Notes,
		protect.Describes, protect.Checks},
}

// GADPTechnique holds the parameters.
type GADPTechnique struct {
	Security   float64  // 0 to 1
	Securities []string // "name=value", for attributes whose security differs
	// "name~name=value", wanted of the release, of two columns of which one at least is perturbed
	Correlations []string
	Covariances  []string // and of one column with itself, its variance
	Given        []string // further columns of S
	Except       []string // columns left alone
	Outside      string   // what becomes of a value outside its domain
}

// NewGADP returns the technique with its defaults.
func NewGADP() *GADPTechnique { return param.Default(&GADPTechnique{}) }

// Params declares the parameters.
func (q *GADPTechnique) Params() param.Set {
	return param.Set{
		regenerate.SecurityParam(&q.Security),
		param.Names(&q.Securities, "securities", "confidential columns with a different security, as name=value"),
		param.Names(&q.Correlations, "correlations", "correlations that the release shall have instead of the "+
			"original's, as column~column=value"),
		param.Names(&q.Covariances, "covariances", "covariances that it shall have, as column~column=value, and "+
			"variances, as column~column=value of one column"),
		regenerate.GivenParam(&q.Given),
		regenerate.ExceptParam(&q.Except),
		fence.OutsideParam(&q.Outside, fence.OutsideAllow),
	}
}

// Fit takes the moments. Cost: O(n (k+q)^2).
func (q *GADPTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *GADPTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	frame, err := regenerate.New(r.Schema, q.Security, q.Given, q.Except)
	if err != nil {
		return nil, err
	}
	frame.Outside = q.Outside
	p := &GADPPlan{Frame: frame}
	if err := q.secure(p); err != nil {
		return nil, err
	}
	ranges, err := p.settle(ctx, r)
	if err != nil || len(p.Columns) == 0 {
		return p, err
	}
	of := &aggregate.Moments{Columns: slices.Concat(p.Columns, p.Others), Given: p.Given, Ranges: ranges}
	if err := r.Pass(ctx, of); err != nil {
		return nil, err
	}
	m := of.All()
	if _, err := additive.Deviations(m.Cov(), protect.Names(p.Attrs, slices.Concat(p.Columns, p.Others))); err != nil {
		return nil, err
	}
	cov, repaired, err := covariance(m)
	if err != nil {
		return nil, err
	}
	p.Mean, p.Repaired = m.Means(), repaired
	for i, v := range p.Mean {
		if v != v {
			p.Mean[i] = 0 // an indicator of a category that is always missing
		}
	}
	p.Cov = triangle(cov)
	if err := q.want(p); err != nil {
		return nil, err
	}
	if err := p.prepare(); err != nil && len(q.Securities) > 0 {
		return nil, fmt.Errorf("parameter %q: %w; expected securities that differ less", "securities", err)
	} else if err != nil {
		return nil, err
	}
	return p, nil
}

// triangle returns the lower triangle of a matrix, row by row.
func triangle(c *mat.SymDense) []float64 {
	var out []float64
	for i := range c.SymmetricDim() {
		for j := range i + 1 {
			out = append(out, c.At(i, j))
		}
	}
	return out
}

// full returns the matrix of p columns of which triangle made the list.
func full(list []float64, p int) *mat.SymDense {
	c := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			c.SetSym(i, j, list[i*(i+1)/2+j])
		}
	}
	return c
}
