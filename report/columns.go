package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/study"
)

// mostRows and mostPanels bound the table of columns and the drawings; what is left out is counted.
const (
	mostRows   = 500
	mostPanels = 120
)

// mostOpen is how many columns the report draws, and lists, before the others are folded.
const mostOpen = 4

// columnsOf is what the report says column by column, those worst first that help an intruder most or, where no attack
// was played, changed least. The public report has them in the order of the release.
func columnsOf(o *study.Outcome, opt Options) *document.Section {
	s := &document.Section{Key: "columns", Title: message.Say("columns.title")}
	helps, finds := helpful(o, opt.Public)
	t := document.Table{Title: message.Say("columns.label"), Columns: columns("columns.columns", "column", "kind")}
	if !opt.Public {
		t.Columns = append(t.Columns, columns("columns.columns", "role", "changed n")...)
	}
	switch {
	case finds == nil:
	case finds.Secret != "":
		t.Columns = append(t.Columns, columns("columns.columns", "learns n")...)
	default:
		t.Columns = append(t.Columns, columns("columns.columns", "finds n")...)
	}
	var done []remark
	withheld, changes := 0, worstFirst(o, helps, opt.Public)
	for _, ch := range changes {
		if opt.Public && math.IsNaN(ch.Changed) && o.Released.Find(ch.Column) < 0 {
			withheld++
			continue
		}
		t.Rows = append(t.Rows, columnRow(&ch, helps, len(t.Columns)))
		if opt.Public {
			ch.Action = ch.Action.ForUsers()
		}
		done = together(done, ch.Column, ch.Action.Sentence())
	}
	var unlisted document.Block
	if n := len(t.Rows) - mostRows; n > 0 {
		t.Rows, unlisted = t.Rows[:mostRows], prose("note", message.Say("columns.unlisted").Count("n", n))
	}
	further := t
	if len(t.Rows) > 2*mostOpen+2 {
		t.Rows, further.Rows, further.Title = t.Rows[:2*mostOpen], further.Rows[2*mostOpen:], message.Say("columns.more")
	} else {
		further.Rows = nil
	}
	if t.Rows != nil {
		s.Blocks = append(s.Blocks, t)
	}
	if done != nil {
		s.Blocks = append(s.Blocks, fold(message.Say("columns.done"), document.Facts{Items: doneFacts(done)}))
	}
	if withheld > 0 {
		s.Blocks = append(s.Blocks, prose("note", message.Say("columns.withheld").Count("n", withheld)))
	}
	if further.Rows != nil {
		f := fold(message.Say("columns.further").Count("n", len(further.Rows)), divided(further, opt.Public)...)
		if unlisted != nil {
			f.Blocks = append(f.Blocks, unlisted)
		}
		s.Blocks = append(s.Blocks, f)
	}
	if !opt.undrawn {
		s.Blocks = append(s.Blocks, drawnColumns(o, changes, opt.Public)...)
	}
	return some(s)
}

// mostTogether is how many columns stand in one table; more are divided by their roles.
const mostTogether = 20

// divided is a table of many columns by their roles, or by their kinds where it tells no roles.
func divided(t document.Table, public bool) (out []document.Block) {
	if len(t.Rows) <= mostTogether {
		return []document.Block{t}
	}
	at := 2
	if public {
		at = 1
	}
	var parts [][]document.Row
	for _, r := range t.Rows {
		k := slices.IndexFunc(parts, func(p []document.Row) bool { return p[0].Cells[at].Says.Equal(r.Cells[at].Says) })
		if k < 0 {
			k, parts = len(parts), append(parts, nil)
		}
		parts[k] = append(parts[k], r)
	}
	for _, rows := range parts {
		part := t
		part.Rows, part.Headed = rows, true
		part.Title = message.Say("columns.of").Part("role", rows[0].Cells[at].Says).Count("n", len(rows))
		out = append(out, document.Part{Title: part.Title, Blocks: []document.Block{part}})
	}
	return out
}

// doneFacts says what was done to which columns.
func doneFacts(done []remark) (out []document.Fact) {
	for _, d := range done {
		out = append(out, document.Fact{Name: d.says,
			Says: message.Text(strings.Join(d.measures[:min(len(d.measures), mostRows)], ", "))})
	}
	return out
}

// columnRow is a row with so many cells.
func columnRow(ch *study.Change, helps map[string]measure.Without, cells int) document.Row {
	r := row(message.Name(ch.Column), message.Say("kind."+ch.Kind.String()))
	if cells > 2 {
		changed := message.Sentence{}
		if !math.IsNaN(ch.Changed) {
			changed = message.Share(ch.Changed)
		}
		r.Cells = append(r.Cells, document.Cell{Says: message.Text(ch.Role), Look: "role"}, document.Cell{Says: changed})
	}
	if cells > 4 {
		c := document.Cell{}
		if w, ok := helps[ch.Column]; ok {
			c.Says = withoutText(&w)
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// drawnColumns draws the columns of the release in the order of the table.
func drawnColumns(o *study.Outcome, changes []study.Change, public bool) (out []document.Block) {
	order := columnOrder(o, changes)
	var undrawn []message.Sentence
	if n := len(order) - mostPanels; n > 0 {
		undrawn, order = append(undrawn, message.Say("columns.undrawn").Count("n", n)), order[:mostPanels]
	}
	moments, _ := detail[distributions.Detail](o)
	var charts []document.Chart
	var many []string
	for _, j := range order {
		if c := panelOf(o, j, public, moments); c.Drawing != nil || c.Facts != nil {
			charts = append(charts, c)
		} else {
			many = append(many, o.Released.Attr(j).Name)
		}
	}
	if many != nil {
		undrawn = append([]message.Sentence{message.Say("columns.many").Text("names", someOf(many))}, undrawn...)
	}
	if charts != nil {
		lead := prose("lead", message.Say("columns.lead.public").Count("few", study.Public(o).Few),
			message.Say("columns.scale"))
		if !public {
			lead.Says[0] = message.Say("columns.lead.both")
			if o.Exact != nil {
				lead.Says = slices.Insert(lead.Says, 1, message.Say("columns.grouped"))
			}
		}
		if out = append(out, lead); !public {
			out = append(out, swatches())
		}
		n := min(len(charts), mostOpen)
		out = append(out, document.Charts{Items: charts[:n]})
		if n < len(charts) {
			out = append(out, fold(message.Say("columns.drawings").Count("n", len(charts)-n),
				document.Charts{Items: charts[n:]}))
		}
	}
	if undrawn != nil {
		out = append(out, prose("note", undrawn...))
	}
	return out
}

// columnOrder is the columns of the release: those that changed in this order, then the others.
func columnOrder(o *study.Outcome, changes []study.Change) (order []int) {
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
	return order
}

// someOf lists names, at most mostRefused of them.
func someOf(names []string) string {
	if n := len(names) - mostRefused; n > 0 {
		names = append(slices.Clone(names[:mostRefused]), message.Say("columns.others").Count("n", n).String())
	}
	return strings.Join(names, ", ")
}

const mostRefused = 8

// helpful returns by column what the worst attack that was tried without columns has left, and that attack; nil where
// none was.
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

func withoutText(w *measure.Without) message.Sentence {
	if w.Coarse == nil {
		return message.Share(w.Dropped)
	}
	return message.Say("columns.coarser").Share("dropped", w.Dropped).Share("coarse", *w.Coarse)
}

// worstFirst orders the columns: those first that an attack would miss most, then those of which least was changed,
// dropped ones last.
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
