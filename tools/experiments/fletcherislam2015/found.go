package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// The verdicts on a sentence, on one data set.
const (
	holds = iota
	level // not told apart
	opposite
)

// judge compares two settings by a measure on one data set: the mean difference over the folds, the half width of its
// 95 % interval, and whether the first is above, not told apart, or below.
func judge(c *study.Comparison, data, better, worse, measure int) (mean, half float64, verdict int) {
	mean, half = difference(c.Summary(data, better, measure, "").Folds, c.Summary(data, worse, measure, "").Folds)
	switch {
	case math.IsNaN(half) || math.Abs(mean) <= half:
		return mean, half, level
	case mean < 0:
		return mean, half, opposite
	}
	return mean, half, holds
}

// of turns a verdict on a data set into one on the sentence: where the paper makes an exception it says that the first
// technique is not above the second, so there the sentence holds where the first is below.
func (cl *claim) of(data string, verdict int) int {
	if data != cl.except {
		return verdict
	}
	return [...]int{holds: opposite, level: level, opposite: holds}[verdict]
}

// printFound says of every sentence of the paper on which data sets it holds.
func printFound(w io.Writer, c *study.Comparison) {
	fmt.Fprintln(w, "\n## What is found")
	fmt.Fprintln(w, "\nEvery sentence of the paper on two techniques that were run, and the data sets on which it "+
		"holds, on which the two cannot be told")
	fmt.Fprintf(w, "apart by the 95 %% interval over the folds, and on which it is the other way round. Sets in "+
		"brackets are the paper's own exceptions:\nthere the sentence says that the first is not above the second, and "+
		"holds where it is below.\n\n")
	fmt.Fprintln(w, "| the paper | holds | not told apart | the other way round |\n|---|---|---|---|")
	for _, cl := range claims {
		m, a, b := measureOf(c, cl.measure), setting(c, cl.better), setting(c, cl.worse)
		if m < 0 || a < 0 || b < 0 {
			continue
		}
		var on [3][]string
		for d, data := range c.Data {
			name := title(data.Name)
			if data.Name == cl.except {
				name = "(" + name + ")"
			}
			_, _, v := judge(c, d, a, b, m)
			v = cl.of(data.Name, v)
			on[v] = append(on[v], name)
		}
		fmt.Fprintf(
			w,
			"| %s | %s | %s | %s |\n",
			cl.text,
			strings.Join(on[holds], ", "),
			strings.Join(on[level], ", "),
			strings.Join(on[opposite], ", "),
		)
	}
	printGADP(w, c)
}

// near is how close two accuracies are called similar, in per cent of the records.
const near = 5

// printGADP says what the paper's two sentences on GADP alone come to: a sharp decline of EDUDS on all sets, and an
// accuracy like that of the frameworks on several.
func printGADP(w io.Writer, c *study.Comparison) {
	var out strings.Builder
	for _, g := range []struct{ name, as string }{{"gadp", "GADP"}, {gadpOfClass, "GADP with the class given"}} {
		if setting(c, g.name) < 0 || setting(c, "framework") < 0 || setting(c, "forestframework") < 0 {
			continue
		}
		falls, rises := against(c, g.name, "eduds", 3, func(f, _, g float64) bool { return g < f })
		fmt.Fprintf(&out, "\n**A sharp decline of EDUDS from F to %s, on all data sets?** It falls on %d of %d (F, FF, "+
			"%s): %s. ",
			g.as, len(falls), len(c.Data), g.as, list(falls))
		fmt.Fprintf(&out, "It rises on: %s.\n", list(rises))
		close, apart := against(
			c,
			g.name,
			"accuracy",
			1,
			func(f, ff, g float64) bool { return min(math.Abs(g-f), math.Abs(g-ff)) < near },
		)
		fmt.Fprintf(&out, "\n**Several data sets on which %s is about as accurate as F and FF?** Within %d points of one "+
			"of them (F, FF, %s): %s. Elsewhere: %s.\n",
			g.as, near, g.as, list(close), list(apart))
	}
	fmt.Fprint(w, rerun.Wrap(out.String()))
}

// against divides the data sets by what ok says of the means of F, FF and a technique, which it writes behind their
// names.
func against(
	c *study.Comparison,
	technique, measure string,
	decimals int,
	ok func(f, ff, g float64) bool,
) (yes, no []string) {
	m := measureOf(c, measure)
	for d, data := range c.Data {
		var v [3]float64
		for k, name := range []string{"framework", "forestframework", technique} {
			v[k] = c.Summary(d, setting(c, name), m, "").Mean
		}
		said := fmt.Sprintf("%s %.*f, %.*f, %.*f", title(data.Name), decimals, v[0], decimals, v[1], decimals, v[2])
		if ok(v[0], v[1], v[2]) {
			yes = append(yes, said)
		} else {
			no = append(no, said)
		}
	}
	return yes, no
}

func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, "; ")
}
