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
	After   int    // lines that the caller prints after the text, on the same screen
	Below   func() // says below the verdict what was noticed; nil for nothing
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
	leastBeside = 24 // for a sentence beside the name of a figure, in cells
	mostFitness = 3  // lines of what a release is good for, and of what not
)

func (s Screen) width() int {
	if s.Width <= 0 {
		return screenWidth
	}
	return max(s.Width, 40) // narrower ones break lines as they will
}

// lines is how many lines a screen has. A narrow one has more, so that as much is said: no sentence is cut.
func (s Screen) lines() int { return screenLines * screenWidth / min(s.width(), screenWidth) }

// Text writes the outcome for a terminal. A screen holds the verdict, the figures with their bounds, what is wrong and
// what to do about it, what it is good for, what is not protected, and the files. Every sentence is whole; where there
// are more than a screen holds, the last of a list are left out and counted. The verbose text is the whole report. It
// is as confidential as the internal report.
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
	head, figures := f.head(d), f.figures(d, true)
	tail := append(f.files(), f.say("", message.Say("screen.verbose").String())...)
	fitness, limits := f.fitness(d), f.limits(d)
	room := f.lines() - s.After - len(head) - len(tail)
	forLimits := limits.least(f)
	if withheld(o) { // nothing goes out: what it would not protect is said where there is room
		forLimits = 0
	}
	least := forLimits + 2*len(fitness)
	reasons, told := f.reasons(d, room-len(figures)-least)
	if !told || len(figures)+len(reasons)+least > room { // what is wrong comes before who plays the attacks
		figures = f.figures(d, false)
		reasons, _ = f.reasons(d, room-len(figures)-least)
	}
	room -= len(figures) + len(reasons)
	var fit []string
	for k, l := range fitness {
		left := room - len(fit) - limits.least(f) - 2*(len(fitness)-1-k)
		fit = append(fit, l.within(f, min(left, mostFitness*f.lines()/screenLines))...)
	}
	var open []string
	if room -= len(fit); !withheld(o) || room >= limits.least(f) {
		open = limits.within(f, room)
	}
	if err := f.write(w, head); err != nil {
		return err
	}
	_, err = io.WriteString(w, joinedLines(figures, reasons, fit, open, tail))
	return err
}

// write writes the verdict, below which stands what was noticed.
func (s Screen) write(w io.Writer, head []string) error {
	_, err := io.WriteString(w, joinedLines(head))
	if err == nil && s.Below != nil {
		s.Below()
	}
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

// afterVerdict counts the lines that are printed after the text: the verdict, and what to do next.
func (s *Screen) afterVerdict(o *study.Outcome) {
	if o.Verdict != nil {
		s.After += max(0, len(wrapped(o.Verdict.Line().String(), s.width()))-1) + len(s.Next(o))
	}
}

// Next is the last line of a text, wrapped: what to do next.
func (s *Screen) Next(o *study.Outcome) []string {
	return wrapped(Next(o, s.Files).String(), s.width())
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
func (f *fitter) say(lead, s string) []string {
	lines := wrapped(f.names.Replace(Printable(s)), f.width()-cells(lead))
	for k := range lines {
		if k == 0 {
			lines[k] = lead + lines[k]
		} else {
			lines[k] = strings.Repeat(" ", cells(lead)) + lines[k]
		}
	}
	return lines
}

// enumeration is a list of which a screen may hold the first items only.
type enumeration struct {
	lead  string   // what stands before the first, or above where each has lines of its own
	items []string // whole
	apart bool     // each has lines of its own
}

// first is the first n items, and how many more there are.
func (l *enumeration) first(f *fitter, n int) (lines []string) {
	rest := len(l.items) - n
	if l.apart {
		lines = f.say("", l.lead)
		for _, item := range l.items[:n] {
			lines = append(lines, f.say("- ", item)...)
		}
		if rest > 0 {
			lines = append(lines, f.say("  ", message.Say("screen.more").Count("n", rest).String())...)
		}
		return lines
	}
	said := strings.Join(l.items[:n], ", ")
	if rest > 0 {
		said = message.Say("screen.rest").Text("names", said).Count("n", rest).String()
	}
	return f.say(l.lead, said)
}

// within is as many items as so many lines hold, and one at least.
func (l *enumeration) within(f *fitter, room int) []string {
	if l == nil {
		return nil
	}
	for n := len(l.items); n > 1; n-- {
		if lines := l.first(f, n); len(lines) <= room {
			return lines
		}
	}
	return l.first(f, 1)
}

// least is how many lines it takes at least.
func (l *enumeration) least(f *fitter) int { return len(l.within(f, 0)) }

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
		return f.say("", what.String())
	}
	lines := f.say("", stateLine(s.State, what).String())
	for _, w := range worst {
		lines = append(lines, f.say("", w.String())...)
	}
	return lines
}

// word is a state in words.
func word(s document.State) message.Sentence { return study.State(s).Word() }

// stateLine is the first line of a text: the verdict, and what it is of.
func stateLine(s document.State, what message.Sentence) message.Sentence {
	return message.Say("page.title").Part("state", word(s)).Part("what", what)
}

// figures are the figures of the head with their bounds, and what stands beside them.
func (f *fitter) figures(d *document.Document, beside bool) []string {
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
		name := g.Title.String()
		if lead := "  " + name + strings.Repeat(" ", width-cells(name)) + "  "; f.width()-cells(lead) >= leastBeside {
			lines = append(lines, f.say(lead, inLine(&g, beside))...)
		} else {
			lines = append(lines, slices.Concat(f.say("  ", name), f.say("    ", inLine(&g, beside)))...)
		}
	}
	return lines
}

// inLine is a figure in a line: its value, its bounds and what stands beside it, or why it could not be taken.
func inLine(f *document.Figure, beside bool) string {
	value, interval := f.Text()
	if of := f.Of(); f.Says.Empty() && of != "" {
		value += " " + of
	}
	if interval != "" {
		value += " (" + interval + ")"
	}
	switch {
	case f.Failed && beside:
		return value + ": " + f.Says.String()
	case !f.Beside.Empty() && beside:
		return value + ", " + f.Beside.String()
	}
	return value
}

// reasons are what is wrong and what to do about it, the worst first, in so many lines but for the first, and whether
// all that is broken is among them.
func (f *fitter) reasons(d *document.Document, most int) (lines []string, told bool) {
	var all []document.Reason
	d.Find("verdict").Each(func(b document.Block) {
		if r, ok := b.(document.Reasons); ok {
			all = append(all, r.Items...)
		}
	})
	for k, r := range all {
		said, room := f.reason(r), most-len(lines)
		if rest := len(all) - k; k > 0 && (len(said) > room || rest > 1 && len(said) == room) {
			told = !slices.ContainsFunc(all[k:], func(r document.Reason) bool { return r.State == document.Withheld })
			return append(lines, f.say("! ", message.Say("screen.further").Count("n", rest).String())...), told
		}
		lines = append(lines, said...)
	}
	return lines, true
}

// reason is what is wrong and what to do about it.
func (f *fitter) reason(r document.Reason) []string {
	mark := "! "
	if r.State == document.Withheld {
		mark = "✗ "
	}
	said := f.say(mark, r.Says.String())
	if !r.Remedy.Empty() {
		said = append(said, f.say("  → ", r.Remedy.String())...)
	}
	return said
}

// fitness is what the release is good for and what not.
func (f *fitter) fitness(d *document.Document) (out []*enumeration) {
	d.Find("verdict").Each(func(b document.Block) {
		fit, ok := b.(document.Group)
		if !ok {
			return
		}
		for _, p := range fit.Parts {
			lead := message.Say("screen.good")
			if p.Title.Key() == "head.not" {
				lead = message.Say("screen.not")
			}
			out = append(out, &enumeration{lead: lead.String(), items: stringsOf(p.Blocks[0].(document.List).Items)})
		}
	})
	return out
}

func stringsOf(all []message.Sentence) (out []string) {
	for _, s := range all {
		out = append(out, s.String())
	}
	return out
}

// limits are the titles of what the release does not protect against; nil where nothing is known.
func (f *fitter) limits(d *document.Document) *enumeration {
	s := d.Find("unprotected")
	if s == nil {
		return nil
	}
	out := &enumeration{lead: message.Say("screen.unprotected").String(), apart: true}
	s.Each(func(b document.Block) {
		if l, ok := b.(document.List); ok && l.Brief {
			out.items = append(out.items, stringsOf(l.Items)...)
		}
	})
	return out
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
