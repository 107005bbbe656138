package main

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// said is what section 4.3 says of the trees of BHP.
var said = map[string][4]string{ // errors on own data; main rule kept; shared attributes; of
	"original": {"9 (3.0 %)", "", "", "4"},
	"rpt":      {"9 to 11", "5 of 5", "3 in all 5", ""},
	"ppt":      {"6 to 13", "9 of 10", "2 in all 10, 3 in 8", ""},
	"alpt":     {"17 to 27", "5 of 10", "2 in all 10, 3 in 7", ""},
}

// row9 is a row of Table 9.1 or 9.2: attributes, shared, new, lost, size, and the per cent of wrong predictions on the
// original, the test and the perturbed records.
type row9 struct {
	technique string
	attrs     [4]float64 // -1 where none is printed
	size      float64
	wrong     [3]float64
}

var none = [4]float64{4, -1, -1, -1}

var table91 = map[string][]row9{
	"BHP": {
		{"original", none, 4, [3]float64{3, 12, -1}},
		{
			"rpt",
			[4]float64{4, 3, 1, 1},
			6,
			[3]float64{3, 10, 3},
		}, {"rpt", [4]float64{4, 3, 1, 1}, 6, [3]float64{4.67, 8, 3.67}},
		{
			"ppt",
			[4]float64{2, 2, 0, 2},
			4,
			[3]float64{4.67, 10, 4.33},
		}, {"ppt", [4]float64{4, 3, 1, 1}, 6, [3]float64{4, 12, 2}},
		{
			"alpt",
			[4]float64{6, 3, 3, 1},
			11,
			[3]float64{3.33, 12, 5.67},
		}, {"alpt", [4]float64{2, 2, 0, 2}, 3, [3]float64{4.67, 10, 8.33}},
	},
	"WBC": {
		{"original", none, 4, [3]float64{1.71, 1.71, -1}},
		{"rpt", [4]float64{4, 4, 0, 0}, 6, [3]float64{1.71, 1.71, 1.71}},
		{"ppt", [4]float64{5, 4, 1, 0}, 7, [3]float64{2.86, 3.14, 2.86}},
		{"alpt", [4]float64{6, 3, 3, 1}, 11, [3]float64{1.14, 0.86, 2.86}},
	},
}

// table93 has the mean per cent of wrong predictions of the network on the original, the test and the perturbed
// records.
var table93 = map[string]map[string][3]float64{
	"BHP": {"original": {9.42, 8, -1}, "rpt": {11.67, 14, 12.87}, "ppt": {11.93, 14, 14.13}, "alpt": {18.53, 23.2, 20.73}},
	"WBC": {"original": {2.86, 1.71, -1}, "rpt": {2.97, 1.6, 3.89}, "ppt": {3.03, 2.46, 3.31}, "alpt": {3.49, 2.11, 6.57}},
}

// titles are what the thesis calls the techniques.
func title(technique string) string {
	if technique == "original" {
		return "original"
	}
	return strings.ToUpper(technique)
}

// of returns the figures of a technique, or of the original.
func (r *result) of(technique string) []*figures {
	if technique == "original" {
		return r.originals
	}
	return r.released[technique]
}

// all returns one figure of every release.
func all(fs []*figures, f func(*figures) float64) []float64 {
	out := make([]float64, len(fs))
	for k := range fs {
		out[k] = f(fs[k])
	}
	return out
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

// span writes mean, smallest and largest.
func span(v []float64, decimals int) string {
	return fmt.Sprintf("%.*f (%.*f-%.*f)", decimals, mean(v), decimals, slices.Min(v), decimals, slices.Max(v))
}

// share returns the per cent of the releases for which ok holds.
func share(fs []*figures, ok func(*figures) bool) float64 {
	return 100 * mean(all(fs, func(f *figures) float64 {
		if ok(f) {
			return 1
		}
		return 0
	}))
}

func print(w io.Writer, results []*result, subsets int) error {
	fmt.Fprint(w, text)
	fmt.Fprint(w, "\n## What is found\n\n", rerun.Wrap(found(results)))
	for _, r := range results {
		printTrees(w, r, subsets)
		printPrediction(w, r)
		printNetworks(w, r)
		fmt.Fprint(w, "\n", rerun.Wrap(exception(r)))
		printDrawn(w, r)
	}
	return nil
}

// found says in words how the techniques compare, from the figures of the run.
func found(results []*result) string {
	var out strings.Builder
	for _, r := range results {
		own := func(m string) float64 { return mean(all(r.of(m), func(f *figures) float64 { return f.own })) }
		kept := func(m string) float64 { return share(r.of(m), func(f *figures) bool { return f.main }) }
		test := func(m string) float64 { return mean(all(r.of(m), func(f *figures) float64 { return f.test })) }
		net := func(m string) float64 { return mean(all(r.of(m), func(f *figures) float64 { return f.netTest })) }
		ab := func(m string) float64 {
			return mean(all(r.of(m), func(f *figures) float64 { return f.types[0] + f.types[1] }))
		}
		fmt.Fprintf(
			&out,
			"- **%s.** The rule of most records stands in %.0f, %.0f and %.0f %% of the trees after RPT, PPT "+
				"and ALPT, but for numeric limits, and rules "+
				"of Types A and B cover %.0f, %.0f and %.0f %% of the records. Trees are wrong on %.1f, %.1f and %.1f %% of the "+
				"records they are grown on (original %.1f), "+
				"and on %.1f, %.1f and %.1f %% of the test records (%.1f); networks on %.1f, %.1f and %.1f %% of the test records "+
				"(%.1f), the "+
				"thesis's on %.1f, %.1f and %.1f %% (%.1f).\n",
			r.title,
			kept("rpt"),
			kept("ppt"),
			kept("alpt"),
			ab("rpt"),
			ab("ppt"),
			ab("alpt"),
			own("rpt"),
			own("ppt"),
			own("alpt"),
			own("original"),
			test("rpt"),
			test("ppt"),
			test("alpt"),
			test("original"),
			net("rpt"),
			net("ppt"),
			net("alpt"),
			net("original"),
			table93[r.title]["rpt"][1],
			table93[r.title]["ppt"][1],
			table93[r.title]["alpt"][1],
			table93[r.title]["original"][1],
		)
	}
	return out.String()
}

// printTrees is section 4.3.
func printTrees(w io.Writer, r *result, subsets int) {
	fmt.Fprintf(w, "\n## Chapter 4: trees of %s\n\n%d records of %d drawn to train, %s, %d releases of each by every "+
		"technique; means, and smallest and largest.\n",
		r.title, r.train, r.records, numfmt.Counted(subsets, "subset"), releases)
	fmt.Fprintln(w, "\"Kept\" is how often the original's rule of most records stands in the tree, but for numeric "+
		"limits. Weights of the rule types are in per cent of the records.")
	fmt.Fprintf(w, "\n| tree of | classes changed | errors on own records | kept | attributes | of them in the original "+
		"tree | new | lost | leaves | A | B | C | D |\n")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, m := range append([]string{"original"}, techniques...) {
		if s, ok := said[m]; ok && r.title == "BHP" {
			fmt.Fprintf(w, "| thesis: %s |  | %s | %s | %s | %s |  |  |  |  |  |  |  |\n", title(m), s[0], s[1], s[3], s[2])
		}
		fs := r.of(m)
		n := float64(r.train) / 100
		fmt.Fprintf(w, "| ours: %s | %s | %s |", title(m), span(all(fs, func(f *figures) float64 { return f.changed }), 1),
			span(all(fs, func(f *figures) float64 { return math.Round(f.own * n) }), 1))
		if m == "original" {
			fmt.Fprintf(
				w,
				"  | %s |  |  |  | %s |  |  |  |  |\n",
				span(all(fs, attributes), 1),
				span(all(fs, func(f *figures) float64 { return f.leaves }), 1),
			)
			continue
		}
		fmt.Fprintf(
			w,
			" %.0f %% | %s | %s | %s | %s | %s |",
			share(fs, func(f *figures) bool { return f.main }),
			span(all(fs, attributes), 1),
			span(
				all(fs, func(f *figures) float64 { return f.shared }),
				1,
			),
			span(all(fs, func(f *figures) float64 { return f.new }), 1),
			span(
				all(fs, func(f *figures) float64 { return f.lost }),
				1,
			),
			span(all(fs, func(f *figures) float64 { return f.leaves }), 1),
		)
		for k := range 4 {
			fmt.Fprintf(w, " %.1f |", mean(all(fs, func(f *figures) float64 { return f.types[k] })))
		}
		fmt.Fprintln(w)
	}
}

func attributes(f *figures) float64 { return float64(len(f.attrs)) }

// printPrediction is Table 9.1 or 9.2.
func printPrediction(w io.Writer, r *result) {
	number := map[string]string{"BHP": "9.1", "WBC": "9.2"}[r.title]
	fmt.Fprintf(w, "\n## Table %s: decision trees on %s\n\nThe thesis prints single trees. Wrong predictions in per "+
		"cent.\n\n", number, r.title)
	fmt.Fprintln(w, "| tree of | attributes | both | new | lost | size | wrong: original | test | perturbed |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	blank := func(v float64, decimals int) string {
		if v < 0 {
			return ""
		}
		return fmt.Sprintf("%.*f", decimals, v)
	}
	for _, m := range append([]string{"original"}, techniques...) {
		for _, p := range table91[r.title] {
			if p.technique == m {
				fmt.Fprintf(
					w,
					"| thesis: %s | %s | %s | %s | %s | %.0f | %.2f | %.2f | %s |\n",
					title(m),
					blank(p.attrs[0], 0),
					blank(p.attrs[1], 0),
					blank(p.attrs[2], 0),
					blank(p.attrs[3], 0),
					p.size,
					p.wrong[0],
					p.wrong[1],
					blank(p.wrong[2], 2),
				)
			}
		}
		fs := r.of(m)
		col := func(f func(*figures) float64, decimals int) string { return span(all(fs, f), decimals) }
		others := "|  |  |  "
		perturbed := ""
		if m != "original" {
			others = fmt.Sprintf(
				"| %s | %s | %s ",
				col(func(f *figures) float64 { return f.shared }, 1),
				col(func(f *figures) float64 { return f.new }, 1),
				col(func(f *figures) float64 { return f.lost }, 1),
			)
			perturbed = col(func(f *figures) float64 { return f.own }, 2)
		}
		fmt.Fprintf(
			w,
			"| ours: %s | %s %s| %s | %s | %s | %s |\n",
			title(m),
			col(attributes, 1),
			others,
			col(func(f *figures) float64 { return f.leaves }, 1),
			col(
				func(f *figures) float64 { return f.original },
				2,
			),
			col(func(f *figures) float64 { return f.test }, 2),
			perturbed,
		)
	}
}

// printNetworks is Table 9.3 or 9.4.
func printNetworks(w io.Writer, r *result) {
	number := map[string]string{"BHP": "9.3", "WBC": "9.4"}[r.title]
	fmt.Fprintf(w, "\n## Table %s: neural networks on %s\n\nWrong predictions in per cent: the thesis's mean of five "+
		"networks, and ours.\n\n", number, r.title)
	fmt.Fprintln(w, "| network of | original: thesis | ours | test: thesis | ours | perturbed: thesis | ours |\n"+
		"|---|--:|--:|--:|--:|--:|--:|")
	for _, m := range append([]string{"original"}, techniques...) {
		fs, p := r.of(m), table93[r.title][m]
		fmt.Fprintf(
			w,
			"| %s | %.2f | %s | %.2f | %s |",
			title(m),
			p[0],
			span(all(fs, func(f *figures) float64 { return f.netOriginal }), 2),
			p[1],
			span(all(fs, func(f *figures) float64 { return f.netTest }), 2),
		)
		if m == "original" {
			fmt.Fprint(w, "  |  |\n")
			continue
		}
		fmt.Fprintf(w, " %.2f | %s |\n", p[2], span(all(fs, func(f *figures) float64 { return f.netOwn }), 2))
	}
}

// printDrawn prints the trees of the first subset, in place of figures 4.2 to 4.13.
func printDrawn(w io.Writer, r *result) {
	fmt.Fprintf(w, "\n## Trees of the first subset of %s\n\nThe original's rules, and those of the first release by "+
		"each technique.\n", r.title)
	for _, m := range append([]string{"original"}, techniques...) {
		fmt.Fprintf(w, "\n%s:\n\n%s", title(m), rules(r.trees[m]))
	}
}

// rules writes the rules of a tree, indented as code.
func rules(t *tree.Tree) string {
	var out strings.Builder
	for _, rule := range t.Rules() {
		var conds []string
		for _, c := range rule.If {
			// both data sets have numbers only
			conds = append(conds, fmt.Sprintf("%s %s %.6g", t.Attrs[c.Attr].Name, c.Op, c.Value))
		}
		if len(conds) == 0 {
			conds = []string{"all records"}
		}
		fmt.Fprintf(
			&out,
			"    %s => %s (%.0f records)\n",
			strings.Join(conds, " & "),
			t.ClassLabels()[rule.Then],
			rule.Records,
		)
	}
	return out.String()
}
