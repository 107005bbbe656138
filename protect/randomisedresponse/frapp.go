package randomisedresponse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// FRAPP is the gamma-diagonal perturbation of FRAPP (Agrawal & Haritsa 2005): the categories of a record are
// released unchanged or as any other combination.
//
// All its columns together are one value of one domain, the combinations of their categories, S in number. A record is
// released as it is with probability gamma x, and as any other combination with probability x each, x = 1/(gamma + S -
// 1). Of all matrices that change the odds of two records by the factor gamma at most it is the one that is undone with
// the least error. No combination is ever listed: a record that does not stay gets every category anew, evenly, until
// it differs. With spread the probability to stay is drawn anew for every record, evenly from gamma x (1-spread) to
// gamma x (1+spread): the randomised diagonal.
//
// What an informed intruder learns: no release changes the odds of two original records by more than gamma, whatever
// else is known: local differential privacy of epsilon = ln gamma for the whole record, not for a value. With gamma =
// 19 what had the probability 5 % before has 50 % at most after. A record that is kept is kept in all its values: a
// value that the intruder knows and sees unchanged makes the others of the record likelier. Columns that are not
// perturbed may tell the record. Who is not told the draws of spread sees the matrix of the mean, so it hides and costs
// nothing.
//
// Cost: O(rows * columns), about 10 ns a value.
//
// Departures: the randomised diagonal draws for every record; the paper's analysis conditions on the draws, which
// nobody is told here.
//
// Reference: S. Agrawal & J. R. Haritsa, "A framework for high-accuracy privacy-preserving mining", ICDE 2005, sections
// 3 and 4.
var FRAPP = protect.Method{
	Card: card.Card{
		Name:    "frapp",
		Title:   "FRAPP, records kept or redrawn",
		Short:   "FRAPP",
		Aliases: []string{"gamma-diagonal perturbation", "DET-GD", "RAN-GD"},
		Summary: "Releases the categories of a record unchanged or as any other combination, with the matrix of " +
			"least error for a given amplification.",
		Paper:     "Agrawal & Haritsa 2005",
		Needs:     "categorical attributes",
		Changes:   "the given columns, or every categorical attribute except the class",
		Preserves: "shares of records with given values, after a correction from gamma and the numbers of categories",
		Biases: "uncorrected, shares move towards uniform (type D), relations weaken (types B and C), rules " +
			"break (type DM)",
		Exposes: "the odds of any two original records change by a factor of at most gamma (local differential " +
			"privacy of a whole record); either all values of a record stay or none",
		Missing: "stay missing",
		Shards:  protect.FromCounts,
		Cost:    "O(rows * columns)",
	},
	Purpose: protect.Randomises,
	Growth:  1,
	New:     func() protect.Technique { return NewFrapp() },
	Plan:    func() protect.Plan { return &FrappPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Publishes, protect.Memoises, protect.BoundsOdds},
}

// FrappTechnique holds the parameters.
type FrappTechnique struct {
	Gamma   float64  // amplification
	Spread  float64  // of the probability to stay, as a share of it
	Columns []string // columns to perturb; none: all but the class
	Except  []string // columns left alone
}

// NewFrapp returns the technique with gamma = 19, of which 5 % become 50 % at most.
func NewFrapp() *FrappTechnique { return param.Default(&FrappTechnique{}) }

// Params declares the parameters.
func (q *FrappTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Gamma, "gamma", 19, 1, 1e12, "", "amplification: the largest factor by which a release "+
			"changes the odds of two records; 1 reveals nothing").Noisier(1000, 1.1),
		param.Float(&q.Spread, "spread", 0, 0, 1, "", "randomised diagonal: draw each record's probability of "+
			"staying, within plus or minus this share"),
		param.Names(&q.Columns, "columns", "categorical columns to perturb jointly, including the class if listed; "+
			"none: all except the class"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit chooses the columns.
func (q *FrappTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains and how many they are.
func (q *FrappTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	t := r.Schema

	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := protect.Columns(t, table.Categorical, q.Except)
	if err == nil && len(q.Columns) > 0 {
		may := columns
		if c := t.WithRole(table.Class); c >= 0 && t.Attr(c).Kind == table.Categorical &&
			!slices.Contains(q.Except, t.Attr(c).Name) {
			may = append(slices.Clip(may), c)
		}
		columns, err = named.Columns(t, "columns", q.Columns, may)
	}
	if err != nil {
		return nil, err
	}
	return &FrappPlan{Attrs: t.Attrs(), Columns: columns, Gamma: q.Gamma, Spread: q.Spread, Records: r.Rows}, nil
}

// FrappPlan is the fitted technique. It draws from src.Fork("record").
type FrappPlan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	Gamma   float64           `json:"gamma"`
	Spread  float64           `json:"spread"`
	Records int               `json:"records"` // fitted on
}

// Schema returns the attributes the plan was fitted on.
func (p *FrappPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *FrappPlan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *FrappPlan) Describe() message.Sentence {
	if p.Spread > 0 {
		return message.Say("does.frappSpread")
	}
	return message.Say("does.frapp")
}

// Check refuses a decoded plan that could not be applied.
func (p *FrappPlan) Check() error {
	if !(p.Gamma >= 1) || math.IsInf(p.Gamma, 1) || !(p.Spread >= 0 && p.Spread <= 1) || p.Records < 0 {
		return fmt.Errorf("gamma is %v and spread %v; expected 1 or more, and 0 to 1", p.Gamma, p.Spread)
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.Categorical)
}

// huge is the largest number of combinations that is told apart from more: nothing is released of so many.
const huge = 1e300

// Diagonal returns the matrix for records whose values of these columns are not missing.
func (p *FrappPlan) Diagonal(columns []int) randomised.Diagonal {
	d := randomised.Diagonal{Gamma: p.Gamma, Size: 1}
	for _, j := range columns {
		d.Size = min(huge, d.Size*float64(len(p.Attrs[j].Labels)))
	}
	return d
}

// stay returns the middle of the probabilities that a record is released as it is, and how far they spread.
func (p *FrappPlan) stay(d randomised.Diagonal) (middle, spread float64) {
	middle = float64(d.Gamma * d.Off())
	return middle, min(p.Spread*middle, 1-middle)
}

// Apply keeps records and draws others anew.
func (p *FrappPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for _, j := range p.Columns {
		cols[j].Cat = slices.Clone(cols[j].Cat)
	}
	w := src.Fork("record").Stream().Turns()
	whole := p.Diagonal(p.Columns)
	middle, spread := p.stay(whole)
	ids, first := chunk.NoiseKeys(p.Columns...)
	var have []int
	for i := range chunk.Rows() {
		d, m, s := whole, middle, spread
		have = have[:0]
		for _, j := range p.Columns {
			if cols[j].Cat[i] >= 0 {
				have = append(have, j)
			}
		}
		if len(have) < len(p.Columns) {
			d = p.Diagonal(have)
			m, s = p.stay(d)
		}
		if d.Size == 1 {
			continue
		}
		id := first + table.RecordID(i)
		if ids != nil {
			id = ids[i]
		}
		w.Of(uint64(id))
		if p.Spread > 0 {
			m += float64(s * (2*rng.Unit(w.Next()) - 1))
		}
		if rng.Unit(w.Next()) >= m {
			another(w, cols, have, i)
		}
	}
	return chunk.WithColumns(cols)
}

// another gives row i another combination of the columns, each as likely: drawn until it differs.
func another(w *rng.Turns, cols []table.Column, columns []int, i int) {
	for differs := false; !differs; {
		for _, j := range columns {
			v := int32(rng.Below(w.Next(), len(cols[j].Labels)))
			differs = differs || v != cols[j].Cat[i]
			cols[j].Cat[i] = v
		}
	}
}

// Law returns the law of a column, whatever the segment. That of one column is exact; they depend on each other, for a
// record is kept in all or in none, so their product is not.
func (p *FrappPlan) Law(j int) (noisemodel.Column, bool) {
	if !slices.Contains(p.Columns, j) {
		return nil, false
	}
	labels := len(p.Attrs[j].Labels)
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		have := []int{}
		for _, c := range p.Columns {
			if c == j || t.Cat(c)[row] >= 0 {
				have = append(have, c)
			}
		}
		on, _ := p.Diagonal(have).Subset(float64(labels))
		return noisemodel.Exchanged{N: labels, Share: 1 - on}
	}, true
}

// Published returns gamma and the numbers of categories.
func (p *FrappPlan) Published() ([]modelfile.Part, error) {
	if len(p.Columns) == 0 {
		return nil, nil
	}
	r := &modelfile.Record{Gamma: p.Gamma}
	for _, j := range p.Columns {
		r.Categories = append(r.Categories, len(p.Attrs[j].Labels))
	}
	return []modelfile.Part{{Columns: p.Changes(), Record: r}}, nil
}

// Memoised says that draws are keyed by the values of the columns together.
func (*FrappPlan) Memoised() bool { return true }
