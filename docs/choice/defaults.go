package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/docs/internal/rerun"
	"github.com/dither-data/dither/internal/dataset"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/study"
)

// proposal is what protect might do where no technique is named. The first is what it does.
type proposal struct {
	name, method, within string
	set                  map[string]string
}

var proposals = []proposal{
	{"Framework (the default)", "framework", "", nil},
	{"Framework, spread 5", "framework", "", map[string]string{"spread": "5"}},
	{"Extended Framework", "extframework", "", nil},
	{"rankswap p 10 inside a tree, capt, rpt", "rankswap-within+capt+rpt", "", swapping("10")},
	{"rankswap p 30 inside a tree, capt, rpt", "rankswap-within+capt+rpt", "", swapping("30")},
	{"rankswap p 100 inside a tree, capt, rpt", "rankswap-within+capt+rpt", "", swapping("100")},
}

func swapping(p string) map[string]string {
	return map[string]string{"1.p": p, "1.within.by": "tree", "1.within.small": "together"}
}

// evidence is what a default makes of a data set: figures in per cent, but shifts of means, in standard deviations, and correlations.
type evidence struct {
	certificate, accuracy, rules, mean, spread, correlation, found, all float64
}

// asked says which of the demands on a default hold beside the one that there is.
func (e evidence) asked(by evidence) (held []bool) {
	atMost := func(v, most float64) bool { return !(v > most) } // what a table does not have is no reason against it
	return []bool{!(e.certificate < 100), !(e.accuracy < by.accuracy-1), !(e.rules < by.rules-5), atMost(e.mean, 0.1), atMost(e.spread, 10), atMost(e.correlation, 0.05),
		atMost(e.found, math.Max(by.found, 9)), atMost(e.all, by.all+5)}
}

var demanded = []string{"certificate 100 %", "accuracy", "rules", "means", "spreads", "correlations", "found", "found by who knows all"}

// defaults prints what several defaults would make of the data sets with a class.
func (w work) defaults(ctx context.Context, p *rerun.Page) error {
	p.WriteString("\n## What should `protect` do when no technique is named?\n\nOf a default are asked: certificate 100 %; accuracy of the tree within a point of the Framework's, and records under surviving rules within 5 points; means\nwithin 0.1 of a standard deviation, spreads within 10 %, correlations within 0.05; `found` no higher than the Framework's or within the limit of 9 %, and against who knows all but the class\nno more than 5 points higher. `holds` counts the data sets on which each is so.\n\n")
	held, rows := make([][]int, len(proposals)), make([][]evidence, len(proposals))
	for k := range held {
		held[k] = make([]int, len(demanded))
	}
	var classed []set // the Framework needs a class
	for _, s := range sets {
		if s.class == "" {
			continue
		}
		classed = append(classed, s)
		var first evidence
		for k, d := range proposals {
			e, err := w.made(ctx, s, d)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, d.name, err)
			}
			if k == 0 {
				first = e
			}
			for i, ok := range e.asked(first) {
				if ok {
					held[k][i]++
				}
			}
			rows[k] = append(rows[k], e)
		}
		fmt.Fprintln(os.Stderr, "defaults on", s.name)
	}
	fmt.Fprintf(p, "| holds on, of %d | %s |\n|---|%s\n", len(classed), strings.Join(demanded, " | "), strings.Repeat("--:|", len(demanded)))
	for k, d := range proposals {
		fmt.Fprintf(p, "| %s |", d.name)
		for _, n := range held[k] {
			fmt.Fprintf(p, " %d |", n)
		}
		p.WriteString("\n")
	}
	p.WriteString("\n| data | default | certificate | accuracy | rules | mean | spread | correlation | found | by who knows all |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for i, s := range classed {
		for k, d := range proposals {
			e := rows[k][i]
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", s.name, d.name, shown(e.certificate, 1, " %"), shown(e.accuracy, 1, " %"), shown(e.rules, 0, " %"), shown(e.mean, 2, ""),
				shown(e.spread, 0, " %"), shown(e.correlation, 2, ""), shown(e.found, 1, " %"), shown(e.all, 1, " %"))
		}
	}
	return nil
}

func shown(v float64, digits int, unit string) string {
	if v != v {
		return "–"
	}
	return fmt.Sprintf("%.*f%s", digits, v, unit)
}

// made releases a data set by a default and measures it.
func (w work) made(ctx context.Context, s set, d proposal) (e evidence, err error) {
	path, err := dataset.Path(s.file)
	if err != nil {
		return e, err
	}
	q := desk.ProtectRequest{Method: d.method, Set: d.set, SeedFile: w.seed, Release: filepath.Join(w.dir, "default.csv"), PlanOut: filepath.Join(w.dir, "default.json"), Limits: limit.None, Overwrite: true}
	q.Path, q.Class = path, s.class
	v := desk.EvaluateRequest{Source: q.Source, Released: q.Release, Plan: q.PlanOut, SeedFile: w.seed, Limits: limit.None, Measures: []string{"found", "segments", "accuracy", "treesimilarity", "bias"},
		Set: map[string]string{"found.brief": "true", "bias.dm": "false"}}
	nan := math.NaN()
	e = evidence{nan, nan, nan, nan, nan, nan, nan, nan}
	if _, err := (&desk.Desk{}).Protect(ctx, q); err != nil {
		return e, err
	}
	got, err := (&desk.Desk{}).Evaluate(ctx, v)
	if err != nil {
		return e, err
	}
	for _, m := range got.Outcome.Measures {
		if m.Err == "" {
			e.put(&m)
		}
	}
	return e, nil
}

// put puts a measure in its place.
func (e *evidence) put(m *study.Measured) {
	v := m.Value
	switch m.Name {
	case "segments":
		e.certificate = 100 * v.Score
	case "accuracy":
		e.accuracy = v.Score
	case "treesimilarity":
		e.rules = v.Score
	case "bias":
		e.correlation = v.Score
		for _, part := range v.Parts {
			switch {
			case strings.HasPrefix(part.Name, "largest shift of a mean"):
				e.mean = part.Score
			case strings.HasPrefix(part.Name, "type A: largest"):
				e.spread = 100 * part.Score
			}
		}
	case "found":
		if strings.Contains(m.Intruder, "quasi") {
			e.found = 100 * v.Score
		} else {
			e.all = 100 * v.Score
		}
	}
}
