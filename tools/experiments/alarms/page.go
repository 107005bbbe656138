package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// add counts the verdict on one release.
func (o *outcome) add(p *study.Outcome) {
	o.records = p.Original.Rows()
	o.states[p.Verdict.State]++
	for _, c := range p.Changes {
		if c.Action.Kind == study.Dropped && !slices.Contains(o.dropped, c.Column) {
			o.dropped = append(o.dropped, c.Column)
		}
	}
	if p.Verdict.State != study.Withheld {
		return
	}
	o.withheld++
	seen := map[*against]bool{}
	for _, d := range p.Verdict.Broken() {
		a := o.of(d.Measure)
		if d.Value != nil {
			a.most = max(a.most, *d.Value)
		}
		if seen[a] { // by another intruder
			continue
		}
		seen[a] = true
		a.releases++
		if d.Standing == study.Unproven {
			a.unproven++
		}
	}
}

// of returns what is known of a demand.
func (o *outcome) of(measure string) *against {
	k := slices.IndexFunc(o.against, func(a *against) bool { return a.measure == measure })
	if k < 0 {
		k = len(o.against)
		o.against = append(o.against, &against{measure: measure})
	}
	return o.against[k]
}

func (a *against) String() string {
	s := fmt.Sprintf("`%s` %.2g", a.measure, a.most)
	if a.unproven == a.releases {
		return s + " (not shown)"
	}
	return s
}

// write prints what became of all tables.
func write(ctx context.Context, p *rerun.Page, seeds int) error {
	var lines strings.Builder
	withheld, things := make([]int, len(techniques)), make([]int, len(techniques))
	dropped, ofThings := 0, 0
	for _, s := range sets {
		cells := make([]string, len(techniques))
		var first *outcome
		for k, technique := range techniques {
			o, err := judged(ctx, &s, technique, seeds)
			if err != nil {
				return err
			}
			if first == nil {
				first = o
			}
			if withheld[k] += o.withheld; !s.people {
				things[k] += o.withheld
			}
			cells[k] = o.cell(seeds)
		}
		if !s.people {
			ofThings++
		}
		dropped += len(first.dropped)
		columns := strings.Join(first.dropped, ", ")
		fmt.Fprintf(&lines, "| %s | %d | %s | %s |", s.name, first.records, s.rows, columns)
		fmt.Fprintf(&lines, " %s |\n", strings.Join(cells, " | "))
		fmt.Fprintln(os.Stderr, "alarms:", s.name)
	}
	n := []any{len(sets), seeds}
	rates := func(of int, count func(k int) int) {
		for k := range techniques {
			n = append(n, count(k), seeds*of, share(count(k), seeds*of))
		}
	}
	rates(len(sets), func(k int) int { return withheld[k] })
	rates(len(sets)-ofThings, func(k int) int { return withheld[k] - things[k] })
	rates(ofThings, func(k int) int { return things[k] })
	p.WriteString(rerun.Wrap(fmt.Sprintf(text, append(n, dropped, lines.String())...)))
	return nil
}

func share(n, of int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of)) }

// cell says how many of the releases are withheld, and why.
func (o *outcome) cell(seeds int) string {
	if o.withheld == 0 {
		if n := o.states[study.WithCare]; n > 0 {
			return fmt.Sprintf("goes out, %d with care", n)
		}
		return "goes out"
	}
	var why []string
	for _, a := range o.against {
		why = append(why, a.String())
	}
	return fmt.Sprintf("%d of %d withheld: %s", o.withheld, seeds, strings.Join(why, ", "))
}
