package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/dither-data/dither/docs/internal/rerun"
	"github.com/dither-data/dither/measure"
)

//go:embed text.md
var text string

// print writes the page.
func print(ctx context.Context, p *rerun.Page, runs int) error {
	fmt.Fprint(p, text)
	all, below, disjoint, falls, apart := 0, 0, 0, 0, 0
	for k, d := range data {
		people, holdout, err := halves(ctx, k)
		if err != nil {
			return err
		}
		fmt.Fprintf(p, "\n## %s: %d people, %d in the hold-out\n\n", d.name, people.Rows(), holdout.Rows())
		fmt.Fprintln(p, "| technique | attributeinference | `learned` | by | uses | of the original | without a hold-out | knows 1/3 | knows 2/3 |")
		fmt.Fprintln(p, "|---|--:|--:|---|--:|--:|--:|--:|--:|")
		for _, name := range techniques {
			for run := range runs {
				r, err := try(ctx, people, holdout, name, run)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", d.name, name, err)
				}
				if r.fails != "" {
					fmt.Fprintf(p, "| %s | does not apply: %s | | | | | | | |\n", name, r.fails)
					continue
				}
				last := r.steps[2]
				fmt.Fprintf(p, "| %s | %s | %s | %s | %d | %s | %s | %s | %s |\n", name, percent(r.single), percent(last), r.best.By, len(r.best.Knows),
					rate(r.best.Before), percent(r.alone), percent(r.steps[0]), percent(r.steps[1]))
				all++
				below += one(r.single.Score > last.Hi)
				disjoint += one(r.single.Lo > last.Hi)
				falls += one(r.steps[0].Lo > r.steps[1].Hi) + one(r.steps[0].Lo > last.Hi) + one(r.steps[1].Lo > last.Hi)
				apart += one(r.alone.Lo > last.Hi || last.Lo > r.alone.Hi)
			}
		}
	}
	fmt.Fprintf(p, "\n## In short\n\nOf %d releases, the figure of attributeinference is above the upper bound of `learned` in %d; 5 %% are expected by chance where both\n"+
		"tell the same. The intervals of both have nothing in common in %d. Who knows more learns less, by more than the intervals, in %d of\n"+
		"%d comparisons. The intervals with and without a hold-out have nothing in common in %d.\n", all, below, disjoint, falls, 3*all, apart)
	return nil
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// percent writes a value with its bounds.
func percent(v measure.Value) string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", 100*v.Score, 100*v.Lo, 100*v.Hi)
}

func rate(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.1f", 100**v)
}
