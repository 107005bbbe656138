package report

import (
	"html/template"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
)

// page is the shell of the document: what stands around the sections.
type page struct {
	CSS       template.CSS
	Title     string
	Kicker    message.Sentence
	Generated string
	Headline  message.Sentence // of a page whose head is no section
	Lead      []message.Sentence

	Head     []template.HTML // the sections before the contents
	Contents []anchor
	Body     []template.HTML
}

// anchor is a line of the contents.
type anchor struct {
	Key   string
	Title message.Sentence
}

func newPage(d *document.Document, opt Options) *page {
	p := &page{Title: opt.Title, Kicker: message.Say("page.kicker.internal")}
	what := message.Say("page.paper.internal")
	if d.Public {
		p.Kicker, what = message.Say("page.kicker.public"), message.Say("page.paper.public")
	}
	if !opt.Generated.IsZero() {
		p.Generated = opt.Generated.Format("2 January 2006, 15:04 MST")
	}
	if p.Title == "" {
		state := word(d.Find("verdict").State)
		p.Title = message.Say("page.title").Part("state", state).Part("what", d.Title).String()
	}
	p.CSS = Style() + paper(what)
	for k := range d.Sections {
		s := &d.Sections[k]
		if slices.Contains(heads, s.Key) {
			p.Head = append(p.Head, sectionHTML(s))
			continue
		}
		p.Contents = append(p.Contents, anchor{s.Key, s.Title})
		p.Body = append(p.Body, sectionHTML(s))
	}
	return p
}

// sheetOf is a page without a verdict, that begins with a headline.
func sheetOf(d *document.Document, kicker, what message.Sentence) *page {
	p := &page{CSS: Style() + paper(what), Title: d.Title.String(), Kicker: kicker, Headline: d.Title, Lead: d.Lead}
	for k := range d.Sections {
		p.Body = append(p.Body, sectionHTML(&d.Sections[k]))
	}
	return p
}

// paper is the style of printed pages: each says what it is, and its number.
func paper(what message.Sentence) template.CSS {
	return template.CSS(`@page { @bottom-left { content: "dither · ` + what.String() +
		`"; font: 8pt Arial, sans-serif; color: #5b646d; }
@bottom-right { content: "page " counter(page) " of " counter(pages); font: 8pt Arial, sans-serif; color: #5b646d; } }
`)
}

// sentence gives a text a capital and a full stop.
func sentence(s string) string { return message.Given(s).String() }
