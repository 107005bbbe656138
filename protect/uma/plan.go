package uma

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Plan is the fitted technique. It holds no values of records: groups are those of the records it is applied to.
type Plan struct {
	protect.OneGroup
	protect.Counted
	Attrs    []table.Attribute `json:"schema"`
	Columns  []int             `json:"columns"`           // positions in the schema, ascending
	Weights  []int             `json:"weights,omitempty"` // the position of the sampling weights, if there are any
	K        int               `json:"k"`
	Grouping string            `json:"grouping"`
	Grid     string            `json:"grid"`
	// Lost holds, by position in Columns, SSE/SST of the records the plan was fitted on; of an ordered category, distances
	// from medians in the place of squares. It serves the notes only.
	Lost []float64 `json:"lost"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.People {
		return message.Say("does.umaPeople").Count("k", p.K).Name("which", string(p.Grouping))
	}
	return message.Say("does.uma").Count("k", p.K).Name("which", string(p.Grouping))
}

// Notes says what is lost, and what is not protected.
func (p *Plan) Notes() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	lost := make([]message.Sentence, len(p.Columns))
	for k, name := range p.Changes() {
		lost[k] = message.Column(name, message.Say("list.percent").Digits("n", float64(100*p.Lost[k]), 3))
	}
	out := []message.Sentence{message.Say("plan.uma.lost").Part("columns", message.Listed(lost))}
	if len(p.Columns) > 1 {
		out = append(out, message.Say("plan.uma.apart"))
	}
	return out
}

// Corrections says how a user of the release works out the variances of the original: those of the release are what is
// left of them between groups.
func (p *Plan) Corrections() []message.Sentence {
	var factors []message.Sentence
	for k, j := range p.Columns {
		if left := 1 - p.Lost[k]; p.Attrs[j].Kind == table.Numeric && left < 1 && left > 0 {
			factors = append(factors, message.Say("correct.groups.by").Name("column", p.Attrs[j].Name).Term("left", left, 6))
		}
	}
	if factors == nil {
		return nil
	}
	if len(p.Weights) > 0 {
		return []message.Sentence{message.Say("correct.groups.weightedMeans"),
			message.Say("correct.groups.weighted").Part("columns", message.Listed(factors))}
	}
	return []message.Sentence{
		message.Say("correct.groups.means"),
		message.Say("correct.groups.divide").Part("columns", message.Listed(factors)),
	}
}

// Check refuses a decoded plan with columns that are not usable, or settings that are none.
func (p *Plan) Check() error {
	switch {
	case p.K < 2 || p.K > largestK:
		return fmt.Errorf("k is %d; expected 2 to %d", p.K, largestK)
	case p.Grouping != Optimal && p.Grouping != Classic:
		return fmt.Errorf("the grouping is %q; expected %s or %s", p.Grouping, Optimal, Classic)
	case p.Grid != fence.GridKeep && p.Grid != fence.GridFiner:
		return fmt.Errorf("the grid is %q; expected %s or %s", p.Grid, fence.GridKeep, fence.GridFiner)
	case len(p.Lost) != len(p.Columns):
		return fmt.Errorf("there are %d shares lost for %d columns", len(p.Lost), len(p.Columns))
	case len(p.Weights) > 1:
		return errors.New("there is more than one column of weights")
	}
	last := -1
	for _, j := range p.Columns {
		if j <= last || j >= len(p.Attrs) {
			return errors.New("the columns are not ascending positions in the schema")
		}
		last = j
		if err := protect.CheckColumns(p.Attrs, []int{j}, p.Attrs[j].Kind); err != nil {
			return err
		}
		if a := &p.Attrs[j]; a.Kind == table.Categorical && !a.Ordered {
			return fmt.Errorf("column %q is categorical without an order", a.Name)
		}
	}
	for _, j := range p.Weights {
		if j < 0 || j >= len(p.Attrs) || p.Attrs[j].Kind != table.Numeric {
			return errors.New("the weights are not a numeric column of the schema")
		}
	}
	return nil
}

// Apply releases the centres of the groups. Column j breaks ties by src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) { return p.apply(t, src) })
}

func (p *Plan) apply(t *table.Table, src rng.Source) (*table.Table, error) {
	weights, err := p.weights(t)
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	err = parallel.Each(context.Background(), len(p.Columns), func(k int) error {
		j := p.Columns[k]
		c, err := p.gather(t, k, weights, keysOf(t, src.Fork(p.Attrs[j].Name)))
		if err == nil {
			cols[j] = p.release(c, cols[j], &p.Attrs[j])
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return t.WithColumns(cols)
}

// gather sorts the k-th column. It is an error when that has known values, but of fewer than K people.
func (p *Plan) gather(t *table.Table, k int, weights, keys []float64) (*column, error) {
	j := p.Columns[k]
	a := &p.Attrs[j]
	var values []float64
	switch a.Kind {
	case table.Numeric:
		values = inside(t.Num(j), a.Domain)
	case table.Categorical:
		c := t.Column(j)
		values, weights = c.Numbers(), nil
	case table.SetValued: // is not among the columns
	}
	whose, _ := t.People()
	c := gather(values, a.Kind == table.Categorical, weights, keys, whose)
	if n := c.people(); n > 0 && n < p.K {
		return nil, protect.Few(a, len(c.order), n, p.K)
	}
	return c, nil
}

// inside returns the values, those outside the interval as its nearest end; NaN stays.
func inside(v []float64, iv table.Interval) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = max(min(x, iv.Hi), iv.Lo)
	}
	return out
}

// weights returns the sampling weights as shares of the largest; nil without weights.
func (p *Plan) weights(t *table.Table) ([]float64, error) {
	if len(p.Weights) == 0 || t.Rows() == 0 {
		return nil, nil
	}
	weights, err := protect.WeightsIn(t, p.Weights[0])
	if err != nil {
		return nil, err
	}
	out, largest := make([]float64, len(weights)), slices.Max(weights)
	for i, w := range weights {
		out[i] = max(w/largest, math.SmallestNonzeroFloat64)
	}
	return out, nil
}

// partition returns where the groups of a column end; nil without known values.
func (p *Plan) partition(c *column) []int {
	switch {
	case len(c.u) == 0:
		return nil
	case p.Grouping == Classic:
		return classic(len(c.u), c.bounds(p.K))
	}
	return optimal(len(c.u), c.bounds(p.K), c.costs())
}

// release returns the column with every known value replaced.
func (p *Plan) release(c *column, col table.Column, a *table.Attribute) table.Column {
	ends := p.partition(c)
	if c.ordered {
		codes := make([]int32, len(col.Cat))
		for i := range codes {
			codes[i] = -1
		}
		c.release(ends, func(i int32, v float64) { codes[i] = int32(v) })
		col.Cat = codes
		return col
	}
	if p.Grid == fence.GridFiner {
		col.Step = fence.Finer(*a).Step
	}
	d := wrap.On(a.Domain, col.Step)
	out := make([]float64, len(col.Num))
	for i := range out {
		out[i] = math.NaN()
	}
	c.release(ends, func(i int32, v float64) { out[i] = d.Clip(v) })
	col.Num = out
	return col
}
