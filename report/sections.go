package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

//go:embed pages/*.html
var pagesFS embed.FS

// pages holds what stands around the sections of a page. It is read when a page is written: most calls write none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("pages").Funcs(speech).ParseFS(pagesFS, "pages/*.html"))
})

// chapter builds a section of a report; nil where there is nothing to say.
type chapter struct {
	key    string
	public bool // it is for the users of the release, too
	of     func(o *study.Outcome, opt Options) *document.Section
}

// chapters are all sections. What is read in five seconds comes first, then what follows from it, then the evidence,
// the worst first; what is read only by those who check the report is folded.
var chapters = []chapter{
	{"verdict", true, headOf},
	{"demands", false, demandsOf},
	{"unprotected", true, unprotectedOf},
	{"choice", false, choosingOf},
	{"drift", false, driftOf},
	{"people", false, peopleOf},
	{"groups", false, groupsWorth},
	{"fitness", true, fitnessOf},
	{"operators", false, operatorsOf},
	{"purposes", false, purposesOf},
	{"solution", false, solutionOf},
	{"columns", true, columnsOf},
	{"showing", false, showingOf},
	{"rules", false, rulesOf},
	{"associations", false, associationsOf},
	{"clusters", true, clustersOf},
	{"measures", true, measuresOf},
	{"made", true, madeOf},
}

// heads are the sections before the contents of a page.
var heads = []string{"verdict", "demands", "unprotected"}

// Document builds what there is to say of an outcome, which every page and text shows. A public one has only what is
// for the users of the release. Cost: O(rows x columns).
func Document(o *study.Outcome, opt Options) (*document.Document, error) {
	d := &document.Document{Kind: document.OfRelease, Public: opt.Public}
	if err := check(o); err != nil {
		return nil, err
	}
	d.Words = o.Words
	d.Title = headline(o)
	if !opt.Public {
		opt.attacks = study.Attacks(o, mostAtRisk)
	}
	for _, c := range chapters {
		c.build(d, o, opt)
	}
	return d, nil
}

// Model is the document of an outcome as JSON holds it: all that Document has but the drawings of columns, each of
// which is a pass over the tables. Cost: that of the figures that were measured, however many the rows.
func Model(o *study.Outcome, opt Options) (*document.Document, error) {
	opt.undrawn = true
	return Document(o, opt)
}

// build adds a section to a document. Nobody receives a withheld release, so there is nothing but the verdict to tell
// its users.
func (c *chapter) build(d *document.Document, o *study.Outcome, opt Options) {
	if opt.Public && !c.public || closed(o, opt) && c.key != "verdict" {
		return
	}
	if s := c.of(o, opt); s != nil {
		s.Public = c.public
		if opt.Public {
			told := s.Told(study.Public(o))
			s = &told
		}
		d.Add(s)
	}
}

// Sections names the sections of a page in their order. An outcome may have nothing to say in some.
func Sections() []string {
	var out []string
	for _, s := range chapters {
		out = append(out, s.key)
	}
	return out
}

// Section writes one section of the page of an outcome as a fragment of HTML, or nothing where the outcome has nothing
// to say in it, and returns its title. It needs Style in the page around it. The section "verdict" has a heading of the
// first level, all others begin with one of the second. Cost: that of the section.
func Section(w io.Writer, name string, o *study.Outcome, opt Options) (title message.Sentence, err error) {
	if err := check(o); err != nil {
		return title, err
	}
	for _, c := range chapters {
		if c.key == name {
			d := &document.Document{Public: opt.Public}
			if c.build(d, o, opt); len(d.Sections) > 0 {
				title = d.Sections[0].Title
			}
			return title, writeSections(w, d)
		}
	}
	return title, fmt.Errorf("a report has no section %q; it has %s", name, strings.Join(Sections(), ", "))
}

func writeSections(w io.Writer, d *document.Document) error {
	for k := range d.Sections {
		if _, err := io.WriteString(w, string(sectionHTML(&d.Sections[k]))); err != nil {
			return err
		}
	}
	return nil
}

// Style is the style sheet that sections and their drawings need.
func Style() template.CSS { return template.CSS(chart.CSS + pageCSS) }

// closed reports whether the page tells the verdict alone: nobody receives a withheld release, so there is nothing to
// tell its users.
func closed(o *study.Outcome, opt Options) bool { return opt.Public && withheld(o) }

func withheld(o *study.Outcome) bool { return o.Verdict != nil && o.Verdict.State == study.Withheld }

// PrintableLines is Printable for a document or a text of several lines.
func PrintableLines(doc string) string {
	lines := strings.Split(doc, "\n")
	for k := range lines {
		lines[k] = Printable(lines[k])
	}
	return strings.Join(lines, "\n")
}
