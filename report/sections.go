package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// A page is made of sections, in the order in which they are read. Each is a named template that stands alone: Section writes one as a fragment for
// another page that carries Style, and HTML writes them all.

//go:embed pages/*.html
var pagesFS embed.FS

// pages holds the shell of the page and a template section-NAME for every section. They are read when a page is written: most calls write none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("pages").Funcs(speech).ParseFS(pagesFS, "pages/*.html"))
})

// chapter is a section of the page: its data are nil where there is nothing to say.
type chapter struct {
	Name  string // of the template and, in the page, of the anchor
	Title string // in the contents; empty for what comes before them
	of    func(o *study.Outcome, opt Options) any
}

// chapters are all sections. What is read in five seconds comes first, then what follows from it, then the evidence, the worst first; what only somebody who
// checks the report reads is folded.
var chapters = []chapter{
	{"verdict", "", func(o *study.Outcome, opt Options) any { return headOf(o, opt) }},
	{"demands", "", func(o *study.Outcome, opt Options) any { return some(demandsOf(o, opt.Public)) }},
	{"unprotected", "", func(o *study.Outcome, opt Options) any { return some(unprotectedOf(o, opt.Public)) }},
	{"choice", "Why this technique", func(_ *study.Outcome, opt Options) any { return some(choosingOf(opt)) }},
	{"drift", "Is this table like that of the plan?", func(o *study.Outcome, opt Options) any { return some(driftOf(o, opt.Public)) }},
	{"people", "What an intruder learns", func(o *study.Outcome, opt Options) any { return some(peopleOf(o, opt.Public)) }},
	{"fitness", "What the release is good for", func(o *study.Outcome, opt Options) any { return some(fitnessOf(o, opt.Public)) }},
	{"operators", "The operator beside others", func(o *study.Outcome, opt Options) any { return some(operatorsOf(o, opt.Public)) }},
	{"purposes", "Is it still good for its purposes?", func(o *study.Outcome, opt Options) any { return some(purposesOf(o, opt.Public)) }},
	{"columns", "Column by column", func(o *study.Outcome, opt Options) any { return some(columnsOf(o, opt.Public)) }},
	{"rules", "Do the rules survive?", func(o *study.Outcome, opt Options) any { return some(rulesOf(o, opt.Public)) }},
	{"associations", "Do the association rules survive?", func(o *study.Outcome, opt Options) any { return some(associationsOf(o, opt.Public)) }},
	{"clusters", "Do clusters survive?", func(o *study.Outcome, opt Options) any { return some(clustersOf(o, opt.Public)) }},
	{"measures", "Every measure", func(o *study.Outcome, opt Options) any { return some(measuresOf(o, opt.Public)) }},
	{"made", "How the release was made", func(o *study.Outcome, opt Options) any { return madeOf(o, opt.Public) }},
}

// some is nil for a nil pointer: a template asks for data that are there.
func some[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

// Sections names the sections of a page in their order. An outcome may have nothing to say in some.
func Sections() []string {
	var out []string
	for _, s := range chapters {
		out = append(out, s.Name)
	}
	return out
}

// Section writes one section of the page of an outcome as a fragment of HTML, or nothing where the outcome has nothing to say in it. It needs Style in the
// page around it. The section "verdict" has a heading of the first level, all others begin with one of the second. Cost: that of the section.
func Section(w io.Writer, name string, o *study.Outcome, opt Options) error {
	if err := check(o); err != nil {
		return err
	}
	for _, s := range chapters {
		if s.Name != name {
			continue
		}
		if closed(o, opt) && name != "verdict" {
			return nil
		}
		html, err := s.render(o, opt)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, string(html))
		return err
	}
	return fmt.Errorf("a report has no section %q; it has %s", name, strings.Join(Sections(), ", "))
}

// Style is the style sheet that sections and their drawings need.
func Style() template.CSS { return template.CSS(chart.CSS + pageCSS) }

// closed reports whether the page tells the verdict alone: nobody receives a withheld release, so there is nothing to tell its users.
func closed(o *study.Outcome, opt Options) bool { return opt.Public && withheld(o) }

func withheld(o *study.Outcome) bool { return o.Verdict != nil && o.Verdict.State == study.Withheld }

// render fills in the template of a section; it is empty where there is nothing to say.
func (s *chapter) render(o *study.Outcome, opt Options) (template.HTML, error) {
	data := s.of(o, opt)
	if data == nil {
		return "", nil
	}
	var b strings.Builder
	if err := pages().ExecuteTemplate(&b, "section-"+s.Name, data); err != nil {
		return "", err
	}
	return template.HTML(PrintableLines(b.String())), nil
}

// PrintableLines is Printable for a document or a text of several lines.
func PrintableLines(doc string) string {
	lines := strings.Split(doc, "\n")
	for k := range lines {
		lines[k] = Printable(lines[k])
	}
	return strings.Join(lines, "\n")
}
