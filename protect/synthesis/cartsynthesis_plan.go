package synthesis

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// CARTPlan is the fitted technique: the trees by which columns are drawn, with the values of donors. Columns are
// positions in the schema, or in the wider table of units (newrecords.Units.Wide).
type CARTPlan struct {
	Attrs   []table.Attribute  `json:"schema"`
	Partial bool               `json:"partial,omitempty"` // some columns of each record are drawn
	Rows    int                `json:"rows"`
	Like    protect.Conditions `json:"like,omitempty"`
	Alike   int                `json:"alike,omitempty"` // people of the table who meet them
	Units   *newrecords.Units  `json:"units,omitempty"`
	Scales  []donors.Scale     `json:"scales"` // what is at hand from the start, then what is drawn, in this order
	AtHand  int                `json:"atHand"`
	Models  []donors.Model     `json:"models"` // of Scales[AtHand:]
	Rare    []donors.Rare      `json:"rare,omitempty"`

	once    sync.Once
	forests []donors.Forest
	boxes   []wrap.Domain
}

// Schema returns the attributes that the plan was fitted on.
func (p *CARTPlan) Schema() []table.Attribute { return p.Attrs }

// Synthetic reports whether new records are drawn.
func (p *CARTPlan) Synthetic() bool { return !p.Partial }

// Changes returns the names of the columns that are drawn, in schema order.
func (p *CARTPlan) Changes() (out []string) {
	for j, a := range p.Attrs {
		if slices.ContainsFunc(p.Models, func(m donors.Model) bool { return m.Column == j }) {
			out = append(out, a.Name)
		}
	}
	return out
}

// law is what records are drawn by.
func (p *CARTPlan) law() *newrecords.Law {
	p.once.Do(func() {
		attrs := p.Units.Wide(p.Attrs)
		for k := range p.Models {
			f, _ := p.Models[k].Unpack(attrs, 0, len(p.Scales)) // Check has looked at them
			p.forests = append(p.forests, f)
			var d wrap.Domain
			if a := &attrs[p.Models[k].Column]; a.Kind == table.Numeric {
				d = wrap.On(a.Domain, a.Step)
			}
			p.boxes = append(p.boxes, d)
		}
	})
	return &newrecords.Law{Schema: p.Attrs, Units: p.Units, Rows: p.Rows, Like: p.Like, Drawer: p}
}

// Blank returns the records of a release before they are drawn.
func (p *CARTPlan) Blank(src rng.Source) (*table.Table, error) { return p.law().Blank(src) }

// Group returns the group of every record: that of its person, where people have several.
func (p *CARTPlan) Group(chunk *table.Table) ([]uint64, error) { return p.law().Group(chunk), nil }

// Apply draws blank records or, of a partial synthesis, some columns of records.
func (p *CARTPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	l := p.law()
	if !p.Partial {
		return l.Draw(chunk, src)
	}
	s := &newrecords.Slots{Cols: chunk.Columns()}
	for i := range chunk.Rows() {
		s.Keys = append(s.Keys, chunk.ID(i))
	}
	for k := range p.Models {
		j := p.Models[k].Column
		s.Cols[j] = chunk.Room(chunk.Column(j).Attribute)
	}
	p.Draw(s, newrecords.Whole, false, src)
	return chunk.WithColumns(s.Cols)
}

// Describe says what is done.
func (p *CARTPlan) Describe() message.Sentence { return message.Say("does.cartsynthesis") }

// Notes says which categories are not drawn, which columns stay empty, and where few people are like what is asked for.
func (p *CARTPlan) Notes() (out []message.Sentence) {
	for _, r := range p.Rare {
		key := "plan.synthesis.rare"
		if r.All {
			key = "plan.synthesis.allRare"
		}
		out = append(out, message.Say(key).Name("column", p.Attrs[r.Column].Name).Count("n", r.Values).
			Count("records", r.Records))
	}
	if !p.Partial {
		out = append(out, newrecords.Notes(p.Attrs, p.Units, p.Like, p.Rows, p.Alike)...)
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *CARTPlan) Check() error {
	if err := newrecords.Check(p.Attrs, p.Units, p.Like, p.Rows); err != nil {
		return err
	}
	if p.AtHand < 0 || len(p.Scales)-p.AtHand != len(p.Models) {
		return errors.New("scales and models do not belong together")
	}
	attrs := p.Units.Wide(p.Attrs)
	known, seen := make([]bool, len(p.Scales)), make([]bool, len(attrs))
	for k := range p.Scales {
		s := &p.Scales[k]
		if err := s.Check(attrs); err != nil {
			return err
		}
		if seen[s.Column] {
			return errors.New("a column has two scales")
		}
		seen[s.Column], known[k] = true, k < p.AtHand
	}
	if p.Units != nil && !slices.ContainsFunc(p.Models, func(m donors.Model) bool {
		return m.Column == p.Units.Records(p.Attrs)
	}) {
		return errors.New("how many records people have is not drawn")
	}
	for k := range p.Models {
		m := &p.Models[k]
		if m.Column != p.Scales[p.AtHand+k].Column || p.Units.Before(p.Attrs, m.Column) >= 0 {
			return errors.New("scales and models do not belong together")
		}
		if a := &attrs[m.Column]; a.Kind == table.Numeric && !wrap.Fits(a.Domain, a.Step) {
			return fmt.Errorf("column %q has an unusable domain or step", a.Name)
		}
		if err := m.Check(attrs, 0, known); err != nil {
			return err
		}
		known[p.AtHand+k] = true
	}
	for _, r := range p.Rare {
		if r.Column < 0 || r.Column >= len(p.Attrs) {
			return errors.New("a column with rare categories is not in the schema")
		}
	}
	return nil
}
