// Package zhuliu is optimal randomisation: the mixture in a family that loses least of the distribution at the required
// privacy (Zhu & Liu 2004).
//
// What it does, to a number: noise that is uniform or normal or, for attributes of few values, a value that is kept
// with some probability and otherwise drawn evenly from the range. Of each family it takes the least noise with which
// Pi(X|Y) is the share of Pi(X) that is asked for (Agrawal & Aggarwal 2001), found by bisection on the distribution of
// the column; of these the one whose distribution is reconstructed with the least loss from samples as large as the
// table. To a category: it is kept with probability gamma/(gamma + K - 1) of K and otherwise becomes any other; of all
// matrices that are at most gamma-amplifying this one has the least condition number (Agrawal & Haritsa 2005), so its
// inverse blows up errors least.
//
// What an informed intruder learns: of a number, on average over the released values, what the privacy leaves; of
// single values more. Of a category, the odds of two change by gamma at most. A number that was drawn or kept is
// released as it is in the latter case, with the probability that the law states. Where attributes are correlated the
// noise of numbers can be filtered. The size of the noise depends on the distribution of the column and is published:
// two digits of it.
//
// Cost: fit 0.1 to 1 s a numeric column, whatever the rows; apply O(rows * columns), 15 to 50 ns a value.
//
// Departures: only the opening of the paper could be read. The search over families and the matrix are readings of what
// it asks, which randomisation is optimal for a target of privacy; the privacy is that of at most 20 intervals (of all
// values, where there are at most 100).
//
// References: Y. Zhu and L. Liu, "Optimal randomization for privacy preserving data mining", KDD 2004; S. Agrawal and
// J. R. Haritsa, ICDE 2005.
package zhuliu

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/numberwise"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "zhuliu",
		Title:   "Optimal randomisation",
		Aliases: []string{"optimalrandomisation", "mixture randomisation", "optimal randomization"},
		Summary: "Adds the noise of least loss for a given privacy: uniform, normal or keep-or-redraw for " +
			"numbers, gamma-diagonal for categories; the noise model is public.",
		Paper:     "Zhu & Liu 2004; Agrawal & Haritsa 2005",
		Needs:     "numeric or categorical attributes",
		Changes:   "all numeric and categorical attributes that vary, except the class",
		Preserves: "after reconstruction the distribution of each attribute (dither reconstruct)",
		Biases: "numbers spread (type A), categories move towards uniform (type D), relations weaken (types B and " +
			"C), rules lose records at their cuts and break (type DM)",
		Exposes: "a number up to the remaining privacy, on average; the odds of a category up to gamma; more by " +
			"filtering the noise of correlated attributes; the noise model reveals the range, and two digits that " +
			"depend on the distribution",
		Missing: "stay missing",
		Cost:    "fit up to a second per numeric column; O(rows * columns)",
	},
	Purpose: protect.PublicNoise,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.AddsNoise, protect.Corrects, protect.Notes,
		protect.Describes, protect.Checks, protect.Publishes, protect.Memoises},
}

// The families of noise.
const (
	Best    = "best"
	Uniform = "uniform"
	Normal  = "normal"
	Redraw  = "redraw"
)

// Technique holds the parameters.
type Technique struct {
	Family  string
	Privacy float64 // % of Pi(X)
	Gamma   float64
	Except  []string
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Choice(&q.Family, "family", Best, []string{Best, Uniform, Normal, Redraw}, "noise for numbers: the "+
			"family that loses least, or a given one"),
		param.Float(&q.Privacy, "privacy", 70, 1, 95, "% of Pi(X)", "remaining privacy of a number once its "+
			"released value is known, Pi(X|Y)"),
		param.Float(&q.Gamma, "gamma", 19, 1.001, 1e6, "", "largest factor by which a released category changes "+
			"the odds of two original ones"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit searches the noise of every numeric column.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	numbers, err := numberwise.Fit(t, q.Except, func(j int, n *modelfile.Number) error {
		s, err := newSearch(n, t.Num(j), q.Privacy/100)
		if err != nil {
			return err
		}
		best, err := s.best(ctx, q.Family)
		if err == nil {
			*n = *best
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p := &Plan{Plan: *numbers, Gamma: q.Gamma}
	codes, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	for _, j := range codes {
		if len(t.Attr(j).Labels) > 1 {
			p.Codes = append(p.Codes, j)
		}
	}
	return p, nil
}

// Plan is the fitted technique.
type Plan struct {
	numberwise.Plan
	Codes []int   `json:"codes"` // positions in the schema of the categorical columns, ascending
	Gamma float64 `json:"gamma"`
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.zhuliu") }

// keep returns the probability that one of k categories stays.
func (p *Plan) keep(k int) float64 { return p.Gamma / (p.Gamma + float64(k-1)) }

// Changes returns the names of the columns, in schema order.
func (p *Plan) Changes() []string {
	all := slices.Concat(p.Columns, p.Codes)
	slices.Sort(all)
	return protect.Names(p.Attrs, all)
}

// Check refuses a decoded plan whose laws are none.
func (p *Plan) Check() error {
	if !(p.Gamma > 1) || math.IsInf(p.Gamma, 1) {
		return fmt.Errorf("gamma is %v; expected above 1", p.Gamma)
	}
	if err := protect.CheckColumns(p.Attrs, p.Codes, table.Categorical); err != nil {
		return err
	}
	for _, j := range p.Codes {
		if len(p.Attrs[j].Labels) < 2 {
			return fmt.Errorf("column %q has fewer than two categories", p.Attrs[j].Name)
		}
	}
	return p.Plan.Check()
}

// Apply draws numbers and categories.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	out, err := p.Plan.Apply(chunk, src)
	if err != nil {
		return nil, err
	}
	cols := out.Columns()
	for _, j := range p.Codes {
		k := len(p.Attrs[j].Labels)
		cols[j].Cat = redraw.Codes(chunk, j, src.Fork(p.Attrs[j].Name).Stream(), func(_ int, old int32, b rng.Block) int32 {
			return redraw.Another(old, k, 1-p.keep(k), b)
		})
	}
	return out.WithColumns(cols)
}

// Law returns the law of column j.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	if slices.Contains(p.Codes, j) {
		k := len(p.Attrs[j].Labels)
		return noisemodel.Everywhere(noisemodel.Exchanged{N: k, Share: 1 - p.keep(k)}), true
	}
	return p.Plan.Law(j)
}

// Published returns the laws of numbers and of categories.
func (p *Plan) Published() ([]modelfile.Part, error) {
	out, err := p.Plan.Published()
	for _, j := range p.Codes {
		k := len(p.Attrs[j].Labels)
		out = append(out,
			modelfile.Part{Columns: []string{p.Attrs[j].Name}, Category: &modelfile.Category{Categories: k, Keep: p.keep(k)}})
	}
	return out, err
}

// Notes says what noise was chosen for the numbers besides what the law tells.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for k, j := range p.Columns {
		n, name := &p.Laws[k], p.Attrs[j].Name
		switch {
		case n.Keep != nil:
			out = append(out, message.Say("plan.zhuliu.keep").Name("column", name).Digits("p", *n.Keep, 3))
		case n.Uniform > 0:
			out = append(out, message.Say("plan.zhuliu.uniform").Name("column", name).Digits("most", n.Uniform, 3))
		default:
			out = append(out, message.Say("plan.zhuliu.normal").Name("column", name).Digits("sd", n.Normal, 3))
		}
	}
	return append(out, p.Plan.Notes()...)
}

// Corrections says how a user gets at the original.
func (p *Plan) Corrections() []message.Sentence {
	out := p.Plan.Corrections()
	for _, j := range p.Codes {
		k := len(p.Attrs[j].Labels)
		keep := p.keep(k)
		other := (1 - keep) / float64(k-1)
		out = append(out, message.Say("correct.categories.one").Name("column", p.Attrs[j].Name).Term("q", other, 6).
			Digits("d", keep-other, 6))
	}
	return out
}
