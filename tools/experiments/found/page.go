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
	t := tally{worst: trials}
	set := ""
	for _, r := range results {
		if r.set != set {
			set = r.set
			t.head(set)
		}
		if r.why != "" {
			fmt.Fprintf(&t.rows, "| %s | no release: %s |\n", r.technique, r.why)
			continue
		}
		t.add(&r)
	}
	_, err := strings.NewReplacer(
		"{{table}}", strings.TrimSpace(t.rows.String()),
		"{{trials}}", fmt.Sprint(trials),
		"{{held}}", fmt.Sprint(t.held),
		"{{all}}", fmt.Sprint(t.all),
		"{{worst}}", fmt.Sprintf("%d of %d", t.worst, trials),
		"{{share}}", percent(float64(t.held)/float64(max(1, t.all))),
		"{{below}}", t.below.String(),
		"{{falls}}", t.falls.String(),
	).WriteString(w, text)
	return err
}

// tally is what the page says of all results.
type tally struct {
	rows      strings.Builder
	below     events // an attack alone finds more than the upper bound
	falls     events // an intruder who knows more finds less
	held, all int    // the upper bounds that held, and all
	worst     int    // the fewest that held of one release
}

// head begins the table of a data set.
func (t *tally) head(set string) {
	fmt.Fprintf(&t.rows, "\n### %s\n\n| technique | was | two known | quasi-identifiers | all but the class | %s | "+
		"bound held |\n|---|---|---|---|---|%s---|\n",
		set, strings.Join(singles, " | "), strings.Repeat("---|", len(singles)))
}

// add writes the row of a release and counts what happened there.
func (t *tally) add(r *result) {
	fmt.Fprintf(&t.rows, "| %s | %s |", r.technique, percent(*r.found[2].Before))
	for k, a := range r.found {
		fmt.Fprintf(&t.rows, " %s (%s to %s) |", percent(a.Share), percent(a.Lo), percent(a.Hi))
		if k > 0 && a.Hi < r.found[k-1].Lo {
			t.falls.add("%s by %s: %s who knows more, %s who knows less",
				r.set, r.technique, percent(a.Share), percent(r.found[k-1].Share))
		}
	}
	last := r.found[len(r.found)-1]
	for k, s := range r.singles {
		if s < 0 {
			t.rows.WriteString(" – |")
			continue
		}
		fmt.Fprintf(&t.rows, " %s |", percent(s))
		if s > last.Hi {
			t.below.add("%s by %s: %s finds %s, the upper bound is %s",
				r.set, r.technique, singles[k], percent(s), percent(last.Hi))
		}
	}
	fmt.Fprintf(&t.rows, " %d of %d |\n", r.held, r.trials)
	t.held, t.all, t.worst = t.held+r.held, t.all+r.trials, min(t.worst, r.held)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// events lists where something happened.
type events []string

func (e *events) add(format string, args ...any) { *e = append(*e, "- "+fmt.Sprintf(format, args...)) }

// String tells how often it happened, and where.
func (e events) String() string {
	if len(e) == 0 {
		return "It happened nowhere."
	}
	return fmt.Sprintf("It happened %d times:\n\n%s", len(e), strings.Join(e, "\n"))
}
