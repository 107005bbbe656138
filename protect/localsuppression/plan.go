package localsuppression

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

const (
	leastWeight, mostWeight = 0.001, 1000.0
	mostKeys                = 32
	mostLost                = 1.0 / 3 // share of the values of a key that may go without advice
)

// Plan is the fitted technique. Which cells go depends on the records it is applied to; it holds none of their values.
type Plan struct {
	protect.OneGroup
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // the keys: positions in the schema, ascending
	Weights []float64         `json:"weights"` // by position in Columns: what a suppressed cell counts
	K       int               `json:"k"`
	Missing string            `json:"missing"` // Value or Anything
	// the combinations of keys in each of which a k holds; none: all together, K
	Sets []combined.Set `json:"combinations,omitempty"`

	Cells   []int `json:"cells"`           // suppressed in the table of the fit, by position in Columns
	Known   []int `json:"known,omitempty"` // values there before, by position in Columns
	Touched int   `json:"touched"`         // records that lose a cell there
	Rows    int   `json:"rows"`            // all there
	protect.Counted

	memo *memo
}

// memo is what records lose by what they show: a release that follows the fit need not find it again.
type memo struct {
	shown []combination
	whose []int32
	lost  []set
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the keys.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Crowd returns k and the keys; 1 where k holds in combinations of them only.
func (p *Plan) Crowd() (k int, columns []string) {
	if len(p.Sets) > 0 {
		return 1, p.Changes()
	}
	return p.K, p.Changes()
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if len(p.Sets) > 0 {
		return message.Say("does.suppressIn").Part("who", p.who(combined.Least(p.Sets), p.most())).Count("n", len(p.Sets))
	}
	who := p.who(p.K, p.K)
	if p.Missing == Anything {
		return message.Say("does.suppressAny").Part("who", who)
	}
	return message.Say("does.suppress").Part("who", who)
}

// who says how many have to show the same: k, which differs by combination, or not.
func (p *Plan) who(least, most int) message.Sentence {
	key := "records"
	if p.People {
		key = "people"
	}
	if least < most {
		return message.Say("plan.suppress."+key+"Each").Count("least", least).Count("most", most)
	}
	return message.Say("plan.suppress."+key).Count("k", least)
}

// Notes says how many cells are suppressed, and which keys lose so many that they are hardly worth releasing.
func (p *Plan) Notes() []message.Sentence {
	if len(p.Columns) == 0 {
		return []message.Sentence{message.Say("plan.suppress.noKeys")}
	}
	var list, out []message.Sentence
	var heavy []string
	if len(p.Sets) > 0 {
		out = append(out, combined.Sentence(p.Sets, p.Attrs))
	}
	sum := 0
	for k, n := range p.Cells {
		sum += n
		if name := p.Attrs[p.Columns[k]].Name; n > 0 {
			list = append(list, message.Column(name, message.Count(n)))
			if len(p.Known) > 0 && float64(n) > mostLost*float64(p.Known[k]) {
				heavy = append(heavy, name)
			}
		}
	}
	if sum == 0 {
		return append(out, message.Say("plan.suppress.none").Count("k", p.most()))
	}
	out = append(out, message.Say("plan.suppress.cells").Count("cells", sum).Count("n", p.Touched).Count("all", p.Rows).
		Part("columns", message.Listed(list)))
	if heavy != nil {
		out = append(out, message.Say("plan.suppress.heavy").Quoted("columns", heavy))
	}
	if p.Missing == Anything {
		out = append(out, message.Say("plan.suppress.any"))
	}
	return out
}

// Check refuses a decoded plan whose keys do not belong to the schema, or whose numbers are out of range.
func (p *Plan) Check() error {
	for k, j := range p.Columns {
		if j < 0 || j >= len(p.Attrs) || k > 0 && j <= p.Columns[k-1] {
			return errors.New("the keys are not ascending positions in the schema")
		}
	}
	switch {
	case len(p.Columns) > mostKeys:
		return fmt.Errorf("there are %d keys; expected at most %d (parameter keys)", len(p.Columns), mostKeys)
	case len(p.Weights) != len(p.Columns):
		return fmt.Errorf("there are %d weights for %d keys", len(p.Weights), len(p.Columns))
	case len(p.Cells) != len(p.Columns):
		return fmt.Errorf("there are counts of cells for %d of %d keys", len(p.Cells), len(p.Columns))
	case len(p.Known) != 0 && len(p.Known) != len(p.Columns):
		return fmt.Errorf("there are counts of values for %d of %d keys", len(p.Known), len(p.Columns))
	case p.K < 2 || p.K > math.MaxInt32:
		return fmt.Errorf("k is %d; expected 2 or more", p.K)
	case p.Missing != Value && p.Missing != Anything:
		return fmt.Errorf("missing is %q; expected %q or %q", p.Missing, Value, Anything)
	}
	for _, w := range p.Weights {
		if !(w >= leastWeight && w <= mostWeight) {
			return fmt.Errorf("a weight is %v; expected %v to %v", w, leastWeight, mostWeight)
		}
	}
	return combined.Check(p.Sets, p.Columns)
}

// study suppresses in the table of the fit, and keeps how much.
func (p *Plan) study(ctx context.Context, t *table.Table) error {
	p.Rows, p.Known = t.Rows(), make([]int, len(p.Columns))
	for k, j := range p.Columns {
		for i := range t.Rows() {
			if !t.MissingAt(i, j) {
				p.Known[k]++
			}
		}
	}
	r, err := p.hide(ctx, t)
	if err != nil {
		return err
	}
	p.memo, p.People = &memo{r.first, r.whose, r.lost}, r.whose != nil
	for _, s := range r.lost {
		for k := range p.Columns {
			p.Cells[k] += int(s >> k & 1)
		}
		p.Touched += int(min(s, 1))
	}
	return nil
}

// Apply suppresses cells.
func (p *Plan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		lost, err := p.suppress(context.Background(), t)
		if err != nil {
			return nil, err
		}
		cols := t.Columns()
		for k, j := range p.Columns {
			cols[j] = blank(cols[j], lost, k)
		}
		return t.WithColumns(cols)
	})
}

// blank returns a column without the values of the records whose set holds key k.
func blank(c table.Column, sets []set, k int) table.Column {
	var rows []int
	for i, s := range sets {
		if s>>k&1 != 0 {
			rows = append(rows, i)
		}
	}
	return c.Blank(rows)
}

// suppress returns for every record of a table the set of keys it loses.
func (p *Plan) suppress(ctx context.Context, t *table.Table) ([]set, error) {
	r, err := p.hide(ctx, t)
	if err != nil {
		return nil, err
	}
	return r.lost, nil
}

// hide suppresses in the records of a table.
func (p *Plan) hide(ctx context.Context, t *table.Table) (*records, error) {
	n := t.Rows()
	if err := ctx.Err(); err != nil || n == 0 || len(p.Columns) == 0 {
		return &records{lost: make([]set, n)}, err
	}
	if _, people := t.People(); people < p.most() {
		return nil, fmt.Errorf("the table has %s; k-anonymity with k = %d takes as many at least", protect.CountedPeople(t),
			p.most())
	}
	r, err := encode(t, p.Columns)
	if err != nil {
		return nil, err
	}
	if m := p.memo; m != nil && slices.Equal(m.shown, r.first) && slices.Equal(m.whose, r.whose) {
		r.lost = m.lost
		return r, nil
	}
	r.k = int32(p.K)
	if len(p.Sets) > 0 {
		return r, p.hideEach(ctx, r)
	}
	return r, p.search(ctx, r, p.Weights)
}

// search suppresses until k holds in all keys of the records together.
func (p *Plan) search(ctx context.Context, r *records, weights []float64) error {
	levels := r.levels(weights)
	if p.Missing == Anything {
		return (&asAnything{records: r}).suppress(ctx, levels)
	}
	return (&asValue{records: r}).suppress(ctx, levels)
}
