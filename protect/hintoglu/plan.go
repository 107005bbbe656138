package hintoglu

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique: naive Bayes by its counts. Which records are drawn is drawn from src.Fork(name of the
// confidential attribute).
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Hidden  int               `json:"hidden"` // the confidential attribute: a position in the schema
	Share   float64           `json:"share"`
	Most    float64           `json:"most"`
	Counts  []float64         `json:"counts"` // records by value of the confidential attribute
	Columns []Column          `json:"columns"`
}

// Column is what naive Bayes knows of another attribute.
type Column struct {
	Column int         `json:"column"`          // position in the schema
	Cuts   bore.Cuts   `json:"cuts,omitempty"`  // of the bins of a numeric one
	Counts [][]float64 `json:"counts"`          // records by value of the confidential attribute and code
	Stays  bool        `json:"stays,omitempty"` // it loses no cell
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string {
	at := []int{p.Hidden}
	for k := range p.Columns {
		if !p.Columns[k].Stays {
			at = append(at, p.Columns[k].Column)
		}
	}
	slices.Sort(at)
	return protect.Names(p.Attrs, at)
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	return message.Say("does.hintoglu").Name("column", p.Attrs[p.Hidden].Name).Number("n", float64(100*p.Share), 0)
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	switch {
	case p.Hidden < 0 || p.Hidden >= len(p.Attrs) || p.Attrs[p.Hidden].Kind != table.Categorical:
		return fmt.Errorf("the confidential attribute is column %d, expected a categorical one of %d", p.Hidden, len(p.Attrs))
	case !(p.Share >= 0 && p.Share <= 1):
		return fmt.Errorf("share is %v, expected 0 to 1", p.Share)
	case !(p.Most >= 0 && p.Most <= 1):
		return fmt.Errorf("most is %v, expected 0 to 1", p.Most)
	case len(p.Counts) != len(p.Attrs[p.Hidden].Labels) || !counts(p.Counts):
		return fmt.Errorf("there are %d counts of values, expected one for each of %d", len(p.Counts),
			len(p.Attrs[p.Hidden].Labels))
	}
	for k := range p.Columns {
		j := p.Columns[k].Column
		if j < 0 || j >= len(p.Attrs) || j == p.Hidden || k > 0 && j <= p.Columns[k-1].Column {
			return fmt.Errorf("column %d of the plan is column %d, expected others than the confidential one, ascending", k, j)
		}
		if err := p.Columns[k].check(&p.Attrs[j], len(p.Counts)); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[j].Name, err)
		}
	}
	return nil
}

// check refuses limits and counts that do not fit the attribute, of a confidential one with so many values.
func (c *Column) check(a *table.Attribute, values int) error {
	if err := c.Cuts.Check(a); err != nil {
		return err
	}
	if len(c.Counts) != values {
		return fmt.Errorf("there are counts for %d values, expected %d", len(c.Counts), values)
	}
	for _, row := range c.Counts {
		if len(row) != c.Cuts.Values(a) || !counts(row) {
			return fmt.Errorf("the counts are not numbers of records for each of %d codes", c.Cuts.Values(a))
		}
	}
	return nil
}

// counts reports whether all are numbers of records.
func counts(of []float64) bool {
	return !slices.ContainsFunc(of, func(n float64) bool { return !(n >= 0 && n <= math.MaxInt32) })
}

// Apply suppresses the confidential value of the records that are drawn, and what tells it.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	lots := categorical.Draws(chunk, src.Fork(p.Attrs[p.Hidden].Name))
	limit := uint64(math.MaxUint64)
	if p.Share < 1 {
		limit = uint64(math.Ldexp(p.Share, 64))
	}
	codes := make([][]int32, len(p.Columns))
	for k := range p.Columns {
		codes[k] = p.Columns[k].Cuts.Codes(chunk.Column(p.Columns[k].Column))
	}
	gone := make([][]int, len(p.Attrs))
	b := p.bayes()
	for i, v := range chunk.Cat(p.Hidden) {
		if v < 0 || lots[i] >= limit && p.Share < 1 {
			continue
		}
		gone[p.Hidden] = append(gone[p.Hidden], i)
		for _, k := range b.hide(v, func(k int) int32 { return codes[k][i] }) {
			gone[p.Columns[k].Column] = append(gone[p.Columns[k].Column], i)
		}
	}
	cols := chunk.Columns()
	for j := range cols {
		if len(gone[j]) > 0 {
			cols[j] = cols[j].Blank(gone[j])
		}
	}
	return chunk.WithColumns(cols)
}
