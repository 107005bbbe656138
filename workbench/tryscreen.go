package workbench

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/report/chart"
)

// tryView is the screen on which techniques are tried.
type tryView struct {
	Method   desk.Entry
	Usual    []desk.Entry
	Rest     []desk.Entry
	Stages   bool // the policy has stages, which are edited by hand
	Params   []paramRow
	Changed  int // settings that the policy has
	Sample   int // people of a sample; 0 where the table has no more
	Records  message.Sentence
	Last     *trayRow // of the policy as it stands, on all records where there is one
	On       message.Sentence
	Verdict  template.HTML
	Demands  template.HTML
	Tray     []trayRow
	Map      template.HTML
	HasTried bool             // on all
	Two      bool             // or more were tried
	Blank    bool             // cells are blanked where they let people be looked up
	For      message.Sentence // what the release must not lose
	Budgets  []int
	Choice   template.HTML // why the technique was chosen, where a search did
}

// paramRow is one parameter of the technique.
type paramRow struct {
	param.Param
	ID, Value string
	Set       bool // in the policy
	Number    bool
	Lo, Hi    string
}

// trayRow is one candidate.
type trayRow struct {
	candidate
	N                int
	Name             string // of the technique, with its settings where a search found them
	When             string
	Verdict, On      message.Sentence
	Found, Predicted message.Sentence
	Loses            message.Sentence // of what counts, in a search
	Here             bool             // made by the policy as it stands
	Kind             string
}

func (s *Server) tryScreen(_ *http.Request, i *inspected) (any, error) {
	v := &tryView{Records: records(i.Table.Rows()), Stages: len(i.Policy.Stages) > 0}
	if i.Table.Rows() > sampled {
		v.Sample = sampled
	}
	var err error
	if !v.Stages {
		if v.Method, err = desk.Methods.Find(cmp.Or(i.Policy.Method.Name, desk.Default(i.Policy))); err != nil {
			return nil, err
		}
		v.Params, v.Changed = paramsOf(v.Method, i), len(i.Policy.Method.Set)
	}
	for _, e := range desk.Methods.ByPurpose(nil) {
		if e.Usual != "" {
			v.Usual = append(v.Usual, e)
		} else {
			v.Rest = append(v.Rest, e)
		}
	}
	v.Blank = i.Policy.BlankLookups
	now, _ := s.purposeOf(i)
	v.For, v.Budgets = lostOf(now), budgets
	if v.Tray, err = s.tray(i); err != nil {
		return nil, err
	}
	for _, row := range v.Tray {
		if row.Here && !row.Searched && (v.Last == nil || row.Sample == 0) {
			v.Last, v.On = &row, row.On
			v.HasTried = v.HasTried || row.Sample == 0
		}
	}
	v.Two = len(v.Tray) > 1
	v.Map = drawMap(v.Tray, s.speaks())
	if v.Last != nil {
		if r := s.work.result(v.Last.ID); r != nil {
			v.Verdict, v.Demands = template.HTML(lower(r.Sections["verdict"])), template.HTML(r.Sections["demands"])
			v.Choice = template.HTML(r.Sections["choice"])
		}
	}
	slices.Reverse(v.Tray) // the latest first
	return v, nil
}

// tray is what was tried, oldest first.
func (s *Server) tray(i *inspected) (out []trayRow, err error) {
	all, err := s.folder.candidates()
	here := []string{i.id(0), i.id(sampled), i.idOf(string(i.text), "search")}
	for n, c := range all {
		row := trayRow{candidate: c, N: n + 1, Name: cmp.Or(c.Settings, c.Technique), When: c.when(),
			Verdict: c.verdict(), On: c.people(), Found: c.Risk.share(), Predicted: shareOf(c.Accuracy),
			Loses: shareOf(c.Lost), Here: slices.Contains(here, c.ID), Kind: c.kind()}
		out = append(out, row)
	}
	return out, err
}

// kind is the class of the colour of a candidate's verdict; what a search found was not released, and is for a second
// look.
func (c *candidate) kind() string {
	if c.Searched {
		return document.WithCare.Class()
	}
	return document.State(c.State).Class()
}

func paramsOf(e desk.Entry, i *inspected) []paramRow {
	var out []paramRow
	for k, p := range e.Params {
		row := paramRow{Param: p, ID: fmt.Sprintf("p%d", k), Value: fmt.Sprint(p.Default)}
		if t, ok := i.Policy.Method.Set[p.Name]; ok {
			row.Value, row.Set = string(t), true
		}
		if p.Min != nil && p.Max != nil {
			row.Number, row.Lo = true, fmt.Sprint(*p.Min)
			if *p.Max < 1e9 { // else there is no end that anybody meets
				row.Hi = fmt.Sprint(*p.Max)
			}
		}
		out = append(out, row)
	}
	return out
}

// share is a figure, which is in per cent, with its bounds.
func (f *figure) share() message.Sentence {
	if f == nil {
		return lacking
	}
	return message.Of(document.Figure{Value: f.Value / 100, Lo: f.Lo / 100, Hi: f.Hi / 100,
		Unit: measure.Unit{Kind: measure.Share}})
}

// shareOf is a number of per cent.
func shareOf(v *float64) message.Sentence {
	if v == nil {
		return lacking
	}
	return message.Share(*v / 100)
}

// lacking stands where there is no figure.
var lacking = message.Text("–")

// says is a candidate's point on the map in words.
func (r *trayRow) says() message.Sentence {
	return message.Say("workbench.dot").Count("n", r.N).Text("technique", r.Technique).
		Part("found", r.Found).Part("predicted", r.Predicted)
}

// The height of the map, and of what is above and below its plane.
const mapHigh, mapTop, low = 330.0, 26.0, 44.0

// drawMap draws what was tried on all records, use against risk, with the limit on the risk and the original. Nothing
// is drawn for fewer than one point.
func drawMap(all []trayRow, l *message.Language) template.HTML {
	m := newRiskMap(all)
	m.l = l
	if len(m.points) == 0 {
		return ""
	}
	m.put(`<div class="plane"><svg class="dither tray" height="%g" role="group" aria-label="%s">`, mapHigh,
		m.says("label"))
	m.drawGrid()
	m.drawLimit()
	for _, c := range m.points {
		m.drawPoint(c)
	}
	m.drawOriginal() // over the points
	m.put(`</svg></div>`)
	return template.HTML(report.PrintableLines(m.svg.String()))
}

// riskMap is a plane of risk, to the right, and use, upwards, both in per cent.
type riskMap struct {
	points   []*trayRow // tried on all records
	original *trayRow   // the last that knows of the original; nil for none
	most     float64    // the limit on the risk; 0 for none
	hiX      float64    // the risk at the right end; 0 is at the left one
	loY, hiY float64    // the use at the bottom and at the top
	l        *message.Language
	svg      strings.Builder
}

// says is what stands on the map.
func (m *riskMap) says(key string) string {
	return template.HTMLEscapeString(m.l.Say(message.Say("workbench.map." + key)))
}

// newRiskMap chooses the ends of the axes so that all points, the limit and the original are between them.
func newRiskMap(all []trayRow) *riskMap {
	m := &riskMap{hiX: 10, loY: 100}
	for k := range all {
		c := &all[k]
		if c.Sample > 0 || c.Risk == nil || c.Accuracy == nil {
			continue
		}
		m.points = append(m.points, c)
		m.hiX = math.Max(m.hiX, c.Risk.Hi)
		m.loY, m.hiY = math.Min(m.loY, *c.Accuracy), math.Max(m.hiY, *c.Accuracy)
		if c.Original != nil {
			m.original = c
			m.loY, m.hiY = math.Min(m.loY, *c.Original), math.Max(m.hiY, *c.Original)
			m.hiX = math.Max(m.hiX, c.Before)
		}
		m.most = c.Most
	}
	m.hiX = math.Min(100, math.Ceil(math.Max(m.hiX, m.most)*1.08/20)*20) // four steps in whole numbers
	m.loY, m.hiY = math.Max(0, math.Floor(m.loY/5-.2)*5), math.Min(100, math.Ceil(m.hiY/5+.2)*5)
	return m
}

// x returns where a risk is, in per cent: the plane is as wide as the page lets it be, and letters keep their size.
func (m *riskMap) x(risk float64) float64 { return 100 * risk / m.hiX }

// y returns the height of a use.
func (m *riskMap) y(use float64) float64 {
	return mapHigh - low - (use-m.loY)/(m.hiY-m.loY)*(mapHigh-mapTop-low)
}

func (m *riskMap) put(format string, args ...any) { fmt.Fprintf(&m.svg, format, args...) }

// percent writes per cent.
func (m *riskMap) percent(v float64) string { return m.l.Digits(fmt.Sprintf("%.4g %%", v)) }

// drawGrid draws four steps of each axis, with what they mean.
func (m *riskMap) drawGrid() {
	for k := range 5 {
		risk, use := m.hiX*float64(k)/4, m.loY+(m.hiY-m.loY)*float64(k)/4
		x, y := m.x(risk), m.y(use)
		m.put(
			`<line class="grid" x1="%.2f%%" x2="%.2f%%" y1="%g" y2="%g"/><line class="grid" x1="0" x2="100%%" y1="%.1f" y2="%.1f"/>`,
			x, x, mapTop, mapHigh-low, y, y,
		)
		m.put(
			`<text class="k" x="%.2f%%" y="%.1f" text-anchor="middle">%s</text><text class="k" x="-8" y="%.1f" text-anchor="end">%s</text>`,
			x, mapHigh-low+16, m.percent(risk), y+3.5, m.percent(use),
		)
	}
	m.put(`<text class="k" x="-48" y="14">%s</text><text class="k" x="100%%" y="%g" text-anchor="end">%s</text>`,
		m.says("use"), mapHigh-8, m.says("risk"))
}

// drawLimit draws the limit on the risk where there is one inside the plane.
func (m *riskMap) drawLimit() {
	if m.most <= 0 || m.most >= m.hiX {
		return
	}
	x := m.x(m.most)
	m.put(
		`<line class="demand" x1="%.2f%%" x2="%.2f%%" y1="%g" y2="%g"/><text class="k" x="%.2f%%" dx="4" y="%g">%s %s</text>`,
		x, x, mapTop, mapHigh-low, x, mapTop+10, m.says("limit"), m.percent(m.most),
	)
}

// drawPoint draws what was tried with the interval of its risk and its number.
func (m *riskMap) drawPoint(c *trayRow) {
	class := "point"
	if c.Here {
		class = "point here"
	}
	says := template.HTMLEscapeString(chart.Printable(m.l.Say(c.says())))
	x, y := m.x(c.Risk.Value), m.y(*c.Accuracy)
	m.put(
		`<a href="#t%d" aria-label="%s"><line class="bar" x1="%.2f%%" x2="%.2f%%" y1="%.1f" y2="%.1f"/><circle class="%s" cx="%.2f%%" cy="%.1f" r="6"/><text class="l" x="%.2f%%" dx="9" y="%.1f">%d</text></a>`,
		c.N, says, m.x(c.Risk.Lo), m.x(c.Risk.Hi), y, y, class, x, y, x, y-6, c.N,
	)
}

// drawOriginal marks the original where its risk is known, with its name on the side where points have no number.
func (m *riskMap) drawOriginal() {
	if m.original == nil || m.original.Before <= 0 {
		return
	}
	x, y, name := m.x(m.original.Before), m.y(*m.original.Original), 20.0
	if y > mapHigh-low-24 {
		name = -12
	}
	m.put(
		`<svg x="%.2f%%" y="%.1f" overflow="visible"><path class="original" d="M0 -6l6 6l-6 6l-6 -6z"><title>%s</title></path></svg><text class="k" x="%.2f%%" y="%.1f" text-anchor="middle">%s</text>`,
		x, y, m.says("original"), x, y+name, m.says("original"),
	)
}
