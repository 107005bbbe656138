// Package liew is the data distortion by probability distribution of Liew, Choi & Liew 1985: numbers are replaced by
// draws from a fitted distribution, matched to the originals by rank.
//
// What it does, in three steps. First a density is fitted to every attribute: of the normal, log-normal, exponential,
// gamma and uniform laws the one whose distribution function is nearest to that of the values (Kolmogorov & Smirnov),
// or the law that "density" names. Second as many values as there are records are drawn from it, cut to the attribute's
// domain. Third the i-th smallest of them replaces the i-th smallest original value; equal originals are put in random
// order.
//
// A law is fitted as it will be when it is cut to the domain and rounded to the grid: then it has the mean of the
// values and their variance, or as much of it as its family can have there. A law that has them before it is cut has
// another mean after: of a column that is 0 in three records of four it became more than twice as large.
//
// What an informed intruder learns: the rank of every value, exactly where values differ. Of many records a rank is
// nearly the value: anyone who knows the distribution guesses it to within the sampling error of a quantile, and anyone
// who knows that somebody earns most finds them. The smallest and the largest values are drawn anew, but stay with
// their records. It hides digits, not people: measure what is found.
//
// The ranks are those of the records that the plan is applied to, all of which must meet; the plan holds the fitted
// laws, no values.
//
// Cost: O(n log n) a column, about 0.2 us a value, and some milliseconds a column for the fit.
//
// Departures: the paper leaves the families of densities to the user; these five are ours, and so is cutting them to
// the domain, which keeps values legal. Values are rounded to the attribute's grid.
//
// Reference: C. K. Liew, U. J. Choi and C. J. Liew, "A data distortion by probability distribution", ACM TODS 10(3),
// 1985; Islam 2007, section 3.2.1.
package liew

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "liew",
		Title:   "Data distortion by probability distribution",
		Short:   "Liew",
		Aliases: []string{"Liew, Choi & Liew 1985", "distribution distortion"},
		Summary: "Replaces the numbers of an attribute by draws from a fitted distribution, matched to the " +
			"originals by rank.",
		Paper:   "Liew, Choi & Liew 1985; Islam 2007, section 3.2.1",
		Needs:   "numeric attributes; those marked confidential are replaced (none marked: all)",
		Changes: "the confidential numeric attributes",
		Preserves: "means, and distributions as well as the fitted one describes them (types A and D); ranks, and so " +
			"monotone relations (types B and C)",
		Biases: "features the fitted distribution lacks, such as several peaks or many equal values, and variances that " +
			"it cannot have inside the domain; relations of columns with many equal values; thresholds in rules (type DM)",
		Exposes: "the rank of every value, and so nearly the value if there are many records; who has the " +
			"smallest and the largest",
		Missing: "stay missing and are not used",
		Cost:    "O(n log n) per column",
	},
	Purpose: protect.Redraws,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks},
}

// best takes the nearest law.
const best = "best"

// Technique holds the parameters.
type Technique struct {
	Density string   // one of families, or best
	Except  []string // columns left alone
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Choice(&q.Density, "density", best, append([]string{best}, families...),
			"distribution fitted to every attribute; best: the one nearest to its values"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit fits the laws. Cost: O(n log n) a column, on all cores.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	columns, _, err := protect.Confidential(t, q.Except)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs()}
	for _, j := range columns {
		if moments.Vary(t.Num(j)) {
			p.Columns = append(p.Columns, j)
		}
	}
	p.Laws = make([]Law, len(p.Columns))
	err = parallel.Each(ctx, len(p.Columns), func(k int) (err error) {
		a := t.Attr(p.Columns[k])
		if p.Laws[k], err = fit(q.Density, t.Num(p.Columns[k]), a); err != nil {
			return fmt.Errorf("column %q: %w", a.Name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Plan is the fitted technique. Column j draws from src.Fork(name of j).
type Plan struct {
	protect.OneGroup
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	Laws    []Law             `json:"laws"`    // by position in Columns
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.liew") }

// Notes says which law was fitted to what, how well, and that ranks stay.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for k, l := range p.Laws {
		name := p.Attrs[p.Columns[k]].Name
		note := message.Say("plan.liew.law").Name("column", name).Name("law", string(l.Family)).
			Fixed("distance", l.Distance, 3)
		if l.Distance > 0.1 {
			note = message.Say("plan.liew.far").Name("column", name).Name("law", string(l.Family)).
				Fixed("distance", l.Distance, 3)
		}
		out = append(out, note)
	}
	if len(out) > 0 {
		out = append(out, message.Say("plan.liew.ranks"))
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if len(p.Laws) != len(p.Columns) {
		return fmt.Errorf("there are %d distributions for %d columns", len(p.Laws), len(p.Columns))
	}
	if err := protect.CheckColumns(p.Attrs, p.Columns, table.Numeric); err != nil {
		return err
	}
	for k, l := range p.Laws {
		if err := l.check(&p.Attrs[p.Columns[k]]); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[p.Columns[k]].Name, err)
		}
	}
	return nil
}

// Apply draws the values and puts them in the places of the originals.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		cols := t.Columns()
		ids, first := t.IDs()
		parallel.Do(len(p.Columns), func(k int) {
			j := p.Columns[k]
			a := &p.Attrs[j]
			draws := make([]rng.Block, t.Rows())
			rng.Blocks(src.Fork(a.Name).Stream(), draws, ids, first)
			cols[j].Num = deal(t.Num(j), draws, p.Laws[k].on(a))
		})
		return t.WithColumns(cols)
	})
}

// deal draws a value for every record that has one and gives the i-th smallest to the i-th smallest original. Equal
// originals go by their draws' second words, which nothing else depends on.
func deal(x []float64, draws []rng.Block, law func(u float64) float64) []float64 {
	words, shuffled := make([]uint64, len(x)), make([]float64, len(x))
	for i, d := range draws {
		words[i] = d.B
	}
	lots := rank.Words(words)
	for r, i := range lots {
		shuffled[r] = x[i]
	}
	order, known := rank.Order(shuffled) // which leaves equal ones in the order of their lots
	order = order[:known]
	words = words[:known]
	for r, at := range order {
		order[r] = lots[at]
		words[r] = draws[order[r]].A
	}
	u := make([]float64, known)
	for r, at := range rank.Words(words) {
		u[r] = rng.Unit(words[at])
	}
	y := make([]float64, len(x))
	for i := range y {
		y[i] = math.NaN()
	}
	for r, i := range order {
		y[i] = law(u[r])
	}
	return y
}

// domain returns the values that may be released of an attribute.
func domain(a *table.Attribute) wrap.Domain { return wrap.On(a.Domain, a.Step) }
