package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// Screen says for which terminal a text is, and how much of it there is to be.
type Screen struct {
	Width   int  // of the terminal in cells; 0 takes 80
	Verbose bool // everything, not a screen only
	Files   []Made
	After   int // lines that whoever calls prints after the text, on the same screen
}

// Gate is the last line of a text, which programs read.
func (s Screen) Gate(v *study.Verdict) string { return v.Gate.String() }

// Made is a file that was written.
type Made struct {
	What, Path   string
	Confidential bool
}

const (
	screenLines = 25
	screenWidth = 80
	mostFigures = 4  // headline figures on a screen
	mostName    = 28 // of a column in a sentence, in cells
)

func (s Screen) width() int {
	if s.Width <= 0 {
		return screenWidth
	}
	return max(s.Width, 40) // narrower ones break lines as they will
}

// more says how to see the rest.
const more = "--verbose prints every measure, every column, and these in full."

// Text writes the outcome for a terminal. A screen holds the verdict, the figures with their bounds, what is wrong and what to do about it, what is not
// protected, and the files, in at most 25 lines; the verbose text goes on with every measure and every column. It is as confidential as the internal
// report.
func Text(w io.Writer, o *study.Outcome, s Screen) error {
	if err := check(o); err != nil {
		return err
	}
	if s.Verbose {
		return verboseText(w, o, s)
	}
	if o.Verdict != nil { // whoever calls prints the gate after the text
		s.After += max(0, len(wrapped(s.Gate(o.Verdict), s.width()))-1)
	}
	f := newFitter(o, s)
	head := f.head(o)
	figures := f.figures(o)
	tail := append(f.files(), more)
	limits, fitness := f.limits(o), f.fitness(o)
	left := screenLines - s.After - len(head) - len(figures) - len(tail)
	least := min(len(limits), 2) + len(fitness)
	reasons := f.reasons(reasonsOf(o), left-least)
	if left -= len(reasons) + len(fitness); left < len(limits) {
		limits = append(limits[:max(left-1, 0):max(left-1, 0)], fmt.Sprintf("  and %d more", len(limits)-max(left-1, 0)))
		if left <= 2 {
			limits = []string{"Not protected: " + counted(len(o.NotProtected), "thing") + " (--verbose)"}
		}
	}
	_, err := io.WriteString(w, joinedLines(head, figures, reasons, fitness, limits, tail))
	return err
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
	var pairs []string
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

// stateWords are the verdicts as a terminal says them.
var stateWords = map[study.State]string{study.Withheld: "WITHHELD", study.WithCare: "RELEASE WITH CARE", study.Meets: "MEETS THE LIMITS",
	study.Unjudged: "NOT JUDGED, no limits were asked for"}

// stateLine is the first line of a text: the verdict, and what it is of.
func stateLine(s study.State, what string) string { return stateWords[s] + ": " + what }

// head is the verdict, what was released, and the sentence about the worst intruder.
func (f *fitter) head(o *study.Outcome) []string {
	lines := f.state(o)
	if v := o.Verdict; v != nil && v.Sentence != "" {
		lines = append(lines, f.say("", sentence(v.Sentence), 3)...)
	}
	return lines
}

// state is the verdict, and what was released.
func (f *fitter) state(o *study.Outcome) []string {
	file := func(name, other string) string { return shortened(Printable(cmp.Or(name, other)), 2*mostName) }
	what := counted(o.Released.Rows(), "record") + " of " + file(o.OriginalFile.Name, "the original")
	if o.Method == nil {
		what += ", released elsewhere as " + file(o.ReleasedFile.Name, "a table")
	} else {
		what += " by " + o.Method.Title
	}
	if o.Verdict == nil {
		return f.say("", what, 2)
	}
	return f.say("", stateLine(o.Verdict.State, what), 2)
}

// figures are the headline figures, the attacks that found and learned the most before all others, with their bounds.
func (f *fitter) figures(o *study.Outcome) []string {
	var rows [][2]string
	for _, a := range worstAttacks(o) {
		rows = append(rows, attackFigure(a))
	}
	attacks := len(rows)
	for _, g := range figures(o, false) {
		if g.Assault && len(rows) > 0 {
			continue // said above
		}
		value := g.Value
		if g.Between != "" {
			value += " (" + g.Between + ")"
		}
		if g.Failed {
			value += ": " + g.Text
		}
		rows = append(rows, [2]string{g.Name, value})
	}
	for k := range o.Measures { // those that have no place at the head of a report
		if m := &o.Measures[k]; m.Err == "" && m.Figure.Text == "" && len(rows) < mostFigures {
			r := rowOfMeasure(m, false)
			value := strings.TrimSpace(r.Score + " " + r.Unit)
			if r.Between != "" {
				value += " (" + r.Between + ")"
			}
			rows = append(rows, [2]string{r.Title, value})
		}
	}
	rows = rows[:min(len(rows), mostFigures)]
	width := 0
	for _, r := range rows {
		width = max(width, cells(r[0]))
	}
	var lines []string
	for k, r := range rows {
		most := 1
		if k < attacks {
			most = 2 // with who plays it
		}
		lines = append(lines, f.say("  "+r[0]+strings.Repeat(" ", width-cells(r[0]))+"  ", r[1], most)...)
	}
	return lines
}

// worstAttacks are the attack that found the most people and the one that learned the most.
func worstAttacks(o *study.Outcome) (out []measure.Attack) {
	var all []measure.Attack
	if o.Verdict != nil {
		all = o.Verdict.Worst
	} else {
		for k := range o.Measures {
			if d, ok := o.Measures[k].Value.Detail.(measure.Assault); ok && o.Measures[k].Err == "" {
				all = append(all, d.Attack())
			}
		}
	}
	for _, secret := range []bool{false, true} {
		var worst *measure.Attack
		for k := range all {
			if a := &all[k]; (a.Secret != "") == secret && (worst == nil || a.Share > worst.Share) {
				worst = a
			}
		}
		if worst != nil {
			out = append(out, *worst)
		}
	}
	return out
}

// attackFigure puts an attack into a line: its share with both bounds, what it was of the original, and who plays it.
func attackFigure(a measure.Attack) [2]string {
	name := "People found"
	if a.Secret != "" {
		name = "Secrets learned"
	}
	s, interval := within(a.Share, a.Lo, a.Hi, measure.In(measure.Share, ""))
	if interval != "" {
		s += " (" + interval + ")"
	}
	if a.Before != nil {
		s += ", was " + chart.Percent(*a.Before)
	}
	if a.Secret != "" {
		s += ", of " + a.Secret + " beyond chance"
	}
	if a.Intruder != "" {
		s += ", by " + byWhom(a.Intruder)
	}
	return [2]string{name, s}
}

// reasonsOf are the reasons of the verdict or, where nobody judged, the remarks of the technique.
func reasonsOf(o *study.Outcome) (out []study.Reason) {
	if o.Verdict != nil {
		return o.Verdict.Reasons
	}
	for _, n := range o.Notes {
		out = append(out, study.Reason{State: study.WithCare, Text: n})
	}
	return out
}

// reasons are what is wrong and what to do about it, the worst first, in so many lines.
func (f *fitter) reasons(all []study.Reason, most int) (lines []string) {
	for k, r := range all {
		mark := "! "
		if r.State == study.Withheld {
			mark = "✗ "
		}
		rest, room := len(all)-k, most-len(lines)
		said := f.reason(mark, r, 3)
		if len(said) > room || rest > 1 && len(said) == room {
			said = f.reason(mark, r, 2)
		}
		if len(said) > room || rest > 1 && len(said) == room {
			return append(lines, fmt.Sprintf("! and %s", counted(rest, "further reason")))
		}
		lines = append(lines, said...)
	}
	return lines
}

// reason is what is wrong and what to do about it, each in so many lines at most.
func (f *fitter) reason(mark string, r study.Reason, most int) []string {
	said := f.say(mark, sentence(r.Text), most)
	if r.Remedy != "" {
		said = append(said, f.say("  → ", sentence(r.Remedy), most)...)
	}
	return said
}

// fitness is what the release is good for and what not.
func (f *fitter) fitness(o *study.Outcome) (lines []string) {
	if o.Verdict == nil {
		return nil
	}
	if g := o.Verdict.GoodFor; len(g) > 0 {
		lines = append(lines, f.say("Good for: ", strings.Join(g, ", "), 1)...)
	}
	if g := o.Verdict.NotFor; len(g) > 0 {
		lines = append(lines, f.say("Not for:  ", strings.Join(g, ", "), 2)...)
	}
	return lines
}

// limits are the titles of what the release does not protect against.
func (f *fitter) limits(o *study.Outcome) (lines []string) {
	if len(o.NotProtected) == 0 {
		return nil
	}
	lines = append(lines, "Not protected:")
	for _, l := range o.NotProtected {
		lines = append(lines, f.say("- ", l.Title, 1)...)
	}
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
