package randomisedresponse

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// units returns the crossings and the other columns apart, by first column.
func (q *PramTechnique) units(t *table.Table, columns []int) ([]Unit, error) {
	var out []Unit
	left := slices.Clone(columns)
	for _, text := range q.Cross {
		together, err := transition.Crossed(t, text)
		if err != nil {
			return nil, fmt.Errorf("parameter %q: %w", "cross", err)
		}
		if len(together) < 2 {
			return nil, fmt.Errorf("parameter %q: %q is one column; expected two or more, as a+b", "cross", text)
		}
		for _, j := range together {
			at := slices.Index(left, j)
			if at < 0 {
				return nil, fmt.Errorf("parameter %q: column %q is not among those perturbed, or is named twice", "cross",
					t.Attr(j).Name)
			}
			left = slices.Delete(left, at, at+1)
		}
		out = append(out, Unit{Columns: together})
	}
	for _, j := range left {
		out = append(out, Unit{Columns: []int{j}})
	}
	sorting.Func(out, func(a, b Unit) int { return a.Columns[0] - b.Columns[0] })
	return out, nil
}

// given reads, by unit, the probability to stay and the matrix that are asked for.
func (q *PramTechnique) given(t *table.Table, units []Unit) (keep []float64, given []transition.Matrix, err error) {
	keep, given = slices.Repeat([]float64{q.Keep}, len(units)), make([]transition.Matrix, len(units))
	for _, text := range q.Matrices {
		cut := strings.LastIndex(text, "=")
		if cut < 0 {
			return nil, nil, fmt.Errorf("parameter %q: %q has no \"=\"; expected name=keep, or name= and the rows with / "+
				"between them", "matrices", text)
		}
		columns, err := transition.Crossed(t, text[:cut])
		if err != nil {
			return nil, nil, fmt.Errorf("parameter %q: %w", "matrices", err)
		}
		k := slices.IndexFunc(units, func(u Unit) bool { return slices.Equal(u.Columns, columns) })
		if k < 0 {
			return nil, nil, fmt.Errorf("parameter %q: %q is not among what is perturbed", "matrices", text[:cut])
		}
		m, err := read(text[cut+1:])
		if err == nil && len(m) == 1 && len(m[0]) == 1 && m[0][0] >= 0 && m[0][0] <= 1 {
			keep[k] = m[0][0]
			continue
		}
		if a := t.Attr(columns[0]); err == nil && len(columns) > 1 {
			err = fmt.Errorf("columns that are crossed take one probability")
		} else if err == nil {
			err = m.Check(len(a.Labels))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("parameter %q: %q: %w", "matrices", text[:cut], err)
		}
		given[k] = byCode(m, t.Attr(columns[0]))
	}
	return keep, given, nil
}

// read reads a matrix of rows with "/" between them.
func read(text string) (transition.Matrix, error) {
	var m transition.Matrix
	for line := range strings.SplitSeq(text, "/") {
		var row []float64
		for _, word := range strings.Fields(line) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil || math.IsNaN(v) {
				return nil, fmt.Errorf("%q is not a probability", word)
			}
			row = append(row, v)
		}
		m = append(m, row)
	}
	return m, nil
}

// byCode turns a matrix in the order a reader sees into one by code.
func byCode(m transition.Matrix, a *table.Attribute) transition.Matrix {
	at := make([]int, len(a.Labels)) // by code
	for place, code := range reading(a) {
		at[code] = place
	}
	out := make(transition.Matrix, len(m))
	for x := range out {
		for y := range m {
			out[x] = append(out[x], m[at[x]][at[y]])
		}
	}
	return out
}

// reading returns the codes of an attribute in alphabetical order of their labels or, where it is ordered, in its own.
func reading(a *table.Attribute) []int {
	codes := make([]int, len(a.Labels))
	for c := range codes {
		codes[c] = c
	}
	if !a.Ordered {
		slices.SortFunc(codes, func(x, y int) int { return strings.Compare(a.Labels[x], a.Labels[y]) })
	}
	return codes
}

// fill sets the matrix of a unit from the counts of its cells.
func (q *PramTechnique) fill(t *table.Table, u *Unit, counts []float64, keep float64, given transition.Matrix) {
	switch a := t.Attr(u.Columns[0]); {
	case len(u.Columns) > 1:
		u.Matrix = within(u.Cells, keep)
	case given != nil:
		u.Matrix = given
	case a.Ordered:
		u.Matrix = transition.Decay(len(counts), keep, q.Decay)
	default:
		u.Matrix = transition.Uniform(len(counts), keep)
	}
	if q.Invariant {
		u.Matrix = u.Matrix.Invariant(counts, q.Alpha)
	}
	u.Kept = u.Matrix.Kept(counts)
	u.Least, u.Most = u.Matrix.Sure(counts)
}

// count counts the records of all units by cell; of crossed columns it first finds the cells, those that occur.
func count(ctx context.Context, r *aggregate.Records, units []Unit) ([][]float64, error) {
	var single []int
	var crossed []aggregate.Aggregate
	for _, u := range units {
		names := strings.Join(protect.Names(r.Schema.Attrs(), u.Columns), "+")
		if len(u.Columns) == 1 {
			if n := len(r.Schema.Attr(u.Columns[0]).Labels); n > mostCells {
				return nil, fmt.Errorf("column %q has %d categories; expected at most %d, or the column among those excepted",
					names, n, mostCells)
			}
			single = append(single, u.Columns[0])
			continue
		}
		radix := u.radix(r.Schema.Attrs())
		if radix == nil {
			return nil, fmt.Errorf("parameter %q: %q has too many possible combinations", "cross", names)
		}
		crossed = append(crossed, &aggregate.Cells{Columns: u.Columns, Radix: radix, Most: mostCells})
	}
	counts, err := r.Counts(ctx, single)
	if err == nil {
		err = r.Pass(ctx, crossed...)
	}
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(units))
	for k := range units {
		if u := &units[k]; len(u.Columns) > 1 {
			if out[k], err = u.occur(r.Schema, crossed[0].(*aggregate.Cells)); err != nil {
				return nil, err
			}
			crossed = crossed[1:]
			continue
		}
		for _, n := range counts[0] {
			out[k] = append(out[k], float64(n))
		}
		counts = counts[1:]
	}
	return out, nil
}

// occur sets the cells of crossed columns, and returns their counts.
func (u *Unit) occur(t *table.Table, c *aggregate.Cells) (out []float64, err error) {
	if len(c.Counts) > mostCells {
		return nil, fmt.Errorf("parameter %q: %q has more combinations than %d", "cross",
			strings.Join(protect.Names(t.Attrs(), u.Columns), "+"), mostCells)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Counts)) {
		out = append(out, float64(c.Counts[key]))
		cell := make([]int32, len(c.Radix))
		for k, r := range c.Radix {
			cell[k], key = int32(key/r)-1, key%r
		}
		u.Cells = append(u.Cells, cell)
	}
	return out, nil
}

// within keeps a cell with probability keep and otherwise releases one of those that lack the same values, each as
// likely.
func within(cells [][]int32, keep float64) transition.Matrix {
	m := make(transition.Matrix, len(cells))
	for x, row := range m {
		row = make([]float64, len(cells))
		alike := 0.0
		for y := range cells {
			if y != x && lackSame(cells[x], cells[y]) {
				alike++
			}
		}
		for y := range cells {
			if y != x && lackSame(cells[x], cells[y]) {
				row[y] = (1 - keep) / alike
			}
		}
		row[x] = keep
		if alike == 0 {
			row[x] = 1
		}
		m[x] = row
	}
	return m
}

// lackSame reports whether two cells have missing values in the same columns.
func lackSame(a, b []int32) bool {
	return slices.EqualFunc(a, b, func(x, y int32) bool { return (x < 0) == (y < 0) })
}
