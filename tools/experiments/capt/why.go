package main

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

// why measures what takes the trees of releases with several attributes perturbed away from those of the original: how
// many are one leaf, what is left where the target alone is released, and the relations among the perturbed attributes.
func why(parts []*part, together []*joint) string {
	var head, rows, pairs strings.Builder
	for _, p := range parts {
		number, _, _ := strings.Cut(p.trees, ":")
		if _, ok := printed[number][p.target]; !ok {
			continue
		}
		fmt.Fprintf(&rows, "| %s, %s | %.1f | %.1f | ", number, p.target, mean(p.leaves[0]), mean(p.leaves[1]))
		if p.alone == nil {
			fmt.Fprintf(&rows, "| %.0f | %.0f | | %.1f | | %.1f | |\n", one(p.leaves[0]), one(p.leaves[1]), p.means()[0],
				p.agreement())
			continue
		}
		fmt.Fprintf(&rows, "%.1f | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |\n", mean(p.alone.leaves[1]),
			one(p.leaves[0]), one(p.leaves[1]), one(p.alone.leaves[1]), p.means()[0], p.alone.means()[0], p.agreement(),
			p.alone.agreement())
		if p.target == "Profession" {
			fmt.Fprintf(&head, "Of the released Profession trees of %s %.0f %% are one leaf, which predicts one value for "+
				"everybody; of the original's %.0f %%, and of those where Profession alone is released %.0f %%. ", number,
				one(p.leaves[1]), one(p.leaves[0]), one(p.alone.leaves[1]))
		}
	}
	for _, j := range together {
		for _, p := range j.pairs {
			fmt.Fprintf(&pairs, "| %s, %s | %.3f | %.3f | %.3f |\n", p.a, p.b, mean(p.original), mean(p.one), mean(p.both))
		}
	}
	return "\n## Why the trees differ\n\n" + rerun.Wrap("How rules are compared is not enough of a reason. "+
		head.String()+"However rules are compared, such a tree is not the original's. What goes is the joint "+
		"pattern: CAPT redraws each attribute by a tree of its own that reads the original of the others, "+
		"independently, so two redrawn attributes are related only through what both trees test. Cramér's V between "+
		"them falls once where one is redrawn and again where the other is.\n") + "\n| the relation of | original | one " +
		"redrawn | both |\n|---|--:|--:|--:|\n" + pairs.String() + "\n" + rerun.Wrap("Below, \"alone\" is the tree of the "+
		"original with the target alone replaced by the same release's, which the thesis's text has "+
		"for Car Make only.\n") + "\n| tree of | leaves: original | release | alone | one leaf, %: original | release | " +
		"alone | A: release | alone | agree: release | alone |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n" +
		rows.String()
}

// one returns the per cent of the trees that are one leaf.
func one(leaves []float64) float64 {
	n := 0
	for _, v := range leaves {
		if v == 1 {
			n++
		}
	}
	return 100 * float64(n) / float64(len(leaves))
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x / float64(len(v))
	}
	return sum
}
