package classes

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// fewMoved is the share of the records that may have moved values where classes are still counted: the figure is nearly
// that of the others, and a note says how many there are.
const fewMoved = 0.05

// Applies returns how many records have a known value that was moved. Where they are more than one in twenty it returns
// the error that a measure of classes does not apply.
func Applies(r *measure.Release, view *intruder.View) (n int, err error) {
	type count struct {
		moved, of int
		drawn     string
	}
	key := fmt.Sprintf("records with moved values, known %v", view.Columns())
	c, err := measure.PerRelease(r, key, func(r *measure.Release) (count, error) {
		moved, drawn := Moved(r, view)
		c := count{of: len(moved), drawn: drawn}
		for _, m := range moved {
			if m {
				c.moved++
			}
		}
		return c, nil
	})
	if err != nil {
		return 0, err
	}
	switch {
	case c.drawn != "":
		return 0, measure.NotApplicable(message.Say("measure.skipped.drawn").Name("column", c.drawn))
	case float64(c.moved) > fewMoved*float64(c.of):
		return 0, measure.NotApplicable(message.Say("measure.skipped.moved").Share("moved", float64(c.moved)/float64(c.of)))
	}
	return c.moved, nil
}

// Moved says by record of a paired release whether a known value of it was moved: it is not the person's own, nor lost,
// nor that of a group. Noise, swaps and random codes move values; a release that generalises, suppresses, rounds, cuts
// off extremes or replaces values by those of a group does not, as anyone who knows a person still knows which class to
// look in. A column shows groups when the plan says so (see groups), when each of its values became one value that
// several share, or when numbers are the means of those they stand for.
//
// Where records are not paired the plan alone can tell: drawn is the first known column whose law leaves a value
// several outcomes, and moved is nil.
func Moved(r *measure.Release, view *intruder.View) (moved []bool, drawn string) {
	if r.Original == r.Released {
		return nil, ""
	}
	if !r.Paired {
		for _, j := range view.Columns() {
			if a := r.Original.Attr(j); random(r, a.Name) {
				return nil, a.Name
			}
		}
		return nil, ""
	}
	moved = make([]bool, r.Released.Rows())
	for _, j := range view.Columns() {
		was, is := values(r.Original, j), values(r.Released, j)
		if was == nil || !slices.ContainsFunc(indices(was), func(i int) bool { return other(was[i], is[i]) }) {
			continue
		}
		a := r.Original.Attr(j)
		if groups(r, a.Name) || pooled(was, is) || a.Kind == table.Numeric && means(was, is, a.Step) {
			continue
		}
		for i := range moved {
			moved[i] = moved[i] || other(was[i], is[i])
		}
	}
	return moved, ""
}

// other reports whether a released value is another than the original one; a lost one is not.
func other(was, is float64) bool { return is == is && is != was }

func indices(v []float64) []int {
	out := make([]int, len(v))
	for i := range out {
		out[i] = i
	}
	return out
}

// values returns numbers, or codes as numbers with NaN for missing; nil for a kind that cannot be known.
func values(t *table.Table, j int) []float64 {
	if t.Attr(j).Kind == table.Numeric {
		return t.Num(j)
	}
	if t.Attr(j).Kind != table.Categorical {
		return nil
	}
	out := make([]float64, t.Rows())
	for i, c := range t.Cat(j) {
		if out[i] = float64(c); c < 0 {
			out[i] = math.NaN()
		}
	}
	return out
}

// groups reports whether a plan that changes the column releases records in groups of one value: it divides a table by
// its records and not by trees, and states neither a law nor noise. Microaggregation does; a technique that works in
// segments divides by them too.
func groups(r *measure.Release, column string) bool {
	for _, m := range r.Mechanisms {
		if !slices.Contains(m.Changes(), column) {
			continue
		}
		_, divides := m.(interface {
			Divide(*table.Table) (segment.Segmentation, error)
		})
		_, trees := m.(interface{ Segmentation() segment.Segmentation })
		_, lawful := m.(noisemodel.ByColumn)
		_, adds := m.(noisemodel.Additive)
		if divides && !trees && !lawful && !adds {
			return true
		}
	}
	return false
}

// pooled reports whether every original value is released as one value, and every new value stands for several.
func pooled(was, is []float64) bool {
	to := map[float64]float64{}
	from := map[float64]int{}
	fresh := map[float64]bool{}
	for i, x := range was {
		y := is[i]
		if y != y {
			continue
		}
		if x != x {
			return false // made up
		}
		if seen, ok := to[x]; ok {
			if seen != y {
				return false
			}
			continue
		}
		to[x] = y
		from[y]++
		fresh[y] = fresh[y] || x != y
	}
	for y := range fresh {
		if fresh[y] && from[y] < 2 {
			return false
		}
	}
	return true
}

// means reports whether every new number is the mean, on the grid, of two or more that are released as it.
func means(was, is []float64, step float64) bool {
	type group struct {
		sum   float64
		n     int
		fresh bool
	}
	all := map[float64]group{}
	for i, x := range was {
		y := is[i]
		if y != y {
			continue
		}
		if x != x {
			return false
		}
		g := all[y]
		g.sum, g.n, g.fresh = g.sum+x, g.n+1, g.fresh || x != y
		all[y] = g
	}
	for y, g := range all {
		if g.fresh && (g.n < 2 || math.Abs(g.sum/float64(g.n)-y) > step/2+float64(1e-6*max(1, math.Abs(y)))) {
			return false
		}
	}
	return true
}

// tried is how many values of a column a law is asked about.
const tried = 64

// random reports whether a plan has a law for the column by which an original value may be released as one of several.
func random(r *measure.Release, column string) bool {
	for _, m := range r.Mechanisms {
		if !slices.Contains(m.Changes(), column) {
			continue
		}
		if _, ok := m.(noisemodel.Additive); ok {
			return true
		}
		j := slices.IndexFunc(m.Schema(), func(a table.Attribute) bool { return a.Name == column })
		of, ok := noisemodel.Of(m, j)
		if !ok {
			continue
		}
		t, err := r.Original.Slice(0, min(tried, r.Original.Rows())).Conform(m.Schema(), true)
		if err != nil {
			continue
		}
		seen := distinct(values(r.Released, r.Released.Find(column)))
		for i, x := range values(t, j) {
			k := of(&segment.Segment{}, t, i)
			outcomes := 0
			for _, y := range seen {
				if x == x && k != noisemodel.Kernel(noisemodel.Kept{}) && k.P(x, y) > 0 {
					outcomes++
				}
			}
			if outcomes > 1 {
				return true
			}
		}
	}
	return false
}

// distinct returns up to so many as are tried of the different values, in the order in which they come; missing ones
// are none.
func distinct(v []float64) []float64 {
	seen := map[float64]bool{}
	var out []float64
	for _, x := range v {
		if x == x && !seen[x] {
			seen[x] = true
			if out = append(out, x); len(out) == tried {
				break
			}
		}
	}
	return out
}
