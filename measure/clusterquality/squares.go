package clusterquality

import (
	"context"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// squares returns the sum of the squared distances of the records of a table of numeric columns from the means of their
// clusters, over known values. Labels are in [0, k), or -1 for none: these make one cluster more. So with any labels it
// is at most that with none. Sums add up by ranges of records, in their order, whatever the number of cores and of the
// labels. Cost: O(n p), on all cores.
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

// ranges is the number of ranges that the records of a column are summed in: so few that the sums of many clusters find
// room.
const ranges = 64

// columnSquares is squares for one column; cluster number k-1 is that of the label -1.
func columnSquares(ctx context.Context, v []float64, labels []int32, k int) (float64, error) {
	grain := max(4096, (len(v)+ranges-1)/ranges)
	type sum struct{ n, v float64 }
	sums := make([]sum, ((len(v)+grain-1)/grain)*k)
	err := parallel.Ranges(ctx, len(v), grain, func(lo, hi int) error {
		own := sums[lo/grain*k:][:k]
		for i, x := range v[lo:hi] {
			if x == x {
				s := &own[number(labels[lo+i], k)]
				s.n++
				s.v += x
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	means := make([]float64, k)
	for c := range means {
		var all sum
		for at := c; at < len(sums); at += k {
			all.n += sums[at].n
			all.v += sums[at].v
		}
		means[c] = all.v / max(1, all.n)
	}
	parts := make([]float64, len(sums)/k)
	err = parallel.Ranges(ctx, len(v), grain, func(lo, hi int) error {
		s := 0.0
		for i, x := range v[lo:hi] {
			if x == x {
				d := x - means[number(labels[lo+i], k)]
				s += float64(d * d)
			}
		}
		parts[lo/grain] = s
		return nil
	})
	s := 0.0
	for _, p := range parts {
		s += p
	}
	return s, err
}

// number returns the position of a label among k clusters, of which the last is that of no cluster.
func number(label int32, k int) int {
	if label < 0 {
		return k - 1
	}
	return int(label)
}
