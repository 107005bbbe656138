package protecttest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

const (
	smallGrid = 300 // values of a grid, up to which all of them are looked at
	ranges    = 32  // of a larger grid, in which values are counted
	// unlikely is the false alarm rate of one comparison. A technique has less than 2000 of them, and the seeds are fixed.
	unlikely = 1e-9
)

// outcome is a released value, or a range of them, with its probability and how often it was seen.
type outcome struct{ p, seen float64 }

// compare checks how often each value is released for one record of a table.
func compare(k noisemodel.Kernel, t, released *table.Table, row, j int) error {
	if k == nil {
		for i := range released.Rows() {
			if !same(t, row, released, i, j) {
				return errors.New("the value changes, but the plan says that it does not perturb it")
			}
		}
		return nil
	}
	x, a := value(t, row, j), released.Attr(j)
	seen := map[float64]float64{}
	for i := range released.Rows() {
		seen[value(released, i, j)]++
	}
	p := func(y float64) float64 {
		if y == missing {
			return k.P(x, absent(a))
		}
		return k.P(x, y)
	}
	if flat(k, t, a, j) {
		return nil // tellsNothing looks at it
	}
	values, whole := grid(a)
	if !whole { // a law of few values, else one of ranges
		for y := range seen {
			values = append(values, y)
		}
		slices.Sort(values)
	}
	var out []outcome
	sum := 0.0
	for _, y := range values {
		out = append(out, outcome{p(y), seen[y]})
		if sum += p(y); p(y) == 0 && seen[y] > 0 {
			return fmt.Errorf("a value without probability is released %v times in %v", seen[y], released.Rows())
		}
		delete(seen, y)
	}
	switch {
	case len(seen) > 0:
		return errors.New("a value off the grid is released")
	case math.Abs(sum-1) <= 1e-9:
		return fits(out)
	case whole:
		return fmt.Errorf("the probabilities sum to %v; expected 1, or the same for all values", sum)
	}
	return spread(p, wrap.On(a.Domain, a.Step), values, out)
}

// missing stands for a missing value among released ones: NaN is no key of a map.
var missing = math.Inf(-1)

// absent is the missing value of an attribute, as a law is asked for it.
func absent(a *table.Attribute) float64 {
	if a.Kind == table.Categorical {
		return -1
	}
	return math.NaN()
}

// value returns a value as a number, of a set how many items it has.
func value(t *table.Table, row, j int) float64 {
	switch {
	case t.MissingAt(row, j):
		return missing
	case t.Attr(j).Kind == table.Categorical:
		return float64(t.Cat(j)[row])
	case t.Attr(j).Kind == table.SetValued:
		return float64(len(t.Sets(j).Present.Row(row)))
	}
	return t.Num(j)[row]
}

// grid returns all that a released value may be, the missing one first; nothing, and false, of a large or continuous
// grid.
func grid(a *table.Attribute) (values []float64, whole bool) {
	if a.Kind == table.Categorical {
		values = append(values, missing)
		for c := range a.Labels {
			values = append(values, float64(c))
		}
		return values, true
	}
	d := wrap.On(a.Domain, a.Step)
	if a.Step == 0 || d.Size() > smallGrid {
		return nil, false
	}
	values = append(values, missing)
	lo, hi := d.Limits()
	for v := lo; v <= hi+a.Step/2; v += a.Step {
		values = append(values, a.Snap(v))
	}
	return values, true
}

// flat reports whether a law gives every value the same probability whatever the original one was, and yet does not sum
// to 1: it says that the release tells nothing. A missing value has none, or the same.
func flat(k noisemodel.Kernel, t *table.Table, a *table.Attribute, j int) bool {
	values, whole := grid(a)
	if !whole {
		for i := range 20 {
			values = append(values, a.Snap(a.Domain.Lo+float64(i)/19*(a.Domain.Hi-a.Domain.Lo)))
		}
	}
	values = slices.DeleteFunc(values, func(y float64) bool { return y == missing })
	if len(values) == 0 {
		return false
	}
	first := k.P(values[0], values[0])
	if first == 0 || math.Abs(first*float64(len(values))-1) < 1e-9 {
		return false
	}
	gap := k.P(values[0], absent(a))
	if gap != 0 && gap != first {
		return false
	}
	for _, x := range values {
		for _, y := range values {
			if k.P(x, y) != first || k.P(x, absent(a)) != gap {
				return false
			}
		}
	}
	return true
}

// spread compares a law on a large grid: ranges of it, that the values seen fill equally, have the probability of all
// their values together.
func spread(p func(y float64) float64, d wrap.Domain, values []float64, seen []outcome) error {
	lo, _ := d.Limits()
	at := func(k float64) float64 { return p(d.Clip(lo + k*d.Step())) }
	var out []outcome
	if len(values) > 0 && values[0] == missing {
		out, values, seen = append(out, seen[0]), values[1:], seen[1:]
	}
	sum, from := 0.0, 0.0
	for r := range ranges {
		first, last := r*len(values)/ranges, (r+1)*len(values)/ranges
		to := d.Size()
		if r < ranges-1 {
			to = math.Round((values[last] - lo) / d.Step())
		}
		o := outcome{p: mass(at, from, to, d.Size())}
		for _, s := range seen[first:last] {
			o.seen += s.seen
		}
		out, from, sum = append(out, o), to, sum+o.p
	}
	if math.Abs(sum-1) > 1e-3 {
		return fmt.Errorf("the probabilities sum to %v; expected 1, or the same for all values", sum)
	}
	return fits(out)
}

// mass sums a function over the whole numbers from a to b, without b. Of many it takes a sample, the denser the less
// smooth the function is, and as dense at least as a thousandth of them all.
func mass(f func(k float64) float64, a, b, all float64) float64 {
	const few = 16
	sample := func(n int) (sum float64) {
		width := (b - a) / float64(n)
		for i := range n {
			sum += f(math.Floor(a+(float64(i)+0.5)*width)) * width
		}
		return sum
	}
	if b-a <= few {
		sum := 0.0
		for k := a; k < b; k++ {
			sum += f(k)
		}
		return sum
	}
	edge := (b - a) / (2 * few) // in which no sample is, so a law may jump there unseen
	jumps := (math.Abs(f(a)-f(math.Floor(a+edge))) + math.Abs(f(b-1)-f(math.Floor(b-edge)))) * edge
	if fine := sample(few); b-a < all/1000 && math.Abs(fine-sample(few/2+1)) < 1e-6 && jumps < 1e-5 {
		return fine
	}
	middle := math.Floor((a + b) / 2)
	return mass(f, a, middle, all) + mass(f, middle, b, all)
}

// fits compares how often values were seen with their probabilities by Pearson's test; neighbours of which less than
// five are expected count as one.
func fits(out []outcome) error {
	n := 0.0
	for _, o := range out {
		n += o.seen
	}
	stat, bins, seen, expected := 0.0, 0.0, 0.0, 0.0
	for _, o := range out {
		seen, expected = seen+o.seen, expected+o.p*n
		if expected >= 5 {
			stat += (seen - expected) * (seen - expected) / expected
			bins++
			seen, expected = 0, 0
		}
	}
	if seen > 30 {
		return fmt.Errorf("values of which %.3g are expected are released %v times", expected, seen)
	}
	if bins > 1 && (distuv.ChiSquared{K: bins - 1}).Survival(stat) < unlikely {
		return fmt.Errorf("the released values do not follow the law: chi-square %.1f of %v values", stat, bins)
	}
	return nil
}
