package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// verdict says how the first of two techniques stands to the second.
type verdict string

const (
	worse verdict = "worse"
	level verdict = "not told apart"
	above verdict = "better"
)

// against returns the mean difference of the accuracies of two techniques over the folds, the half width of its 95 %
// interval by Student's t, and the verdict.
func against(a, b []float64) (mean, half float64, v verdict) {
	d := make([]float64, len(a))
	for f := range a {
		d[f] = a[f] - b[f]
	}
	mean, sd := stat.MeanStdDev(d, nil)
	n := float64(len(d))
	half = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	switch {
	case math.Abs(mean) <= half:
		return mean, half, level
	case mean < 0:
		return mean, half, worse
	}
	return mean, half, above
}

// pairs are the comparisons that the paper makes.
var pairs = [][2]int{{1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 2}}

func page(w io.Writer, all []result, repeats int) error {
	if _, err := io.WriteString(w, strings.ReplaceAll(text, "{{noise}}", noise)); err != nil {
		return err
	}
	fmt.Fprint(w, "\n## What is found\n\n", rerun.Wrap(found(all)))
	fmt.Fprintf(w, "\n## Accuracy\n\nPer cent of the held-out original records that are predicted right: %d folds, "+
		"stratified by class, %d releases of each; mean and\nstandard deviation over the folds.\n", dealt, repeats)
	for _, r := range all {
		fmt.Fprintf(w, "\n### %s: %.1f %% of the records are of the largest class\n\n| classifier |", r.title, r.largest)
		for _, q := range techniques {
			fmt.Fprintf(w, " %s |", q.title)
		}
		fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("--:|", len(techniques)))
		for l := range learners {
			fmt.Fprintf(w, "| %s |", learners[l].title)
			for k := range techniques {
				mean, sd := stat.MeanStdDev(r.accuracy[l][k], nil)
				fmt.Fprintf(w, " %.1f ± %.1f |", mean, sd)
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprint(w, "\n## Differences\n\nPoints of accuracy with the half width of the 95 % interval over the folds.\n")
	for _, r := range all {
		fmt.Fprintf(w, "\n### %s, differences\n\n| classifier |", r.title)
		for _, p := range pairs {
			fmt.Fprintf(w, " %s against %s |", techniques[p[0]].title, techniques[p[1]].title)
		}
		fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", len(pairs)))
		for l := range learners {
			fmt.Fprintf(w, "| %s |", learners[l].title)
			for _, p := range pairs {
				mean, half, v := against(r.accuracy[l][p[0]], r.accuracy[l][p[1]])
				fmt.Fprintf(w, " %s: %+.1f ± %.1f |", v, mean, half)
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}

// found says of every sentence of the paper for which classifiers it holds.
func found(all []result) string {
	var out strings.Builder
	for _, r := range all {
		fmt.Fprintf(&out, "- **%s.**", r.title)
		for n, p := range pairs {
			var of = map[verdict][]string{}
			for l := range learners {
				_, _, v := against(r.accuracy[l][p[0]], r.accuracy[l][p[1]])
				of[v] = append(of[v], learners[l].title)
			}
			if n > 0 {
				out.WriteString(";")
			}
			fmt.Fprintf(&out, " %s against %s:", techniques[p[0]].title, techniques[p[1]].title)
			sep := " "
			for _, v := range []verdict{worse, level, above} {
				switch len(of[v]) {
				case 0:
					continue
				case len(learners):
					fmt.Fprintf(&out, "%s%s with every classifier", sep, v)
				default:
					fmt.Fprintf(&out, "%s%s with %s", sep, v, strings.Join(of[v], ", "))
				}
				sep = ", "
			}
		}
		out.WriteString(".\n")
	}
	return out.String()
}
