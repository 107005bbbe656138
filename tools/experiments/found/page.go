package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

//go:embed text.md
var text string

// page writes the text with the table and the tally in place of their marks.
func page(w io.Writer, results []result, trials int) error {
	var rows, below, falls strings.Builder
	all, held, nBelow, nFalls, worst := 0, 0, 0, 0, trials
	set := ""
	for _, r := range results {
		if r.set != set {
			set = r.set
			fmt.Fprintf(&rows, "\n### %s\n\n| technique | was | two known | quasi-identifiers | all but the class | %s | "+
				"bound held |\n|---|---|---|---|---|%s---|\n",
				set, strings.Join(singles, " | "), strings.Repeat("---|", len(singles)))
		}
		if r.why != "" {
			fmt.Fprintf(&rows, "| %s | no release: %s |\n", r.technique, r.why)
			continue
		}
		fmt.Fprintf(&rows, "| %s | %s |", r.technique, percent(*r.found[2].Before))
		for k, a := range r.found {
			fmt.Fprintf(&rows, " %s (%s to %s) |", percent(a.Share), percent(a.Lo), percent(a.Hi))
			if k > 0 && a.Hi < r.found[k-1].Lo {
				nFalls++
				fmt.Fprintf(
					&falls,
					"- %s by %s: %s who knows more, %s who knows less\n",
					r.set,
					r.technique,
					percent(a.Share),
					percent(r.found[k-1].Share),
				)
			}
		}
		last := r.found[len(r.found)-1]
		for k, s := range r.singles {
			if s < 0 {
				rows.WriteString(" – |")
				continue
			}
			fmt.Fprintf(&rows, " %s |", percent(s))
			if s > last.Hi {
				nBelow++
				fmt.Fprintf(
					&below,
					"- %s by %s: %s finds %s, the upper bound is %s\n",
					r.set,
					r.technique,
					singles[k],
					percent(s),
					percent(last.Hi),
				)
			}
		}
		fmt.Fprintf(&rows, " %d of %d |\n", r.held, r.trials)
		held, all, worst = held+r.held, all+r.trials, min(worst, r.held)
	}
	_, err := strings.NewReplacer(
		"{{table}}",
		strings.TrimSpace(rows.String()),
		"{{trials}}",
		fmt.Sprint(trials),
		"{{held}}",
		fmt.Sprint(held),
		"{{all}}",
		fmt.Sprint(all),
		"{{worst}}",
		fmt.Sprintf("%d of %d", worst, trials),
		"{{share}}",
		percent(float64(held)/float64(max(1, all))),
		"{{below}}",
		tally(nBelow, &below),
		"{{falls}}",
		tally(nFalls, &falls),
	).WriteString(
		w,
		text,
	)
	return err
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// tally tells how often something happened, and where.
func tally(n int, where *strings.Builder) string {
	if n == 0 {
		return "It happened nowhere."
	}
	return fmt.Sprintf("It happened %d times:\n\n%s", n, strings.TrimSpace(where.String()))
}
