package report

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// contest is a comparison made ready to be judged.
type contest struct {
	*study.Comparison
	gauges   []gauge
	utility  *gauge // the axes of the map; nil when no such measure was taken
	risk     *gauge
	entrants []entrant // by utility, the best first, and then the baselines; without the original
	original entrant
	at       map[[3]int]*study.Summary
}

// entrant is a setting of the comparison.
type entrant struct {
	index     int
	name      string // Framework (spread 10)
	technique string // Framework
	values    string // spread 10; empty without a grid
	label     string // beside its point: the name, or the value alone for all but the first of a path
	path      int
	baseline  bool // not for release
	standing  chart.Standing
	beatenBy  string // name of one that dominates it
}

func newContest(c *study.Comparison, opt CompareOptions) (*contest, error) {
	c = printed(c)
	t := &contest{Comparison: c, at: map[[3]int]*study.Summary{}}
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Part == "" {
			t.at[[3]int{s.Data, s.Setting, s.Measure}] = s
		}
	}
	for k := range c.Measures {
		t.gauges = append(t.gauges, newGauge(c, k))
	}
	t.original = entrant{index: 0, name: "Original", label: "original"}
	paths := map[string]int{}
	for k := 1; k < len(c.Settings); k++ {
		t.entrants = append(t.entrants, newEntrant(c, k, paths))
	}
	t.joined()
	if err := t.choose(opt); err != nil {
		return nil, err
	}
	t.rank()
	return t, nil
}

// printed returns a copy whose names can be printed: they come from files and may hold control characters.
func printed(c *study.Comparison) *study.Comparison {
	out := *c
	out.Data, out.Settings, out.Measures = slices.Clone(c.Data), slices.Clone(c.Settings), slices.Clone(c.Measures)
	for i := range out.Data {
		d := &out.Data[i]
		d.Name, d.Class, d.File.Name = Printable(d.Name), Printable(d.Class), Printable(d.File.Name)
	}
	for i := range out.Settings {
		s := &out.Settings[i]
		s.Name = Printable(s.Name)
		if s.Method != nil {
			m := *s.Method
			m.Title, m.Name = Printable(m.Title), Printable(m.Name)
			s.Method = &m
		}
	}
	for i := range out.Measures {
		m := &out.Measures[i]
		m.Title, m.Label, m.Notes = Printable(m.Title), Printable(m.Label), slices.Clone(m.Notes)
		for k, n := range m.Notes {
			m.Notes[k] = Printable(n)
		}
	}
	return &out
}

// newEntrant names a setting. Settings that differ in the last parameter of their grid alone are one path.
func newEntrant(c *study.Comparison, k int, paths map[string]int) entrant {
	s := &c.Settings[k]
	e := entrant{index: k, name: s.Name}
	if s.Method != nil {
		e.name = shortName(s.Method.Title, s.Method.Name)
	}
	e.baseline = s.Method != nil && s.Method.Baseline
	var keys []string
	for key := range s.Varied {
		keys = append(keys, key)
	}
	// The setting's name lists them in the order of the grid.
	place := func(key string) int { return strings.LastIndex(s.Name, " "+key+"=") }
	slices.SortFunc(keys, func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var values []string
	for _, key := range keys {
		values = append(values, Printable(key+" "+s.Varied[key]))
	}
	e.technique = e.name
	group := e.name
	if n := len(values); n > 0 {
		e.values = strings.Join(values, ", ")
		e.name += " (" + e.values + ")"
		group += " (" + strings.Join(values[:n-1], ", ")
	}
	if e.baseline {
		e.name += " (" + notForRelease + ")"
	}
	e.label = e.name
	if len(keys) == 0 {
		return e
	}
	if e.path = paths[group]; e.path != 0 {
		e.label = Printable(s.Varied[keys[len(keys)-1]])
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

// choose picks the measures of the map: those asked for, else accuracy or the first of utility, and the first of risk that tells the settings apart.
func (t *contest) choose(opt CompareOptions) error {
	var err error
	if t.utility, err = t.find(opt.Utility); err != nil {
		return err
	}
	if t.risk, err = t.find(opt.Risk); err != nil {
		return err
	}
	for i := range t.gauges {
		g := &t.gauges[i]
		if opt.Utility == "" && g.Side == measure.Utility && (t.utility == nil || g.Name == "accuracy" && t.utility.Name != "accuracy") {
			t.utility = g
		}
		if opt.Risk == "" && g.Side == measure.Risk && (t.risk == nil || !t.apart(t.risk) && t.apart(g)) {
			t.risk = g
		}
	}
	if t.risk != nil && !strings.EqualFold(t.risk.Label, opt.Risk) {
		t.risk = t.strongest(t.risk)
	}
	return nil
}

// strongest returns a measure of risk as taken against the intruder to whom the settings expose most, of equal ones the last; one that tells
// candidates apart goes before one that does not.
func (t *contest) strongest(g *gauge) *gauge {
	exposed := func(g *gauge) (sum float64) {
		for _, e := range t.candidates() {
			if v := t.over(g, e.index); v.Known() {
				sum += v.Mean
			}
		}
		return sum
	}
	best := g
	for i := range t.gauges {
		o := &t.gauges[i]
		if o.Name != g.Name || o.varied != g.varied {
			continue
		}
		if useful := t.apart(o); useful != t.apart(best) {
			if useful {
				best = o
			}
		} else if !g.better(exposed(o), exposed(best)) {
			best = o
		}
	}
	return best
}

// find returns the measure with a name or label; nil for an empty one.
func (t *contest) find(name string) (*gauge, error) {
	if name == "" {
		return nil, nil
	}
	var known []string
	for i := range t.gauges {
		g := &t.gauges[i]
		if g.Answers(name) || strings.EqualFold(g.Label, name) {
			return g, nil
		}
		known = append(known, g.Label)
	}
	return nil, &UnknownMeasure{name, known}
}

// UnknownMeasure is the error for an axis that names no measure of the comparison.
type UnknownMeasure struct {
	Name  string
	Known []string
}

func (e *UnknownMeasure) Error() string {
	return "the comparison has no measure \"" + Printable(e.Name) + "\", it has " + strings.Join(e.Known, ", ")
}

// one returns the figure of a setting on one data set.
func (t *contest) one(g *gauge, data, setting int) chart.Estimate {
	s := t.at[[3]int{data, setting, g.index}]
	if s == nil {
		return chart.Nothing()
	}
	return chart.Estimate{Mean: s.Mean * g.factor, Lo: s.Lo * g.factor, Hi: s.Hi * g.factor}
}

// over returns the mean of a setting over the data sets, each with the same weight. Its interval treats them as given and their errors
// as independent. A setting that failed on one has none: it would be compared over other data sets than the rest.
func (t *contest) over(g *gauge, setting int) chart.Estimate {
	var sum, square float64
	for d := range t.Data {
		e := t.one(g, d, setting)
		if !e.Known() {
			return chart.Nothing()
		}
		sum += e.Mean
		square += (e.Hi - e.Lo) / 2 * (e.Hi - e.Lo) / 2
	}
	n := float64(len(t.Data))
	half := math.Sqrt(square) / n
	return chart.Estimate{Mean: sum / n, Lo: sum/n - half, Hi: sum/n + half}
}

// notForRelease marks a baseline.
const notForRelease = "not for release"

// candidates returns the settings of which one may be chosen: all but the baselines.
func (t *contest) candidates() []entrant {
	return slices.DeleteFunc(slices.Clone(t.entrants), func(e entrant) bool { return e.baseline })
}

// apart reports whether a measure tells at least two candidates apart.
func (t *contest) apart(g *gauge) bool {
	all := t.candidates()
	for _, a := range all {
		for _, b := range all {
			if g.clearly(t.over(g, a.index), t.over(g, b.index)) {
				return true
			}
		}
	}
	return false
}

// rank orders the settings by utility and finds where they stand on the map.
func (t *contest) rank() {
	if t.utility == nil {
		return
	}
	u := t.utility
	slices.SortStableFunc(t.entrants, func(a, b entrant) int {
		x, y := t.over(u, a.index), t.over(u, b.index)
		switch {
		case a.baseline != b.baseline:
			return compare(a.baseline, b.baseline)
		case !x.Known() || !y.Known():
			return compare(y.Known(), x.Known())
		case u.better(x.Mean, y.Mean):
			return -1
		case u.better(y.Mean, x.Mean):
			return 1
		}
		return 0
	})
	if t.risk == nil {
		return
	}
	m := t.mapOf(-1)
	standings := m.Standings()
	all := t.byPlace()
	for i, e := range all {
		e.standing = standings[i]
		best := chart.Unknown
		for k, other := range all {
			if e.standing == chart.Dominated && standings[k] > best && m.Dominates(k, i) {
				best, e.beatenBy = standings[k], other.name
			}
		}
	}
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// byPlace returns the entrants in the order of the request, which is that of the paths.
func (t *contest) byPlace() []*entrant {
	out := make([]*entrant, len(t.entrants))
	for i := range t.entrants {
		out[t.entrants[i].index-1] = &t.entrants[i]
	}
	return out
}

// mapOf returns the risk-utility map of a data set, of the means over all for -1.
func (t *contest) mapOf(data int) chart.Map {
	get := func(g *gauge, setting int) chart.Estimate {
		if data < 0 {
			return t.over(g, setting)
		}
		return t.one(g, data, setting)
	}
	axis := func(g *gauge, good string) chart.Axis {
		return chart.Axis{Title: g.heading(), Good: good, Higher: g.higher(), Decimals: g.decimals, Margin: g.margin, Range: table.Interval{Lo: g.lo, Hi: g.hi}}
	}
	m := chart.Map{X: axis(t.risk, "safer"), Y: axis(t.utility, "more useful"), Title: "Risk and utility"}
	for _, e := range t.byPlace() {
		m.Points = append(m.Points, chart.Point{Label: e.label, Name: e.name, Path: e.path, Aside: e.baseline, X: get(t.risk, e.index), Y: get(t.utility, e.index)})
	}
	m.Original = &chart.Point{Label: t.original.label, Name: "Original, released as it is", X: get(t.risk, 0), Y: get(t.utility, 0)}
	return m
}
