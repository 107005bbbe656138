package report

import (
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// CompareText writes a comparison for a terminal: which setting to take and by which measure that was judged, then per
// data set the mean over the folds and its standard deviation, measures as rows and settings as columns, or turned
// where that fits and this does not. A screen has the measures that the choice looks at first, of the
// best settings. The verbose text has all, describes the measures, with their remarks, and adds what they took many
// times.
func CompareText(w io.Writer, c *study.Comparison, opt CompareOptions, s Screen) error {
	t, err := newContest(c, opt)
	if err != nil {
		return err
	}
	v := newVerdict(t)
	d := t.document(v)
	var short []string
	for _, e := range t.entrants {
		short = append(short, Printable(e.name))
	}
	f := &fitter{s, shortener(short)}
	text := f.comparison(d)
	if !s.Verbose {
		text = joinedLines(f.compared(d, t, t.labels(t.leading(v))))
	}
	_, err = io.WriteString(w, text)
	return err
}

// folds are the tables of means, one for every data set, and what the measures are.
func folds(d *document.Document) (tables []document.Fold, what document.Fold) {
	for _, b := range d.Find("means").Blocks {
		if f, ok := b.(document.Fold); ok {
			tables = append(tables, f)
		}
	}
	n := len(tables) - 1
	return tables[:n], tables[n]
}

// comparison is the verbose text.
func (f *fitter) comparison(d *document.Document) string {
	var b strings.Builder
	b.WriteString(joinedLines(f.told(d, len(d.Lead))))
	tables, what := folds(d)
	for _, t := range tables {
		m := newMeansTable(t)
		b.WriteString(joinedLines(f.studied(d, t), strings.Split(m.render(f.width()), "\n")))
		b.WriteString(joinedLines(f.notApplied(t)))
	}
	b.WriteString("\n" + joinedLines(f.say("", keyOf(d).String())) + "\n")
	facts := what.Blocks[0].(document.Facts)
	for _, l := range factLines(&facts) {
		b.WriteString(Printable(l) + "\n")
	}
	blocksText(&b, what.Blocks[1:], message.Sentence{})
	if q := d.Find("quartiles"); q != nil {
		blocksText(&b, q.Blocks[0].(document.Fold).Blocks, message.Sentence{})
	}
	if lines := f.files(); lines != nil {
		b.WriteString("\n" + joinedLines(lines))
	}
	return b.String()
}

// told is the verdict, and so many of the sentences that follow from it.
func (f *fitter) told(d *document.Document, most int) []string {
	lines := f.say("", message.Say("sentence").Part("says", d.Title).String())
	for _, s := range d.Lead[:most] {
		lines = append(lines, f.say("- ", s.String())...)
	}
	return lines
}

// studied is what stands above the table of a data set, its name and size.
func (f *fitter) studied(d *document.Document, t document.Fold) []string {
	lines := append([]string{""}, f.say("", t.Title.String())...)
	return append(lines, d.Find("means").Blocks[0].(document.Prose).Says[0].String(), "")
}

// keyOf is the key to the tables.
func keyOf(d *document.Document) message.Sentence {
	return d.Find("means").Blocks[0].(document.Prose).Says[1]
}

// notApplied names the measures that apply to no setting, below a blank line; nothing where there are none.
func (f *fitter) notApplied(t document.Fold) []string {
	if len(t.Blocks) < 2 {
		return nil
	}
	return append([]string{""}, wrapped(Printable(t.Blocks[1].(document.Prose).Says[0].String()), f.width())...)
}

// many is how many measures or settings may be left out, with what room that takes.
const many = 40

// fewestMeans is how many lines the table of a data set takes at least, with what stands above.
const fewestMeans = 9

// compared is a comparison on a screen: the verdict, then of as many data sets as have room the measures that
// the choice looks at first, by their labels, of the best settings.
func (f *fitter) compared(d *document.Document, t *contest, leading []string) []string {
	key, tail := f.say("", keyOf(d).String()), []string(nil)
	if files := f.files(); files != nil {
		tail = append(tail, "")
		tail = append(tail, files...)
	}
	below := len(key) + len(tail) + len(f.say("", leftOut(many, many, many).String())) + 1 // a blank line
	told := f.told(d, len(d.Lead))
	for most := len(d.Lead) - 1; most >= 0 && len(told) > f.lines()-below-fewestMeans; most-- {
		told = f.told(d, most)
	}
	left := f.lines() - len(told) - below
	all, _ := folds(d)
	sets := min(len(all), max(1, left/fewestMeans))
	var tables []string
	measures, settings := 0, 0
	for k, set := range all[:sets] {
		above := f.studied(d, set)
		room := (left-len(tables))/(sets-k) - len(above)
		m := newMeansTable(set)
		part := m.fitting(leading, t.places(), f.width(), room)
		measures = max(measures, m.measures()-part.measures())
		settings = max(settings, len(m.names)-len(part.names))
		lines := strings.Split(strings.TrimSuffix(part.render(f.width()), "\n"), "\n")
		none := f.notApplied(set)
		if part.measures() == m.measures() && len(lines)+len(none) <= room {
			lines = append(lines, none...)
		}
		tables = append(append(tables, above...), lines...)
	}
	more := leftOut(measures, settings, len(all)-sets).String()
	return slices.Concat(told, tables, []string{""}, key, f.say("", more), tail)
}

// leftOut says what a screen leaves out: measures, settings, and tables.
func leftOut(measures, settings, tables int) message.Sentence {
	var rest []string
	for _, left := range []struct {
		key string
		n   int
	}{{"measure", measures}, {"setting", settings}, {"table", tables}} {
		if left.n > 0 {
			rest = append(rest, message.Say("compare.screen."+left.key).Count("n", left.n).String())
		}
	}
	if rest == nil {
		return message.Say("compare.screen.verbose")
	}
	return message.Say("compare.screen.prints").Part("rest", listed(rest))
}

// labels are those of measures by their places.
func (t *contest) labels(of []int) (out []string) {
	for _, k := range of {
		out = append(out, t.gauges[k].Label)
	}
	return out
}

// places are the settings, the best first, behind the original.
func (t *contest) places() []int {
	out := []int{0}
	for _, e := range t.entrants {
		out = append(out, e.Setting)
	}
	return out
}

// fitting is the largest part of a table that has so many lines at most: of all settings, the best first, if four of
// the leading measures have room beside them, else of the best. The original always stands there.
func (m *meansTable) fitting(leading []string, settings []int, width, lines int) *meansTable {
	var rows []int
	for _, key := range leading {
		k := slices.IndexFunc(m.lines, func(l meansLine) bool { return l.key == key && l.cells != nil })
		if k >= 0 {
			rows = append(rows, k)
		}
	}
	const enough = 4
	for n := len(settings); n > 0; n-- {
		for k := len(rows); k > 0 && (n <= 2 || k >= min(enough, len(rows))); k-- {
			if min(n, k)+2 > lines && n*k > 1 { // a head, a line and its rows are more, turned or not
				continue
			}
			part := m.part(rows[:k], settings[:n])
			if strings.Count(part.render(width), "\n") <= lines || n == 1 && k == 1 {
				return part
			}
		}
	}
	return m
}
