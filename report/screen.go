package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/study"
)

// Screen says for which terminal a text is, and how much of it there is to be.
type Screen struct {
	Width   int  // of the terminal in cells; 0 takes 80
	Verbose bool // everything, not a screen only
	Files   []Made
	After   int // lines that whoever calls prints after the text, on the same screen
}

// Made is a file that was written.
type Made struct {
	What, Path   string
	Confidential bool
}

const (
	screenLines = 25
	screenWidth = 80
	mostName    = 28 // of a column in a sentence, in cells
)

func (s Screen) width() int {
	if s.Width <= 0 {
		return screenWidth
	}
	return max(s.Width, 40) // narrower ones break lines as they will
}

// Text writes the outcome for a terminal. A screen holds the verdict, the figures with their bounds, what is wrong and
// what to do about it, what is not protected, and the files, in at most 25 lines; the verbose text is the whole report.
// It is as confidential as the internal report.
func Text(w io.Writer, o *study.Outcome, s Screen) error {
	if s.Verbose {
		return verboseText(w, o, s)
	}
	d, err := brief(o)
	if err != nil {
		return err
	}
	s.afterVerdict(o)
	f := newFitter(o, s)
	head := f.head(d)
	figures := f.figures(d, 2)
	tail := append(f.files(), message.Say("screen.verbose").String())
	limits, fitness := f.limits(d), f.fitness(d)
	left := screenLines - s.After - len(head) - len(figures) - len(tail)
	least := min(len(limits), 2) + len(fitness)
	reasons, told := f.reasons(d, left-least)
	if !told { // a limit that is broken comes before who plays the attacks
		left += len(figures)
		figures = f.figures(d, 1)
		left -= len(figures)
		reasons, _ = f.reasons(d, left-least)
	}
	if left -= len(reasons) + len(fitness); left < len(limits) {
		things := len(limits) - 1
		n := max(left-1, 0)
		if limits = append(limits[:n:n], message.Say("screen.more").Count("n", len(limits)-n).String()); left <= 2 {
			limits = []string{message.Say("screen.things").Count("n", things).String()}
		}
	}
	_, err = io.WriteString(w, joinedLines(head, figures, reasons, fitness, limits, tail))
	return err
}

// brief is the sections that a screen is made of.
func brief(o *study.Outcome) (*document.Document, error) {
	d := &document.Document{Kind: document.OfRelease}
	if err := check(o); err != nil {
		return nil, err
	}
	d.Words = o.Words
	for _, c := range chapters {
		if c.key == "verdict" || c.key == "unprotected" {
			c.build(d, o, Options{})
		}
	}
	return d, nil
}

// afterVerdict counts the lines of the verdict, which is printed after the text.
func (s *Screen) afterVerdict(o *study.Outcome) {
	if o.Verdict != nil {
		s.After += max(0, len(wrapped(o.Verdict.Line().String(), s.width()))-1)
	}
}

func joinedLines(blocks ...[]string) string {
	var b strings.Builder
	for _, block := range blocks {
		for _, l := range block {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
	return b.String()
}

// fitter fits sentences into a screen. Names of columns too long for a sentence are shortened wherever they occur.
type fitter struct {
	Screen
	names *strings.Replacer
}

func newFitter(o *study.Outcome, s Screen) *fitter {
	var names []string
	for _, c := range o.Changes {
		names = append(names, Printable(c.Column))
	}
	for j := range o.Original.Width() {
		names = append(names, Printable(o.Original.Attr(j).Name))
	}
	return &fitter{s, shortener(names)}
}

// shortener replaces names that are too long for a sentence.
func shortener(names []string) *strings.Replacer {
	short := shortNames(names, mostName)
	// A pair that is in no printable text keeps the replacer from what it does for one pair alone: its table takes the
	// square of the name's length.
	pairs := []string{"\x00", ""}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // a name may hold another
	for _, n := range names {
		if short[n] != n {
			pairs = append(pairs, n, short[n])
		}
	}
	return strings.NewReplacer(pairs...)
}

// say wraps a sentence behind a lead; the lines that follow are indented as far.
func (f *fitter) say(lead, s string, most int) []string {
	lines := fitted(f.names.Replace(Printable(s)), f.width()-cells(lead), most)
	for k := range lines {
		if k == 0 {
			lines[k] = lead + lines[k]
		} else {
			lines[k] = strings.Repeat(" ", cells(lead)) + lines[k]
		}
	}
	return lines
}

// head is the verdict, what was released, and the sentence about the worst intruder.
func (f *fitter) head(d *document.Document) []string {
	s := d.Find("verdict")
	var what message.Sentence
	var worst []message.Sentence
	s.Each(func(b document.Block) {
		if p, ok := b.(document.Prose); ok && p.Brief {
			what = p.Says[0]
		} else if ok && p.Look == "worst" {
			worst = p.Says
		}
	})
	if s.Title.Key() == "head.rest.measured" { // nobody judged it
		return f.say("", what.String(), 2)
	}
	lines := f.say("", stateLine(s.State, what).String(), 2)
	for _, w := range worst {
		lines = append(lines, f.say("", w.String(), 3)...)
	}
	return lines
}

// word is a state in words.
func word(s document.State) message.Sentence { return study.State(s).Word() }

// stateLine is the first line of a text: the verdict, and what it is of.
func stateLine(s document.State, what message.Sentence) message.Sentence {
	return message.Say("page.title").Part("state", word(s)).Part("what", what)
}

// figures are the figures of the head with their bounds, and what stands beside them in so many lines at most.
func (f *fitter) figures(d *document.Document, beside int) []string {
	var all []document.Figure
	d.Find("verdict").Each(func(b document.Block) {
		if figures, ok := b.(document.Figures); ok {
			all = append(all, figures.Items...)
		}
	})
	width := 0
	for _, g := range all {
		width = max(width, cells(g.Title.String()))
	}
	var lines []string
	for _, g := range all {
		most := 1
		if !g.Beside.Empty() || g.Failed {
			most = beside // with who plays it, or why there is none
		}
		name := g.Title.String()
		lines = append(lines, f.say("  "+name+strings.Repeat(" ", width-cells(name))+"  ", inLine(&g), most)...)
	}
	return lines
}

// inLine is a figure in a line: its value, its bounds and what stands beside it, or why it could not be taken.
func inLine(f *document.Figure) string {
	value, interval := f.Text()
	if of := f.Of(); f.Says.Empty() && of != "" {
		value += " " + of
	}
	if interval != "" {
		value += " (" + interval + ")"
	}
	switch {
	case f.Failed:
		return value + ": " + f.Says.String()
	case !f.Beside.Empty():
		return value + ", " + f.Beside.String()
	}
	return value
}

// reasons are what is wrong and what to do about it, the worst first, in so many lines, and whether all that is broken
// is among them.
func (f *fitter) reasons(d *document.Document, most int) (lines []string, told bool) {
	var all []document.Reason
	d.Find("verdict").Each(func(b document.Block) {
		if r, ok := b.(document.Reasons); ok {
			all = append(all, r.Items...)
		}
	})
	for k, r := range all {
		rest, room := len(all)-k, most-len(lines)
		said := f.reason(r, 3)
		if len(said) > room || rest > 1 && len(said) == room {
			said = f.reason(r, 2)
		}
		if len(said) > room || rest > 1 && len(said) == room {
			told = !slices.ContainsFunc(all[k:], func(r document.Reason) bool { return r.State == document.Withheld })
			return append(lines, "! "+message.Say("screen.further").Count("n", rest).String()), told
		}
		lines = append(lines, said...)
	}
	return lines, true
}

// reason is what is wrong and what to do about it, each in so many lines at most.
func (f *fitter) reason(r document.Reason, most int) []string {
	mark := "! "
	if r.State == document.Withheld {
		mark = "✗ "
	}
	said := f.say(mark, r.Says.String(), most)
	if !r.Remedy.Empty() {
		said = append(said, f.say("  → ", r.Remedy.String(), most)...)
	}
	return said
}

// fitness is what the release is good for and what not.
func (f *fitter) fitness(d *document.Document) (lines []string) {
	d.Find("verdict").Each(func(b document.Block) {
		fit, ok := b.(document.Group)
		if !ok {
			return
		}
		for _, p := range fit.Parts {
			lead, most := message.Say("screen.good"), 1
			if p.Title.Key() == "head.not" {
				lead, most = message.Say("screen.not"), 2
			}
			lines = append(lines, f.say(lead.String(), strings.Join(stringsOf(p.Blocks[0].(document.List).Items), ", "),
				most)...)
		}
	})
	return lines
}

func stringsOf(all []message.Sentence) (out []string) {
	for _, s := range all {
		out = append(out, s.String())
	}
	return out
}

// limits are the titles of what the release does not protect against.
func (f *fitter) limits(d *document.Document) (lines []string) {
	s := d.Find("unprotected")
	if s == nil {
		return nil
	}
	lines = append(lines, message.Say("screen.unprotected").String())
	s.Each(func(b document.Block) {
		if l, ok := b.(document.List); ok && l.Brief {
			for _, item := range l.Items {
				lines = append(lines, f.say("- ", item.String(), 1)...)
			}
		}
	})
	return lines
}

// files says where everything is.
func (f *fitter) files() (lines []string) {
	for _, m := range f.Files {
		l := fmt.Sprintf("%-12s %s", m.What, Printable(m.Path))
		switch {
		case !m.Confidential:
		case cells(l)+cells(apart) <= f.width():
			l += apart
		default:
			l += "  (confidential)"
		}
		lines = append(lines, l)
	}
	return lines
}

// apart is said of a file that is confidential.
const apart = "  (confidential: keep it apart from the release)"
