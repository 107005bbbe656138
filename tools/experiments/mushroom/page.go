package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
)

//go:embed text.md
var text string

// print writes the page.
func print(w io.Writer, f *figures) {
	fmt.Fprint(w, text)
	fmt.Fprintf(w, "\n## Times\n\nSeconds, ours the least of %d runs of ROCK and %d of QROCK; the ratio is ROCK's over "+
		"QROCK's. ROCK merges until no two\n", f.runs, 5*f.runs)
	fmt.Fprintf(w, "clusters have links, theta = %g. \"Every pair\" is QROCK as published, which compares every record "+
		"with every other. Neighbours are\n", theta)
	fmt.Fprint(w, "those of a record, on average.\n\n")
	fmt.Fprintln(w, "| | records | ROCK | QROCK | ratio | every pair | ratio | neighbours | clusters | both the same |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	for _, q := range thesis {
		for k, n := range q.sizes {
			fmt.Fprintf(
				w,
				"| thesis: %s | %d | %.3f | %.3f | %.1f | | | | | |\n",
				q.title,
				n,
				q.rock[k],
				q.qrock[k],
				q.rock[k]/q.qrock[k],
			)
		}
	}
	for _, o := range f.orders {
		for k, n := range o.sizes {
			agree := "no"
			if o.same[k] {
				agree = "yes"
			}
			fmt.Fprintf(
				w,
				"| ours: Mushroom %s | %d | %.4f | %.4f | %.0f | %.4f | %.1f | %.0f | %d | %s |\n",
				o.title,
				n,
				o.rock[k],
				o.qrock[k],
				o.rock[k]/o.qrock[k],
				o.plain[k],
				o.rock[k]/o.plain[k],
				o.neighbours[k],
				o.clusters[k],
				agree,
			)
		}
	}
	printGrowth(w, f)
	printThetas(w, f)
	printClusters(w, f)
}

// exponent is e where times grow as n^e between two sizes.
func exponent(n0, n1 int, t0, t1 float64) float64 {
	return math.Log(t1/t0) / math.Log(float64(n1)/float64(n0))
}

// printGrowth prints how times grow from each size to the next, and over all.
func printGrowth(w io.Writer, f *figures) {
	fmt.Fprint(w, "\n## Growth\n\nThe exponent e of times that grow as n^e, from each size to the next and from the "+
		"first to the last.\n\n")
	fmt.Fprintln(w, "| | ROCK, step by step | over all | QROCK, step by step | over all | every pair, step by step | "+
		"over all |\n|---|---|--:|---|--:|---|--:|")
	var all []order
	for _, q := range thesis {
		q.title = "thesis: " + q.title
		all = append(all, order{quoted: q})
	}
	for _, o := range f.orders {
		o.title = "ours: Mushroom " + o.title
		all = append(all, o)
	}
	for _, q := range all {
		fmt.Fprintf(w, "| %s |", q.title)
		for _, t := range [][]float64{q.rock, q.qrock, q.plain} {
			if t == nil {
				fmt.Fprint(w, " | |")
				continue
			}
			separator := " "
			for k := 1; k < len(t); k++ {
				fmt.Fprintf(w, "%s%.2f", separator, exponent(q.sizes[k-1], q.sizes[k], t[k-1], t[k]))
				separator = ", "
			}
			last := len(t) - 1
			fmt.Fprintf(w, " | %.2f |", exponent(q.sizes[0], q.sizes[last], t[0], t[last]))
		}
		fmt.Fprintln(w)
	}
}

func printThetas(w io.Writer, f *figures) {
	fmt.Fprint(w, "\n## Thresholds\n\nAll records. Purity is the share of the clustered records that are of their "+
		"cluster's larger class; ROCK's outliers have no neighbour.\n\n")
	fmt.Fprintln(w, "| theta | QROCK clusters | of one record | purity | ROCK clusters | outliers | purity |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|--:|--:|")
	for _, x := range f.thetas {
		fmt.Fprintf(
			w,
			"| %.2f | %d | %d | %.4f | %d | %d | %.4f |\n",
			x.theta,
			x.qrock,
			x.singletons,
			x.qrockPure,
			x.rock,
			x.outliers,
			x.rockPure,
		)
	}
}

func printClusters(w io.Writer, f *figures) {
	rows := slices.SortedStableFunc(slices.Values(f.rows), func(a, b row) int { return cmp.Compare(b.e+b.p, a.e+a.p) })
	fmt.Fprintf(w, "\n## The clusters with theta = %g\n\n| records | edible | poisonous |\n|--:|--:|--:|\n", theta)
	for _, r := range rows {
		fmt.Fprintf(w, "| %d | %d | %d |\n", r.e+r.p, r.e, r.p)
	}
	fmt.Fprintf(w, "\nPurity %.4f.\n", purity(rows))
}
