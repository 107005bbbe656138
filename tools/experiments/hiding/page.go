package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var words string

// page writes the text with the tables in place of their mark.
func page(w io.Writer, sets []set, draws int) error {
	var all strings.Builder
	for k := range sets {
		sets[k].write(&all)
	}
	_, err := strings.NewReplacer(
		"{{draws}}",
		fmt.Sprint(draws),
		"{{rules}}",
		fmt.Sprint(perDraw),
		"{{items}}",
		fmt.Sprint(most),
		"{{nodes}}",
		"200,000",
		"{{tables}}",
		strings.TrimSpace(all.String()),
	).WriteString(
		w,
		words,
	)
	return err
}

func (s *set) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n\n%d records; support %s %%, confidence %s %%; %d frequent itemsets and %d rules that may "+
		"be drawn.\n\n", s.title, s.Rows(), text(100*s.support), text(100*s.confidence), len(s.patterns), len(s.rules))
	proved, lost, least, cells := 0, 0, 0, 0
	for _, o := range s.optima {
		lost, least, cells = lost+o.lost, least+o.least, cells+o.cells
		if o.proved {
			proved++
		}
	}
	n := float64(len(s.optima))
	best := "The optimum: deletions that make the listed itemsets infrequent lose " + figure(
		float64(least)/n,
	) + " itemsets"
	if lost > least {
		best += " or more, and " + figure(float64(lost)/n) + " by the best release found"
	}
	best += fmt.Sprintf(
		" (mean; proved for %d of %d draws), with %s deletions.",
		proved,
		len(s.optima),
		figure(float64(cells)/n),
	)
	b.WriteString(rerun.Wrap(best) + "\n\n")
	b.WriteString("| technique | hiding failure | misses cost | artifactual patterns | dissimilarity | itemsets lost | " +
		"median time (sorts) |\n|---|---|---|---|---|---|---|\n")
	for k := range s.results {
		r := &s.results[k]
		if r.why != "" {
			fmt.Fprintf(b, "| %s | no release: %s | | | | | |\n", r.name, r.why)
			continue
		}
		beside := spread(r.lost, figure)
		if mean(r.visible) > 0 {
			beside += fmt.Sprintf("; %s of %d listed stay frequent", figure(mean(r.visible)), perDraw)
		}
		fmt.Fprintf(
			b,
			"| %s | %s | %s | %s | %s | %s | %s |\n",
			r.name,
			spread(r.failure, percent),
			spread(r.misses, percent),
			spread(r.artifacts, percent),
			percent(mean(r.moved)),
			beside,
			figure(median(r.time)),
		)
	}
}

// spread is the mean with the least and the largest.
func spread(x []float64, say func(float64) string) string {
	if lo, hi := slices.Min(x), slices.Max(x); lo < hi {
		return fmt.Sprintf("%s (%s to %s)", say(mean(x)), say(lo), say(hi))
	}
	return say(mean(x))
}

// median tells of the usual run, whatever else a machine does during some.
func median(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	return (sorted[(len(x)-1)/2] + sorted[len(x)/2]) / 2
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

func percent(v float64) string {
	switch {
	case v == 0 || v == 1:
		return fmt.Sprintf("%.0f %%", 100*v)
	case v < 0.01:
		return fmt.Sprintf("%.2g %%", 100*v)
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

func figure(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }
