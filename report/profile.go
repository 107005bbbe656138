package report

import (
	"io"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/table"
)

// ProfileText writes for a terminal what a table is. A screen says first who can be picked out, by which columns, the
// worst first, and then the suggested roles with a reason for every group of columns; the verbose text has every
// column. It shows values that belong to somebody, so it is as confidential as the table.
func ProfileText(w io.Writer, name string, p *profile.Profile, roles []profile.Suggestion, e *profile.Exposure,
	s Screen) error {
	if !s.Verbose {
		return profileScreen(w, name, p, roles, e, s)
	}
	return writeText(w, ProfileDocument(name, p, roles, e), nil)
}

// ProfileDocument builds what there is to say of a table before it is protected.
func ProfileDocument(name string, p *profile.Profile, roles []profile.Suggestion,
	e *profile.Exposure) *document.Document {
	d := &document.Document{Kind: document.OfTable, Title: profileTitle(name, p)}
	t := document.Table{Title: message.Say("profile.label"),
		Columns: columns("profile.columns", "column", "kind", "domain",
			"missing n", "distinct n", "unique n", "role", "why wide")}
	for j := range p.Columns {
		c := &p.Columns[j]
		kind := c.Kind
		if c.Dates != "" {
			kind = "dates"
		}
		t.Rows = append(t.Rows, row(message.Name(c.Name), message.Text(kind), message.Text(Domain(c)),
			message.Count(c.Missing),
			message.Count(c.Distinct), share(c.Uniqueness), message.Text(roles[j].Role.String()),
			roles[j].Reason()))
	}
	blocks := []document.Block{t}
	if says := p.Whose(roles); !says.Empty() {
		blocks = []document.Block{prose("", says.Whole()), t}
	}
	d.Add(&document.Section{Key: "columns", Title: d.Title, Blocks: blocks})
	if un := unrecognised(p, roles); !un.Empty() && len(e.QuasiIdentifiers) > 0 {
		d.Add(&document.Section{Key: "unrecognised", Blocks: []document.Block{prose("", un)}})
	}
	d.Add(exposureSection(p.Rows, e))
	var remarks []document.Block
	for _, k := range e.Sets {
		remarks = append(remarks, prose("", knownItems(k)...))
	}
	for _, r := range remarksOn(p, e) {
		remarks = append(remarks, prose("", r...))
	}
	d.Add(some(&document.Section{Key: "remarks", Title: message.Say("profile.remarks"), Blocks: remarks}))
	return d
}

// unrecognised names the columns that say nothing of what they are, where they are most; empty where they are fewer.
func unrecognised(p *profile.Profile, roles []profile.Suggestion) message.Sentence {
	names := p.Unrecognised(roles)
	if names == nil {
		return message.Sentence{}
	}
	return message.Say("profile.unrecognised").Part("columns", enumerated(names)).Count("n", len(names)).
		Count("all", len(p.Columns))
}

func profileTitle(name string, p *profile.Profile) message.Sentence {
	return message.Say("profile.title").Name("file", name).Count("records", p.Rows).Count("columns", len(p.Columns))
}

// remarksOn are what else is to be known before the table is protected.
func remarksOn(p *profile.Profile, e *profile.Exposure) (out [][]message.Sentence) {
	if rows := p.FollowRows(); !rows.Empty() {
		out = append(out, []message.Sentence{rows.Whole(), message.Say("profile.keepOrder")})
	}
	if len(e.QuasiIdentifiers) == 0 {
		out = append(out, []message.Sentence{message.Say("profile.noQuasi")})
	}
	return out
}

// exposureSection says how many records are unique by what others may know; nil where nothing is known.
func exposureSection(records int, e *profile.Exposure) *document.Section {
	if len(e.QuasiIdentifiers) == 0 {
		return nil // there is nothing to say yet
	}
	t := document.Table{Title: message.Say("profile.sizes.label"),
		Columns: columns("profile.sizes", "size", "classes n", "records n")}
	for _, s := range e.Sizes {
		t.Rows = append(t.Rows, row(band(s), message.Count(s.Classes), message.Count(s.Records)))
	}
	unique := message.Say("profile.unique").Count("n", e.Uniques).Count("records", records).
		Part("share", share(e.UniqueShare)).Count("few", e.BelowFive)
	smallest := message.Say("profile.smallest").Count("k", int(e.K)).Count("classes", e.Classes)
	title := message.Say("profile.exposure").Part("columns", enumerated(e.QuasiIdentifiers))
	return &document.Section{
		Key:    "exposure",
		Title:  title,
		Blocks: []document.Block{prose("", unique), prose("", smallest), t},
	}
}

// knownItems says how far a few items tell people apart, the most first.
func knownItems(k profile.KnownItems) []message.Sentence {
	if k.People == 0 {
		return []message.Sentence{message.Say("profile.items.none").Name("column", k.Column)}
	}
	u := k.Unique[len(k.Unique)-1]
	between := func(u profile.SomeUnique) message.Sentence {
		if k.Tried == k.People {
			return share(u.Share)
		}
		return message.Say("profile.items.between").Part("share", share(u.Share)).Part("low", share(u.Low)).
			Part("high", share(u.High))
	}
	out := []message.Sentence{message.Say("profile.items.unique").Name("column", k.Column).Part("three", between(u)).
		Count("n", u.Items).Part("two", between(k.Unique[1])).Part("one", between(k.Unique[0]))}
	if k.Tried < k.People {
		out = append(out, message.Say("profile.items.tried").Count("tried", k.Tried).Count("people", k.People))
	}
	sizes := message.Say("profile.items.sizes").Count("items", k.Items).Fixed("mean", k.Mean, 1).Count("most", k.Largest)
	if k.Empty > 0 {
		sizes = message.Say("profile.items.empty").Part("sizes", sizes).Count("n", k.Empty)
	}
	return append(out, message.Say("stop").Part("says", sizes))
}

func whole(n int) string { return chart.Count(float64(n)) }

// Domain writes the domain of a column of numbers or dates as the file has them; empty for others.
func Domain(c *profile.Column) string {
	if c.Domain == nil {
		return ""
	}
	a := table.Attribute{Step: c.Step, Dates: calendar.Notation(c.Dates)}
	num := func(v float64) string { return string(a.AppendValue(nil, v)) }
	return num(c.Domain.Lo) + " to " + num(c.Domain.Hi)
}

// share writes a share of one in per cent; a share that is not quite none or all never reads as if it were.
func share(v float64) message.Sentence {
	switch p := float64(100 * v); {
	case v != v:
		return message.Say("profile.share.unknown")
	case p > 0 && p < 0.05:
		return message.Say("profile.share.under")
	case p >= 99.95 && p < 100:
		return message.Say("profile.share.over")
	default:
		return message.Say("list.percent").Fixed("n", p, 1)
	}
}

func band(b profile.SizeBand) message.Sentence {
	switch {
	case b.To == 0:
		return message.Say("profile.sizes.more").Count("from", b.From)
	case b.To == b.From:
		return message.Count(b.From)
	}
	return message.Say("profile.sizes.between").Count("from", b.From).Count("to", b.To)
}

// enumerated lists names in a sentence, at most eight of them.
func enumerated(names []string) message.Sentence {
	if n := len(names); n > 8 {
		return message.Say("list.further").Part("first", enumerated(names[:7])).Count("n", n-7)
	}
	return message.Say("list.names").Names("names", names)
}
