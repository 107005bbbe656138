package main

import (
	_ "embed"
	"fmt"
	"io"
)

//go:embed text.md
var text string

// print writes the page.
func print(w io.Writer, results []result, runs int) {
	fmt.Fprint(w, text)
	fmt.Fprintf(w, "\n## What is left of the noise\n\n")
	fmt.Fprintln(w, "Root mean square error of the attack in standard deviations of the noise, the first part of the "+
		"measures; times sqrt(d) it is")
	fmt.Fprintln(w, "their score, in standard deviations of the data, up to 1. d is the variance of the noise as a "+
		"share of every attribute's. UDR takes")
	fmt.Fprintf(w, "every attribute alone. In brackets the eigenvalues kept, on average. Means over %d releases.\n", runs)
	for _, r := range results {
		fmt.Fprintf(
			w,
			"\n### %s: %d records, %d attributes in about %.1f directions\n\n",
			r.title,
			r.Rows(),
			r.Width(),
			participation(r.Table),
		)
		fmt.Fprint(w, "| d | independent: spectral filtering | PCA-DR | BE-DR | UDR ")
		fmt.Fprintln(w, "| correlated: spectral filtering | PCA-DR | BE-DR | UDR |")
		fmt.Fprintln(w, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
		for k, d := range shares {
			fmt.Fprintf(w, "| %.2f |", d)
			for n := range noises {
				f := r.figures[n][k]
				fmt.Fprintf(
					w,
					" %.2f (%.3g) | %.2f (%.3g) | %.2f | %.2f |",
					f.error[0],
					f.kept[0],
					f.error[1],
					f.kept[1],
					f.error[2],
					f.udr,
				)
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprint(w, "\n## How many values are found\n\n")
	fmt.Fprintln(w, "Cells that a guess, rounded to the attribute's grid, comes within a tenth of the attribute's "+
		"standard deviation of, in per cent.")
	fmt.Fprintln(w, "The last column guesses the mean.")
	fmt.Fprintln(w, "\n| table | d | released, independent | BE-DR, independent | released, correlated | BE-DR, "+
		"correlated | mean |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|")
	for _, r := range results {
		for k, d := range shares {
			if d != 0.1 && d != 0.5 && d != 1 {
				continue
			}
			i, c := r.figures[0][k].found, r.figures[1][k].found
			fmt.Fprintf(w, "| %s | %.1f | %.0f | %.0f | %.0f | %.0f | %.0f |\n",
				r.title, d, 100*i[inReleased], 100*i[byBEDR], 100*c[inReleased], 100*c[byBEDR], 100*i[byMean])
		}
	}
}
