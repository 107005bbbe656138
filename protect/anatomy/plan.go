package anatomy

import (
	"fmt"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. It holds no values of records, but with them it tells the groups.
type Plan struct {
	protect.OneGroup
	Attrs  []table.Attribute `json:"schema"`
	Column int               `json:"column"` // the sensitive one: a position in the schema
	L      int               `json:"l"`
	Key    []byte            `json:"key"` // 32 bytes, by which the groups are drawn

	// Of the table of the fit.
	Records int `json:"records"` // with a known sensitive value
	Groups  int `json:"groups"`
	Left    int `json:"left,omitempty"` // records in no group
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the name of the sensitive column.
func (p *Plan) Changes() []string { return []string{p.Attrs[p.Column].Name} }

// Separate returns the name of the sensitive column.
func (p *Plan) Separate() string { return p.Attrs[p.Column].Name }

// groups returns the groups of a table's records, and their number.
func (p *Plan) groups(t *table.Table) ([]int32, int, error) {
	if err := protect.Conforms(t, p.Attrs); err != nil {
		return nil, 0, err
	}
	a := t.Attr(p.Column)
	if err := eligible(tally(t.Cat(p.Column), len(a.Labels)), p.L, a.Name); err != nil {
		return nil, 0, err
	}
	of, n := group(t, p.Column, p.L, rng.New([32]byte(p.Key)))
	return of, n, nil
}

// Apply deals the sensitive values out anew inside the groups.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	of, n, err := p.groups(chunk)
	if err != nil {
		return nil, err
	}
	keys := make([]rng.Block, chunk.Rows())
	ids, first := chunk.IDs()
	rng.Blocks(src.Stream(), keys, ids, first)
	labels := len(p.Attrs[p.Column].Labels)
	return chunk.WithCat(p.Column, leafwise.Deal(chunk.Cat(p.Column), of, n, labels, keys)), nil
}

// Divide returns the groups: every sensitive value is released in the group of its record.
func (p *Plan) Divide(t *table.Table) (segment.Segmentation, error) {
	of, _, err := p.groups(t)
	if err != nil {
		return nil, err
	}
	return segment.ByGroups(t, []segment.Group{{Column: p.Column, Of: of}}), nil
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.anatomy").Count("l", p.L) }

// Notes says how many groups there are, which records are in none, and what is confidential and not separated.
func (p *Plan) Notes() []message.Sentence {
	out := []message.Sentence{message.Say("plan.anatomy.groups").Count("groups", p.Groups).Count("records", p.Records)}
	if p.Left > 0 {
		out = append(out, message.Say("plan.anatomy.left").Count("n", p.Left))
	}
	for j, a := range p.Attrs {
		if j != p.Column && a.Role&table.Confidential != 0 {
			out = append(out, message.Say("plan.anatomy.besides").Name("column", a.Name))
		}
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	switch {
	case p.Column < 0 || p.Column >= len(p.Attrs):
		return fmt.Errorf("the sensitive column is column %d, expected one of %d", p.Column, len(p.Attrs))
	case p.Attrs[p.Column].Kind != table.Categorical:
		return fmt.Errorf("the sensitive column %q is %s, expected categorical", p.Attrs[p.Column].Name,
			p.Attrs[p.Column].Kind)
	case p.L < 2 || p.L > mostL:
		return fmt.Errorf("l is %d, expected 2 to %d", p.L, mostL)
	case len(p.Key) != 32:
		return fmt.Errorf("the key of the groups has %d bytes, expected 32", len(p.Key))
	}
	return nil
}
