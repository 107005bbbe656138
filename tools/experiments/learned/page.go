package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// print writes the page: the text, with what the run shows in place of its marks.
func print(ctx context.Context, p *rerun.Page, runs int) error {
	var tables, remarks strings.Builder
	var all []tried
	for k, d := range data {
		people, holdout, err := halves(ctx, k)
		if err != nil {
			return err
		}
		fmt.Fprintf(&tables, "\n## %s: %d people, %d in the hold-out\n\n", d.name, people.Rows(), holdout.Rows())
		fmt.Fprintln(&tables, "| technique | attributeinference | `learned` | by | uses | of the original | without a "+
			"hold-out | knows 1/3 | knows 2/3 |")
		fmt.Fprintln(&tables, "|---|--:|--:|---|--:|--:|--:|--:|--:|")
		for _, name := range techniques {
			for run := range runs {
				r, err := try(ctx, people, holdout, name, run)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", d.name, name, err)
				}
				r.row(&tables)
				if r.fails == "" {
					all = append(all, tried{r, d.name, holdout.Rows()})
				}
			}
		}
	}
	remark(&remarks, all)
	short(&tables, all)
	page := strings.NewReplacer("{{remarks}}\n", remarks.String(), "{{tables}}\n", tables.String()).Replace(text)
	_, err := io.WriteString(p, rerun.Wrap(page))
	return err
}

// row writes a line of a table.
func (r *result) row(w io.Writer) {
	if r.fails != "" {
		fmt.Fprintf(w, "| %s | does not apply: %s | | | | | | | |\n", r.technique, r.fails)
		return
	}
	fmt.Fprintf(
		w,
		"| %s | %s | %s | %s | %d | %s | %s | %s | %s |\n",
		r.technique,
		percent(r.single),
		percent(r.steps[2]),
		r.best.By,
		len(r.best.Knows),
		rate(r.best.Before),
		percent(r.alone),
		percent(r.steps[0]),
		percent(r.steps[1]),
	)
}

// tried is the result of a release of a table.
type tried struct {
	*result
	table   string
	holdout int
}

func (t tried) where() string { return "`" + t.technique + "` on " + t.table }

// remark writes what is to be seen in the results: sentences whose figures and names are those of the run.
func remark(w io.Writer, all []tried) {
	more := which(all, func(t tried) bool { return t.steps[2].Lo > t.single.Hi })
	item(w, "One attack is not enough.", "The lower bound of `learned` is above the upper bound of the nearest record "+
		"in %d of %d releases%s.", len(more), len(all),
		named(more))
	leaf := which(all, func(t tried) bool { return t.best.By.Key() == segments })
	item(w, "Segments may tell the class.", "Trees that grew with a person's record know more of it than of others. Who "+
		"knows the trees and the "+
		"columns they test learns it from the leaves, without looking for a record: the best attack in %d of %d releases%s.",
		len(leaf), len(all), named(leaf))
	item(w, "The bounds are often wide.", "The mean distance between the bounds of `learned` is %s: that is what the "+
		"limits of a gate are to be held against.",
		widths(all))
	apart := which(all, func(t tried) bool { return t.alone.Lo > t.steps[2].Hi || t.steps[2].Lo > t.alone.Hi })
	item(
		w,
		"Without a hold-out",
		"the intervals have nothing in common with those with one in %d of %d releases%s.",
		len(apart),
		len(all),
		named(apart),
	)
}

// segments is the key of the attack by what the segment that a person falls in fixes.
const segments = "measure.learned.by.segment"

// item writes one remark.
func item(w io.Writer, bold, format string, args ...any) {
	fmt.Fprintf(w, "- **%s** %s\n", bold, fmt.Sprintf(format, args...))
}

func which(all []tried, is func(tried) bool) []tried {
	return slices.DeleteFunc(slices.Clone(all), func(t tried) bool { return !is(t) })
}

// named lists releases in brackets, each once.
func named(of []tried) string {
	var names []string
	for _, t := range of {
		if !slices.Contains(names, t.where()) {
			names = append(names, t.where())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// widths tells for every table how far apart the bounds are, in points.
func widths(all []tried) string {
	var parts []string
	for _, d := range data {
		sum, n, holdout := 0.0, 0, 0
		for _, t := range all {
			if t.table == d.name {
				sum, n, holdout = sum+t.steps[2].Hi-t.steps[2].Lo, n+1, t.holdout
			}
		}
		if n > 0 {
			parts = append(
				parts,
				fmt.Sprintf("%.0f points on %s, with %d people in the hold-out", 100*sum/float64(n), d.name, holdout),
			)
		}
	}
	return strings.Join(parts, "; ")
}

// short writes the tally at the end.
func short(w io.Writer, all []tried) {
	below, disjoint, falls := 0, 0, 0
	for _, r := range all {
		last := r.steps[2]
		below += one(r.single.Score > last.Hi)
		disjoint += one(r.single.Lo > last.Hi)
		falls += one(r.steps[0].Lo > r.steps[1].Hi) + one(r.steps[0].Lo > last.Hi) + one(r.steps[1].Lo > last.Hi)
	}
	fmt.Fprintf(w, "\n## In short\n\nOf %d releases, the figure of attributeinference is above the upper bound of "+
		"`learned` in %d; 5 %% are expected by chance where "+
		"both tell the same. The intervals of both have nothing in common, `learned` below, in %d. Who knows more learns "+
		"less, by more than the "+
		"intervals, in %d of %d comparisons.\n", len(all), below, disjoint, falls, 3*len(all))
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
