package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// page is the shell of the document: what stands around the sections.
type page struct {
	CSS       template.CSS
	Title     string
	Kicker    string
	Headline  string
	Deck      []string
	Generated string
	Public    bool

	Head     []template.HTML // the sections before the contents
	Contents []anchor
	Body     []template.HTML
}

// anchor is a line of the contents.
type anchor struct{ Name, Title string }

// fact is a name with what there is to say about it.
type fact struct{ Name, Text string }

// fileRow is a table that was read or written.
type fileRow struct{ What, Name, Rows, Columns, SHA256 string }

func newPage(o *study.Outcome, opt Options) (*page, error) {
	p := &page{Public: opt.Public, Title: opt.Title, Kicker: "Internal report · confidential"}
	if opt.Public {
		p.Kicker = "Report for the users of the release"
	}
	if !opt.Generated.IsZero() {
		p.Generated = opt.Generated.Format("2 January 2006, 15:04 MST")
	}
	if p.Title == "" {
		h := headOf(o, opt)
		p.headline(o)
		p.Title = h.Word + ": " + p.Headline
	}
	p.CSS = Style() + p.paper()
	for _, s := range chapters {
		if closed(o, opt) && s.Name != "verdict" {
			break
		}
		html, err := s.render(o, opt)
		switch {
		case err != nil:
			return nil, err
		case html == "":
		case s.Title == "":
			p.Head = append(p.Head, html)
		default:
			p.Contents = append(p.Contents, anchor{s.Name, s.Title})
			p.Body = append(p.Body, html)
		}
	}
	return p, nil
}

// paper is the style of printed pages: each says what it is, and its number.
func (p *page) paper() template.CSS {
	if p.Public {
		return paper("report for the users of the release")
	}
	return paper("internal report · confidential")
}

// paper is the style of pages of such a document.
func paper(what string) template.CSS {
	what = "dither · " + what
	return template.CSS(`@page { @bottom-left { content: "` + what + `"; font: 8pt Arial, sans-serif; color: #5b646d; }
@bottom-right { content: "page " counter(page) " of " counter(pages); font: 8pt Arial, sans-serif; color: #5b646d; } }
`)
}

// headline says what was done to how many records, and Deck by what.
func (p *page) headline(o *study.Outcome) {
	records := counted(o.Released.Rows(), "record")
	did := ", released by "
	if withheld(o) {
		did = ", perturbed by "
	}
	if o.Method == nil {
		p.Headline = records + " of a release, examined"
		p.Deck = []string{"The release was made elsewhere; its technique is not known to this report."}
	} else {
		p.Headline = records + did + o.Method.Title
		p.Deck = []string{sentence(o.Method.Summary), "Published in " + sentence(o.Method.Paper)}
	}
	switch {
	case p.Public || o.OriginalFile.Name == "" || o.ReleasedFile.Name == "":
	case unwritten(o):
		p.Deck = append(p.Deck, "The original is "+o.OriginalFile.Name+"; no release was written.")
	default:
		p.Deck = append(p.Deck, "The original is "+o.OriginalFile.Name+", the release "+o.ReleasedFile.Name+".")
	}
}

// unwritten reports whether the release is in no file: it was withheld where it was made.
func unwritten(o *study.Outcome) bool { return withheld(o) && o.ReleasedFile.SHA256 == "" }

// made is the section on how the release came about, for whoever checks the report.
type made struct {
	Public bool
	Method []fact
	Notes  []string // remarks of the technique; never in the public version
	Params []fact
	Files  []fileRow
	Origin []fact
}

func madeOf(o *study.Outcome, public bool) *made {
	m := &made{Public: public, Files: filesOf(o, public), Origin: []fact{{"dither", orUnknown(o.Version)}}}
	if o.Method != nil {
		m.Method = methodOf(o, public)
	}
	if public {
		return m
	}
	if o.Commitment != "" {
		m.Origin = append(m.Origin, fact{"Seed commitment", o.Commitment})
	}
	for _, v := range o.Params {
		m.Params = append(m.Params, fact{v.Name, strings.TrimSpace(parameter(v.Value) + " " + v.Unit)})
	}
	for _, n := range o.Notes {
		m.Notes = append(m.Notes, sentence(n))
	}
	return m
}

// methodOf says what the technique does to the data, in the card's words.
func methodOf(o *study.Outcome, public bool) []fact {
	c := o.Method
	all := []fact{{"Technique", c.Title}, {"Source", c.Paper}, {"What it preserves", c.Preserves}, {"Where it is biased", c.Biases},
		{"Missing values", c.Missing}}
	if !public {
		all = append(all, fact{"What an informed intruder still learns", c.Exposes}, fact{"Cost", c.Cost})
	}
	kept := all[:0]
	for _, f := range all {
		if f.Text != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// filesOf lists the tables; that of a withheld release is none that was released.
func filesOf(o *study.Outcome, public bool) []fileRow {
	var out []fileRow
	add := func(what string, f study.File) {
		out = append(out, fileRow{what, orUnknown(f.Name), chart.Count(float64(f.Rows)), chart.Count(float64(f.Columns)), f.SHA256})
	}
	if !public {
		add("Original", o.OriginalFile)
	}
	switch released := o.ReleasedFile; {
	case unwritten(o):
		released.Name = "not written"
		add("Withheld", released)
	case withheld(o):
		add("To be withheld", released)
	default:
		add("Released", released)
	}
	if o.HoldoutFile != nil && !public {
		add("Hold-out", *o.HoldoutFile)
	}
	return out
}

// parameter writes a parameter's value as it is set, an empty one as a dash.
func parameter(v any) string {
	if s := fmt.Sprint(v); s != "" {
		return s
	}
	return "–"
}

func counted(n int, noun string) string {
	return numeral.Counted(n, noun)
}

// sentence gives a text a capital and a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	r := []rune(s)
	s = strings.ToUpper(string(r[:1])) + string(r[1:])
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}
