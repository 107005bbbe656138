package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/param"
)

// mostFailures bounds the table of failures.
const mostFailures = 60

// mostOpenFailures is how many rows of that table stand open.
const mostOpenFailures = 4

// failures lists what failed once for each data set, setting and measure, with the reason of the first run, and of how
// many the reason differs.
func (t *contest) failures() (rows []document.Row, unlisted int) {
	type key struct{ data, setting, measure int }
	count, differ := map[key]int{}, map[key]int{}
	first := map[key]message.Sentence{}
	var order []key
	total := map[[2]int]int{}
	for i := range t.Cells {
		c := &t.Cells[i]
		total[[2]int{c.Data, c.Setting}]++
		note := func(m int, reason message.Sentence) {
			k := key{c.Data, c.Setting, m}
			if count[k]++; count[k] == 1 {
				order = append(order, k)
				first[k] = reason
			} else if !reason.Equal(first[k]) {
				differ[k]++
			}
		}
		if c.Err != "" {
			note(-1, message.Text(c.Err))
			continue
		}
		for m := range c.Scores {
			if !c.Scores[m].Err.Empty() && !c.Scores[m].Skip {
				note(m, c.Scores[m].Err)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return a.measure - b.measure }) // releases that failed come first
	names := map[int]string{0: t.original.name}
	for _, e := range t.entrants {
		names[e.Setting] = e.name
	}
	for k, o := range order {
		if k == mostFailures {
			return rows, len(order) - k
		}
		what := message.Say("compare.failures.release")
		if o.measure >= 0 {
			what = message.Text(t.gauges[o.measure].noun)
		}
		reason := first[o].Whole()
		if n := differ[o]; n > 0 {
			reason = message.After(reason, message.Say("compare.failures.differ").Count("n", n))
		}
		rows = append(rows, row(message.Name(t.Data[o.data].Name), message.Name(names[o.setting]), what,
			message.Say("compare.failures.of").Count("n", count[o]).Count("all", total[[2]int{o.data, o.setting}]),
			reason))
	}
	return rows, 0
}

// failureSection lists what failed.
func (t *contest) failureSection() *document.Section {
	rows, unlisted := t.failures()
	if rows == nil {
		return nil
	}
	table := document.Table{Title: message.Say("compare.failures.title"), Rows: rows,
		Columns: columns("compare.failures", "data", "setting", "what", "runs n", "reason wide")}
	blocks := []document.Block{prose("lead", message.Say("compare.failures.lead")), table}
	if len(rows) > mostOpenFailures+1 {
		more := table
		table.Rows, more.Rows = rows[:mostOpenFailures], rows[mostOpenFailures:]
		blocks = []document.Block{blocks[0], table, fold(message.Say("compare.failures.more").Count("n", len(more.Rows)),
			more)}
	}
	if unlisted > 0 {
		blocks = append(blocks, prose("note", message.Say("compare.failures.unlisted").Count("n", unlisted)))
	}
	s := compareSection("failures", blocks...)
	s.Look = "limits"
	return s
}

// notes are the remarks of a measure, each once with how many runs made it.
func (t *contest) notes(g *gauge) (out []message.Sentence) {
	for k, n := range g.Notes {
		if len(g.Said) == len(g.Notes) && g.Said[k] < len(t.Cells) {
			n = message.Say("compare.measures.said").Part("note", n).Count("n", g.Said[k]).Count("runs", len(t.Cells))
		}
		out = append(out, n.Whole())
	}
	return out
}

// measureSection describes every measure.
func (t *contest) measureSection() *document.Section {
	table := document.Table{Title: message.Say("compare.measures.title"),
		Columns: columns("compare.measures", "measure", "side", "unit", "direction", "says wide")}
	for i := range t.gauges {
		g := &t.gauges[i]
		name := g.name
		if g.Short != "" {
			name += ", " + g.Title
		}
		r := row(message.Name(name), message.Text(string(g.Side)), message.Text(g.unitText()),
			g.direction(),
			message.After(append([]message.Sentence{message.Given(g.Summary)}, t.notes(g)...)...))
		r.Cells[4].Source, r.Cells[4].Below = g.Paper, texts(written(g.Params))
		table.Rows = append(table.Rows, r)
	}
	if table.Rows == nil {
		return nil
	}
	return compareSection("measures", fold(message.Say("compare.measures.fold").Count("n", len(table.Rows)), table))
}

// protocol says how the comparison was made.
func (t *contest) protocol(rule message.Sentence) *document.Section {
	failed := 0
	for i := range t.Cells {
		if t.Cells[i].Err != "" {
			failed++
		}
	}
	runs := message.Say("compare.made.runs").Count("n", len(t.Cells))
	if failed > 0 {
		runs = message.Say("compare.made.failed").Count("n", len(t.Cells)).Count("failed", failed)
	}
	folds := message.Say("compare.made.folds.says").Count("folds", t.Folds).Count("times", t.Repeats).
		Part("runs", runs)
	var facts document.Facts
	for _, f := range []struct {
		key  string
		says message.Sentence
	}{{"folds", folds}, {"figures", message.Say("compare.made.figures.says")},
		{"intervals", message.Say("compare.made.intervals.says")},
		{"differences", rule}, {"map", message.Say("compare.made.map.says")},
		{"original", message.Say("compare.made.original.says")}} {
		facts.Items = append(facts.Items, document.Fact{Name: message.Say("compare.made." + f.key + ".name"), Says: f.says})
	}
	if len(t.Data) > 1 {
		facts.Items = append(facts.Items, document.Fact{Name: message.Say("compare.made.sets.name"),
			Says: message.Say("compare.made.sets.says")})
	}
	origin := document.Facts{Look: "hash", Items: []document.Fact{{Name: message.Text("dither"),
		Says: orUnknown(t.Version)}}}
	if t.Commitment != "" {
		origin.Items = append(origin.Items, document.Fact{Name: message.Say("made.commitment"),
			Says: message.Text(t.Commitment)})
	}
	settings, data := t.settingTable(), t.dataTable()
	return compareSection("made", facts, fold(message.Say("compare.made.fold"), part(settings.Title, settings),
		part(data.Title, data), origin))
}

// settingAnchor is the id of a setting in the table of settings, to which its points on the map lead.
func settingAnchor(setting int) string { return fmt.Sprintf("setting-%d", setting) }

// command is how protect releases by a technique with these parameters.
func command(method string, ps []param.Value) string {
	out := "--method " + method
	for _, v := range ps {
		if s := fmt.Sprint(v.Value); s != "" {
			out += " --set " + quoted(v.Name+"="+s)
		}
	}
	return out
}

// quoted is a word of a command line.
func quoted(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("=.,:+-_/%", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// settingTable is the settings with the commands that make them.
func (t *contest) settingTable() document.Table {
	out := document.Table{Title: message.Say("compare.settings.title"),
		Columns: columns("compare.settings", "setting", "technique", "source", "parameters wide", "command")}
	for _, e := range t.byPlace() {
		s := t.Settings[e.Setting]
		r := row(message.Name(e.name), message.Sentence{}, message.Sentence{}, message.Text(written(s.Params)))
		if s.Method != nil {
			r.Cells[1].Says, r.Cells[2].Says = message.Text(s.Method.Title), message.Text(s.Method.Paper)
			r.Cells = append(r.Cells, document.Cell{Says: message.Text(command(s.Method.Name, s.Params)), Look: "hash"})
		}
		r.Anchor = settingAnchor(e.Setting)
		out.Rows = append(out.Rows, r)
	}
	return out
}

func (t *contest) dataTable() document.Table {
	out := document.Table{Title: message.Say("compare.data.title"),
		Columns: columns("compare.data", "data", "file", "records n", "columns n", "class", "parameters", "hash")}
	for _, d := range t.Data {
		class := message.Sentence{}
		if d.Class != "" {
			class = message.Say("compare.data.classes").Name("class", d.Class).Count("n", d.Classes)
		}
		var set []string
		for _, k := range slices.Sorted(maps.Keys(d.Set)) {
			set = append(set, k+" "+d.Set[k])
		}
		r := row(message.Name(d.Name), fileName(d.File), message.Count(d.Records), message.Count(d.Columns), class,
			message.Text(strings.Join(set, ", ")),
			message.Text(d.File.SHA256))
		r.Cells[6].Look = "hash"
		out.Rows = append(out.Rows, r)
	}
	return out
}

// written writes parameters in a line.
func written(ps []param.Value) string {
	var out []string
	for _, v := range ps {
		out = append(out, strings.TrimSpace(v.Name+" "+parameter(v.Value)+" "+v.Unit))
	}
	return strings.Join(out, ", ")
}
