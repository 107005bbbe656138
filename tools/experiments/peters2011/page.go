package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/stats/quantile"
)

//go:embed text.md
var text string

// print writes the page.
func print(w io.Writer, results []*result, releases int) {
	fmt.Fprint(w, text)
	fmt.Fprintf(w, "\n## The data\n\n| data set | in figure 4.1 | records | attributes | classes |\n"+
		"|---|---|--:|--:|--:|\n")
	for _, r := range results {
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d |\n", r.title, r.paper, r.rows, r.columns, r.classes)
	}
	fmt.Fprintf(
		w,
		"\nEvery setting below is released %d times; figures of the attacks are means over the releases.\n",
		releases,
	)
	printIdentity(w, results)
	printFilled(w, results)
	printSecret(w, results)
	printMarks(w, results)
	for s, figure := range []string{"Figure 4.5: 1-NN after S1", "Figure 4.7: 1-NN after S2"} {
		fmt.Fprintf(w, "\n## %s\n\nQuartiles in per cent, their rank, and the paper's quartiles.\n", figure)
		for _, r := range results {
			r.printLearned(w, s)
		}
	}
}

// bar draws quartiles in per cent as the paper does: a line from the lower to the upper, a dot at the median, strokes
// at 0, 50 and 100.
func bar(q quantile.Summary) string {
	const width = 50
	line := []rune(strings.Repeat(" ", width+1))
	at := func(v float64) int { return int(math.Round(min(max(v, 0), 100) * width / 100)) }
	for _, v := range []float64{0, 50, 100} {
		line[at(v)] = '|'
	}
	for k := at(q.Q1); k <= at(q.Q3); k++ {
		line[k] = '-'
	}
	line[at(q.Median)] = '●'
	return string(line)
}

// percent scales a summary of probabilities.
func percent(q quantile.Summary) quantile.Summary {
	return quantile.Summary{Mean: 100 * q.Mean, Q1: 100 * q.Q1, Median: 100 * q.Median, Q3: 100 * q.Q3}
}

func printIdentity(w io.Writer, results []*result) {
	fmt.Fprintf(w, "\n## Figure 4.4: finding a person (S1)\n\n%s\n", identityText)
	for _, r := range results {
		fmt.Fprintf(w, "\n%s, %.0f queries:\n\n```\n%-19s 25    50    75\n", r.title, r.found[0][0].queries, "")
		for p, f := range r.found[0] {
			for _, row := range []struct {
				name string
				q    quantile.Summary
			}{{"no match", f.identity}, {"any match", f.anyMatch}} {
				q := percent(row.q)
				fmt.Fprintf(w, "sap%d  %-10s %5.1f %5.1f %5.1f  %s\n", p, row.name, q.Q1, q.Median, q.Q3, bar(q))
			}
		}
		fmt.Fprint(w, "```\n")
	}
	fmt.Fprint(w, "\nThe mean probability, in per cent, that the record picked is the right one, and the queries that "+
		"no record matches:\n\n")
	fmt.Fprintln(w, "| data set | sap0 | sap1 | sap2 | sap3 | any match: sap1 | sap2 | sap3 | unmatched: sap1 | sap2 | "+
		"sap3 |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, r := range results {
		f := r.found[0]
		fmt.Fprintf(
			w,
			"| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
			r.title,
			100*f[0].right,
			100*f[1].right,
			100*f[2].right,
			100*f[3].right,
			100*f[1].anyRight,
			100*f[2].anyRight,
			100*f[3].anyRight,
			100*f[1].unmatched,
			100*f[2].unmatched,
			100*f[3].unmatched,
		)
	}
}

const identityText = `Quartiles over the queries of 1 / matching records, in per cent. "No match": a suppressed value matches no
value, and a query without a match counts 0; "any match": it matches every value.`

func printFilled(w io.Writer, results []*result) {
	fmt.Fprintf(w, "\n## What a suppressed cell tells\n\n%s\n\n", filledText)
	fmt.Fprintln(w, "| data set | cells: sap1 | sap2 | sap3 | right: sap1 | sap2 | sap3 | found: sap0 | sap1 | sap2 | "+
		"sap3 |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, r := range results {
		a, b, c := r.filled[0], r.filled[1], r.filled[2]
		fmt.Fprintf(
			w,
			"| %s | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
			r.title,
			a.cells,
			b.cells,
			c.cells,
			100*a.right,
			100*b.right,
			100*c.right,
			100*r.found[0][0].right,
			100*a.find,
			100*b.find,
			100*c.find,
		)
	}
}

const filledText = `The paper's intruder takes a suppressed cell for nothing. One who has the release and knows SAP works out by BORE what is critical
there and fills it in. Right is the share of the suppressed cells, in per cent, for which that is the value or the bin; found, as in
the table above, the mean probability of picking the right record once every empty cell is filled in.`

func printSecret(w io.Writer, results []*result) {
	fmt.Fprintf(w, "\n## Figure 4.6: learning the class (S2)\n\n%s\n", secretText)
	for _, r := range results {
		fmt.Fprintf(w, "\n%s:\n\n```\n%-27s  25    50    75\n", r.title, "")
		for v, name := range r.found[1][0].names {
			for p, f := range r.found[1] {
				q := percent(f.secret[v])
				fmt.Fprintf(w, "sap%d  %-20.20s %5.1f %5.1f %5.1f  %s\n", p, name, q.Q1, q.Median, q.Q3, bar(q))
			}
		}
		fmt.Fprint(w, "```\n")
	}
	fmt.Fprint(w, "\nThe mean probability, in per cent, of the own class of a person whom the query describes; in "+
		"brackets among the matches whose\n")
	fmt.Fprint(w, "class is not suppressed, worked out from the means:\n\n| data set | sap0 | sap1 | sap2 | sap3 |\n"+
		"|---|--:|--:|--:|--:|\n")
	for _, r := range results {
		fmt.Fprintf(w, "| %s |", r.title)
		for _, f := range r.found[1] {
			all := 0.0
			for _, q := range f.secret {
				all += q.Mean
			}
			fmt.Fprintf(w, " %.1f (%.1f) |", 100*f.own, 100*f.own/all)
		}
		fmt.Fprintln(w)
	}
}

const secretText = "Quartiles over the queries of matching records with the class / matching records, in per cent."

// printLearned prints one part of figure 4.5 or 4.7.
func (r *result) printLearned(w io.Writer, scenario int) {
	fmt.Fprintf(w, "\n%s:\n\n```\n             25   50   75  rank  %-51s  paper's %s\n", r.title, "", r.paper)
	for m, name := range metrics {
		samples := r.figures[scenario][m]
		ranks := mannwhitney.Ranks(samples[:], name != "pf", mannwhitney.Alpha)
		for p := range shares {
			q, theirs := quantile.Of(samples[p]), quartiles(scenario, r.paper, m, p)
			fmt.Fprintf(
				w,
				"%-4s  sap%d  %3.0f  %3.0f  %3.0f  %3d   %s  %3d  %3d  %3d\n",
				name,
				p,
				q.Q1,
				q.Median,
				q.Q3,
				ranks[p],
				bar(q),
				theirs[0],
				theirs[1],
				theirs[2],
			)
		}
	}
	fmt.Fprint(w, "```\n")
}

// printMarks prints where accuracies are told apart from those of the original.
func printMarks(w io.Writer, results []*result) {
	fmt.Fprint(w, "\n## Accuracy told apart from that of the original\n\nBy the Mann-Whitney test at 95 %: − worse, + "+
		"better, 0 not told apart; ours, then the paper's.\n\n")
	fmt.Fprintln(w, "| data set | S1: sap1 | sap2 | sap3 | S2: sap1 | sap2 | sap3 |\n|---|---|---|---|---|---|---|")
	for _, r := range results {
		fmt.Fprintf(w, "| %s |", r.title)
		for s := range scenarios {
			ranks := mannwhitney.Ranks(r.figures[s][0][:], true, mannwhitney.Alpha)
			for p := 1; p < len(shares); p++ {
				ours := "0"
				if ranks[p] > ranks[0] {
					ours = "−"
				} else if ranks[p] < ranks[0] {
					ours = "+"
				}
				fmt.Fprintf(w, " %s, %s |", ours, marks[s][r.paper][p-1])
			}
		}
		fmt.Fprintln(w)
	}
}
