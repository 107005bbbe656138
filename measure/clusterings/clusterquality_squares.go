package clusterings

import (
	"context"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// squares returns the sum of the squared distances of the records of a table of numeric columns from the means of their
// clusters, over known values. Labels are in [0, k), or -1 for none: these make one cluster more. So with any labels it
// is at most that with none. Cost: O(n p), on all cores.
func squares(ctx context.Context, t *table.Table, labels []int32, k int) (float64, error) {
	total := 0.0
	for j := range t.Width() {
		s, err := columnSquares(ctx, t.Num(j), labels, k+1)
		if err != nil {
			return 0, err
		}
		total += s
	}
	return total, ctx.Err()
}

// grain is how many records a core sums at a time.
const grain = 4096

// columnSquares is squares for one column; cluster number k-1 is that of the label -1.
func columnSquares(ctx context.Context, v []float64, labels []int32, k int) (float64, error) {
	type tally struct {
		n   []int
		sum []exact.Sum
	}
	fresh := func() *tally { return &tally{make([]int, k), make([]exact.Sum, k)} }
	pieces := (len(v) + grain - 1) / grain
	sums, err := parallel.With(ctx, pieces, fresh, func(own *tally, p int) error {
		for i := p * grain; i < min(len(v), (p+1)*grain); i++ {
			if x := v[i]; x == x {
				c := number(labels[i], k)
				own.n[c]++
				own.sum[c].Add(x)
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	means, all := make([]float64, k), fresh()
	for c := range means {
		for _, own := range sums {
			all.n[c] += own.n[c]
			all.sum[c].Merge(&own.sum[c])
		}
		means[c] = all.sum[c].Mean(max(1, all.n[c]))
	}
	parts, err := parallel.With(ctx, pieces, func() *exact.Sum { return new(exact.Sum) },
		func(s *exact.Sum, p int) error {
			for i := p * grain; i < min(len(v), (p+1)*grain); i++ {
				if d := v[i] - means[number(labels[i], k)]; d == d {
					s.Add(float64(d * d))
				}
			}
			return nil
		})
	var s exact.Sum
	for _, p := range parts {
		s.Merge(p)
	}
	return s.Float64(), err
}

// number returns the position of a label among k clusters, of which the last is that of no cluster.
func number(label int32, k int) int {
	if label < 0 {
		return k - 1
	}
	return int(label)
}
