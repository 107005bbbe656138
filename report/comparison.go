package report

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"time"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/choice"
)

// CompareOptions says how a comparison is reported; the zero value is fine.
type CompareOptions struct {
	Title string // of the document; empty takes the headline
	// Utility and Risk name the measures on the axes of the map, by label or published name. Empty chooses as choice.Options says.
	Utility, Risk string
	// Limits are what a setting must keep to be for release, against the intruders that Binding names, as in choice.Options.
	Limits    *limit.Set
	Binding   []string
	Generated time.Time // printed when it is not zero
}

// CompareHTML writes the report of a comparison as one self-contained document: what to choose and why, the risk-utility map, every measure
// of every setting, what failed, and how it was done. An axis that names no measure is an *choice.UnknownMeasure. Cost: O(cells + k^2) for k settings.
func CompareHTML(w io.Writer, c *study.Comparison, opt CompareOptions) error {
	t, err := newContest(c, opt)
	if err != nil {
		return err
	}
	p := newComparePage(t, opt)
	p.CSS = Style() + paper("comparison of techniques · confidential")
	return execute(w, pages().Lookup("comparison"), p)
}

// choices is what of the options the choice follows.
func (o *CompareOptions) choices() choice.Options {
	return choice.Options{Utility: o.Utility, Risk: o.Risk, Limits: o.Limits, Binding: o.Binding}
}

// CompareVerdict puts into sentences what the page of a comparison and its text begin with: what to choose and why.
func CompareVerdict(c *study.Comparison, opt CompareOptions) ([]string, error) {
	t, err := newContest(c, opt)
	if err != nil {
		return nil, err
	}
	v := newVerdict(t)
	return append([]string{sentence(v.headline())}, v.deck()...), nil
}

// comparePage is what the template shows, every text ready to be read.
type comparePage struct {
	CSS       template.CSS
	Title     string
	Headline  string
	Deck      []string
	Generated string

	Map       *mapSection
	Rule      string
	Scores    scoreTable
	AllScores *scoreTable // folded, where Scores leaves something out
	Bars      []barSection
	MoreBars  []barSection // folded
	Quartiles []quartileSection
	Sets      []scoreTable // of every data set, when there are several
	Failures  []failureRow
	MoreFails []failureRow // folded
	Unlisted  string       // how many failures the table leaves out
	Measures  []criterionRow
	Protocol  []fact
	Data      []studiedRow
	Settings  []settingRow
	Origin    []fact
}

// mapSection is the risk-utility map: a wide drawing, a narrow one for phones, and one for every data set when there are several.
type mapSection struct {
	Wide, Narrow template.HTML
	Lead         string
	Notes        []string
	Runs         []string // notes on single runs, folded
	Close        bool     // some settings are rings
	Aside        bool     // some settings are not for release
	Each         []panel
}

// barSection is one measure in bars, a panel for every data set.
type barSection struct {
	Name, Lead string
	Panels     []panel
}

// mapWidth is the width of the large map in pixels; a narrow one is as wide as a small multiple.
const mapWidth = 780

func newComparePage(t *contest, opt CompareOptions) *comparePage {
	v := newVerdict(t)
	p := &comparePage{Title: opt.Title, Headline: v.headline(), Deck: v.deck(), Rule: v.rule()}
	if p.Title == "" {
		p.Title = p.Headline
	}
	if !opt.Generated.IsZero() {
		p.Generated = opt.Generated.Format("2 January 2006, 15:04 MST")
	}
	if t.utility != nil && t.risk != nil && len(v.known) > 0 {
		p.Map = newMapSection(t)
	}
	p.Scores = t.scores(-1)
	if s := p.Scores; len(s.Head) > mostAcross || len(s.Rows) > mostOpenSettings {
		p.Scores, p.AllScores = s.opened(t.leading(v)), &s
	}
	for i, b := range t.bars() {
		if g := &t.gauges[i]; len(t.gauges) <= mostAcross || g == t.utility || g == t.risk {
			p.Bars = append(p.Bars, b)
		} else {
			p.MoreBars = append(p.MoreBars, b)
		}
	}
	p.Quartiles = t.quartiles()
	if len(t.Data) > 1 {
		for d := range t.Data {
			p.Sets = append(p.Sets, t.scores(d))
		}
	}
	if p.Failures, p.Unlisted = t.failures(); len(p.Failures) > mostOpenFailures+1 {
		p.Failures, p.MoreFails = p.Failures[:mostOpenFailures], p.Failures[mostOpenFailures:]
	}
	p.Measures = t.criteria()
	p.protocol(t)
	return p
}

func newMapSection(t *contest) *mapSection {
	m := t.mapOf(-1)
	s := &mapSection{Lead: "Each dot is a setting. The closer to the arrow, the better: " + t.utility.noun + " is " + way(t.utility, "upwards", "downwards") +
		", safety by " + t.risk.noun + " " + way(t.risk, "to the right", "to the left") + "."}
	s.Narrow = m.Draw("map-narrow")
	m.Width = mapWidth
	s.Wide = m.Draw("map")
	missing := 0
	for _, e := range t.entrants {
		s.Close = s.Close || e.Standing == choice.Close
		s.Aside = s.Aside || e.Standing == choice.Aside
		if e.Standing == choice.Unknown {
			missing++
		}
	}
	if flat, _ := t.Map(-1).Flat(); flat {
		s.Notes = append(s.Notes, upper(t.risk.noun)+" tells no two settings apart, so it does not count here.")
	}
	if missing > 0 {
		s.Notes = append(s.Notes, counted(missing, "setting")+" without a value on both axes left out.")
	}
	if len(t.Data) > 1 {
		s.Notes = append(s.Notes, fmt.Sprintf("The large map shows means over %d data sets, each with the same weight.", len(t.Data)))
		for d := range t.Data {
			each := t.mapOf(d)
			each.Title += ", " + t.Data[d].Name
			s.Each = append(s.Each, panel{Name: t.Data[d].Name, Chart: each.Draw(fmt.Sprintf("map-%d", d+1))})
		}
	}
	if notes := sentences(t.utility.Notes, t.risk.Notes); len(notes) > mostNotes { // of single runs, each with its own attack
		s.Runs = notes
	} else {
		s.Notes = append(s.Notes, notes...)
	}
	return s
}

// way names the direction in which a measure gets better.
func way(g *gauge, higher, lower string) string {
	if g.Higher() {
		return higher
	}
	return lower
}

// sentences joins lists of remarks, each once.
func sentences(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, l := range lists {
		for _, s := range l {
			if s = sentence(s); s != "" && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// bars draws every measure, a ranking for every data set on one scale.
func (t *contest) bars() []barSection {
	var out []barSection
	for i := range t.gauges {
		g := &t.gauges[i]
		var all []choice.Estimate
		for d := range t.Data {
			for s := range t.Settings {
				all = append(all, t.At(g.Scale, d, s))
			}
		}
		lo, hi := chart.Span(all...)
		lo, hi = math.Max(lo, g.Lo), math.Min(hi, g.Hi) // an interval may leave what is possible
		b := barSection{Name: g.name, Lead: upper(g.direction())}
		if u := g.unitText(); u != "" {
			b.Lead = upper(u) + "; " + g.direction()
		}
		b.Lead += ". " + sentence(g.Summary)
		for d := range t.Data {
			r := chart.Ranking{Title: g.name + " on " + t.Data[d].Name, Unit: g.unit, Decimals: g.decimals, Lo: lo, Hi: hi, Reference: t.At(g.Scale, d, 0).Mean, Named: "original"}
			best, clear := t.Best(g.Scale, d)
			for _, e := range t.entrants {
				v := t.At(g.Scale, d, e.Setting)
				r.Rows = append(r.Rows, chart.Row{Label: e.name, Value: v, Why: "not measured", Strong: t.Strong(e.Entrant),
					Best: clear && !e.Baseline && v.Mean == t.At(g.Scale, d, t.entrants[best].Setting).Mean})
			}
			b.Panels = append(b.Panels, panel{Name: t.Data[d].Name, Chart: r.Draw(fmt.Sprintf("bars-%d-%d", i+1, d+1))})
		}
		out = append(out, b)
	}
	return out
}

// unitText is the unit in words for a lead.
func (g *gauge) unitText() string {
	if g.unit == "%" {
		return "per cent " + g.of
	}
	return g.unit
}
