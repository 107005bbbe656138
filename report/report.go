// Package report presents the outcome of a study: an HTML document and a summary for the terminal.
//
// The document is one file that loads nothing: styles and drawings are inside, and its content security policy forbids
// the network. It reads on a phone, on a desk and on paper, in light and dark, and through a screen reader.
//
// The internal version shows everything and is confidential. The public one is made for anyone who receives the
// release: it says what was done and what the release is worth, and draws the release alone. It holds no parameter, no
// seed commitment, no rule, no value, distribution, correlation or hash of the original, no correction for the noise,
// which would tell its law, and nothing of what an intruder learns.
package report

import (
	_ "embed"
	"errors"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/dither-data/dither/study"
)

// Options says how a report is written; the zero value is the internal report without a date.
type Options struct {
	Public    bool      // leave out what helps an intruder
	Title     string    // of the document; empty takes one from the outcome
	Generated time.Time // printed when it is not zero
	Choice    *Choosing // how the technique was chosen; nil where somebody named it

	undrawn bool           // leave out the drawings of columns, each of which is a pass over the tables
	attacks []study.Attack // those of the outcome, where several sections need them
}

// attacksOf are the attacks of an outcome, with the records at the highest risk.
func (o *Options) attacksOf(of *study.Outcome) []study.Attack {
	if o.attacks != nil {
		return o.attacks
	}
	return study.Attacks(of, mostAtRisk)
}

//go:embed report.css
var pageCSS string

// HTML writes the report as one self-contained document. Cost: O(rows x columns); the size depends on the number of
// columns drawn, which is bounded, not on the rows.
func HTML(w io.Writer, o *study.Outcome, opt Options) error {
	d, err := Document(o, opt)
	if err != nil {
		return err
	}
	return execute(w, pages().Lookup("page"), newPage(d, opt))
}

// execute fills a template in and writes the document without the marks in names that a reader could not see, or that
// would turn the direction of writing.
func execute(w io.Writer, t *template.Template, page any) error {
	var b strings.Builder
	if err := t.Execute(&b, page); err != nil {
		return err
	}
	_, err := io.WriteString(w, PrintableLines(b.String()))
	return err
}

func check(o *study.Outcome) error {
	switch {
	case o == nil || o.Original == nil || o.Released == nil:
		return errors.New("a report needs an original and a released table")
	case o.Original.Width() != o.Released.Width():
		return errors.New("a report needs tables of the same attributes")
	}
	for j := range o.Original.Width() {
		a, b := o.Original.Attr(j), o.Released.Attr(j)
		if a.Name != b.Name || a.Kind != b.Kind {
			return errors.New("a report needs tables of the same attributes")
		}
	}
	return nil
}
