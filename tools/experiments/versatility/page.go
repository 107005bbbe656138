package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// limit is the largest share of the people that may be found: that of the default limits.
const limit = 0.09

func page(w io.Writer, sets []*set, rows []row, repeats int) error {
	var titles []string
	for _, s := range sets {
		titles = append(titles, fmt.Sprintf("%s (%d records, %s)", s.title, s.Rows(), s.about))
	}
	intro := strings.NewReplacer("{{sets}}", strings.Join(titles, ", "), "{{divisions}}", fmt.Sprint(divisions),
		"{{limit}}", fmt.Sprintf("%.0f", 100*limit), "{{found}}", advice(sets, rows)).Replace(text)
	fmt.Fprint(w, rerun.Wrap(intro))
	printMap(w, sets, rows)
	printThesis(w, sets, rows)
	printScales(w, sets)
	for k := range sets {
		printSet(w, sets[k], rows, k, repeats)
	}
	printNotRun(w, rows)
	return nil
}

// advice lists which techniques keep a kind of pattern, or all, on every table that they take, with few enough people
// found.
func advice(sets []*set, rows []row) string {
	var out strings.Builder
	fmt.Fprintf(&out, "With at most %.0f %% of the people found on every table that they take, and kept:\n\n", 100*limit)
	list := func(title string, ok func(r *row) bool) {
		var names []string
		for k := range rows {
			if r := &rows[k]; r.people(sets) <= limit && ok(r) {
				names = append(names, "`"+r.Name+"`")
			}
		}
		if len(names) == 0 {
			names = []string{"none"}
		}
		fmt.Fprintf(&out, "- %s: %s.\n", title, strings.Join(names, ", "))
	}
	for kind, name := range kindNames {
		list(name, func(r *row) bool { return r.mark(sets, kind) == kept })
	}
	list("nothing lost", func(r *row) bool {
		for kind := range kinds {
			if m := r.mark(sets, kind); m == partly || m == lost {
				return false
			}
		}
		return true
	})
	list("all that keep this limit, whatever they lose", func(*row) bool { return true })
	return strings.TrimSpace(out.String())
}

// mark returns the worst mark of a technique by a kind of pattern over the data sets.
func (r *row) mark(sets []*set, kind int) mark {
	w := none
	for k, c := range r.cells {
		if c.why == "" {
			w = worst(w, sets[k].scales[kind].of(c.losses[kind]))
		}
	}
	return w
}

// runs reports whether there is a release of any data set.
func (r *row) runs() bool {
	return slices.ContainsFunc(r.cells, func(c cell) bool { return c.why == "" })
}

// people returns the largest share of the people who are found, NaN for none. A table in which hardly anybody is found
// in the original says nothing.
func (r *row) people(sets []*set) float64 {
	most := math.NaN()
	for k, c := range r.cells {
		if c.why == "" && sets[k].found > limit && !(c.found <= most) && !math.IsNaN(c.found) {
			most = c.found
		}
	}
	return most
}

// private says what a technique protects, data or patterns.
func (r *row) private() string {
	if r.Purpose == protect.Hides {
		return "patterns"
	}
	return "data"
}

// changed says what a technique changed.
func (r *row) changed() string {
	var out []string
	for _, kind := range []string{"numbers", "categories", "class", "items"} {
		if slices.ContainsFunc(r.cells, func(c cell) bool { return c.why == "" && c.changes[kind] }) {
			out = append(out, kind)
		}
	}
	if len(out) == 0 {
		return "no value"
	}
	return strings.Join(out, ", ")
}

// share writes a share of the people with whether it keeps the limit.
func share(v float64) string {
	switch {
	case math.IsNaN(v):
		return none.String()
	case v <= limit:
		return fmt.Sprintf("%s %.0f %%", kept, 100*v)
	}
	return fmt.Sprintf("%s %.0f %%", lost, 100*v)
}

// head writes the head of a table with a column for every kind of pattern.
func head(w io.Writer, before, after string) {
	fmt.Fprintf(w, "| %s | %s | %s |\n|%s\n", before, strings.Join(kindNames[:], " | "), after,
		strings.Repeat("---|", strings.Count(before, "|")+2+kinds))
}

func printMap(w io.Writer, sets []*set, rows []row) {
	fmt.Fprint(w, "\n## The map\n\n", rerun.Wrap("Each mark is the worst over the tables that a technique takes, and "+
		"people found is the largest share. Figures by table are below.\n"))
	for _, purpose := range protect.Purposes() {
		fmt.Fprintf(w, "\n### %s\n\n", purpose)
		head(w, "technique | private | changes", "people found")
		for k := range rows {
			if r := &rows[k]; r.Purpose == purpose && r.runs() {
				fmt.Fprintf(w, "| `%s` | %s | %s |", r.Name, r.private(), r.changed())
				for kind := range kinds {
					fmt.Fprintf(w, " %s |", r.mark(sets, kind))
				}
				fmt.Fprintf(w, " %s |\n", share(r.people(sets)))
			}
		}
	}
}

func printScales(w io.Writer, sets []*set) {
	fmt.Fprint(w, "\n## What losses are held against\n\n", rerun.Wrap("Mean and largest loss between two halves, and, "+
		"behind the stroke, the loss of a table that has lost the pattern; the people found where the original is released "+
		"as it is.\n"), "\n")
	head(w, "table", "people found")
	for _, s := range sets {
		fmt.Fprintf(w, "| %s |", s.title)
		for _, c := range s.scales {
			if math.IsNaN(c.mean) {
				fmt.Fprintf(w, " %s |", none)
				continue
			}
			fmt.Fprintf(w, " %.3f, %.3f / %.3f |", c.mean, c.most, c.destroyed)
		}
		fmt.Fprintf(w, " %s |\n", share(s.found))
	}
}

func printSet(w io.Writer, s *set, rows []row, k, repeats int) {
	fmt.Fprintf(w, "\n## %s\n\n", s.title)
	quasi := s.quasi()
	if quasi != "" {
		quasi = "; the intruder knows " + quasi
	}
	fmt.Fprint(w, rerun.Wrap(fmt.Sprintf("%d records of %s; association rules have a support of %.0f %%%s. Mean losses "+
		"of %d releases.\n", s.Rows(), s.about, 100*s.support, quasi, repeats)), "\n")
	head(w, "technique", "people found")
	for i := range rows {
		c := rows[i].cells[k]
		if c.why != "" {
			continue
		}
		fmt.Fprintf(w, "| `%s` |", rows[i].Name)
		for kind, loss := range c.losses {
			m := s.scales[kind].of(loss)
			if m == none {
				fmt.Fprintf(w, " %s |", m)
				continue
			}
			fmt.Fprintf(w, " %s %.3f |", m, loss)
		}
		fmt.Fprintf(w, " %s |\n", share(c.found))
	}
}

// printNotRun lists the techniques of which no data set has a release, with why.
func printNotRun(w io.Writer, rows []row) {
	var out strings.Builder
	for k := range rows {
		if r := &rows[k]; !r.runs() {
			fmt.Fprintf(&out, "- `%s`: %s\n", r.Name, r.cells[0].why)
		}
	}
	if out.Len() > 0 {
		fmt.Fprint(w, "\n## Not run, and why\n\n", rerun.Wrap(out.String()))
	}
}
