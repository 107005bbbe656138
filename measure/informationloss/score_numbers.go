package informationloss

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/anonymity/infoloss"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/proximity"
	"github.com/dither-data/dither/table"
)

// widest is the widest interval of ranks, in per cent.
const widest = 10

// scoreNumeric returns the numeric columns that a release changes, all of them when it changes none.
func scoreNumeric(r *measure.Release) []int {
	var all, changed []int
	for j := range r.Original.Width() {
		a := r.Original.Attr(j)
		if a.Kind != table.Numeric || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		all = append(all, j)
		if proximity.Changed(r.Original.Column(j), r.Released.Column(j)) {
			changed = append(changed, j)
		}
	}
	if changed == nil {
		return all
	}
	return changed
}

// loss returns the information loss of the columns in per cent; 0 where there is nothing to lose.
func loss(ctx context.Context, r *measure.Release, columns []int, stable bool) (float64, error) {
	l, err := infoloss.Of(ctx, r.Original, r.Released, columns, r.Paired)
	if err != nil {
		return 0, err
	}
	total := l.Total(stable)
	if math.IsNaN(total) {
		return 0, nil
	}
	return total, nil
}

// disclosed returns the share of the original values inside the intervals of ranks around the released ones, in per
// cent, averaged over widths and columns; 0 where there are no values.
func disclosed(ctx context.Context, r *measure.Release, columns []int) (float64, error) {
	shares := make([]float64, len(columns))
	err := parallel.Each(ctx, len(columns), func(k int) error {
		ranks := proximity.RankColumn(r.Original.Num(columns[k]), r.Released.Num(columns[k]))
		for w := 1; w <= widest; w++ {
			shares[k] += ranks.Share(w)
		}
		return nil
	})
	sum := 0.0
	for _, s := range shares {
		sum += s
	}
	return 100 * sum / float64(widest*len(columns)), err
}
