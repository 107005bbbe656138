package graphicalsynthesis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique: the law that records are drawn by.
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Method  string            `json:"method"`
	Rows    int               `json:"rows"`
	Several bool              `json:"several,omitempty"` // people of the table have several records, and none is drawn
	Columns []Coding          `json:"columns"`           // that are drawn, of the wider table where there are units
	Promise *Promise          `json:"promise,omitempty"`
	Domain  []int             `json:"domain"`  // of the network
	Network []Conditional     `json:"network"` // in the order of drawing
	At      []int             `json:"at"`      // by column that is drawn: its place in the domain
	Tree    *Grown            `json:"tree,omitempty"`

	Units *newrecords.Units  `json:"units,omitempty"` // of several records
	Like  protect.Conditions `json:"like,omitempty"`
	Alike int                `json:"alike,omitempty"` // people of the table who meet them

	once sync.Once
	law  *selectmeasure.Law
}

// Private is a plan that was fitted with noise.
type Private struct{ Plan }

// Epsilon returns by how much a release can move the logarithm of the odds of two originals that differ in one record,
// but for what the promise's delta leaves: twice the promise, which is of one record more or less. It is infinite where
// nothing is promised.
func (p *Private) Epsilon() float64 {
	if p.Promise == nil {
		return math.Inf(1)
	}
	return 2 * p.Promise.Epsilon
}

// Promise is what a fit may tell of one record, or of a person with all that is theirs.
type Promise struct {
	Epsilon float64     `json:"epsilon"`
	Delta   float64     `json:"delta"`
	Unit    budget.Unit `json:"unit"`             // one more or less
	Public  bool        `json:"public,omitempty"` // the number of records is
	Bought  float64     `json:"bought,omitempty"` // the share of the budget that domains cost
}

// Grown says of a private tree how many leaves it has, inside of which records are drawn, and what it tests.
type Grown struct {
	Leaves int   `json:"leaves"`
	Tests  []int `json:"tests"` // columns, ascending
}

// Conditional is the law of an attribute of the network given others (graphical.Conditional).
type Conditional struct {
	Of    int       `json:"of"`
	Given []int     `json:"given"`
	Law   []float64 `json:"law"`
}

// block is how many records are drawn at a time: each block has the whole parts of all shares.
const block = 1 << 16

// take takes a law.
func (p *Plan) take(columns []Coding, l *selectmeasure.Law) {
	p.Columns, p.Domain, p.At, p.Rows = columns, l.Domain, l.Columns, int(math.Round(min(l.Records, mostRows)))
	for _, c := range l.Network {
		p.Network = append(p.Network, Conditional(c))
	}
}

// drawn returns the law, with the codings at hand.
func (p *Plan) drawn() *selectmeasure.Law {
	p.once.Do(func() {
		attrs := p.Units.Wide(p.Attrs)
		for k := range p.Columns {
			c := &p.Columns[k]
			c.settle(&attrs[c.Column], c.Bins) // Check has looked at them
		}
		p.law = p.asLaw()
	})
	return p.law
}

func (p *Plan) asLaw() *selectmeasure.Law {
	l := &selectmeasure.Law{Domain: p.Domain, Columns: p.At, Records: max(1, float64(p.Rows))}
	for _, c := range p.Network {
		l.Network = append(l.Network, graphical.Conditional(c))
	}
	return l
}

// Schema returns the attributes that the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns that are drawn, in schema order.
func (p *Plan) Changes() []string { return p.named(func(*Coding) bool { return true }) }

// Synthetic is true: the records stand for nobody.
func (p *Plan) Synthetic() bool { return true }

// Blank returns the records of a release before they are drawn.
func (p *Plan) Blank(src rng.Source) (*table.Table, error) {
	if p.eachAlone() {
		return p.byRecords().Blank(src)
	}
	return protect.BlankRecords(p.Attrs, p.Rows)
}

// Group returns the block of every record: its records are drawn together. Where records are drawn one by one it is
// that of its person.
func (p *Plan) Group(chunk *table.Table) ([]uint64, error) {
	if p.eachAlone() {
		return p.byRecords().Group(chunk), nil
	}
	out := make([]uint64, chunk.Rows())
	for i := range out {
		out[i] = uint64(chunk.ID(i)) / block
	}
	return out, nil
}

// Apply draws blank records. Columns without a law stay missing.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	if p.eachAlone() {
		return p.byRecords().Draw(chunk, src)
	}
	blank, err := protect.BlankRecords(p.Attrs, chunk.Rows())
	if err != nil || len(p.Columns) == 0 {
		return blank.Identified(ids(chunk)), err
	}
	cols := blank.Columns()
	for _, c := range p.Columns {
		if c.Domain != nil {
			cols[c.Column].Domain, cols[c.Column].Step = *c.Domain, c.Step
		}
	}
	rows := map[uint64][]int{} // of the chunk, by block
	for i := range chunk.Rows() {
		at := uint64(chunk.ID(i)) / block
		rows[at] = append(rows[at], i)
	}
	for at, members := range rows {
		made := p.block(at, src)
		for k, c := range p.Columns {
			for _, i := range members {
				from := int(uint64(chunk.ID(i)) % block)
				if from >= made[k].Len() {
					return nil, errors.New("there are more records than are to be drawn")
				}
				if made[k].Kind == table.Numeric {
					cols[c.Column].Num[i] = made[k].Num[from]
				} else {
					cols[c.Column].Cat[i] = made[k].Cat[from]
				}
			}
		}
	}
	return chunk.WithColumns(cols)
}

func ids(t *table.Table) []table.RecordID {
	out := make([]table.RecordID, t.Rows())
	for i := range out {
		out[i] = t.ID(i)
	}
	return out
}

// block draws one block, by column that is drawn.
func (p *Plan) block(at uint64, src rng.Source) []table.Column {
	l := p.drawn()
	src = src.Fork(fmt.Sprint("block ", at))
	n := max(0, min(block, p.Rows-int(min(at, 1<<31))*block))
	codes := l.Sample(n, src)
	out := make([]table.Column, len(p.Columns))
	for k := range p.Columns {
		c := &p.Columns[k]
		out[k] = c.decode(p.Attrs[c.Column], codes[k], src.Fork(fmt.Sprint("inside ", k)))
	}
	return out
}

// Describe says what is done.
func (p *Plan) Describe() message.Sentence {
	return message.Say("does.graphicalsynthesis").Name("method", p.Method)
}

// Notes says what is promised, of whom, what was bought, and which columns have no law.
func (p *Plan) Notes() (out []message.Sentence) {
	if q := p.Promise; q != nil {
		out = append(out, message.Say("plan.graphical."+q.Unit.Of).Digits("epsilon", q.Epsilon, 3).
			Digits("delta", q.Delta, 3).Count("n", q.Unit.Records))
		if q.Public {
			out = append(out, message.Say("plan.graphical.public"))
		}
		if q.Bought > 0 {
			out = append(out, message.Say("plan.graphical.bought").Digits("share", float64(100*q.Bought), 3).
				Listed("columns", p.named(func(c *Coding) bool { return c.bought() })))
		}
	}
	if g := p.Tree; g == nil && p.Method == segmented.card.Name {
		out = append(out, message.Say("plan.graphical.unsegmented"))
	} else if g != nil {
		out = append(out, message.Say("plan.graphical.segments").Count("n", g.Leaves).
			Listed("columns", p.named(func(c *Coding) bool { return slices.Contains(g.Tests, c.Column) })))
	}
	if steps := p.steps(); steps != nil {
		out = append(out, message.Say("plan.graphical.steps").Listed("columns", steps))
	}
	if p.Several {
		out = append(out, message.Say("plan.graphical.alone"))
	}
	out = append(out, newrecords.Notes(nil, p.Units, p.Like, p.Rows, p.Alike)...)
	drawn := p.named(func(*Coding) bool { return true })
	var left []string
	for j := range p.Attrs {
		if !slices.Contains(drawn, p.Attrs[j].Name) {
			left = append(left, p.Attrs[j].Name)
		}
	}
	if left != nil {
		key := "plan.graphical.undrawn"
		switch {
		case p.Promise != nil && p.Promise.Bought > 0:
			key = "plan.graphical.unbought"
		case p.Promise != nil:
			key = "plan.graphical.undeclared"
		}
		out = append(out, message.Say(key).Listed("columns", left))
	}
	return out
}

// steps names the numbers whose steps are not declared, with those that they are drawn on, where something is promised.
func (p *Plan) steps() (out []string) {
	if p.Promise == nil {
		return nil
	}
	for k := range p.Columns {
		c := &p.Columns[k]
		a := p.Attrs[c.Column]
		if c.Domain != nil {
			a.Step = c.Step
		}
		if a.Kind == table.Numeric && !a.StepDeclared && a.Dates == "" {
			out = append(out, fmt.Sprintf("%s (%s)", a.Name, table.AppendNumber(nil, a.Step, a.Step)))
		}
	}
	return out
}

// named returns the names of the columns that are drawn and of which something holds.
func (p *Plan) named(holds func(c *Coding) bool) (out []string) {
	for k := range p.Columns {
		if p.Columns[k].Column < len(p.Attrs) && holds(&p.Columns[k]) {
			out = append(out, p.Attrs[p.Columns[k].Column].Name)
		}
	}
	return out
}

func (q *Promise) valid() bool {
	return q.Epsilon > 0 && q.Delta >= 0 && q.Delta < 1 && q.Bought >= 0 && q.Bought < 1 && q.Unit.Records >= 1 &&
		slices.Contains([]string{units.Record, units.Person, units.Household}, q.Unit.Of)
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if err := newrecords.Check(p.Attrs, p.Units, p.Like, p.Rows); err != nil {
		return err
	}
	attrs := p.Units.Wide(p.Attrs)
	if p.Rows < 0 || p.Rows > mostRows || len(p.Columns) != len(p.At) {
		return errors.New("the number of records to draw is out of range, or columns are without a law")
	}
	if err := p.checkColumns(attrs); err != nil {
		return err
	}
	for _, n := range p.Domain {
		if n < 1 || n > mostBins+1 {
			return errors.New("an attribute of the network has no values, or too many")
		}
	}
	if q := p.Promise; q != nil && !q.valid() {
		return errors.New("a promise is out of range")
	}
	if g := p.Tree; g != nil && (g.Leaves < 1 || len(g.Tests) < 1) {
		return errors.New("a tree has no leaves, or tests nothing")
	}
	if strings.TrimSpace(p.Method) == "" {
		return errors.New("the plan does not say by which method it was fitted")
	}
	if err := p.asLaw().Check(); err != nil {
		return err
	}
	return p.checkStages()
}

// checkColumns refuses columns that do not ascend, or have no law.
func (p *Plan) checkColumns(attrs []table.Attribute) error {
	last := -1
	for k := range p.Columns {
		if err := p.Columns[k].check(attrs); err != nil {
			return err
		}
		if p.Columns[k].Column <= last {
			return errors.New("the columns that are drawn do not ascend")
		}
		last = p.Columns[k].Column
		if at := p.At[k]; at < 0 || at >= len(p.Domain) || p.Domain[at] != p.Columns[k].Bins+1 {
			return errors.New("a column and its law do not belong together")
		}
	}
	return nil
}
