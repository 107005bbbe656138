package report

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
)

// ChoiceDocument builds what there is to say of a choice, whatever became of its release.
func ChoiceDocument(c *Choosing) *document.Document {
	d := &document.Document{Kind: document.OfChoice, Title: message.Say("choice.nothing")}
	if c.Chosen != nil {
		d.Title = message.Say("choice.chosen").Part("what", c.described(c.Chosen.Setting))
	}
	d.Add(choosingOf(nil, Options{Choice: c}))
	return d
}

// choosingOf makes the section; nil where nothing was chosen by a search. It is not for the public: settings and risks
// of what was not released help an intruder.
func choosingOf(_ *study.Outcome, opt Options) *document.Section {
	c := opt.Choice
	if c == nil {
		return nil
	}
	lead := prose("lead")
	if c.Chosen != nil {
		lead.Says = append(lead.Says, message.Say("choice.lead").Part("what", c.described(c.Chosen.Setting)).
			Part("loss", loss(c.Chosen.Total)))
	}
	lead.Says = append(append(lead.Says, c.weighed()), c.confirmed()...)
	m, tried := c.riskMap()
	wide := m
	wide.Width = mapWidth
	aside := []document.Block{prose("", message.Say("choice.dots")), prose("", c.turn(), c.behind(), c.inOrder())}
	paid := c.paid()
	for _, p := range paid {
		aside = append(aside, prose("", c.price(p)))
	}
	if n := len(c.Prices) - len(paid); n > 0 {
		aside = append(aside, prose("", message.Say("choice.free").Count("n", n)))
	}
	s := &document.Section{Key: "choice", Title: message.Say("choice.title"), Blocks: []document.Block{lead,
		document.Charts{Look: lookMap, Aside: aside, Items: []document.Chart{{Key: "choice-map",
			Title: message.Say("choice.map.question"), Drawing: wide, Narrow: m}}},
		c.optionTable()}}
	if u := c.uncounted(); !u.Empty() {
		s.Blocks = slices.Insert(s.Blocks, 1, document.Block(prose("strong", u)))
	}
	if n := len(c.Ranking) - mostOptions; n > 0 {
		s.Blocks = append(s.Blocks, prose("", message.Say("choice.more").Count("n", n)))
	}
	s.Blocks = append(s.Blocks, prose("", append(c.tally(), c.notHere())...), c.triedTable(tried))
	if c.Cut {
		s.Blocks = append(s.Blocks, prose("strong", message.Say("choice.cut"), message.Say("choice.time")))
	}
	out := document.List{}
	for _, r := range c.Rejected {
		out.Items = append(out.Items, c.why(r))
	}
	s.Blocks = append(append(s.Blocks, fold(message.Say("choice.out.title"), out)), c.works()...)
	s.Blocks = append(s.Blocks, fold(message.Say("choice.counted"), c.countedBlocks()...))
	return s
}

// triedTable lists the settings on the map with the commands that make them.
func (c *Choosing) triedTable(tried []search.Point) document.Fold {
	t := document.Table{Title: message.Say("choice.map.settings").Count("n", len(tried)),
		Columns: columns("choice.map.columns", "setting", "loses n", "nearest n", "standing", "command")}
	for k, p := range tried {
		standing := message.Say("choice.map.breaks")
		if p.Keeps {
			standing = message.Say("choice.map.keeps")
		}
		r := row(c.described(p.Setting), message.Sentence{}, risk(p.Risk), standing, message.Text(c.Command(p.Setting)))
		r.Anchor, r.Cells[1].Figure, r.Cells[4].Look = triedAnchor(k), lossFigure("loss", c.Total(p.Losses), " %"), "hash"
		t.Rows = append(t.Rows, r)
	}
	return fold(t.Title, t)
}

// optionTable lists the techniques that keep the limits, by what they lose.
func (c *Choosing) optionTable() document.Table {
	t := document.Table{Title: message.Say("choice.label"), Look: "options",
		Columns: columns("choice.columns", "technique", "loses n", "nearest n", "first n")}
	for _, a := range c.Aspects {
		t.Columns = append(t.Columns, document.Column{Title: message.Text(a.Name), Numeric: true})
	}
	for _, o := range c.Ranking[:min(len(c.Ranking), mostOptions)] {
		r := row(c.described(o.Setting), message.Sentence{}, risk(o.Risk), message.Share(o.Share))
		r.Key, r.Cells[1].Figure = c.called(o.Candidate), lossFigure("loss", o.Total, " %")
		if o.Risk.Measure != "" {
			r.Cells[2].Figure = riskFigure(o.Risk)
		}
		for k, v := range o.Losses {
			r.Cells = append(r.Cells, document.Cell{Figure: lossFigure(c.Aspects[k].Name, v, "")})
		}
		if c.Chosen != nil && o.Candidate == c.Chosen.Candidate {
			r.Look = "best"
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// countedBlocks says what was counted as a loss, what was taken by default, and how the same is made without a search.
func (c *Choosing) countedBlocks() []document.Block {
	var facts document.Facts
	for _, a := range c.Aspects {
		facts.Items = append(facts.Items, document.Fact{Name: message.Say("choice.aspect").Text("name", a.Name).
			Text("weight", weight(a.Weight)),
			Says: message.Say("choice.loss").Part("means", search.LossSays(a.Name))})
	}
	out := []document.Block{facts}
	for _, d := range c.Defaults {
		out = append(out, prose("", message.Say("choice.default").Part("what", d)))
	}
	if c.Chosen != nil {
		out = append(out, prose("", message.Say("choice.same").Text("flags", c.Command(c.Chosen.Setting))))
	}
	return out
}

// works tells how the techniques work that lose least, on this machine.
func (c *Choosing) works() []document.Block {
	if len(c.Operating) == 0 {
		return nil
	}
	all := columns("choice.works.columns", "technique wide", "seconds n", "growth n", "declared",
		"memory n", "failure n", "level n")
	t := document.Table{Title: message.Say("choice.works.label"), Columns: all}
	if c.Untimed {
		t.Columns = []document.Column{all[0], all[3], all[5], all[6]}
	}
	for k := range c.Operating {
		o := &c.Operating[k]
		r := row(c.described(o.Setting), message.Text(fmt.Sprintf("%.2g", o.Seconds)), message.Sentence{},
			message.Text(o.Declared),
			message.Text(fmt.Sprintf("%.0f MB", o.Allocated/1e6)), message.Sentence{}, message.Sentence{})
		if o.Slope == o.Slope {
			r.Cells[2].Says = message.Say("choice.works.growth").Fixed("slope", o.Slope, 2).Fixed("lo", o.Lo, 2).
				Fixed("hi", o.Hi, 2)
		}
		if o.Exceeds() {
			r.Cells[2].Lines = []message.Sentence{message.Say("choice.works.faster")}
		}
		if o.HidingFailure == o.HidingFailure {
			r.Cells[5].Says = message.Share(o.HidingFailure)
		}
		if o.Level == o.Level {
			r.Cells[6].Says = message.Fixed(o.Level, 3)
		}
		if c.Untimed {
			r.Cells = []document.Cell{r.Cells[0], r.Cells[3], r.Cells[5], r.Cells[6]}
		}
		t.Rows = append(t.Rows, r)
	}
	return []document.Block{fold(message.Say("choice.works.title"), c.worksLead(), t)}
}

// worksLead says what the figures of works are.
func (c *Choosing) worksLead() document.Prose {
	o := &c.Operating[0]
	of := message.Say("choice.works.clock")
	if o.Processor {
		of = message.Say("choice.works.cores")
	}
	lead := prose("", message.Say("choice.works.lead").Count("records", o.Records).Part("of", of))
	if c.Untimed {
		lead = prose("", message.Say("choice.works.untimed"))
	} else if slices.ContainsFunc(c.Operating, func(o search.Operating) bool { return o.Slope == o.Slope }) {
		lead.Says = append(lead.Says, message.Say("choice.works.power"))
	}
	if slices.ContainsFunc(c.Operating, func(o search.Operating) bool { return o.Level == o.Level }) {
		lead.Says = append(lead.Says, message.Say("choice.works.privacy"))
	}
	return lead
}
