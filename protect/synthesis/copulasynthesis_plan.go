package synthesis

import (
	"errors"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// CopulaPlan is the fitted technique: the cells of every column and the correlations of the variables behind them.
type CopulaPlan struct {
	Attrs     []table.Attribute  `json:"schema"`
	Rows      int                `json:"rows"`
	Like      protect.Conditions `json:"like,omitempty"`
	Alike     int                `json:"alike,omitempty"` // people of the table who meet them
	Units     *newrecords.Units  `json:"units,omitempty"`
	Variables []Variable         `json:"variables"` // of units first, then of the record before, then of records
	Corr      [][]float64        `json:"correlations"`
	Rare      []donors.Rare      `json:"rare,omitempty"`

	once  sync.Once
	whole *normal // all variables
	start *normal // without those of the record before
	boxes []wrap.Domain
}

// normal draws variables, each given those before it.
type normal struct {
	of   []int       // variables
	root [][]float64 // lower triangle, by place in of
}

// rank is where the variables of a column of the wider table stand.
func (p *CopulaPlan) rank(j int) int {
	switch {
	case p.Units.Level(p.Attrs, j):
		return 0
	case p.Units.Before(p.Attrs, j) >= 0:
		return 1
	}
	return 2
}

// Schema returns the attributes that the plan was fitted on.
func (p *CopulaPlan) Schema() []table.Attribute { return p.Attrs }

// Synthetic says that new records are drawn.
func (p *CopulaPlan) Synthetic() bool { return true }

// Changes returns the names of all numbers and categories.
func (p *CopulaPlan) Changes() (out []string) {
	for _, a := range p.Attrs {
		if a.Kind.Scalar() {
			out = append(out, a.Name)
		}
	}
	return out
}

// law is what records are drawn by.
func (p *CopulaPlan) law() *newrecords.Law {
	p.once.Do(func() {
		attrs := p.Units.Wide(p.Attrs)
		var all, start []int
		for k := range p.Variables {
			v := &p.Variables[k]
			v.ready()
			var d wrap.Domain
			if a := &attrs[v.Column]; a.Kind == table.Numeric {
				d = wrap.On(a.Domain, a.Step)
			}
			p.boxes = append(p.boxes, d)
			all = append(all, k)
			if p.rank(v.Column) != 1 {
				start = append(start, k)
			}
		}
		p.whole, _ = p.among(all) // Check has looked at them
		p.start, _ = p.among(start)
	})
	return &newrecords.Law{Schema: p.Attrs, Units: p.Units, Rows: p.Rows, Like: p.Like, Drawer: p}
}

// among returns how some variables are drawn; false where their correlations are none.
func (p *CopulaPlan) among(of []int) (*normal, bool) {
	n := &normal{of: of}
	if len(of) == 0 {
		return n, true
	}
	c := mat.NewSymDense(len(of), nil)
	for a, k := range of {
		c.SetSym(a, a, 1)
		for b, l := range of[:a] {
			c.SetSym(a, b, p.Corr[max(k, l)][min(k, l)])
		}
	}
	l, ok := linalg.Cholesky(c)
	if !ok {
		return nil, false
	}
	for a := range of {
		row := make([]float64, a+1)
		for b := range row {
			row[b] = l.At(a, b)
		}
		n.root = append(n.root, row)
	}
	return n, true
}

// Blank returns the records of a release before they are drawn.
func (p *CopulaPlan) Blank(src rng.Source) (*table.Table, error) { return p.law().Blank(src) }

// Group returns the group of every record: that of its person, where people have several.
func (p *CopulaPlan) Group(chunk *table.Table) ([]uint64, error) { return p.law().Group(chunk), nil }

// Apply draws blank records.
func (p *CopulaPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return p.law().Draw(chunk, src)
}

// Draw draws the variables of a stage, all of them at once: with those that conditions are on, where there are some.
func (p *CopulaPlan) Draw(s *newrecords.Slots, stage newrecords.Stage, conditioned bool, src rng.Source) {
	if conditioned == (len(p.Like) == 0) {
		return
	}
	streams := make([]rng.Stream, len(p.Variables))
	for k := range p.Variables {
		label := s.Cols[p.Variables[k].Column].Name
		if p.Variables[k].Gap {
			label = "\x00missing " + label
		}
		streams[k] = src.Fork(label).Stream()
	}
	e := make([]float64, len(p.Variables))
	for i := range s.Keys {
		by := p.whole
		if stage == newrecords.OfUnits && p.starts(s, i) {
			by = p.start
		}
		by.draw(p, s, i, stage, streams, e)
	}
}

// starts reports whether a record is the first of its unit: nothing is known of one before.
func (p *CopulaPlan) starts(s *newrecords.Slots, i int) bool {
	for k := range p.Variables {
		if j := p.Variables[k].Column; p.rank(j) == 1 && !s.Cols[j].MissingAt(i) {
			return false
		}
	}
	return true
}

// draw draws the variables of slot i: those of a stage before are known by their values, and e is room for what is new
// in each.
func (n *normal) draw(
	p *CopulaPlan,
	s *newrecords.Slots,
	i int,
	stage newrecords.Stage,
	streams []rng.Stream,
	e []float64,
) {
	gap := -1 // the last column that was drawn as missing
	for a, k := range n.of {
		v := &p.Variables[k]
		level := p.rank(v.Column)
		if stage == newrecords.OfUnit && level > 0 {
			return // units stand first
		}
		mean, sd := 0.0, n.root[a][a]
		for b, x := range n.root[a][:a] {
			mean += float64(x * e[b])
		}
		if stage == newrecords.OfUnits && level < 2 {
			z, known := p.known(k, s, i)
			if e[a] = 0; known {
				e[a] = (z - mean) / sd
			}
			continue
		}
		e[a] = streams[k].At(uint64(s.Keys[i])).Normal()
		u := portable.Erfc(-(mean+float64(sd*e[a]))/math.Sqrt2) / 2
		c := &s.Cols[v.Column]
		if v.Gap {
			if cell, _ := v.cell(u); cell == 1 {
				gap = v.Column
			}
			continue
		}
		if v.Column == gap {
			miss(c, i)
			continue
		}
		v.put(c, i, u, &p.boxes[k])
	}
}

// miss makes a value missing.
func miss(c *table.Column, i int) {
	if c.Kind == table.Numeric {
		c.Num[i] = math.NaN()
	} else {
		c.Cat[i] = -1
	}
}

// known returns the score of the value that a slot has of a variable; false where it has none.
func (p *CopulaPlan) known(k int, s *newrecords.Slots, i int) (z float64, ok bool) {
	v := &p.Variables[k]
	c := &s.Cols[v.Column]
	missing := c.MissingAt(i)
	at := 0
	switch {
	case v.Gap && missing:
		at = 1
	case v.Gap:
	case missing:
		return 0, false
	case c.Kind == table.Numeric:
		at = v.find(c.Num[i], true)
	default:
		at = v.find(float64(c.Cat[i]), false)
	}
	if at < 0 {
		return 0, false
	}
	lo := 0.0
	if at > 0 {
		lo = v.upTo[at-1]
	}
	if hi := v.upTo[at]; hi > lo {
		return (density(lo) - density(hi)) / (hi - lo), true
	}
	return 0, false
}

// Describe says what is done.
func (p *CopulaPlan) Describe() message.Sentence { return message.Say("does.copulasynthesis") }

// Notes says which categories are not drawn, which columns stay empty, and where few people are like what is asked for.
func (p *CopulaPlan) Notes() (out []message.Sentence) {
	for _, r := range p.Rare {
		key := "plan.synthesis.rare"
		if r.All {
			key = "plan.synthesis.allRare"
		}
		out = append(out, message.Say(key).Name("column", p.Attrs[r.Column].Name).Count("n", r.Values).
			Count("records", r.Records))
	}
	return append(out, newrecords.Notes(p.Attrs, p.Units, p.Like, p.Rows, p.Alike)...)
}

// Check refuses a decoded plan that could not be applied.
func (p *CopulaPlan) Check() error {
	if err := newrecords.Check(p.Attrs, p.Units, p.Like, p.Rows); err != nil {
		return err
	}
	attrs := p.Units.Wide(p.Attrs)
	if len(p.Corr) != len(p.Variables) {
		return errors.New("variables and correlations do not belong together")
	}
	last, all, start := 0, []int(nil), []int(nil)
	type what struct {
		column int
		gap    bool
	}
	seen := map[what]bool{}
	for k := range p.Variables {
		v := &p.Variables[k]
		if err := v.check(attrs); err != nil {
			return err
		}
		if r := p.rank(v.Column); r < last || seen[what{v.Column, v.Gap}] || v.Gap && seen[what{v.Column, false}] {
			return errors.New("variables are not in the order in which they are drawn")
		} else if last = r; r != 1 {
			start = append(start, k)
		}
		seen[what{v.Column, v.Gap}] = true
		if all = append(all, k); len(p.Corr[k]) != k || slices.ContainsFunc(p.Corr[k], func(r float64) bool {
			return !(math.Abs(r) < 1)
		}) {
			return errors.New("correlations are no triangle of numbers between -1 and 1")
		}
	}
	if p.Units != nil && !seen[what{p.Units.Records(p.Attrs), false}] {
		return errors.New("how many records people have is not drawn")
	}
	for _, of := range [][]int{all, start} {
		if _, ok := p.among(of); !ok {
			return errors.New("the correlations contradict each other")
		}
	}
	for _, r := range p.Rare {
		if r.Column < 0 || r.Column >= len(p.Attrs) {
			return errors.New("a column with rare categories is not in the schema")
		}
	}
	return nil
}
