// Package round is rounding: it replaces numbers by multiples of a base.
//
// Every number becomes a multiple of its attribute's base: the nearest one (how=nearest; of two equally near ones the
// even multiple), or at random one of the two around it, the nearer one the likelier, so that on average nothing is
// added (how=random). A number r above a multiple goes up with probability r/base. The base is given (base, or
// bases=income=1000), or it is the largest of 1, 2 and 5 times a power of ten that is a multiple of the grid step and
// at most half a standard deviation.
//
// What an informed intruder learns: the value within half a base for sure, or within a base (how=random), where the law
// of the rounding tells the intruder what is likelier. A base hides somebody only where others round to the same
// multiple: extremes stay alone. The same value of two records may be rounded to two multiples at random, and one
// rounded anew in a second release with another seed is disclosed little by little.
//
// Missing values stay missing. A declared domain is kept: a value between its end and the last multiple inside it
// becomes that multiple, which moves the mean there. An observed domain becomes that of the multiples around it, which
// does not tell the smallest and the largest value. A value outside the domain counts as its nearest end.
//
// Sampling weights are not used: rounding is the same with and without.
//
// Cost: O(n) per column, about 25 ns a value: a quarter of slices.Sort on as many random numbers. Works on any chunk.
//
// Departures: none. Rounding is not controlled: sums of released values are not the released sums.
//
// Reference: A. Hundepool et al., "Statistical Disclosure Control", Wiley 2012, chapter 3 (rounding); W. F. Sheppard,
// "On the calculation of the most probable values of frequency-constants", Proceedings of the London Mathematical
// Society 29, 1898.
package round

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "round",
		Title:   "Rounding",
		Aliases: []string{"rounding", "random-rounding"},
		Summary: "Rounds numbers to the nearest multiple of a base, or at random to one of the two nearest.",
		Paper:   "Hundepool et al. 2012, chapter 3",
		Needs:   "numeric attributes",
		Changes: "the given numeric attributes, or all",
		Preserves: "means (in expectation exactly with how=random); order, up to ties, with how=nearest; nearly all " +
			"relations for a small base",
		Biases: "variances grow by base²/12, or base²/6 with how=random (type A), correlations shrink accordingly " +
			"(types B and C); only multiples occur (type D)",
		Exposes: "every value to within half a base, or a base with how=random; extremes stay isolated",
		Missing: "stay missing",
		Shards:  protect.FromMoments,
		Cost:    "O(n) per column",
	},
	Purpose: protect.Generalises,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Memoises},
}

// How a number is rounded.
const (
	Nearest = "nearest" // to the nearest multiple
	Random  = "random"  // to one of the two around, without bias
)

// Technique holds the parameters.
type Technique struct {
	Base    float64 // 0: chosen by the standard deviation
	Bases   []string
	Columns []string
	How     string
	Except  []string // columns left alone
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// largest bounds the parameter base.
const largest = 1e15

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.Base, "base", 0, 0, largest, "",
			"round to multiples of this; 0: a round number of at most half a standard deviation, chosen per column"),
		param.Names(&q.Bases, "bases", "columns with a different base, as column=base"),
		param.Names(&q.Columns, "columns", "columns to round by base (default: all numeric ones, unless bases "+
			"lists columns)"),
		param.Choice(&q.How, "how", Nearest, []string{Nearest, Random}, "to the nearest multiple, or at random to "+
			"one of the two nearest, without bias"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works the bases out. Cost: O(n) per column whose base is not given.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *Technique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	t := r.Schema

	if err := ctx.Err(); err != nil {
		return nil, err
	}
	may, err := protect.Columns(t, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	columns, err := named.Columns(t, "columns", q.Columns, may)
	if err != nil {
		return nil, err
	}
	bases, err := q.bases(t, may)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 && len(bases) == 0 {
		columns = may
	}
	for _, j := range columns {
		if _, twice := bases[j]; twice {
			return nil, fmt.Errorf("parameter %q: column %q is named twice", "bases", t.Attr(j).Name)
		}
		bases[j] = max(q.Base, t.Attr(j).Step)
	}
	if q.Base == 0 {
		half, err := deviations(ctx, r, columns)
		if err != nil {
			return nil, err
		}
		for k, j := range columns {
			bases[j] = chosen(t.Attr(j), half[k]/2)
		}
	}
	p := &Plan{Attrs: t.Attrs(), How: q.How}
	for _, j := range may {
		base, ok := bases[j]
		a := t.Attr(j)
		switch {
		case !ok:
			continue
		case base == a.Step:
			p.Left = append(p.Left, a.Name)
			continue
		}
		if _, err := prepare(a, base); err != nil {
			return nil, err
		}
		p.Columns = append(p.Columns, Rounded{j, base})
	}
	return p, nil
}

// bases returns the bases that are given, by column.
func (q *Technique) bases(t *table.Table, may []int) (map[int]float64, error) {
	given, err := named.Assign(t, "bases", q.Bases)
	if err != nil {
		return nil, err
	}
	out := map[int]float64{}
	for _, g := range given {
		if err := named.Check(t, "bases", g.Column, may); err != nil {
			return nil, err
		}
		v, err := strconv.ParseFloat(g.Text, 64)
		if err != nil || !(v > 0 && v <= largest) {
			return nil, fmt.Errorf("parameter %q: %q is not a valid base for column %q; expected a number above 0, up to %g",
				"bases", g.Text, t.Attr(g.Column).Name, largest)
		}
		if _, twice := out[g.Column]; twice {
			return nil, fmt.Errorf("parameter %q: column %q is named twice", "bases", t.Attr(g.Column).Name)
		}
		out[g.Column] = v
	}
	return out, nil
}

// chosen returns the largest of 1, 2 and 5 times a power of ten that is a multiple of the grid step and at most half
// the standard deviation; the step where there is none.
func chosen(a *table.Attribute, half float64) float64 {
	if !(half > 0) || math.IsInf(half, 0) {
		return a.Step
	}
	for e := min(int(math.Floor(portable.Log10(half))), 14); e > -300; e-- {
		for _, f := range []float64{5, 2, 1} {
			base := float64(f * math.Pow10(e))
			if e < 0 {
				base = f / math.Pow10(-e)
			}
			if base <= a.Step {
				return a.Step
			}
			if _, err := prepare(a, base); base <= half && err == nil {
				return base
			}
		}
	}
	return a.Step
}

// deviations returns the standard deviations of the known values of columns.
func deviations(ctx context.Context, r *aggregate.Records, columns []int) ([]float64, error) {
	sums := &aggregate.Sums{Columns: columns}
	if err := r.Pass(ctx, sums); err != nil {
		return nil, err
	}
	squares := &aggregate.Sums{Columns: columns, About: sums.Means()}
	if err := r.Pass(ctx, squares); err != nil {
		return nil, err
	}
	out := make([]float64, len(columns))
	for k := range squares.Sums { // none without records
		out[k] = math.Sqrt(squares.Sums[k].Float64() / float64(sums.Known[k]))
	}
	return out, nil
}
