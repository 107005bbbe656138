package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// mean returns that of a figure.
func mean(fs []*figures, f func(*figures) float64) float64 {
	sum := 0.0
	for _, x := range fs {
		sum += f(x) / float64(len(fs))
	}
	return sum
}

func average(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x / float64(len(v))
	}
	return sum
}

func print(w io.Writer, r *result, subsets int) {
	fmt.Fprintf(w, "%s%s", text, rerun.Wrap(found(r)))
	fmt.Fprintf(w, "\n## Figures\n\nMeans over %d subsets and %d releases of each, in per cent. \"Inside\" are records "+
		"in their leaf of the original tree, \"outside the range\" values\n",
		subsets, releases)
	fmt.Fprint(w, "of attributes that a record's leaf tests (LINFAs) and that lie outside the leaf's range; A to D are "+
		"the weights of the rule types; wrong are predictions.\n\n")
	fmt.Fprintln(w, "| technique | values changed | inside | outside the range | A | B | C | D | wrong: own records | "+
		"original ones | others |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	fmt.Fprintf(
		w,
		"| original | 0.0 | 100.0 | 0.0 | 100.0 | 0.0 | 0.0 | 0.0 | %.1f | %.1f | %.1f |\n",
		average(r.own),
		average(r.own),
		average(r.test),
	)
	for _, m := range techniques {
		fs := r.released[m.title]
		fmt.Fprintf(w, "| %s |", m.title)
		for _, f := range []func(*figures) float64{
			func(f *figures) float64 { return f.changed }, func(f *figures) float64 { return f.inside },
			func(f *figures) float64 { return f.linfa },
			func(f *figures) float64 { return f.types[0] }, func(f *figures) float64 { return f.types[1] },
			func(f *figures) float64 { return f.types[2] },
			func(f *figures) float64 { return f.types[3] }, func(f *figures) float64 { return f.own },
			func(f *figures) float64 { return f.train },
			func(f *figures) float64 { return f.test },
		} {
			fmt.Fprintf(w, " %.1f |", mean(fs, f))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n## The trees\n\nOf the %d trees of the original, beside Figure 5.1, whose Leaf 1 has "+
		"uniformity_of_cell_size 1 to 2, clump_thickness 6 to 10 and normal_nucleoli 1 to 2:\n\n", subsets)
	roots, leaves := map[string]int{}, 0
	for _, t := range r.trees {
		leaves += len(t.Leaves())
		n := &t.Nodes[0]
		if n.Kids == nil {
			roots["one leaf"]++
			continue
		}
		roots[fmt.Sprintf("%s <= %g", t.Attrs[n.Attr].Name, n.Cut)]++
	}
	for _, name := range sorted(roots) {
		fmt.Fprintf(w, "- the root tests %s in %d\n", name, roots[name])
	}
	fmt.Fprintf(w, "- they have %.1f leaves on average\n", float64(leaves)/float64(len(r.trees)))
}

// found says whether the two techniques keep more than RNAT.
func found(r *result) string {
	ab := func(m string) float64 {
		return mean(r.released[m], func(f *figures) float64 { return f.types[0] + f.types[1] })
	}
	in := func(m string) float64 { return mean(r.released[m], func(f *figures) float64 { return f.inside }) }
	test := func(m string) float64 { return mean(r.released[m], func(f *figures) float64 { return f.test }) }
	var out strings.Builder
	fmt.Fprintf(&out, "- **Every value stays in the range of its leaf**: %.0f, %.0f and %.0f %% of the records are in "+
		"their leaf after LINNAPT, LINFAPT and both; after RNAT %.0f %%.\n",
		in("LINNAPT"), in("LINFAPT"), in("both"), in("RNAT"))
	fmt.Fprintf(&out, "- **Rules** of Types A and B cover %.0f, %.0f and %.0f %% of the released records, after RNAT "+
		"%.0f %%.\n", ab("LINNAPT"), ab("LINFAPT"), ab("both"), ab("RNAT"))
	fmt.Fprintf(&out, "- **Trees** of the release are wrong on %.1f, %.1f and %.1f %% of the records that were not "+
		"released, after RNAT on %.1f %%; the original's on %.1f %%.\n",
		test("LINNAPT"), test("LINFAPT"), test("both"), test("RNAT"), average(r.test))
	return out.String()
}

func sorted(m map[string]int) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	for i := range names { // by count, then by name; there are a handful
		for j := i + 1; j < len(names); j++ {
			if a, b := names[i], names[j]; m[b] > m[a] || m[b] == m[a] && b < a {
				names[i], names[j] = b, a
			}
		}
	}
	return names
}
