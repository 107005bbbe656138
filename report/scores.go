package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/study/ranking"
)

// scoreTable is the table of settings and measures on one data set or over all.
type scoreTable struct {
	Title    string
	Head     []scoreHead
	Rows     []scoreRow
	Dense    bool // many rows
	Part     bool // of the measures and settings the first alone
	Standing bool // the rows say where the setting stands on the map
}

type scoreHead struct {
	Name      string
	Unit      message.Sentence // as far as the measure has one
	Direction message.Sentence
	Note      message.Sentence
}

type scoreRow struct {
	Name     string
	Standing message.Sentence
	Original bool
	Cells    []scoreCell
}

// scoreCell is a mean and what is known of its spread.
type scoreCell struct {
	Mean, Spread string
	Mark         message.Sentence // best, or ≈ best when it cannot be told from the best
	Best         bool
}

// scores returns the table of a data set, of the means over all for -1.
func (t *contest) scores(data int) scoreTable {
	s := scoreTable{Standing: data < 0 && t.utility != nil && t.risk != nil}
	if data >= 0 {
		s.Title = t.Data[data].Name
	}
	rows := append([]entrant{t.original}, t.entrants...)
	s.Dense = len(rows) > 12
	for _, e := range rows {
		r := scoreRow{Name: e.name, Original: e.Setting == 0}
		if s.Standing {
			r.Standing = t.place(&e)
		}
		s.Rows = append(s.Rows, r)
	}
	for i := range t.gauges {
		g := &t.gauges[i]
		best, clear := t.Best(g.Scale, data)
		h := scoreHead{Name: g.name, Unit: message.Text(strings.TrimSpace(g.unit + " " + g.of)), Direction: g.direction()}
		if best >= 0 && !clear && len(t.Candidates()) > 1 {
			h.Note = message.Say("compare.scores.level")
		}
		s.Head = append(s.Head, h)
		for k, e := range rows {
			c := t.cell(g, data, e.Setting)
			if clear && k > 0 && !e.Baseline && c.Mean != "–" {
				switch top, v := t.At(g.Scale, data, t.entrants[best].Setting), t.At(g.Scale, data, e.Setting); {
				case v.Mean == top.Mean:
					c.Best, c.Mark = true, message.Say("compare.scores.best")
				case !g.Clearly(top, v):
					c.Mark = message.Say("compare.scores.nearly")
				}
			}
			s.Rows[k].Cells = append(s.Rows[k].Cells, c)
		}
	}
	return s
}

// mostOpenSettings is how many rows of the table of settings stand open, the original among them, and mostOpenCells how
// many figures.
const mostOpenSettings, mostOpenCells = 13, 40

// leading are the measures that a choice looks at first, by their places among all: the one that it is judged by, the
// axes of the map, those that limits are held against, then those that head a report.
func (t *contest) leading(v verdict) (out []int) {
	add := func(g *gauge) {
		if g != nil && !slices.Contains(out, g.Index) {
			out = append(out, g.Index)
		}
	}
	add(v.u)
	add(t.utility)
	add(t.risk)
	for _, first := range []func(g *gauge) bool{
		func(g *gauge) bool { return g.Finds },
		func(g *gauge) bool { return !g.Figure.Says.Empty() },
		func(*gauge) bool { return true },
	} {
		for i := range t.gauges {
			if first(&t.gauges[i]) {
				add(&t.gauges[i])
			}
		}
	}
	return out
}

// opened is the part of the table that can be read at once: the first of these measures, and the best settings.
func (s scoreTable) opened(measures []int) scoreTable {
	out := s
	out.Part, out.Head, out.Rows = true, nil, slices.Clone(s.Rows[:min(mostOpenSettings, len(s.Rows))])
	measures = measures[:min(len(measures), mostAcross, max(2, mostOpenCells/max(1, len(out.Rows))))]
	for _, m := range measures {
		out.Head = append(out.Head, s.Head[m])
	}
	for k := range out.Rows {
		cells := out.Rows[k].Cells
		out.Rows[k].Cells = nil
		for _, m := range measures {
			out.Rows[k].Cells = append(out.Rows[k].Cells, cells[m])
		}
	}
	return out
}

// mostAcross is how many columns of figures fit on a page of paper.
const mostAcross = 6

// tables are the table as it is printed: many measures stand below one another, and then as many settings as fit stand
// side by side.
func (s scoreTable) tables() (out []document.Block) {
	label := message.Say("compare.scores.label")
	switch {
	case s.Part:
		label = message.Say("compare.scores.first")
	case s.Title != "":
		label = message.Say("compare.scores.on").Name("data", s.Title)
	}
	look := "stack scores"
	if s.Dense {
		look += " dense"
	}
	if len(s.Head) <= mostAcross {
		t := s.upright()
		t.Title, t.Look = label, look
		return []document.Block{t}
	}
	for part := range slices.Chunk(s.Rows, mostAcross) {
		t := s.turned(part)
		if t.Title, t.Look = label, look; len(s.Rows) > mostAcross {
			t.Title = message.Say("compare.scores.part").Part("label", label).Count("n", len(out)+1)
		}
		out = append(out, t)
	}
	return out
}

// upright has a row for every setting.
func (s scoreTable) upright() document.Table {
	t := document.Table{Columns: columns("compare.scores", "setting")}
	for _, h := range s.Head {
		t.Columns = append(t.Columns, document.Column{Title: message.Name(h.Name), Below: those(h.Unit, h.Direction, h.Note),
			Numeric: true})
	}
	if s.Standing {
		t.Columns = append(t.Columns, columns("compare.scores", "standing")...)
	}
	for _, r := range s.Rows {
		out := row(message.Name(r.Name))
		if r.Original {
			out.Look = "original"
		}
		for _, c := range r.Cells {
			out.Cells = append(out.Cells, c.cell())
		}
		if s.Standing {
			out.Cells = append(out.Cells, document.Cell{Says: r.Standing, Look: "st"})
		}
		t.Rows = append(t.Rows, out)
	}
	return t
}

// turned has a row for every measure, of some settings.
func (s scoreTable) turned(of []scoreRow) document.Table {
	t := document.Table{Columns: columns("compare.scores", "measure")}
	for _, r := range of {
		t.Columns = append(t.Columns, document.Column{Title: message.Name(r.Name), Numeric: true})
	}
	for k, h := range s.Head {
		out := row(message.Name(h.Name))
		out.Cells[0].Below = those(message.Listed(those(h.Unit, h.Direction)), h.Note)
		for _, r := range of {
			c := r.Cells[k].cell()
			if r.Original {
				c.Look = "orig"
			}
			out.Cells = append(out.Cells, c)
		}
		t.Rows = append(t.Rows, out)
	}
	if s.Standing {
		out := row(message.Say("compare.scores.standing"))
		for _, r := range of {
			out.Cells = append(out.Cells, document.Cell{Says: r.Standing, Look: "place"})
		}
		t.Rows = append(t.Rows, out)
	}
	return t
}

func (c scoreCell) cell() document.Cell {
	out := document.Cell{Mark: c.Mark, Says: message.Text(c.Mean), Below: texts(c.Spread)}
	if c.Best {
		out.Look = "strong"
	}
	return out
}

// texts are those of these that say something.
func texts(all ...string) []message.Sentence { return those(message.Texts(all)...) }

// those are those of these that say something.
func those(all ...message.Sentence) []message.Sentence {
	return slices.DeleteFunc(all, message.Sentence.Empty)
}

// place says where the setting stands on the map.
func (t *contest) place(e *entrant) message.Sentence {
	place := func(which string) message.Sentence { return message.Say("compare.place." + which) }
	switch {
	case e.Setting == 0:
		return place("original")
	case e.Standing == ranking.Aside:
		return place("aside")
	case e.Standing == ranking.Frontier:
		return place("frontier")
	case e.Standing == ranking.Close:
		return place("near")
	case e.Standing == ranking.Dominated:
		return message.Say("compare.place.dominated").Name("by", t.byPlace()[e.BeatenBy-1].name)
	}
	return place("none")
}

// cell writes a mean, half its interval, and the standard deviation over the folds where there is one data set.
func (t *contest) cell(g *gauge, data, setting int) scoreCell {
	e := t.At(g.Scale, data, setting)
	if !e.Known() {
		return scoreCell{Mean: "–"}
	}
	c := scoreCell{Mean: g.figure(e.Mean)}
	lo, hi := e.Ends()
	if lo < hi {
		c.Spread = "± " + g.spread((hi-lo)/2)
	}
	if data < 0 && len(t.Data) == 1 {
		data = 0
	}
	if data < 0 {
		return c
	}
	if s := t.Figure(g.Scale, data, setting); !math.IsNaN(s.SD) {
		if c.Spread != "" {
			c.Spread += " · "
		}
		c.Spread += "sd " + g.spread(float64(s.SD*g.Factor))
	}
	return c
}

// spread writes an error like the figure it belongs to, one that would vanish with one digit.
func (g *gauge) spread(v float64) string {
	s := g.figure(v)
	if v > 0 && strings.Trim(s, "0.") == "" {
		if v < 1e-6 {
			return "under 0.000001"
		}
		return strconv.FormatFloat(v, 'f', -int(math.Floor(portable.Log10(v))), 64)
	}
	return s
}
