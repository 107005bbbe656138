package sullivanfuller

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Plan is the fitted technique. The distributions and correlations are those of the records that it is applied to, so
// these form one group, and the plan holds none of them. Column j draws its places among equal values from
// src.Fork(name of j).Fork("ties") and its noise from src.Fork(name of j).Fork("noise").
type Plan struct {
	protect.OneGroup
	protect.Exactly
	Attrs       []table.Attribute `json:"schema"`
	Numeric     []int             `json:"numeric"`     // positions in the schema, ascending
	Categorical []int             `json:"categorical"` // the same
	Ties        string            `json:"ties"`
	Noise       float64           `json:"noise"`          // d: the variance of the noise on normal scores
	Rule        *Rule             `json:"rule,omitempty"` // by which the noise was chosen
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// columns returns the positions of all columns, ascending.
func (p *Plan) columns() []int {
	return slices.Sorted(slices.Values(slices.Concat(p.Numeric, p.Categorical)))
}

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.columns()) }

// Empirical returns the numbers, whose smallest and largest value, and those that recur, are values of the original.
func (p *Plan) Empirical() []string { return p.Drawn(p.Attrs, p.Numeric) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.sullivanfuller") }

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if err := protect.CheckColumns(p.Attrs, p.Numeric, table.Numeric); err != nil {
		return err
	}
	if err := protect.CheckColumns(p.Attrs, p.Categorical, table.Categorical); err != nil {
		return err
	}
	if p.Ties != cell && p.Ties != middle {
		return fmt.Errorf("ties is %q; expected cell or middle", p.Ties)
	}
	if !(p.Noise > 0 && !math.IsInf(p.Noise, 0)) {
		return fmt.Errorf("the noise is %v; expected a number above 0", p.Noise)
	}
	return p.Rule.check()
}

// Apply perturbs the records.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) { return p.apply(t, src) })
}

func (p *Plan) apply(t *table.Table, src rng.Source) (*table.Table, error) {
	ranks, z := p.scores(t, src)
	y, err := p.masked(t, src, z)
	if err != nil {
		return nil, err
	}
	columns, cols := p.columns(), t.Columns()
	parallel.Do(len(columns), func(k int) {
		a, c := &p.Attrs[columns[k]], &cols[columns[k]]
		back, v := inverse(ranks[k], a.Kind, p.Ties), y[k]
		for i, s := range v {
			v[i] = back(probability(s))
		}
		switch a.Kind {
		case table.Numeric:
			d := wrap.On(a.Domain, a.Step)
			for i, x := range v {
				v[i] = d.Clip(x) + 0 // no negative zero
			}
			c.Num = v
		case table.Categorical:
			c.Cat = codes(v)
		case table.SetValued: // is not among the columns
		}
	})
	return t.WithColumns(cols)
}

// scores returns the ranks and the normal scores of the columns.
func (p *Plan) scores(t *table.Table, src rng.Source) ([]*rank.Ranks, [][]float64) {
	columns := p.columns()
	ranks, z := make([]*rank.Ranks, len(columns)), make([][]float64, len(columns))
	ids, first := t.IDs()
	parallel.Do(len(columns), func(k int) {
		a := &p.Attrs[columns[k]]
		c := t.Column(columns[k])
		ranks[k] = rank.Of(c.Numbers())
		var places []rng.Block
		if a.Kind == table.Categorical || p.Ties == cell {
			places = make([]rng.Block, t.Rows())
			rng.Blocks(src.Fork(a.Name).Fork("ties").Stream(), places, ids, first)
		}
		z[k] = scores(ranks[k], t.Rows(), places)
	})
	return ranks, z
}

// Notes says how the noise was chosen, and of whom it hides little.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	if p.Rule != nil {
		out = append(out, p.Rule.note(p.Noise))
	}
	if len(p.Numeric) > 0 && p.Noise < 1 {
		out = append(out, message.Say("plan.scores.outliers"))
	}
	return out
}

// Corrections says how relations with other columns follow from those in the release.
func (p *Plan) Corrections() []message.Sentence {
	return []message.Sentence{
		message.Say("correct.scores.means"),
		message.Say("correct.scores.score"),
		message.Say("correct.scores.multiply").Term("d", p.Noise, 6).Term("f", math.Sqrt(1+p.Noise), 6),
		message.Say("correct.scores.ties"),
	}
}
