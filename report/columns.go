package report

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// mostRows and mostPanels bound the table of columns and the drawings; what is left out is counted.
const (
	mostRows   = 500
	mostPanels = 120
)

// mostOpen is how many columns the report draws, and lists, before the others are folded.
const mostOpen = 4

// columns is what the report says column by column, those worst first that help an intruder most or, where no attack was played, changed least. The public
// report has them in the order of the release.
type columns struct {
	Rows, Folded []columnRow // Folded are the further rows
	Panels, More []panel     // More are the further drawings
	Done         []doneRow
	Unlisted     string // how many columns the table leaves out
	Undrawn      string // how many columns the drawings leave out
	Withheld     string // public: how many columns of the original are not in the release
	HasShares    bool   // every row says how many values changed
	Helps        string // what the attack without a column finds, where one was played
	Public       bool
	Grouped      bool // values are generalised
}

type columnRow struct{ Name, Kind, Role, Action, Changed, Without string }

// doneRow says to which columns something was done.
type doneRow struct {
	Text    string
	Columns []string
}

type panel struct {
	Name  string
	Chart template.HTML
	Facts []string
}

func columnsOf(o *study.Outcome, public bool) *columns {
	c := &columns{HasShares: !public, Public: public, Grouped: o.Exact != nil}
	helps, finds := helpful(o, public)
	if finds != nil {
		c.Helps = "finds without it"
		if finds.Secret != "" {
			c.Helps = "learns without it"
		}
	}
	withheld, changes := 0, worstFirst(o, helps, public)
	for _, ch := range changes {
		if public && math.IsNaN(ch.Changed) && o.Released.Find(ch.Column) < 0 {
			withheld++
			continue
		}
		r := rowOf(ch, public)
		if w, ok := helps[ch.Column]; ok {
			r.Without = withoutText(w)
		}
		c.Rows = append(c.Rows, r)
		c.done(r)
	}
	if withheld > 0 {
		c.Withheld = counted(withheld, "column") + " of the original, such as identifiers, not released."
	}
	if n := len(c.Rows) - mostRows; n > 0 {
		c.Rows, c.Unlisted = c.Rows[:mostRows], counted(n, "further column")+" not listed."
	}
	c.draw(o, changes, public)
	if len(c.Rows) > 2*mostOpen+2 {
		c.Rows, c.Folded = c.Rows[:2*mostOpen], c.Rows[2*mostOpen:]
	}
	return c
}

// done notes what was done to a column.
func (c *columns) done(r columnRow) {
	k := slices.IndexFunc(c.Done, func(d doneRow) bool { return d.Text == r.Action })
	if k < 0 {
		k = len(c.Done)
		c.Done = append(c.Done, doneRow{Text: r.Action})
	}
	if d := &c.Done[k]; len(d.Columns) < mostRows {
		d.Columns = append(d.Columns, r.Name)
	}
}

// draw draws the columns of the release in the order of the table.
func (c *columns) draw(o *study.Outcome, changes []study.Change, public bool) {
	var order []int
	listed := make([]bool, o.Released.Width())
	for _, ch := range changes {
		if j := o.Released.Find(ch.Column); j >= 0 && !listed[j] {
			order, listed[j] = append(order, j), true
		}
	}
	for j, l := range listed {
		if !l {
			order = append(order, j)
		}
	}
	if n := len(order) - mostPanels; n > 0 {
		c.Undrawn, order = counted(n, "further column")+" not drawn.", order[:mostPanels]
	}
	moments, _ := detail[bias.Detail](o)
	var many []string
	for _, j := range order {
		if p := panelOf(o, j, public, moments); p.Chart != "" || p.Facts != nil {
			c.Panels = append(c.Panels, p)
		} else {
			many = append(many, p.Name)
		}
	}
	if many != nil {
		c.Undrawn = strings.TrimSpace("Not drawn, for they have many values or rare ones: " + someOf(many) + ". " + c.Undrawn)
	}
	if len(c.Panels) > mostOpen {
		c.Panels, c.More = c.Panels[:mostOpen], c.Panels[mostOpen:]
	}
}

// someOf lists names, at most mostRefused of them.
func someOf(names []string) string {
	if n := len(names) - mostRefused; n > 0 {
		names = append(slices.Clone(names[:mostRefused]), counted(n, "further column"))
	}
	return strings.Join(names, ", ")
}

const mostRefused = 8

// helpful returns by column what the worst attack that was tried without columns has left, and that attack; nil where none was.
func helpful(o *study.Outcome, public bool) (map[string]measure.Without, *measure.Attack) {
	if o.Verdict == nil || public {
		return nil, nil
	}
	for k := range o.Verdict.Worst {
		a := &o.Verdict.Worst[k]
		if len(a.Without) == 0 {
			continue
		}
		by := map[string]measure.Without{}
		for _, w := range a.Without {
			by[w.Column] = w
		}
		return by, a
	}
	return nil, nil
}

func withoutText(w measure.Without) string {
	s := chart.Percent(w.Dropped)
	if w.Coarse != nil {
		s += ", coarser " + chart.Percent(*w.Coarse)
	}
	return s
}

// worstFirst orders the columns: those first that an attack would miss most, then those of which least was changed, dropped ones last.
func worstFirst(o *study.Outcome, helps map[string]measure.Without, public bool) []study.Change {
	out := slices.Clone(o.Changes)
	if public {
		return out
	}
	left := func(c study.Change) float64 {
		if w, ok := helps[c.Column]; ok {
			return w.Dropped
		}
		return math.Inf(1)
	}
	changed := func(c study.Change) float64 {
		if math.IsNaN(c.Changed) {
			return math.Inf(1)
		}
		return c.Changed
	}
	slices.SortStableFunc(out, func(a, b study.Change) int {
		return cmp.Or(cmp.Compare(left(a), left(b)), cmp.Compare(changed(a), changed(b)))
	})
	return out
}

func rowOf(ch study.Change, public bool) columnRow {
	r := columnRow{Name: ch.Column, Kind: ch.Kind.String(), Role: ch.Role, Action: ch.Action}
	if public {
		r.Role = "" // what the custodian declared
		r.Action = study.ActionForUsers(r.Action)
		return r
	}
	r.Changed = "–"
	if !math.IsNaN(ch.Changed) {
		r.Changed = chart.Percent(ch.Changed)
	}
	return r
}

// columnTable is rows of the table of columns with what it is called.
type columnTable struct {
	All   *columns
	Label string
	Rows  []columnRow
}

// Shown and Hidden are the two parts of the table.
func (c *columns) Shown() columnTable  { return columnTable{c, "Columns", c.Rows} }
func (c *columns) Hidden() columnTable { return columnTable{c, "Further columns", c.Folded} }
