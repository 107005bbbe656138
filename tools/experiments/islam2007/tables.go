package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// runs are the results of one kind.
type runs struct {
	kind
	results []*result
}

// row writes one row of a Markdown table.
func row(w io.Writer, cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

// printRules prints what types of rules the released trees have, the thesis's words first.
func printRules(w io.Writer, thesis rules, all []runs) {
	fmt.Fprintln(w, "| technique | leaves | A | B | C | D | gap | tree classes | exact | inside |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|---|--:|--:|")
	done := map[string]bool{}
	for _, r := range all {
		if said, ok := thesis[r.name]; ok && !done[r.name] {
			row(w, slices.Concat([]string{"thesis: " + r.name}, said[:], []string{"", "", ""})...)
			done[r.name] = true
		}
		var classes []string
		for _, x := range r.results {
			classes = append(classes, string(x.sim.Class))
		}
		cells := []string{"ours: " + r.title(), medianSpan(column(r.results, leaves), 0)}
		for t := range 4 {
			cells = append(cells, meanSpan(column(r.results, weight(t)), 1))
		}
		row(w, append(cells, meanSpan(column(r.results, accuracyGap), 2), tally(classes),
			fmt.Sprintf("%.0f %%", 100*mean(column(r.results, exact))),
			fmt.Sprintf("%.4f", mean(column(r.results, func(r *result) float64 { return r.stayed }))))...)
	}
}

func leaves(r *result) float64 { return float64(r.acc.LeavesReleased) }

// printAccuracies prints the thesis's accuracies, run by run, beside ours: mean, and smallest to largest of all runs.
func printAccuracies(w io.Writer, number string, thesis accuracies, all []runs) {
	fmt.Fprintf(w, "\n### Table %s: prediction accuracy in per cent\n\n", number)
	fmt.Fprintln(w, "| tree learned from | on its own data: thesis | ours | on the original training data: thesis | "+
		"ours | on the hold-out: thesis | ours |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|")
	line := func(name, title string, rs []*result, fs ...func(*result) float64) {
		cells := []string{title}
		for k, f := range fs {
			var said []string
			for _, run := range thesis[name] {
				said = append(said, fmt.Sprintf("%.1f", run[k]))
			}
			cells = append(cells, strings.Join(said, ", "), meanSpan(column(rs, f), 1))
		}
		row(w, cells...)
	}
	onOriginal := func(r *result) float64 { return r.acc.OriginalOriginal }
	done := map[string]bool{}
	for _, r := range all {
		if tree := r.trees["minGainRule"]; !done[tree] {
			done[tree] = true
			title := "the original"
			if tree != "" {
				title += ", See5 options"
			}
			line(original, title, r.results, onOriginal, onOriginal, func(r *result) float64 { return r.acc.OriginalHoldout })
		}
		line(r.name, r.title(), r.results, func(r *result) float64 { return r.acc.ReleasedReleased },
			func(r *result) float64 { return r.acc.ReleasedOriginal }, func(r *result) float64 { return r.acc.ReleasedHoldout })
	}
}
