package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// printMoments prints mean vectors, the largest changes of a correlation and the correlation matrices, beside the
// thesis's.
func printMoments(w io.Writer, set string, decimals int, all []runs) error {
	thesis, err := thesisMoments(set)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "\n### Mean vectors, and the largest absolute change of a correlation\n\n")
	printMeans(w, thesis, all)
	fmt.Fprint(w, "\n### Correlation matrices\n\nBelow the diagonal the thesis's, of its first run; above it ours, the "+
		"mean of all runs.",
		mendedNote(thesis), "\n")
	names := all[0].results[0].bias.Names
	printed := map[string]bool{}
	for n := range all {
		r := &all[n]
		if n == 0 {
			printMatrix(w, original, names, first(thesis, original), meanMatrix(r.results, originalCorr), decimals)
		}
		if m := first(thesis, r.name); m != nil && !printed[r.name] {
			printed[r.name] = true
			printMatrix(w, r.title(), names, m, meanMatrix(r.results, releasedCorr), decimals)
		}
	}
	return nil
}

func originalCorr(r *result) [][]float64 { return r.bias.CorrOriginal }
func releasedCorr(r *result) [][]float64 { return r.bias.CorrReleased }

// first returns the first matrix that the thesis prints of a technique; nil when it prints none.
func first(thesis []*moments, technique string) [][]float64 {
	for _, m := range thesis {
		if m.technique == technique {
			return m.corr
		}
	}
	return nil
}

func printMeans(w io.Writer, thesis []*moments, all []runs) {
	names := all[0].results[0].bias.Names
	row(w, append(append([]string{"table"}, names...), "largest change", "without "+names[0])...)
	fmt.Fprintln(w, "|---|"+strings.Repeat("--:|", len(names)+2))
	said := map[string]bool{}
	say := func(technique string) {
		for _, m := range thesis {
			if m.technique == technique && !said[technique] {
				row(w, m.cells(thesis[0])...)
			}
		}
		said[technique] = true
	}
	say(original)
	row(
		w,
		append(meanCells(original, all[0].results, func(r *result) []float64 { return r.bias.MeanOriginal }), "", "")...)
	for _, r := range all {
		say(r.name)
		cells := meanCells(r.title(), r.results, func(r *result) []float64 { return r.bias.MeanReleased })
		for without := range 2 {
			cells = append(cells, medianSpan(column(r.results, changeWithout(without)), 3))
		}
		row(w, cells...)
	}
}

// cells returns the means and the largest changes from the original.
func (m *moments) cells(from *moments) []string {
	out := []string{"thesis: " + m.title()}
	for _, v := range m.mean {
		out = append(out, fmt.Sprintf("%.*f", places(v), v))
	}
	for without := range 2 {
		if m == from {
			out = append(out, "")
		} else {
			out = append(out, fmt.Sprintf("%.3f", largestChange(m.corr, from.corr, without)))
		}
	}
	return out
}

func meanCells(title string, rs []*result, means func(*result) []float64) []string {
	out := []string{"ours: " + title}
	for k := range means(rs[0]) {
		v := column(rs, func(r *result) float64 { return means(r)[k] })
		out = append(out, meanSpan(v, places(mean(v))))
	}
	return out
}

// changeWithout returns the largest absolute change of a correlation, without the first columns.
func changeWithout(columns int) func(*result) float64 {
	return func(r *result) float64 { return largestChange(r.bias.CorrReleased, r.bias.CorrOriginal, columns) }
}

// places returns how many decimals a mean is printed with.
func places(v float64) int {
	if math.Abs(v) >= 1000 {
		return 0
	}
	return 2
}

// meanMatrix returns the mean of a matrix over the runs.
func meanMatrix(rs []*result, of func(*result) [][]float64) [][]float64 {
	out := make([][]float64, len(of(rs[0])))
	for i := range out {
		out[i] = make([]float64, len(out))
		for j := range out {
			out[i][j] = mean(column(rs, func(r *result) float64 { return of(r)[i][j] }))
		}
	}
	return out
}

// printMatrix prints one matrix below the diagonal and another above it.
func printMatrix(w io.Writer, title string, names []string, below, above [][]float64, decimals int) {
	fmt.Fprintf(w, "\n%s:\n\n", title)
	for i, name := range names {
		fmt.Fprintf(w, "    %-28s", name)
		for j := range names {
			switch {
			case i == j:
				fmt.Fprintf(w, "%7s", "-")
			case i > j:
				fmt.Fprintf(w, "%7.*f", decimals, below[i][j])
			default:
				fmt.Fprintf(w, "%7.*f", decimals, above[i][j]+0)
			}
		}
		fmt.Fprintln(w)
	}
}

// mendedNote says how cells are read in which the thesis's matrices are not symmetric.
func mendedNote(thesis []*moments) string {
	var cells []string
	small := 0
	for _, m := range thesis {
		for _, c := range m.mended {
			if math.Abs(c.above-c.below) < 0.0015 {
				small++
			} else {
				cells = append(cells, fmt.Sprintf("%.3f, not %.3f, in cell (%d,%d) of %s", c.above, c.below, c.row, c.column,
					m.title()))
			}
		}
	}
	if len(cells)+small == 0 {
		return ""
	}
	return fmt.Sprintf("\nThe thesis's matrices are not symmetric. The side above the diagonal is read: %s;\n"+
		"in %d other cells the sides differ by 0.001.", strings.Join(cells, ",\n"), small)
}
