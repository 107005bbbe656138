package swapping

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ApproximatePlan is the fitted technique: the frequency tables.
type ApproximatePlan struct {
	protect.OneGroup
	Attrs   []table.Attribute `json:"schema"`
	T       int               `json:"t"`
	Rows    int               `json:"rows"`              // to draw
	Of      int               `json:"of"`                // records of the table of the fit
	Several bool              `json:"several,omitempty"` // people of it have several records
	Cells   []Cells           `json:"cells"`             // by column that is drawn, ascending
	Tables  []Counts          `json:"tables"`            // in the order of layout
}

// Counts are those of a frequency table that are not 0, in order.
type Counts struct {
	At []int32 `json:"at"`
	N  []int32 `json:"n"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *ApproximatePlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns that are drawn.
func (p *ApproximatePlan) Changes() []string {
	var out []string
	for k := range p.Cells {
		out = append(out, p.Attrs[p.Cells[k].Column].Name)
	}
	return out
}

// Synthetic is true: the records stand for nobody.
func (p *ApproximatePlan) Synthetic() bool { return true }

// Blank returns the records of a release before they are drawn.
func (p *ApproximatePlan) Blank(rng.Source) (*table.Table, error) {
	return protect.BlankRecords(p.Attrs, p.Rows)
}

// Describe says what the plan does.
func (p *ApproximatePlan) Describe() message.Sentence {
	return message.Say("does.approximateswap").Count("t", p.T)
}

// Notes says what is not drawn.
func (p *ApproximatePlan) Notes() (out []message.Sentence) {
	for k := range p.Cells {
		if c := &p.Cells[k]; len(c.Rare) > 0 {
			out = append(out, message.Say("plan.approximateswap.rare").Name("column", p.Attrs[c.Column].Name).
				Count("n", len(c.Rare)))
		}
	}
	if p.Several {
		out = append(out, message.Say("plan.approximateswap.several"))
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *ApproximatePlan) Check() error {
	if p.T < 1 || p.T > mostT || p.Rows < 0 || p.Rows > 1<<30 || p.Of < 0 {
		return fmt.Errorf("t is %d, and there are %d records to draw of %d", p.T, p.Rows, p.Of)
	}
	if err := protect.CheckSchema(p.Attrs); err != nil {
		return err
	}
	last := -1
	for k := range p.Cells {
		c := &p.Cells[k]
		if c.Column <= last || c.Column >= len(p.Attrs) || !p.Attrs[c.Column].Kind.Scalar() {
			return errors.New("the columns to draw are not ascending positions in the schema")
		}
		last = c.Column
		if err := c.check(&p.Attrs[c.Column]); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[c.Column].Name, err)
		}
	}
	return p.tables()
}

// tables refuses frequency tables that are not those of the cells.
func (p *ApproximatePlan) tables() error {
	parts, err := p.layout()
	if err != nil {
		return err
	}
	if len(parts) != len(p.Tables) {
		return fmt.Errorf("%d frequency tables, expected %d", len(p.Tables), len(parts))
	}
	for k, c := range p.Tables {
		if len(c.At) != len(c.N) {
			return errors.New("a frequency table is torn")
		}
		for i, at := range c.At {
			if at < 0 || int(at) >= parts[k].size || c.N[i] < 1 || i > 0 && at <= c.At[i-1] {
				return errors.New("a frequency table has a count that it cannot have")
			}
		}
	}
	return nil
}

func (c *Cells) check(a *table.Attribute) error {
	switch {
	case a.Kind == table.Categorical && (c.Labels != len(a.Labels) || c.Lo != nil || c.Hi != nil):
		return errors.New("the cells are not its categories")
	case a.Kind == table.Numeric && (len(c.Lo) != c.Labels || len(c.Hi) != c.Labels || c.Rare != nil):
		return errors.New("the cells have other ends than there are cells")
	}
	for _, code := range c.Rare {
		if code < 0 || int(code) >= c.Labels {
			return errors.New("a rare category is none")
		}
	}
	for k := range c.Lo {
		if !(a.Domain.Lo <= c.Lo[k] && c.Lo[k] <= c.Hi[k] && c.Hi[k] <= a.Domain.Hi) || k > 0 && c.Lo[k] <= c.Hi[k-1] {
			return errors.New("the cells are not ascending inside the domain")
		}
	}
	return nil
}

// Apply draws the records, in the order of their numbers.
func (p *ApproximatePlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	parts, err := p.layout()
	if err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		blank, err := protect.BlankRecords(p.Attrs, t.Rows())
		if err != nil {
			return nil, err
		}
		cols := blank.Columns()
		g := p.generator(parts)
		turns := src.Fork("elements").Stream().Turns()
		for i := range t.Rows() {
			turns.Of(uint64(t.ID(i)))
			for k := range p.Cells {
				v := g.element(k, rng.Unit(turns.Next()))
				p.Cells[k].write(&cols[p.Cells[k].Column], i, v, rng.Unit(turns.Next()))
			}
			g.created()
		}
		return t.WithColumns(cols)
	})
}

// write puts a value of a cell into a record; u is even between 0 and 1.
func (c *Cells) write(to *table.Column, row int, cell int32, u float64) {
	switch {
	case cell < 0 || int(cell) == c.Labels: // missing, as it is
	case to.Kind == table.Categorical:
		to.Cat[row] = cell
	default:
		lo, hi := c.Lo[cell], c.Hi[cell]
		v := to.Snap(lo + float64(u*(hi-lo)))
		to.Num[row] = min(max(v, lo), hi)
	}
}

// generator holds what is left of the counts.
type generator struct {
	parts  []part
	by     [][]int // by column: its parts
	left   [][]float64
	alone  [][]float64 // by column: what is left of each value
	had    []int32     // the record in the making
	first  []int       // by part: where the counts are that go with it
	weight []float64
}

func (p *ApproximatePlan) generator(parts []part) *generator {
	g := &generator{parts: parts, by: make([][]int, len(p.Cells)), had: make([]int32, len(p.Cells)),
		first: make([]int, len(parts))}
	scale := 1.0
	if p.Of > 0 {
		scale = float64(p.Rows) / float64(p.Of)
	}
	for k := range parts {
		left := make([]float64, parts[k].size)
		for i, at := range p.Tables[k].At {
			left[at] = float64(float64(p.Tables[k].N[i]) * scale)
		}
		g.left, g.by[parts[k].of] = append(g.left, left), append(g.by[parts[k].of], k)
	}
	for j := range p.Cells {
		alone := make([]float64, p.Cells[j].Labels+1)
		for at, n := range g.left[g.by[j][0]] {
			alone[at%len(alone)] += n
		}
		g.alone = append(g.alone, alone)
	}
	return g
}

// element draws the value of a column for the record in the making; -1 where nothing is left at all.
func (g *generator) element(column int, u float64) int32 {
	for _, k := range g.by[column] {
		g.first[k] = g.parts[k].first(func(c int) int32 { return g.had[c] })
	}
	g.had[column] = -1
	for _, weigh := range []func(column int) float64{g.product, g.sum, g.counts} {
		if sum := weigh(column); sum > 0 {
			g.had[column] = pick(g.weight, float64(u*sum))
			break
		}
	}
	return g.had[column]
}

// counts weighs the values of a column by what is left of each, and returns the sum of the weights.
func (g *generator) counts(column int) (sum float64) {
	g.weight = g.weight[:0]
	for _, left := range g.alone[column] {
		g.weight = append(g.weight, max(0, left))
		sum += max(0, left)
	}
	return sum
}

// product weighs the values by what is left of each, times the ratio to it of what is left with each combination that
// the record has.
func (g *generator) product(column int) (sum float64) {
	sum = g.counts(column)
	alone := g.alone[column]
	for _, k := range g.by[column] {
		if g.first[k] < 0 {
			continue
		}
		left := g.left[k][g.first[k]:]
		sum = 0
		for v, w := range g.weight {
			if w > 0 {
				g.weight[v] = w * max(0, left[v]) / alone[v]
				sum += g.weight[v]
			}
		}
		if sum > 0 && sum < tiny {
			for v := range g.weight {
				g.weight[v] /= tiny
			}
			sum /= tiny
		}
	}
	return sum
}

// tiny is a power of two: weights are divided by it before they are too small for a float.
const tiny = 0x1p-300

// sum weighs the values by the sum of what is left with each combination that the record has.
func (g *generator) sum(column int) (sum float64) {
	clear(g.weight)
	for _, k := range g.by[column] {
		if g.first[k] >= 0 {
			for v := range g.weight {
				g.weight[v] += max(0, g.left[k][g.first[k]+v])
			}
		}
	}
	for _, w := range g.weight {
		sum += w
	}
	return sum
}

// pick returns the value at which weights add up to more than x.
func pick(weights []float64, x float64) int32 {
	last := int32(-1)
	for v, w := range weights {
		if w > 0 {
			if last = int32(v); x < w {
				return last
			}
			x -= w
		}
	}
	return last
}

// created takes the record off what is left.
func (g *generator) created() {
	for k := range g.parts {
		if v := g.had[g.parts[k].of]; v >= 0 && g.first[k] >= 0 {
			g.left[k][g.first[k]+int(v)]--
		}
	}
	for j, v := range g.had {
		if v >= 0 {
			g.alone[j][v]--
		}
	}
}
