package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
)

// CompareOptions says how a comparison is reported; the zero value is fine.
type CompareOptions struct {
	Title string // of the document; empty takes the headline
	// Utility and Risk name the measures on the axes of the map, by label or published name. Empty chooses as
	// choice.Options says.
	Utility, Risk string
	// Limits are what a setting must keep to be for release, against the intruders that Binding names, as in
	// choice.Options.
	Limits    *limit.Set
	Binding   []string
	Generated time.Time // printed when it is not zero
}

// CompareHTML writes the report of a comparison as one self-contained document: what to choose and why, the
// risk-utility map, every measure of every setting, what failed, and how it was done. An axis that names no measure is
// an *choice.UnknownMeasure. Cost: O(cells + k^2) for k settings.
func CompareHTML(w io.Writer, c *study.Comparison, opt CompareOptions) error {
	d, err := CompareDocument(c, opt)
	if err != nil {
		return err
	}
	p := sheetOf(d, message.Say("page.kicker.comparison"), message.Say("page.paper.comparison"))
	if opt.Title != "" {
		p.Title = opt.Title
	}
	if !opt.Generated.IsZero() {
		p.Generated = opt.Generated.Format("2 January 2006, 15:04 MST")
	}
	return execute(w, pages().Lookup("sheet"), p)
}

// choices is what of the options the choice follows.
func (o *CompareOptions) choices() ranking.Options {
	return ranking.Options{Utility: o.Utility, Risk: o.Risk, Limits: o.Limits, Binding: o.Binding}
}

// CompareVerdict puts into sentences what the page of a comparison and its text begin with: what to choose and why.
func CompareVerdict(c *study.Comparison, opt CompareOptions) ([]message.Sentence, error) {
	t, err := newContest(c, opt)
	if err != nil {
		return nil, err
	}
	v := newVerdict(t)
	return append([]message.Sentence{message.Say("sentence").Part("says", v.headline())}, v.deck()...), nil
}

// CompareDocument builds what there is to say of a comparison.
func CompareDocument(c *study.Comparison, opt CompareOptions) (*document.Document, error) {
	t, err := newContest(c, opt)
	if err != nil {
		return nil, err
	}
	return t.document(newVerdict(t)), nil
}

// document builds what there is to say of a comparison with this verdict.
func (t *contest) document(v verdict) *document.Document {
	d := &document.Document{Kind: document.OfComparison, Title: v.headline(), Lead: v.deck()}
	for _, s := range []*document.Section{t.mapSection(), t.scoreSection(v), t.meansSection(),
		t.barSection(),
		t.quartileSection(), t.setSection(), t.failureSection(),
		t.measureSection(), t.protocol(v.rule())} {
		d.Add(s)
	}
	return d
}

// compareSection is a section of the page of a comparison; nil where it has no blocks.
func compareSection(key string, blocks ...document.Block) *document.Section {
	return some(&document.Section{Key: key, Title: message.Say("compare." + key + ".title"), Blocks: blocks})
}

// mapWidth is the width of the large map in pixels; a narrow one is as wide as a small multiple.
const mapWidth = 780

// mapSection is the risk-utility map: a wide drawing, a narrow one for phones, and one for every data set when there
// are several.
func (t *contest) mapSection() *document.Section {
	if t.utility == nil || t.risk == nil {
		return nil
	}
	m := t.mapOf(-1)
	if !slices.ContainsFunc(m.Points, func(p chart.Point) bool { return p.X.Known() && p.Y.Known() }) {
		return nil
	}
	wide := m
	wide.Width = mapWidth
	lead := message.Say("compare.map.lead").Text("utility", t.utility.noun).
		Part("up", way(t.utility, "up", "down")).Text("risk", t.risk.noun).Part("right", way(t.risk, "right", "left"))
	has := func(s ranking.Standing) bool {
		return slices.ContainsFunc(t.entrants, func(e entrant) bool { return e.Standing == s })
	}
	key := document.List{Look: "key"}
	for _, k := range []struct {
		key, mark string
		shown     bool
	}{{"on", "on", has(ranking.Frontier)}, {"near", "near", has(ranking.Close)}, {"off", "off", has(ranking.Dominated)},
		{"aside", "barred", has(ranking.Aside)}, {"limit", "limit", m.X.Limit != nil}, {"original", "orig", true}} {
		if k.shown {
			key.Items, key.Marks = append(key.Items, message.Say("compare.map.key."+k.key)), append(key.Marks, k.mark)
		}
	}
	notes, runs := t.mapNotes()
	aside := []document.Block{prose("", lead), key, prose("",
		append([]message.Sentence{message.Say("compare.map.bars")}, notes...)...)}
	if runs != nil {
		aside = append(aside, fold(message.Say("compare.map.runs").Count("n", len(runs)), document.List{Items: runs}))
	}
	blocks := []document.Block{document.Charts{Look: lookMap, Aside: aside,
		Items: []document.Chart{{Key: "map", Title: message.Say("compare.map.question"), Drawing: wide, Narrow: m}}}}
	if len(t.Data) > 1 {
		var sets document.Charts
		for d := range t.Data {
			each := t.mapOf(d)
			each.Title += ", " + t.Data[d].Name
			sets.Items = append(sets.Items, document.Chart{Key: fmt.Sprintf("map-%d", d+1), Title: message.Name(t.Data[d].Name),
				Drawing: each})
		}
		blocks = append(blocks, sets)
	}
	return compareSection("map", blocks...)
}

// mapNotes are remarks on the map, and those on single runs, which are folded.
func (t *contest) mapNotes() (notes, runs []message.Sentence) {
	missing := 0
	for _, e := range t.entrants {
		if e.Standing == ranking.Unknown {
			missing++
		}
	}
	if flat, _ := t.Map(-1).Flat(); flat {
		notes = append(notes, message.Say("compare.map.flat").Text("risk", upper(t.risk.noun)))
	}
	if missing > 0 {
		notes = append(notes, message.Say("compare.map.missing").Count("n", missing))
	}
	if len(t.Data) > 1 {
		notes = append(notes, message.Say("compare.map.sets").Count("n", len(t.Data)))
	}
	said := remarks(t.utility.Notes, t.risk.Notes)
	if len(said) > mostNotes { // of single runs, each with its own attack
		return notes, said
	}
	return append(notes, said...), nil
}

// scoreSection is the figures of every setting.
func (t *contest) scoreSection(v verdict) *document.Section {
	s := t.scores(-1)
	blocks := []document.Block{prose("lead", message.Say("compare.scores.lead"), v.rule(),
		message.Say("compare.scores.close"))}
	if len(s.Head) > mostAcross || len(s.Rows) > mostOpenSettings {
		blocks = append(blocks, s.opened(t.leading(v)).tables()...)
		blocks = append(blocks, fold(message.Say("compare.scores.all").Count("measures", len(s.Head)).
			Count("settings", len(s.Rows)), s.tables()...))
	} else {
		blocks = append(blocks, s.tables()...)
	}
	return compareSection("scores", blocks...)
}

// barSection is every measure in bars; where there are many, those that are not on the map are folded.
func (t *contest) barSection() *document.Section {
	var open, more []document.Part
	for i, b := range t.bars() {
		if g := &t.gauges[i]; len(t.gauges) <= mostAcross || g == t.utility || g == t.risk {
			open = append(open, b)
		} else {
			more = append(more, b)
		}
	}
	blocks := t.barBlocks(open)
	if more != nil {
		blocks = append(blocks, fold(message.Say("compare.bars.more").Count("n", len(more)), t.barBlocks(more)...))
	}
	return compareSection("bars", blocks...)
}

// barBlocks puts the measures of one data set beside each other, those of several below.
func (t *contest) barBlocks(parts []document.Part) (out []document.Block) {
	var cards document.Charts
	for _, p := range parts {
		if len(t.Data) > 1 {
			out = append(out, p)
			continue
		}
		c := p.Blocks[1].(document.Charts).Items[0]
		c.Title, c.Says = p.Title, p.Blocks[0].(document.Prose).Says[0]
		cards.Items = append(cards.Items, c)
	}
	if cards.Items != nil {
		out = append(out, cards)
	}
	return out
}

func (t *contest) quartileSection() *document.Section {
	all := t.quartiles()
	if all == nil {
		return nil
	}
	return compareSection("quartiles", fold(message.Say("compare.quartiles.fold").Count("n", len(all)), all...))
}

// setSection is the figures on every data set, where there are several.
func (t *contest) setSection() *document.Section {
	if len(t.Data) < 2 {
		return nil
	}
	var blocks []document.Block
	for d := range t.Data {
		s := t.scores(d)
		blocks = append(blocks, fold(message.Say("compare.sets.of").Name("data", s.Title).
			Count("records", t.Data[d].Records), s.tables()...))
	}
	return compareSection("sets", blocks...)
}

// way names the direction in which a measure gets better.
func way(g *gauge, higher, lower string) message.Sentence {
	if g.Higher() {
		return message.Say("compare.way." + higher)
	}
	return message.Say("compare.way." + lower)
}

// better says which way along an axis is better: safer to the left.
func better(good string, way message.Sentence) string {
	return message.Say("compare.map.better").Part("good", message.Say("compare.map."+good)).Part("way", way).String()
}

// remarks joins lists of remarks, each once.
func remarks(lists ...[]message.Sentence) (out []message.Sentence) {
	for _, l := range lists {
		for _, s := range l {
			if s = s.Whole(); !slices.ContainsFunc(out, s.Equal) {
				out = append(out, s)
			}
		}
	}
	return out
}

// bars draws every measure, a ranking for every data set on one scale, below how it is read.
func (t *contest) bars() (out []document.Part) {
	for i := range t.gauges {
		g := &t.gauges[i]
		var all []ranking.Estimate
		for d := range t.Data {
			for s := range t.Settings {
				all = append(all, t.At(g.Scale, d, s))
			}
		}
		lo, hi := chart.Span(all...)
		lo, hi = math.Max(lo, g.Lo), math.Min(hi, g.Hi) // an interval may leave what is possible
		lead := message.Say("compare.bars.lead").Part("direction", g.direction()).Text("summary", sentence(g.Summary))
		if u := g.unitText(); u != "" {
			lead = message.Say("compare.bars.unit").Text("unit", upper(u)).Part("direction", g.direction()).
				Text("summary", sentence(g.Summary))
		}
		var charts document.Charts
		for d := range t.Data {
			charts.Items = append(charts.Items, document.Chart{Key: fmt.Sprintf("bars-%d-%d", i+1, d+1),
				Title: message.Name(t.Data[d].Name), Drawing: t.bar(g, d, lo, hi)})
		}
		out = append(out, document.Part{Title: message.Text(g.name), Look: "measure",
			Blocks: []document.Block{prose("lead", lead), charts}})
	}
	return out
}

// bar is the ranking of the settings by a measure on a data set.
func (t *contest) bar(g *gauge, d int, lo, hi float64) chart.Ranking {
	r := chart.Ranking{
		Title: message.Say("compare.bars.label").Text("measure", g.name).Name("data", t.Data[d].Name).String(),
		Unit:  g.unit, Decimals: g.decimals, Lo: lo, Hi: hi,
		Reference: t.At(g.Scale, d, 0).Mean, Named: t.original.label}
	best, clear := t.Best(g.Scale, d)
	for _, e := range t.entrants {
		v := t.At(g.Scale, d, e.Setting)
		r.Rows = append(r.Rows, chart.Row{
			Label: e.name, Value: v, Why: message.Say("figures.none").String(), Strong: t.Strong(e.Entrant),
			Best: clear && !e.Baseline && v.Mean == t.At(g.Scale, d, t.entrants[best].Setting).Mean})
	}
	return r
}

// unitText is the unit in words for a lead.
func (g *gauge) unitText() string {
	if g.Unit.Percent() {
		return message.Say("compare.perCent").Text("of", g.of).String()
	}
	return g.unit
}
