package report

import (
	"slices"
	"strings"
)

// fewestMeans is how many lines the table of a data set takes at least, with what stands above.
const fewestMeans = 9

// screen is a comparison in at most 25 lines: the verdict, then of as many data sets as have room the measures that the choice looks at first, of the best
// settings.
func (t *contest) screen(v verdict, f *fitter) []string {
	tail := f.say("", t.arrows(), 1)
	if files := f.files(); files != nil {
		tail = append(append(tail, ""), files...)
	}
	told := t.told(v, f, 3)
	for most := 2; most > 0 && len(told) > screenLines-len(tail)-2-fewestMeans; most-- {
		told = t.told(v, f, most)
	}
	left := screenLines - len(told) - len(tail) - 2 // a blank line, and one that says what is left out
	sets := min(len(t.Data), max(1, left/fewestMeans))
	var tables []string
	measures, settings := 0, 0
	for d := range sets {
		above := t.studied(f, d, 1)
		room := (left-len(tables))/(sets-d) - len(above)
		m := t.means(d)
		part := t.fitting(v, m, f.width(), room)
		measures, settings = max(measures, len(m.gauge)-len(part.gauge)), max(settings, len(m.names)-len(part.names))
		lines := strings.Split(strings.TrimSuffix(part.render(f.width()), "\n"), "\n")
		if none := m.notApplied(f.width()); len(part.gauge) == len(m.gauge) && len(lines)+len(none) <= room {
			lines = append(lines, none...)
		}
		tables = append(append(tables, above...), lines...)
	}
	more := "--verbose says what the measures are and what they remarked."
	if rest := kept(leftOut(measures, "measure"), leftOut(settings, "setting"), leftOut(len(t.Data)-sets, "table")); len(rest) > 0 {
		more = "--verbose prints " + listed(rest) + ", and what the measures are."
	}
	return slices.Concat(told, tables, []string{""}, tail[:1], f.say("", more, 1), tail[1:])
}

// leftOut counts what a screen leaves out.
func leftOut(n int, what string) string {
	if n == 0 {
		return ""
	}
	return counted(n, "further "+what)
}

// fitting is the largest part of a table that has so many lines at most: of all settings if four measures have room beside them, else of the best. The
// original always stands there.
func (t *contest) fitting(v verdict, m *meansOn, width, lines int) *meansOn {
	var measures, settings []int
	for _, g := range t.leading(v) {
		if k := slices.Index(m.gauge, g); k >= 0 {
			measures = append(measures, k)
		}
	}
	settings = []int{0}
	for _, e := range t.entrants {
		settings = append(settings, e.Setting)
	}
	const enough = 4
	for n := len(settings); n > 0; n-- {
		for k := len(measures); k > 0 && (n <= 2 || k >= min(enough, len(measures))); k-- {
			if part := m.part(measures[:k], settings[:n]); strings.Count(part.render(width), "\n") <= lines || n == 1 && k == 1 {
				return part
			}
		}
	}
	return m
}

// part is the table of some of its measures and settings, in the order of the whole.
func (m *meansOn) part(measures, settings []int) *meansOn {
	measures, settings = slices.Sorted(slices.Values(measures)), slices.Sorted(slices.Values(settings))
	out := &meansOn{}
	for _, s := range settings {
		out.heads, out.names = append(out.heads, m.heads[s]), append(out.names, m.names[s])
	}
	for _, k := range measures {
		out.gauge, out.measure, out.who = append(out.gauge, m.gauge[k]), append(out.measure, m.measure[k]), append(out.who, m.who[k])
		var row []string
		for _, s := range settings {
			row = append(row, m.cells[k][s])
		}
		out.cells = append(out.cells, row)
	}
	return out
}
