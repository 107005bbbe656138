package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
)

// Spread is one treatment of a quartile chart: the quartiles of a figure in per cent, NaN where there are no values.
type Spread struct {
	Label          string
	Values         int
	Q1, Median, Q3 float64
	Rank           int  // 0: not ranked
	Original       bool // drawn in grey
}

// Known reports whether there are values.
func (s Spread) Known() bool { return !math.IsNaN(s.Q1 + s.Median + s.Q3) }

// Quartiles is a quartile chart as Peters 2011, figure 4.2, has it: a dash from the lower to the upper quartile, a dot
// at the median, bars at 0, 50 and 100 %, one treatment below the other with its rank.
type Quartiles struct {
	Title string // for screen readers
	Rows  []Spread
}

const (
	quartileRank   = 24.0 // right end of the ranks
	quartileLabel  = 126.0
	quartileGap    = 13.0 // from the labels to the scale, for a dot at 0
	quartileMedian = 42.0 // width of the medians at the right
)

type quartiles struct {
	canvas
	Quartiles
	x0, x1, top, pitch float64
}

// Draw draws the chart as a small multiple; a hairline parts treatments of different rank that follow each other. The
// id must be unique in the page. Cost: O(rows).
func (g Quartiles) Draw(id string) template.HTML {
	if len(g.Rows) == 0 {
		return empty(id, g.Title)
	}
	q := quartiles{Quartiles: g, top: 20, pitch: 20, x1: smallWidth - quartileMedian}
	labels := 0.0
	for _, r := range g.Rows {
		labels = math.Max(labels, faceLabel.width(Printable(r.Label)))
	}
	q.x0 = quartileRank + 10 + math.Min(labels, quartileLabel) + quartileGap
	q.draw()
	desc := message.Say("chart.quartiles").Count("n", len(g.Rows)).Parts("rows", g.words())
	return q.svg(id, "small", g.Title, desc.String(), smallWidth, q.bottom()+rankAxis)
}

func (q *quartiles) bottom() float64 { return q.top + q.pitch*float64(len(q.Rows)) + 2 }

func (q *quartiles) x(v float64) float64 {
	return q.x0 + math.Min(math.Max(v, 0), 100)/100*(q.x1-q.x0)
}

func (q *quartiles) draw() {
	var grid, bars strings.Builder
	q.text(quartileRank, 12, faceHead, right, message.Say("chart.rank").String(), "")
	q.text(smallWidth-2, 12, faceHead, right, message.Say("chart.median").String(), "")
	for _, v := range []float64{0, 25, 50, 75, 100} {
		into := &grid
		if math.Mod(v, 50) == 0 {
			into = &bars
			label := Number(v, 1)
			if v == 100 {
				label += " %"
			}
			q.text(q.x(v), q.bottom()+14, faceTick, middle, label, "")
		}
		line(into, q.x(v), q.top-2, q.x(v), q.bottom())
	}
	for k := 1; k < len(q.Rows); k++ {
		if q.Rows[k].Rank != q.Rows[k-1].Rank {
			line(&grid, 0, q.top+q.pitch*float64(k), smallWidth, q.top+q.pitch*float64(k))
		}
	}
	q.path(grid.String(), "grid")
	q.path(bars.String(), "axis")
	for k, r := range q.Rows {
		q.row(r, q.top+q.pitch*(float64(k)+0.5))
	}
}

func (q *quartiles) row(r Spread, y float64) {
	q.fitted(q.x0-quartileGap, y+4, faceLabel, right, r.Label, quartileLabel,
		labels(q.Rows, func(r Spread) string { return r.Label }))
	if !r.Known() {
		q.text(q.x0+6, y+3.6, faceRef, left, message.Say("chart.noValues").String(), "")
		return
	}
	if r.Rank > 0 {
		q.text(quartileRank, y+4, faceNode, right, strconv.Itoa(r.Rank), "")
	}
	class := "bar"
	if r.Original {
		class = "dim"
	}
	a, b := q.x(r.Q1), q.x(r.Q3)
	q.rect(a, y-1.25, math.Max(b-a, 0), 2.5, class, "")
	q.raw(`<circle cx="`, px(q.x(r.Median)), `" cy="`, px(y), `" r="4.2" class="`, class, `"/>`)
	q.text(smallWidth-2, y+4, faceLabel, right, numfmt.Fixed(r.Median, 1), "")
	q.rect(0, y-q.pitch/2, smallWidth, q.pitch, "hit", r.words().String())
}

// words tells the figures of a treatment.
func (s Spread) words() message.Sentence {
	if !s.Known() {
		return message.Say("chart.spreadEmpty").Name("name", s.Label)
	}
	t := message.Say("chart.spread").Name("name", s.Label).Fixed("median", s.Median, 1).Fixed("low", s.Q1, 1).
		Fixed("high", s.Q3, 1).Count("n", s.Values)
	if s.Rank > 0 {
		return message.Say("chart.spreadRanked").Part("spread", t).Count("rank", s.Rank)
	}
	return t
}

func (g Quartiles) words() (all []message.Sentence) {
	for _, r := range g.Rows {
		all = append(all, r.words())
	}
	return all
}

// Metrics of a quartile chart in text, in characters.
const (
	textScale = 51 // two per cent each
	textLabel = 30 // longest label
)

// Lines draws the chart in characters of one width, two per cent to each, with a head.
func (g Quartiles) Lines() []string {
	treatment, rank := message.Say("chart.treatment").String(), message.Say("chart.rank").String()
	width := utf8.RuneCountInString(treatment)
	for _, r := range g.Rows {
		width = max(width, min(utf8.RuneCountInString(Printable(r.Label)), textLabel))
	}
	head := fmt.Sprintf("%4s  %-*s  %5s  %5s  %5s  ", rank, width, treatment, "25 %", "50 %", "75 %")
	out := []string{head + fmt.Sprintf("%-25s%-24s%s", "0", "50", "100")}
	for _, r := range g.Rows {
		label := []rune(Printable(r.Label))
		if len(label) > textLabel {
			label = append(label[:textLabel-1], '…')
		}
		rank := ""
		if r.Rank > 0 {
			rank = strconv.Itoa(r.Rank)
		}
		row := fmt.Sprintf("%4s  %s%s  ", rank, string(label), strings.Repeat(" ", max(0, width-len(label))))
		if r.Known() {
			row += fmt.Sprintf("%5s  %5s  %5s  %s", numfmt.Fixed(r.Q1, 1), numfmt.Fixed(r.Median, 1), numfmt.Fixed(r.Q3, 1),
				r.scale())
		} else {
			row += message.Say("chart.noValues").String()
		}
		out = append(out, row)
	}
	return out
}

// scale draws |, - and ● between 0 and 100 %.
func (s Spread) scale() string {
	at := func(v float64) int {
		return int(math.Round(math.Min(math.Max(v, 0), 100) / 100 * (textScale - 1)))
	}
	cells := []rune(strings.Repeat(" ", textScale))
	for k := at(s.Q1); k <= at(s.Q3); k++ {
		cells[k] = '-'
	}
	for _, k := range []int{0, textScale / 2, textScale - 1} {
		cells[k] = '|'
	}
	cells[at(s.Median)] = '●'
	return string(cells)
}
