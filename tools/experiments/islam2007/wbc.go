package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/dither-data/dither/segment/tree"
)

// see5 are the options of See5 that C4.5 release 8 lacks.
func see5(minLeaf string) settings {
	return settings{"minLeaf": minLeaf, "minGainRule": "c50", "globalPrune": "true", "mergeSameClassLeaves": "true"}
}

func c45Release8(minLeaf string) settings { return settings{"minLeaf": minLeaf} }

// The techniques of the tables as the thesis has them: CAPT as printed, GADP with values clipped to the domain.
var (
	asPrinted    = settings{"influential": "paper"}
	wholeGADP    = settings{"outside": "clip"}
	withoutClass = settings{"classTechnique": "keep"}
	leavesOfGADP = settings{"technique": "gadp", "outside": "clip", "influential": "paper", "p": "0.1"}
)

const wbcRows = "683 complete records of WBC; 10 splits into 600 and 83 by the leaves of a tree on all, 10 seeds " +
	"each: 100 runs."

// wbc reruns section 7.3.2 but for its last experiment.
func wbc(ctx context.Context, w io.Writer, g figures) error {
	samples, err := wbcSamples(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "## Table 7.2: WBC, Islam 2007 section 7.3.2\n\n%s\n\n", wbcRows)
	main, err := wbcFramework(ctx, w, samples, g)
	if err != nil {
		return err
	}
	all := []runs{*main}
	for _, k := range []kind{
		{name: random, method: "randomframework"},
		{name: extended, method: "extframework", set: leavesOfGADP},
		{name: randomExtended, method: "randomextframework", set: wholeGADP},
	} {
		k.trees = main.trees
		rs, err := repeat(ctx, samples, 10, "wbc noise", &k, everything)
		if err != nil {
			return err
		}
		all = append(all, runs{k, rs})
	}
	fmt.Fprintf(w, "\n### Types of rules\n\n%s\n\n", rulesHead)
	g.keep("wbc", all...)
	printRules(w, rulesWBC, all)
	printAccuracies(w, "7.2", table72, all)
	return printMoments(w, "wbc", 2, all)
}

const rulesHead = "Weights of the rule types in per cent of the released records, as mean (smallest-largest); " +
	"\"gap\" is |accuracy of the original tree on its\n" +
	"data - accuracy of the released tree on its data|; \"exact\" counts the runs in which the original tree keeps " +
	"exactly its accuracy on the\n" +
	"released table; \"inside\" is the share of records still in their leaf."

// wbcFramework prints whether the rules survive the Framework, for some trees, and returns the runs of the first.
func wbcFramework(ctx context.Context, w io.Writer, samples []*sample, g figures) (main *runs, err error) {
	fmt.Fprintln(w, "### Framework: do the rules survive?")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| trees | leaves | A mean | A quartiles | A > 90 | A+B mean | D mean | D max | gap mean | gap <= 1 "+
		"| gap < 0.85 | exact |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, v := range []struct {
		name  string
		trees settings
	}{
		{"C4.5 release 8, minimum 2", c45Release8("2")},
		{"the same, minimum 5", c45Release8("5")},
		{"the same, minimum 10", c45Release8("10")},
		{"See5 options, minimum 2", see5("2")},
		{"See5 options, minimum 5", see5("5")},
	} {
		k := kind{name: framework, method: "framework", set: asPrinted, trees: v.trees}
		rs, err := repeat(ctx, samples, 10, "wbc noise", &k, everything)
		if err != nil {
			return nil, err
		}
		if main == nil {
			main = &runs{k, rs}
		}
		k.note = v.name
		g.keep("wbc", runs{k, rs})
		printSurvival(w, v.name, rs)
	}
	fmt.Fprintln(w)
	printMoved(w, main.results)
	return main, nil
}

func printSurvival(w io.Writer, name string, rs []*result) {
	a, gap := column(rs, weight(typeA)), column(rs, accuracyGap)
	leaves := column(rs, func(r *result) float64 { return float64(r.acc.LeavesOriginal) })
	fmt.Fprintf(
		w,
		"| %s | %.0f-%.0f | %.1f | %.0f / %.0f / %.0f | %.0f %% | %.1f | %.1f | %.1f | %.2f | %.0f %% | %.0f "+
			"%% | %.0f %% |\n",
		name,
		quantile(leaves, 0),
		quantile(leaves, 1),
		mean(a),
		quantile(a, .25),
		quantile(a, .5),
		quantile(a, .75),
		within(a, func(x float64) bool { return x > 90 }),
		mean(column(rs, weight(typeA, typeB))),
		mean(column(rs, weight(typeD))),
		quantile(column(rs, weight(typeD)), 1),
		mean(gap),
		within(
			gap,
			func(x float64) bool { return x <= 1 },
		),
		within(gap, func(x float64) bool { return x < 0.85 }),
		100*mean(column(rs, exact)),
	)
}

// printMoved says what a moved cut at the root or just below it does to the rule types: every rule, or all under it,
// contains it.
func printMoved(w io.Writer, rs []*result) {
	var same, moved []float64
	for _, r := range rs {
		if a := weight(typeA)(r); slices.Equal(top(r.sim.Original), top(r.sim.Released)) {
			same = append(same, a)
		} else {
			moved = append(moved, a)
		}
	}
	if len(same) == 0 || len(moved) == 0 {
		return
	}
	fmt.Fprintf(w, "Where the tests of the root and of its branches are the original ones (%d of the %d runs of the "+
		"first line), Type A covers %.1f %% of\n",
		len(same), len(rs), mean(same))
	fmt.Fprintf(
		w,
		"the records on average; in the other %d runs one of them moved, and Type A covers %.1f %%.\n",
		len(moved),
		mean(moved),
	)
}

// test is the test of a node.
type test struct {
	attr int
	cut  float64
}

// top returns the tests of the root and of its branches.
func top(t *tree.Tree) []test {
	root := &t.Nodes[0]
	tests := []test{{root.Attr, root.Cut}}
	for _, k := range root.Kids {
		tests = append(tests, test{t.Nodes[k].Attr, t.Nodes[k].Cut})
	}
	return tests
}
