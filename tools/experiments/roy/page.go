package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"
)

//go:embed text.md
var text string

// sizes are the sizes of groups of the two tables per data set.
var sizes = []int{3, 10}

// print writes the page: the text, with the tables in place of their marks.
func print(ctx context.Context, w io.Writer, sets []set, seeds int) error {
	var tables strings.Builder
	for i := range sets {
		s := &sets[i]
		fmt.Fprintf(&tables, "### %s\n\n%d records, %d numeric attributes; confidential: %s; where several are: %s too.\n\n",
			s.name, s.table.Rows(), s.table.Width(), s.confidential, s.second)
		for _, k := range sizes {
			if err := printSet(ctx, &tables, s, k, seeds); err != nil {
				return err
			}
		}
		if err := printProperties(ctx, &tables, s); err != nil {
			return err
		}
	}
	var rows strings.Builder
	if err := printPortion(ctx, &rows, &sets[len(sets)-1]); err != nil {
		return err
	}
	var paper strings.Builder
	paper.WriteString(header("| method", ""))
	for _, m := range methods {
		if strings.HasSuffix(m.name, "means") {
			continue
		}
		fmt.Fprintf(&paper, "| %s |", strings.TrimSuffix(m.name, ", microaggregated"))
		for _, v := range m.paper {
			fmt.Fprintf(&paper, " %.3f |", v)
		}
		paper.WriteString("\n")
	}
	_, err := io.WriteString(
		w,
		strings.NewReplacer(
			"{{tables}}\n",
			tables.String(),
			"{{paper}}\n",
			paper.String(),
			"{{portion}}\n",
			rows.String(),
			"{{seeds}}",
			fmt.Sprint(seeds),
		).Replace(
			text,
		),
	)
	return err
}

// header returns the two first lines of a table with a column for every number of clusters.
func header(first, last string) string {
	a, b := first+" |", "|---|"
	for k := fewest; k <= most; k++ {
		a, b = a+fmt.Sprintf(" K=%d |", k), b+"--:|"
	}
	for range strings.Count(last, "|") {
		b += "--:|"
	}
	return a + last + "\n" + b + "\n"
}

func printSet(ctx context.Context, w io.Writer, s *set, k, seeds int) error {
	fmt.Fprintf(w, "Groups of %d:\n\n%s", k, header("| method", " SSE/SST | Sec |"))
	for i := range methods {
		m := &methods[i]
		if k != sizes[0] && !m.grouped {
			continue // the size of groups is nothing to it
		}
		r, err := m.measured(ctx, s, k, seeds)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", m.name, s.name, err)
		}
		fmt.Fprintf(w, "| %s |", m.name)
		for _, c := range r.cells {
			fmt.Fprintf(w, " %.3f (%.3f) |", c.same, c.printed)
		}
		fmt.Fprintf(w, " %.4f | %.4f |\n", r.sse, r.sec)
	}
	if k == sizes[0] {
		fmt.Fprint(w, "| *nothing perturbed, clusters begun anew* |")
		for k := fewest; k <= most; k++ {
			v, err := luck(ctx, s.with(), k, max(seeds, 2))
			if err != nil {
				return err
			}
			fmt.Fprintf(w, " %.3f |", v)
		}
		fmt.Fprint(w, " 0 | 0 |\n")
	}
	fmt.Fprintln(w)
	return nil
}

// printProperties says how far the properties of section 4.1 hold.
func printProperties(ctx context.Context, w io.Writer, s *set) error {
	p, err := properties(ctx, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Section 4.1, perturbation tree with leaves of at most 10, means, one confidential attribute: the "+
		"mean of %s moves from %.6g to %.6g, its variance "+
		"from %.4g to %.4g; the tree built on the release puts %.1f %% of the pairs of records that shared a leaf into one "+
		"again (adjusted Rand index %.3f).\n\n",
		s.confidential, p.mean[0], p.mean[1], p.variance[0], p.variance[1], 100*p.together, p.rand)
	return nil
}
