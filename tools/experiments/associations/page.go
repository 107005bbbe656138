package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

//go:embed text.md
var text string

// page writes the text with the tables in place of their marks.
func page(w io.Writer, printed []rule, sets []set, rows []row, repeats int) error {
	pairs := []string{
		"{{repeats}}",
		fmt.Sprint(repeats),
		"{{table31}}",
		strings.TrimSpace(strengths(printed)),
		"{{turns}}",
		strings.TrimSpace(turns(printed)),
		"{{level}}",
		strings.TrimSpace(levels(printed)),
	}
	var all strings.Builder
	for k, s := range sets {
		fmt.Fprintf(&all, "\n### %s: %d rules in %d records\n\n| technique | in both | of the original's, kept | of the "+
			"release's, new | mean change of confidence | records found |\n|---|---|---|---|---|---|\n", s.title, s.rules,
			s.Rows())
		for _, r := range rows {
			c := r.cells[k]
			if c.why != "" {
				fmt.Fprintf(&all, "| %s | no release: %s | | | | |\n", r.technique, c.why)
				continue
			}
			mean, lo, hi := meanAndRange(c.jaccard)
			fmt.Fprintf(
				&all,
				"| %s | %s (%s to %s) | %s | %s | %.3f | %s (%s to %s) |\n",
				r.technique,
				percent(mean),
				percent(lo),
				percent(hi),
				percent(c.kept),
				percent(c.fresh),
				c.changed,
				percent(c.found.Share),
				percent(c.found.Lo),
				percent(c.found.Hi),
			)
		}
	}
	pairs = append(pairs, "{{survival}}", strings.TrimSpace(all.String()))
	_, err := strings.NewReplacer(pairs...).WriteString(w, text)
	return err
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// strengths writes j, J and J' beside what is printed.
func strengths(printed []rule) string {
	var b strings.Builder
	b.WriteString("| rule | j | printed | J | printed | J' (bits) |\n|---|---|---|---|---|---|\n")
	for k := range printed {
		r := &printed[k]
		fmt.Fprintf(&b, "| %s | %.6f | %s | %.6f | %s | %.5f |\n", r.name, r.single(), r.j, r.measure(), r.sum, r.prime())
	}
	return b.String()
}

// levels writes the level of privacy of every rule, its line and the one after.
func levels(printed []rule) string {
	var b strings.Builder
	b.WriteString("| rule | EP (nats) | level of privacy (bits) | reversed |\n|---|---|---|---|\n")
	for k := 0; k+1 < len(printed); k += 2 {
		before, after := &printed[k], &printed[k+1]
		level := after.prime() - before.prime()
		fmt.Fprintf(&b, "| %s | %.6f | %.5f | %.5f |\n", before.name, before.measure()-after.measure(), level, -level)
	}
	return b.String()
}
