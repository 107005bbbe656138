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

// printed are the thesis's counts of three trees, by table and target: exactly same, very similar, similar, dissimilar.
var printed = map[string]map[string][4]int{
	"Table 6.4": {
		"Country of Origin": {1, 1, 0, 1},
		"Car Make":          {2, 1, 0, 0},
		"Profession":        {3, 0, 0, 0},
		"Status":            {0, 0, 3, 0},
	},
	"Table 6.5": {
		"Country of Origin": {0, 1, 1, 1},
		"Car Make":          {1, 2, 0, 0},
		"Profession":        {1, 0, 0, 2},
		"Status":            {0, 0, 3, 0},
	},
}

// said is what the text says of ten trees, by experiment and target.
var said = map[string]string{
	"CR, City perturbed: Credit Risk":  "A > 50 in 8 of 10; A+B > 90 in 8, > 85 in all; C 0 in all",
	"CS, Car Make perturbed: Car Make": "A 100 in all 10",
	"CS, Car Make perturbed: Status":   "A > 70 in 7 of 10; C 0 in all",
}

// share returns the per cent of the releases for which ok holds.
func (p *part) share(ok func(w [4]float64) bool) float64 {
	n := 0
	for _, w := range p.weights {
		if ok(w) {
			n++
		}
	}
	return 100 * float64(n) / float64(len(p.weights))
}

// in returns the per cent of the trees of a class.
func (p *part) in(class int) float64 {
	return p.share(func(w [4]float64) bool { return classOf(w) == class })
}

func print(w io.Writer, parts []*part, together []*joint, tables int) {
	fmt.Fprintf(w, "%s\n%s%s", text, rerun.Wrap(found(parts)), why(parts, together))
	fmt.Fprintf(w, "\n## One attribute perturbed\n\nPer cent of the trees; %d tables of %d records, %d releases of "+
		"each.\n\n", tables, rows, releases)
	fmt.Fprintln(w, "| perturbed | tree of | thesis, ten trees | A = 100 | A > 70 | A > 50 | A+B > 90 | A+B > 85 | C = "+
		"D = 0 | agree |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, p := range parts {
		s, ok := said[p.title+": "+p.target]
		if !ok {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s |", strings.TrimSuffix(p.title, " perturbed"), p.target, s)
		for _, ok := range []func([4]float64) bool{
			func(w [4]float64) bool { return classOf(w) == same }, func(w [4]float64) bool { return w[0] > 70 },
			func(w [4]float64) bool { return w[0] > 50 },
			func(w [4]float64) bool { return w[0]+w[1] > 90 }, func(w [4]float64) bool { return w[0]+w[1] > 85 },
			func(w [4]float64) bool { return w[2]+w[3] == 0 },
		} {
			fmt.Fprintf(w, " %.0f |", p.share(ok))
		}
		fmt.Fprintf(w, " %.1f |\n", p.agreement())
	}
	head := ""
	for _, p := range parts {
		number, _, _ := strings.Cut(p.trees, ":")
		counts, ok := printed[number][p.target]
		if !ok {
			continue
		}
		if p.trees != head {
			head = p.trees
			fmt.Fprintf(w, "\n## %s\n\nThe thesis counts three trees; ours are per cent of the trees, and in the last columns "+
				"the mean weights of the rule types.\n\n", p.trees)
			fmt.Fprintln(w, "| tree of | exactly same: thesis | ours | very similar: thesis | ours | similar: thesis | ours | "+
				"dissimilar: thesis | ours | unclassified | A | B | C | D | agree |")
			fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
		}
		fmt.Fprintf(w, "| %s |", p.target)
		for c, n := range counts {
			fmt.Fprintf(w, " %d of 3 | %.0f |", n, p.in(c))
		}
		fmt.Fprintf(w, " %.0f |", p.in(unclassified))
		for _, m := range p.means() {
			fmt.Fprintf(w, " %.1f |", m)
		}
		fmt.Fprintf(w, " %.1f |\n", p.agreement())
	}
}

// means returns the mean weights of the rule types.
func (p *part) means() (m [4]float64) {
	for _, w := range p.weights {
		for k := range m {
			m[k] += w[k] / float64(len(p.weights))
		}
	}
	return m
}

// agreement returns for how many of 100 original records both trees predict the same, on average.
func (p *part) agreement() float64 {
	sum := 0.0
	for _, v := range p.agree {
		sum += v / float64(len(p.agree))
	}
	return sum
}

// found says where most of our trees are, against most of the thesis's.
func found(parts []*part) string {
	names := [...]string{
		same:         "exactly same",
		very:         "very similar",
		similar:      "similar",
		dissimilar:   "dissimilar",
		unclassified: "unclassified",
	}
	var out strings.Builder
	for _, p := range parts {
		number, _, _ := strings.Cut(p.trees, ":")
		counts, ok := printed[number][p.target]
		if !ok {
			continue
		}
		best, theirs := 0, 0
		for c := range classes {
			if p.in(c) > p.in(best) {
				best = c
			}
		}
		for c := range counts {
			if counts[c] > counts[theirs] {
				theirs = c
			}
		}
		fmt.Fprintf(&out, "- **%s, %s.** Most of our trees are %s (%.0f %%), with Type A rules for %.0f %% of the records "+
			"on average; both trees predict the "+
			"same for %.0f %% of the original records. The thesis has %d of 3 %s.\n",
			number, p.target, names[best], p.in(best), p.means()[0], p.agreement(), counts[theirs], names[theirs])
	}
	return out.String()
}
