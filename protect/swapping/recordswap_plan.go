package swapping

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// RecordPlan is the fitted technique. It holds no values of records.
type RecordPlan struct {
	protect.OneGroup
	protect.Exactly
	protect.Counted
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // to swap: positions in the schema, ascending
	Keys    []int             `json:"keys"`    // positions
	Similar []int             `json:"similar"` // positions, the most important first; none is swapped
	K       int               `json:"k"`
	Rate    float64           `json:"rate"` // 0 to 1

	Risky int `json:"risky"`           // records of the fit
	Alone int `json:"alone,omitempty"` // those of them that found no partner
	Rows  int `json:"rows"`            // all there
}

// positions returns the positions of columns, in the order given.
func positions(t *table.Table, param string, names []string) (out []int, err error) {
	for _, n := range names {
		j := t.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", param, n)
		}
		if a := t.Attr(j); !a.Kind.Scalar() {
			return nil, fmt.Errorf("parameter %q: column %q is %s, expected numbers or categories", param, n, a.Kind)
		}
		if !slices.Contains(out, j) {
			out = append(out, j)
		}
	}
	return out, nil
}

// finest returns the categorical key with most values that records share: one whose values are nearly unique names
// records instead of places, and one of two values, taken where there is no other, has but one other place.
func finest(t *table.Table, keys []int) ([]int, error) {
	best, most := -1, 1
	for _, j := range keys {
		if a := t.Attr(j); a.Kind != table.Categorical || a.Role&table.Class != 0 {
			continue
		}
		if values, rare := spread(t, j); values > most && float64(rare) <= mostRare*float64(t.Rows()) {
			best, most = j, values
		}
	}
	if best < 0 && t.Rows() > 0 {
		return nil, fmt.Errorf("none of the %d keys suits as column to swap; expected a categorical one of two values or "+
			"more that records "+
			"share, or one named (parameter %q)", len(keys), "swap")
	}
	if best < 0 {
		return nil, nil
	}
	return []int{best}, nil
}

const (
	fewSharing = 3   // records; a value of fewer is rare
	mostRare   = 0.1 // share of the records that may have a rare value of the column that is swapped without being named
)

// spread returns how many values of a categorical column occur, and how many records have a rare one.
func spread(t *table.Table, j int) (values, rare int) {
	counts := make([]int, len(t.Attr(j).Labels))
	for _, c := range t.Cat(j) {
		if c >= 0 {
			counts[c]++
		}
	}
	for _, n := range counts {
		if n > 0 {
			values++
		}
		if n < fewSharing {
			rare += n
		}
	}
	return values, rare
}

// without returns the columns that are not among others.
func without(columns, others []int) (out []int) {
	for _, j := range columns {
		if !slices.Contains(others, j) {
			out = append(out, j)
		}
	}
	return out
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *RecordPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns to swap.
func (p *RecordPlan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Empirical returns the numbers that change places.
func (p *RecordPlan) Empirical() []string { return p.Drawn(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *RecordPlan) Describe() message.Sentence { return message.Say("does.recordswap") }

// Notes says how many records are risky, and how many of them stay as they are. The release draws partners anew, so
// these may be a few more or less.
func (p *RecordPlan) Notes() []message.Sentence {
	out := []message.Sentence{p.risks()}
	if p.Alone > 0 {
		out = append(out, message.Say("plan.recordswap.alone").Count("n", p.Alone))
	}
	return out
}

func (p *RecordPlan) risks() message.Sentence {
	switch {
	case len(p.Columns) == 0:
		return message.Say("plan.recordswap.none")
	case float64(p.Risky) > p.Rate*float64(p.Rows):
		return message.Say("plan.recordswap.more").Count("n", p.Risky).Count("all", p.Rows).Number("rate", p.Rate, 0)
	}
	return message.Say("plan.recordswap.risky").Count("n", p.Risky).Count("all", p.Rows)
}

// Check refuses a decoded plan whose columns do not belong together, or with numbers out of range.
func (p *RecordPlan) Check() error {
	for _, list := range [][]int{p.Columns, p.Keys, p.Similar} {
		for _, j := range list {
			if j < 0 || j >= len(p.Attrs) {
				return fmt.Errorf("column %d is not one of the %d of the schema", j, len(p.Attrs))
			}
		}
	}
	for k, j := range p.Columns {
		a := &p.Attrs[j]
		switch {
		case !a.Kind.Scalar():
			return fmt.Errorf("column %q is %s and cannot be swapped", a.Name, a.Kind)
		case k > 0 && j <= p.Columns[k-1]:
			return fmt.Errorf("the columns to swap are not ascending")
		case slices.Contains(p.Similar, j):
			return fmt.Errorf("column %q is to be swapped and similar; swapping it would change nothing", a.Name)
		case a.Kind == table.Numeric && !wrap.Fits(a.Domain, a.Step):
			return fmt.Errorf("column %q has no usable domain; expected finite limits in ascending order", a.Name)
		}
	}
	switch {
	case p.K < 1:
		return fmt.Errorf("k is %d; expected 1 or more", p.K)
	case !(p.Rate >= 0 && p.Rate <= 1):
		return fmt.Errorf("the rate is %v; expected 0 to 1", p.Rate)
	}
	return nil
}

// Apply swaps.
func (p *RecordPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	if len(p.Columns) == 0 {
		return chunk, nil
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		from := p.partners(t, src)
		cols := t.Columns()
		for _, j := range p.Columns {
			cols[j] = wrap.Moved(cols[j], from)
		}
		return t.WithColumns(cols)
	})
}
