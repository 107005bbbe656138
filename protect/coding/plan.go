package coding

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the plan of top and bottom coding: in some columns, every value beyond a limit becomes one value.
//
// Missing values stay missing. Cost of Apply: O(records * columns), about a nanosecond a value.
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []Code            `json:"columns"`          // ascending
	Bottom  bool              `json:"bottom,omitempty"` // values below the limit are coded, not those above it
	As      string            `json:"as"`               // what they were to become
	K       int               `json:"k"`                // the fewest people who should share an extreme
	// columns that a limit by share would flatten, left alone; for the notes
	Left []int `json:"left,omitempty"`

	lowest bool // whose plan it is: Bottom of what can be applied
}

// Code is what becomes of the extreme values of a column; of an ordered category, Limit and Value are codes.
type Code struct {
	Column int     `json:"column"` // its position in the schema
	Limit  float64 `json:"limit"`  // values beyond it are coded
	Value  float64 `json:"value"`  // what they become, in the domain
	Mean   bool    `json:"mean,omitempty"`
	// Of the records the plan was fitted on, how many were coded, and how many have Value, or lie beyond it, in the
	// release. They serve the notes only.
	Records int `json:"records"`
	Shown   int `json:"shown"`
	People  int `json:"people,omitempty"` // those who are shown so; 0 where every record is a person's
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string {
	names := make([]string, len(p.Columns))
	for k := range p.Columns {
		names[k] = p.Attrs[p.Columns[k].Column].Name
	}
	return names
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.Bottom {
		return message.Say("does.bottomcode")
	}
	return message.Say("does.topcode")
}

// Memoised says that nothing is drawn: equal values are released alike.
func (*Plan) Memoised() bool { return true }

// Check refuses a decoded plan that codes the other end, columns that are not usable, and values outside their domain.
func (p *Plan) Check() error {
	if p.Bottom != p.lowest {
		return errors.New("the plan codes the other end")
	}
	if p.As != AsLimit && p.As != AsMean {
		return fmt.Errorf("values become %q; expected %s or %s", p.As, AsLimit, AsMean)
	}
	if slices.ContainsFunc(p.Left, func(j int) bool { return j < 0 || j >= len(p.Attrs) }) {
		return fmt.Errorf("an unchanged column is not one of the %d in the schema", len(p.Attrs))
	}
	last := -1
	for _, c := range p.Columns {
		if c.Column <= last || c.Column >= len(p.Attrs) {
			return errors.New("the columns are not ascending positions in the schema")
		}
		last = c.Column
		a := &p.Attrs[c.Column]
		if err := protect.CheckColumns(p.Attrs, []int{c.Column}, a.Kind); err != nil {
			return err
		}
		if err := c.check(a); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a limit, or an extreme, that is none of the attribute.
func (c *Code) check(a *table.Attribute) error {
	isCode := c.Value == math.Trunc(c.Value) && c.Value >= 0 && c.Value < float64(len(a.Labels))
	switch {
	case math.IsNaN(c.Limit) || math.IsInf(c.Limit, 0):
		return fmt.Errorf("the limit of column %q is not a number", a.Name)
	case !a.Kind.Scalar():
		return fmt.Errorf("column %q is %s and has no extremes", a.Name, a.Kind)
	case a.Kind == table.Numeric && (!a.Domain.Contains(c.Value) || a.Snap(c.Value) != c.Value):
		return fmt.Errorf("the extreme of column %q is not in its domain and on its grid", a.Name)
	case a.Kind == table.Categorical && (!a.Ordered || !isCode):
		return fmt.Errorf("column %q is not ordered, or its extreme is not one of its categories", a.Name)
	}
	return nil
}

// Apply codes the extreme values.
func (p *Plan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for k := range p.Columns {
		c := &p.Columns[k]
		col := &cols[c.Column]
		col.Domain = p.shrunk(&p.Attrs[c.Column], c)
		switch col.Kind {
		case table.Numeric:
			col.Num = slices.Clone(col.Num)
			for i, v := range col.Num {
				if p.beyond(v, c) {
					col.Num[i] = c.Value
				}
			}
		case table.Categorical:
			col.Cat = slices.Clone(col.Cat)
			for i, code := range col.Cat {
				if code >= 0 && p.beyond(float64(code), c) {
					col.Cat[i] = int32(c.Value)
				}
			}
		case table.SetValued: // is not among the columns
		}
	}
	return chunk.WithColumns(cols)
}

func (p *Plan) beyond(v float64, c *Code) bool {
	if p.Bottom {
		return v < c.Limit
	}
	return v > c.Limit
}

// shrunk returns the domain of a column as it is released: the part up to the extreme, unless it is declared.
func (p *Plan) shrunk(a *table.Attribute, c *Code) table.Interval {
	switch d := a.Domain; {
	case a.Declared || a.Kind != table.Numeric: // numbers alone have a domain
		return d
	case p.Bottom:
		d.Lo, d.OpenLo = c.Value, false
		return d
	default:
		d.Hi, d.OpenHi = c.Value, false
		return d
	}
}

// Law returns the law of a column: what a value becomes is certain.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	k := slices.IndexFunc(p.Columns, func(c Code) bool { return c.Column == j })
	if k < 0 {
		return nil, false
	}
	return noisemodel.Everywhere(coded{p.Bottom, p.Columns[k].Limit, p.Columns[k].Value}), true
}

// coded is the law of a value that becomes another one if it lies beyond a limit.
type coded struct {
	bottom       bool
	limit, value float64
}

// P returns 1 for what x becomes, and 0 for anything else.
func (k coded) P(x, y float64) float64 {
	if k.bottom && x < k.limit || !k.bottom && x > k.limit {
		x = k.value
	}
	if x == y {
		return 1
	}
	return 0
}

// Notes says how many values were coded, where the limit stands for a mean, which extremes few records share, and what
// was left alone.
func (p *Plan) Notes() []message.Sentence {
	var list []message.Sentence
	var few, instead []string
	coded, sharing := message.Say("plan.coding.values").Count("k", p.K), message.Say("plan.coding.records").Count("k", p.K)
	for k, name := range p.Changes() {
		c := &p.Columns[k]
		shown := c.Shown
		if c.People > 0 {
			shown = c.People
			coded = message.Say("plan.coding.ofPeople").Count("k", p.K)
			sharing = message.Say("plan.coding.people").Count("k", p.K)
		}
		if p.As == AsMean && c.Records > 0 && !c.Mean {
			instead = append(instead, name)
		}
		list = append(list, message.Column(name, message.Count(c.Records)))
		if c.Records > 0 && shown < p.K {
			few = append(few, name)
		}
	}
	var notes []message.Sentence
	if list != nil {
		notes = append(notes, message.Say("plan.coding.columns").Part("columns", message.Listed(list)))
	}
	if instead != nil {
		notes = append(notes, message.Say("plan.coding.instead").Part("coded", coded).Quoted("columns", instead))
	}
	if few != nil {
		notes = append(notes, message.Say("plan.coding.few").Part("sharing", sharing).Quoted("columns", few))
	}
	if len(p.Left) > 0 {
		notes = append(notes, message.Say("plan.coding.left").Quoted("columns", protect.Names(p.Attrs, p.Left)))
	}
	return notes
}
