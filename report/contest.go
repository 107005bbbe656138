package report

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
	"github.com/dither-data/dither/table"
)

// contest is a judged comparison with the words for its measures and settings.
type contest struct {
	*ranking.Contest
	gauges   []gauge
	utility  *gauge // the axes of the map; nil when no such measure was taken
	risk     *gauge
	entrants []entrant // in the order of the contest's
	original entrant
}

// entrant is a setting of the comparison with its names.
type entrant struct {
	ranking.Entrant
	name      string // Framework (spread 10), and that it is not for release
	plain     string // the name without that
	technique string // Framework
	values    string // spread 10; empty without a grid
	label     string // beside its point: the name, or the value alone for all but the first of a path
	path      int
}

func newContest(c *study.Comparison, opt CompareOptions) (*contest, error) {
	judged, err := ranking.New(c, opt.choices())
	if err != nil {
		return nil, err
	}
	t := &contest{Contest: judged, original: entrant{
		name: message.Say("before").String(), label: message.Say("compare.map.label").String()}}
	for k := range judged.Scales {
		t.gauges = append(t.gauges, newGauge(&judged.Scales[k]))
	}
	t.utility, t.risk = t.gaugeOf(judged.Utility), t.gaugeOf(judged.Risk)
	paths := map[string]int{}
	named := make([]entrant, len(judged.Settings))
	for k := 1; k < len(named); k++ {
		named[k] = newEntrant(judged.Comparison, k, paths)
	}
	for _, e := range judged.Entrants {
		named[e.Setting].Entrant = e
		if n := &named[e.Setting]; e.Unfit != nil {
			n.name = barred(n.plain)
		}
		t.entrants = append(t.entrants, named[e.Setting])
	}
	t.joined()
	return t, nil
}

// gaugeOf returns the words for a scale; nil for none.
func (t *contest) gaugeOf(s *ranking.Scale) *gauge {
	if s == nil {
		return nil
	}
	return &t.gauges[s.Index]
}

// named returns the names of settings.
func (t *contest) named(es []ranking.Entrant) (out []entrant) {
	for _, e := range es {
		k := slices.IndexFunc(t.entrants, func(n entrant) bool { return n.Setting == e.Setting })
		out = append(out, t.entrants[k])
	}
	return out
}

// over is the mean of a setting over the data sets.
func (t *contest) over(g *gauge, e entrant) ranking.Estimate { return t.Over(g.Scale, e.Setting) }

// newEntrant names a setting. Settings that differ in the last parameter of their grid alone are one path.
func newEntrant(c *study.Comparison, setting int, paths map[string]int) entrant {
	s := &c.Settings[setting]
	e := entrant{name: s.Name}
	if s.Method != nil {
		e.name = s.Method.Called()
	}
	var values []string
	for _, key := range s.Axes {
		values = append(values, key+" "+s.Varied[key])
	}
	e.technique = e.name
	group := e.name
	if n := len(values); n > 0 {
		e.values = strings.Join(values, ", ")
		e.name += " (" + e.values + ")"
		group += " (" + strings.Join(values[:n-1], ", ")
	}
	if e.plain = e.name; s.Method != nil && s.Method.Baseline {
		e.name = barred(e.plain)
	}
	e.label = e.name
	if len(s.Axes) == 0 {
		return e
	}
	if e.path = paths[group]; e.path != 0 {
		e.label = s.Varied[s.Axes[len(s.Axes)-1]]
		return e
	}
	e.path = len(paths) + 1
	paths[group] = e.path
	return e
}

// joined takes the path from settings that are alone on it.
func (t *contest) joined() {
	size := map[int]int{}
	for _, e := range t.entrants {
		size[e.path]++
	}
	for i := range t.entrants {
		if size[t.entrants[i].path] == 1 {
			t.entrants[i].path = 0
		}
	}
}

// barred is the name of a setting that is not for release: a baseline, or one that breaks a limit.
func barred(name string) string { return message.Say("compare.barred").Name("setting", name).String() }

// byPlace returns the entrants in the order of the request, which is that of the paths.
func (t *contest) byPlace() []*entrant {
	out := make([]*entrant, len(t.entrants))
	for i := range t.entrants {
		out[t.entrants[i].Setting-1] = &t.entrants[i]
	}
	return out
}

// mapOf draws the risk-utility map of a data set, of the means over all for -1.
func (t *contest) mapOf(data int) chart.Map {
	axis := func(g *gauge, good, higher, lower string) chart.Axis {
		return chart.Axis{
			Title:    g.heading(),
			Better:   better(good, way(g, higher, lower)),
			Higher:   g.Higher(),
			Decimals: g.decimals,
			Margin:   g.Margin,
			Range:    table.Interval{Lo: g.Lo, Hi: g.Hi},
		}
	}
	figures := t.Map(data)
	m := chart.Map{X: axis(t.risk, "safer", "right", "left"), Y: axis(t.utility, "useful", "up", "down"),
		Title: message.Say("compare.map.drawing").String()}
	for i, e := range t.byPlace() {
		p := figures.Points[i]
		m.Points = append(m.Points, chart.Point{Label: e.label, Name: e.name, Path: e.path, Aside: p.Aside, X: p.X, Y: p.Y,
			Link: settingAnchor(e.Setting)})
	}
	if most := t.LimitOf(t.Risk); most == most {
		m.X.Limit = &most
	}
	m.Original = &chart.Point{
		Label: t.original.label,
		Name:  message.Say("compare.map.original").String(),
		X:     t.At(t.Risk, data, 0),
		Y:     t.At(t.Utility, data, 0),
	}
	return m
}
