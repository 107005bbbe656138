// Package sullivanfuller is the masking of Sullivan & Fuller 1989 and 1990: correlated noise on normal scores.
//
// Every perturbed column is brought to a normal law by z = Phi^-1(F(x)), F being its smoothed empirical distribution:
// (rank - 1/2)/n at the values, linear between them. A value that occurs several times holds a cell of ranks, and F of
// each of its records is drawn uniformly from the cell; so it is with categories. Noise e with covariance d R, R the
// correlations of z, gives z' = (z+e)/sqrt(1+d), which has the law of z, and x' = F^-1(Phi(z')) the distribution of x.
// The variance d is given, or chosen by a security rule: for 90 % of the records ("hidden") the expected Mahalanobis
// distance of z+e from z is at least that of the nearest other record. In every release e is made exactly uncorrelated
// with z, and free of chance correlations of its own.
//
// What an informed intruder learns: the distribution of every column with its smallest and largest value, some of which
// recur in the release; of a record the normal scores up to noise: given z', z has the mean z'/sqrt(1+d) and the
// variance d/(1+d). A released number lies between two neighbouring originals, or is one that occurs several times. As
// the noise is correlated as the data are, it cannot be filtered out. Outliers stay outliers: noise as little as the
// rule's rarely takes a record from the ends of a distribution, so the largest value of a column is released more often
// than not in the record that has it, or near it, and often to the last digit.
//
// Missing values stay missing. R is then pairwise complete and made positive semi-definite, and the chance correlations
// of the noise are removed approximately. The security rule looks at complete records. A value outside the declared
// domain is released inside.
//
// The distributions are those of the records that the plan is applied to, all of which must meet; the plan itself holds
// the noise only.
//
// Cost: O(rows * columns²) and sorting each column. The security rule takes a tree of at most 250,000 records, and 500
// searches.
//
// Departures: as printed, all records of a value have the F of its middle rank ("ties" = middle). That is no normal law
// where a value is frequent: a column with 92 % zeros comes back with half of these spread over the gap to the next
// value. The rule's noise is at least 0.05 of the variance of the scores, or a crowded table would be released as it
// is: of 30,000 values, the largest one stays with its record in 98 of 100 releases at 0.01, in 69 at 0.05, in 26 at
// 0.25. Of more than 250,000 records that many are sampled for the rule, so that the nearest other record seems farther
// away than it is, and the noise errs on the side of safety: it asks for d = 0.044 instead of 0.029 on a million
// records like Adult's. The removal of chance correlations is the step that Muralidhar & Sarathy 2005 add to additive
// noise.
//
// Reference: Sullivan & Fuller 1989, the use of measurement error to avoid disclosure; 1990, construction of masking
// error for categorical variables; Islam 2007, section 3.2.1.
package sullivanfuller

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "sullivanfuller",
		Title:   "Sullivan & Fuller masking",
		Short:   "Sullivan-Fuller",
		Aliases: []string{"Sullivan & Fuller 1989", "Sullivan & Fuller 1990"},
		Summary: "Adds correlated noise to normal scores and transforms back to the distribution of every attribute.",
		Paper:   "Sullivan & Fuller 1989, 1990; Islam 2007, section 3.2.1",
		Needs:   "numeric attributes; those marked confidential (none marked: all); optionally categorical ones",
		Changes: "the confidential numeric attributes (none marked: all); optionally categorical ones",
		Preserves: "the distribution of every attribute (types A and D); monotone relations among the perturbed attributes " +
			"(type B)",
		Biases: "relations with unchanged attributes weaken by a known factor (type C); relations that are not " +
			"monotone are lost",
		Exposes: "the distribution of every attribute, smallest and largest value included; normal scores up to noise of " +
			"known " +
			"variance; outliers stay outliers, often with their own value",
		Missing: "stay missing",
		Cost:    "O(rows * columns²), and sorting every column",
	},
	Purpose: protect.NoiseNumbers,
	NoModel: "its noise is added to the ranks of the values, whose distribution is confidential",
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Groups, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.TakesNumbers},
}

// What becomes of categorical attributes, and where equal numbers lie in their distribution.
const (
	keep    = "keep"
	perturb = "perturb"
	cell    = "cell"
	middle  = "middle"
)

// Technique holds the parameters.
type Technique struct {
	Noise      float64 // variance of the noise on normal scores; 0: by the security rule
	Hidden     float64 // share of the records that the rule is to hide
	Categories string
	Ties       string
	Except     []string // columns left alone
	Exact      bool     // release rare numbers as they are
	Common     int      // people who have a number that is released as it is, at least
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.Noise, "noise", 0, 0, 100, "of the variance", "variance of the noise on normal scores; 0: "+
			"as much as the security rule requires").Noisier(0.001, 20),
		param.Float(&q.Hidden, "hidden", 0.9, 0.5, 1, "of the records",
			"security rule: for this share of the records, noise moves the scores on average as far as the nearest "+
				"other record"),
		param.Choice(&q.Categories, "categories", keep, []string{keep, perturb}, "categorical attributes: keep "+
			"them, or perturb them too"),
		param.Choice(&q.Ties, "ties", cell, []string{cell, middle},
			"score of a repeated number: drawn for each record from the ranks it occupies, or that of the middle rank"),
		param.Names(&q.Except, "except", "columns to leave alone"),
		protect.ExactParam(&q.Exact),
		protect.CommonParam(&q.Common),
	}
}

// Fit lists the columns and chooses the noise.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), Noise: q.Noise, Ties: q.Ties, Exactly: protect.ExactlyOf(q.Exact, q.Common)}
	var err error
	if p.Numeric, _, err = protect.Confidential(t, q.Except); err != nil {
		return nil, err
	}
	if q.Categories == perturb {
		if p.Categorical, err = categorical(t, q.Except); err != nil {
			return nil, err
		}
	}
	if p.Noise == 0 {
		p.Rule = &Rule{Hidden: q.Hidden}
		if p.Noise, err = p.Rule.choose(ctx, p, t, src); err != nil {
			return nil, err
		}
	}
	return p, p.Check()
}

// categorical returns the categorical columns to perturb: those with the role confidential or, where none has it, all,
// less the excepted ones.
func categorical(t *table.Table, except []string) ([]int, error) {
	all, err := protect.Columns(t, table.Categorical, nil)
	if err != nil {
		return nil, err
	}
	may, err := protect.Columns(t, table.Categorical, except)
	return protect.Chosen(t, all, may), err
}
