package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study/ranking"
)

// Draw draws utility (Y) against risk (X): the settings of the frontier as full dots joined by steps, those close to it
// as rings, the dominated ones in grey; intervals as bars; the settings of one technique joined. Every dot is labelled
// beside it; where there is no room it gets a number that a list below explains. The id must be unique in the page.
// Cost: O(k^2) for k points.
func (m Map) Draw(id string) template.HTML {
	if m.Width == 0 {
		m.Width = smallWidth
	}
	d := riskMap{Map: m, standing: m.figures().Standings()}
	d.height = clamp(m.Width*0.62, 300, 480)
	if !slices.ContainsFunc(d.standing, func(s ranking.Standing) bool { return s != ranking.Unknown }) {
		return empty(id, m.Title)
	}
	d.scales()
	d.axes()
	d.frontier()
	d.limit()
	d.paths()
	d.dots()
	d.labels()
	return d.svg(id, d.class(), m.Title, d.describe(), m.Width, d.height+d.list())
}

// riskMap is a map with its layout.
type riskMap struct {
	canvas
	Map
	placer
	standing           []ranking.Standing
	height             float64 // without the list below
	x0, x1, y0, y1     float64 // the frame; y0 is its upper end
	loX, hiX, loY, hiY float64 // values at the frame
	numbered           []int   // points that the list explains
}

func (d *riskMap) class() string {
	if d.Width <= smallWidth {
		return "small"
	}
	return "wide"
}

const (
	dot      = 4.6 // radius of a point
	mapInset = 14.0
	mapHead  = 30.0
	mapFoot  = 40.0
)

// scales chooses the values at the frame and its place.
func (d *riskMap) scales() {
	var xs, ys []Estimate
	for i, p := range d.Points {
		if d.standing[i] != ranking.Unknown {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	var ox, oy Estimate
	if d.Original != nil {
		ox, oy = d.Original.X, d.Original.Y
	} else {
		ox, oy = ranking.Nothing(), ranking.Nothing()
	}
	if d.loX, d.hiX = d.X.frame(xs, ox); d.X.Limit != nil { // a line far from every point would press them together
		if lo, hi := math.Min(d.loX, *d.X.Limit), math.Max(d.hiX, *d.X.Limit); hi-lo <= 2.5*(d.hiX-d.loX) {
			d.loX, d.hiX = lo, hi
		}
	}
	d.loY, d.hiY = d.Y.frame(ys, oy)
	s := ticks(d.loY, d.hiY, 6)
	wide := 0.0
	for k := s.first; k <= s.last; k++ {
		wide = math.Max(wide, faceTick.width(s.label(k)))
	}
	d.x0, d.x1 = wide+8, d.Width-6
	d.y0, d.y1 = mapHead, d.height-mapFoot
	d.area = region{d.x0 + 2, d.y0 + 2, d.x1 - 2, d.y1 - 2}
}

// frame returns the ends of an axis: all intervals, at least a twentieth of what is possible or of the largest value,
// so that small differences look small; and the original, unless it would push the points into a corner.
func (a Axis) frame(es []Estimate, original Estimate) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	widen := func(e Estimate) {
		p, q := e.Ends()
		lo, hi = math.Min(lo, p), math.Max(hi, q)
	}
	for _, e := range es {
		widen(e)
	}
	least := math.Max(math.Abs(lo), math.Abs(hi)) / 20
	bounded := a.Range.Hi > a.Range.Lo && !math.IsInf(a.Range.Hi-a.Range.Lo, 0)
	if bounded {
		least = (a.Range.Hi - a.Range.Lo) / 20
	}
	if least == 0 {
		least = 1
	}
	if original.Known() {
		if m := original.Mean; math.Max(hi, m)-math.Min(lo, m) <= 2.5*math.Max(hi-lo, least) {
			lo, hi = math.Min(lo, m), math.Max(hi, m)
		}
	}
	if more := least - (hi - lo); more > 0 {
		lo, hi = lo-more/2, hi+more/2
	}
	if bounded {
		if hi > a.Range.Hi {
			lo, hi = math.Min(lo, a.Range.Hi-math.Max(a.Range.Hi-lo, least)), a.Range.Hi
		}
		if lo < a.Range.Lo {
			lo, hi = a.Range.Lo, math.Max(hi, math.Min(a.Range.Lo+least, a.Range.Hi))
		}
	}
	return lo, hi
}

func (d *riskMap) px(v float64) float64 {
	a, b := d.x0+mapInset, d.x1-mapInset
	return clamp(a+(v-d.loX)/(d.hiX-d.loX)*(b-a), d.x0+dot+1, d.x1-dot-1)
}

func (d *riskMap) py(v float64) float64 {
	a, b := d.y1-mapInset, d.y0+mapInset
	return clamp(a+(v-d.loY)/(d.hiY-d.loY)*(b-a), d.y0+dot+1, d.y1-dot-1)
}

// axes draws the grid, the ticks, the titles and the arrow to the better corner.
func (d *riskMap) axes() {
	var grid strings.Builder
	s := ticks(d.loY, d.hiY, 6)
	for k := s.first; k <= s.last; k++ {
		y := d.py(k * s.step)
		line(&grid, d.x0, y, d.x1, y)
		d.text(d.x0-5, y+3.6, faceTick, right, s.label(k), "")
	}
	for _, t := range spaced(8, 8, numbers(d.loX, d.hiX, 0, scale.label), func(v, _ float64) float64 { return d.px(v) }) {
		x, w := d.px(t.at), faceTick.width(t.label)
		line(&grid, x, d.y0, x, d.y1)
		d.text(math.Min(x, d.Width-w/2-1), d.y1+14, faceTick, middle, t.label, "")
	}
	d.path(grid.String(), "grid")
	d.raw(`<path d="M`, px(d.x0), ` `, px(d.y0), `V`, px(d.y1), `H`, px(d.x1), `" class="axis"/>`)
	d.corner()
	// The words at the better ends stand apart from the titles.
	d.fitted(0, 12, faceNode, left, d.Y.Title, d.Width, nil)
	d.text(0, 25, faceTick, left, d.Y.Better, "")
	way := d.X.Better
	d.text(d.x1, d.y1+33, faceTick, right, way, "")
	d.fitted(d.x0, d.y1+33, faceNode, left, d.X.Title, d.x1-d.x0-faceTick.width(way)-12, nil)
}

// corner draws an arrow into the better corner.
func (d *riskMap) corner() {
	x, y, sx, sy := d.x0+6, d.y1-6, -1.0, 1.0
	if d.X.Higher {
		x, sx = d.x1-6, 1
	}
	if d.Y.Higher {
		y, sy = d.y0+6, -1
	}
	const n, head = 20.0, 7.0
	d.raw(`<path d="M`, px(x-sx*n), ` `, px(y-sy*n), `L`, px(x), ` `, px(y), `M`, px(x-sx*head), ` `, px(y), `H`, px(x),
		`V`, px(y-sy*head), `" class="mark"/>`)
	box := region{math.Min(x, x-sx*n), math.Min(y, y-sy*n), math.Max(x, x-sx*n), math.Max(y, y-sy*n)}
	d.taken = append(d.taken, box)
	better := message.Say("chart.better").String()
	w, a, at := faceTick.width(better), left, box.x1+5
	if d.X.Higher {
		a, at = right, box.x0-5
	}
	base := box.y0 + 9
	if !d.Y.Higher {
		base = box.y1 - 1
	}
	d.text(at, base, faceTick, a, better, "")
	if a == right {
		at -= w
	}
	d.taken = append(d.taken, region{at, base - 9, at + w, base + 3})
}

// frontier shades what the frontier dominates and draws its steps.
func (d *riskMap) frontier() {
	var best []int
	for i, s := range d.standing {
		if s == ranking.Frontier {
			best = append(best, i)
		}
	}
	if best == nil {
		return
	}
	// From the safest to the most useful.
	slices.SortStableFunc(best,
		func(i, k int) int { return cmp.Compare(d.X.side().Gain(d.Points[k].X, d.Points[i].X), 0) })
	farX, farY := d.x0, d.y0
	if !d.X.Higher {
		farX = d.x1
	}
	if d.Y.Higher {
		farY = d.y1
	}
	var steps strings.Builder
	x, y := 0.0, farY
	if flatX, flatY := d.figures().Flat(); flatX || flatY {
		if !flatY {
			d.level(d.py(d.Points[best[0]].Y.Mean), farY)
		}
		return
	}
	for k, i := range best {
		px1, py1 := d.px(d.Points[i].X.Mean), d.py(d.Points[i].Y.Mean)
		if k == 0 {
			steps.WriteString("M" + px(px1) + " " + px(farY))
		} else {
			d.lines = append(d.lines, segment{x, y, px1, y})
		}
		steps.WriteString("H" + px(px1) + "V" + px(py1))
		d.lines = append(d.lines, segment{px1, y, px1, py1})
		x, y = px1, py1
	}
	d.lines = append(d.lines, segment{x, y, farX, y})
	steps.WriteString("H" + px(farX))
	d.path(steps.String()+"V"+px(farY)+"z", "shade")
	d.path(steps.String(), "front")
}

// level is the frontier where risk tells nothing apart: a line at the best utility.
func (d *riskMap) level(y, farY float64) {
	d.lines = append(d.lines, segment{d.x0, y, d.x1, y})
	line := "M" + px(d.x0) + " " + px(y) + "H" + px(d.x1)
	d.path(line+"V"+px(farY)+"H"+px(d.x0)+"z", "shade")
	d.path(line, "front")
}

// paths joins the settings of one technique.
func (d *riskMap) paths() {
	last := map[int]int{}
	var joins strings.Builder
	for i, p := range d.Points {
		if p.Path == 0 || d.standing[i] == ranking.Unknown {
			continue
		}
		if k, ok := last[p.Path]; ok {
			s := segment{d.px(d.Points[k].X.Mean), d.py(d.Points[k].Y.Mean), d.px(p.X.Mean), d.py(p.Y.Mean)}
			line(&joins, s.x1, s.y1, s.x2, s.y2)
			d.lines = append(d.lines, s)
		}
		last[p.Path] = i
	}
	d.path(joins.String(), "join")
}

// dots draws the points, the best on top, and the original.
func (d *riskMap) dots() {
	var errors strings.Builder
	cross := func(p Point) {
		x, y := d.px(p.X.Mean), d.py(p.Y.Mean)
		if lo, hi := p.X.Ends(); lo < hi {
			s := segment{d.px(lo), y, d.px(hi), y}
			line(&errors, s.x1, s.y1, s.x2, s.y2)
			d.lines = append(d.lines, s)
		}
		if lo, hi := p.Y.Ends(); lo < hi {
			s := segment{x, d.py(lo), x, d.py(hi)}
			line(&errors, s.x1, s.y1, s.x2, s.y2)
			d.lines = append(d.lines, s)
		}
	}
	for i, p := range d.Points {
		if d.standing[i] != ranking.Unknown {
			cross(p)
		}
	}
	d.path(errors.String(), "cross")
	d.original()
	for _, s := range []ranking.Standing{ranking.Aside, ranking.Dominated, ranking.Close, ranking.Frontier} {
		for i, p := range d.Points {
			if d.standing[i] == s {
				d.dot(
					p,
					map[ranking.Standing]string{ranking.Aside: "barred", ranking.Dominated: "worse", ranking.Close: "close",
						ranking.Frontier: "bar"}[s],
				)
			}
		}
	}
}

// original draws the mark of the unprotected table; one that is off the scale stands at the rim and says so.
func (d *riskMap) original() {
	p := d.Original
	if p == nil || !p.known() {
		return
	}
	x, y := d.px(p.X.Mean), d.py(p.Y.Mean)
	d.raw(`<path d="M`, px(x-6), ` `, px(y), `L`, px(x), ` `, px(y-6), `L`, px(x+6), ` `, px(y), `L`, px(x), ` `,
		px(y+6), `z" class="orig"><title>`, escape(d.tip(*p)), `</title></path>`)
	d.taken = append(d.taken, region{x - 6, y - 6, x + 6, y + 6})
}

// nameOriginal labels that mark.
func (d *riskMap) nameOriginal() {
	p := d.Original
	if p == nil || !p.known() {
		return
	}
	label := p.Label
	if p.X.Mean < d.loX || p.X.Mean > d.hiX || p.Y.Mean < d.loY || p.Y.Mean > d.hiY {
		off := message.Say("chart.off").Text("label", label)
		if d.Width > smallWidth {
			off = message.Say("chart.offAt").Text("label", label).Fixed("y", p.Y.Mean, d.Y.Decimals).
				Fixed("x", p.X.Mean, d.X.Decimals)
		}
		label = off.String()
	}
	d.label(face{"l dim", faceLabel.size, false}, label, d.px(p.X.Mean), d.py(p.Y.Mean), 6, len(offsets))
}

// labels names the points, the best first; those for which there is no room get numbers.
func (d *riskMap) labels() {
	var rest []int
	for _, s := range []ranking.Standing{ranking.Frontier, ranking.Close, ranking.Dominated, ranking.Aside} {
		for i, p := range d.Points {
			if d.standing[i] != s {
				continue
			}
			f := faceLabel
			switch s {
			case ranking.Frontier:
				f = faceNode
			case ranking.Dominated, ranking.Aside:
				f.class = "l dim"
			case ranking.Close, ranking.Unknown: // as the plain face is
			}
			if p.Label == "" || !d.label(f, p.Label, d.px(p.X.Mean), d.py(p.Y.Mean), dot, 4) {
				rest = append(rest, i)
			}
		}
	}
	d.nameOriginal()
	slices.Sort(rest)
	for _, i := range rest {
		d.numbered = append(d.numbered, i)
		d.label(faceTag, strconv.Itoa(len(d.numbered)), d.px(d.Points[i].X.Mean), d.py(d.Points[i].Y.Mean), dot, len(offsets))
	}
}

// label writes a text beside a point of radius r, if there is room.
func (d *riskMap) label(f face, s string, x, y, r float64, reach int) bool {
	short, cut := f.distinct(s, d.Width*0.42, labels(d.Points, func(p Point) string { return p.Name }))
	at, ok := d.place(x, y, r, f.width(short), f.size*0.94, reach)
	if !ok {
		return false
	}
	if at.leader != nil {
		var l strings.Builder
		line(&l, at.leader.x1, at.leader.y1, at.leader.x2, at.leader.y2)
		d.path(l.String(), "lead")
	}
	tip := ""
	if cut {
		tip = s
	}
	tx := map[anchor]float64{left: at.region.x0, right: at.region.x1, middle: (at.region.x0 + at.region.x1) / 2}[at.anchor]
	d.text(tx, at.region.y0+0.73*f.size, face{f.class + " halo", f.size, f.bold}, at.anchor, short, tip)
	return true
}

// list writes what the numbers stand for below the map and returns its height.
func (d *riskMap) list() float64 {
	if len(d.numbered) == 0 {
		return 0
	}
	const pitch, wide = 16.0, 300.0
	columns := max(1, int(d.Width/wide))
	rows := (len(d.numbered) + columns - 1) / columns
	step := d.Width / float64(columns)
	for k, i := range d.numbered {
		x, y := float64(k/rows)*step, d.height+14+float64(k%rows)*pitch
		d.text(x+16, y, faceTag, right, strconv.Itoa(k+1), "")
		d.fitted(x+21, y, faceLabel, left, d.Points[i].Name, step-25,
			labels(d.Points, func(p Point) string { return p.Name }))
	}
	return float64(rows)*pitch + 8
}

// describe says what a reader who does not see the map should know.
func (d *riskMap) describe() string {
	var names []string
	for i, s := range d.standing {
		if s == ranking.Frontier {
			names = append(names, d.Points[i].Name)
		}
	}
	one, other, n := d.Y.Title, d.X.Title, len(d.Points)
	if names == nil {
		return message.Say("chart.mapBare").Text("one", one).Text("other", other).Count("n", n).String()
	}
	return message.Say("chart.map").Text("one", one).Text("other", other).Count("n", n).Names("names", names).String()
}
