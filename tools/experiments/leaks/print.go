package main

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/tools/internal/rerun"
)

func list(names []string) string { return strings.Join(names, ", ") }

// print writes the page.
func print(p *rerun.Page, found []finding, runs int) {
	p.WriteString(text)
	p.WriteString("| table | records | leak | noticed by | figure | limit | verdict |\n|---|--:|---|---|--:|--:|---|\n")
	seen, withheld, clean, out := 0, 0, 0, 0
	for k := range found {
		f := &found[k]
		by, figure, limit := "nothing", "", ""
		if d, ok := f.noticed(); ok {
			by, figure, limit = "`"+d.Measure+"`", share(&d), bound(&d)
		} else if !f.leaks() {
			by = "–"
		}
		switch {
		case !f.leaks():
			clean++
			if f.verdict.State != study.Withheld {
				out++
			}
		default:
			seen++
			if _, ok := f.noticed(); ok && f.verdict.State == study.Withheld {
				withheld++
			}
		}
		fmt.Fprintf(
			p,
			"| %s | %d | %s | %s | %s | %s | %s |\n",
			f.table,
			f.records,
			f.what,
			by,
			figure,
			limit,
			f.verdict.State,
		)
	}
	fmt.Fprintf(p, "\n%d of %d releases with a leak are withheld, each by a figure that the leak is there to move; %d "+
		"of %d without one are not withheld.\n", withheld, seen, out, clean)
}

// share writes the figure of a demand with its bounds.
func share(d *study.Demand) string {
	if d.Value == nil {
		return d.Why.String()
	}
	s := fmt.Sprintf("%.3g", *d.Value)
	if d.Lo != nil && d.Hi != nil && *d.Lo != *d.Hi {
		s += fmt.Sprintf(" (%.3g to %.3g)", *d.Lo, *d.Hi)
	}
	return s
}

func bound(d *study.Demand) string {
	if d.Max == nil {
		return ""
	}
	return fmt.Sprintf("%g", *d.Max)
}

const text = `# Leaks that were planted, and what notices them

A measure of risk that finds nothing is worth something only if it finds what is there. This page
plants known leaks in releases of ten public tables and of a made-up hospital file and lets dither
judge every release, as ` + "`dither evaluate`" + ` does.

A release starts from the values of every column in a random order: nothing tells who is who. Then
one leak is planted; the last rows are techniques with settings that leak. Every release is held
against an intruder who knows all of a person but the class, unless the leak needs another one, by
the limits that hold where nobody sets any. The figure is that of the limit named beside it: a share
of the people, with its one-sided 95 % bounds where people were sampled, or a number of columns.
"Release with care" without a leak is a small table in which chance leaves a record as it was.

Releases without a leak are judged by every measure. Those of abalone and adult are withheld all the
same: values that one person alone has stand in them as they are, which tells who is in the table
(` + "`membership`" + `). So is that of crx: its rows stand in the order of the original (` + "`roworder`" + `).

    go run -C tools ./experiments/leaks -write ../docs

`
