package distributions

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// compareDistributions sets the distance of every attribute and type D.
func (d *Detail) compareDistributions(ctx context.Context, r *measure.Release) error {
	cols := append(columns(r.Original, table.Numeric), columns(r.Original, table.Categorical)...)
	slices.Sort(cols)
	d.Distances = make([]Distance, len(cols))
	err := parallel.Each(ctx, len(cols), func(k int) error {
		d.Distances[k] = Distance{r.Original.Attr(cols[k]).Name, distance(r.Original, r.Released, cols[k])}
		return nil
	})
	if err != nil {
		return err
	}
	var t biasTally
	names := make([]string, len(cols))
	for k, a := range d.Distances {
		names[k] = a.Name
		t.add(a.Distance, k, k)
	}
	d.D = t.over(names)
	return nil
}

// distance returns how far the distributions of column j in two tables lie apart, in [0, 1]: NaN when the original has
// no value, 1 when the release has none.
func distance(original, released *table.Table, j int) float64 {
	switch original.Attr(j).Kind {
	case table.Numeric:
	case table.Categorical:
		return totalVariation(shares(original, j), shares(released, j))
	case table.SetValued: // is not among the columns
		return math.NaN()
	}
	x, y := original.Num(j), released.Num(j)
	if slices.Equal(x, y) && len(x) > 0 {
		return 0
	}
	return kolmogorovSmirnov(x, y, original.Space())
}

// totalVariation returns half the sum of the absolute differences of two distributions on the same categories.
func totalVariation(p, q []float64) float64 {
	switch {
	case p == nil:
		return math.NaN()
	case q == nil:
		return 1
	}
	d := 0.0
	for c := range p {
		d += math.Abs(p[c] - q[c])
	}
	return min(1, d/2)
}

// shares returns the shares of the categories among the values that are there; nil when there are none.
func shares(t *table.Table, j int) []float64 {
	counts := make([]float64, len(t.Attr(j).Labels))
	n := 0.0
	for _, c := range t.Cat(j) {
		if c >= 0 {
			counts[c]++
			n++
		}
	}
	if n == 0 {
		return nil
	}
	for c := range counts {
		counts[c] /= n
	}
	return counts
}
