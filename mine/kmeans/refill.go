package kmeans

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/system/parallel"
)

// refill gives every cluster without weight the record farthest from its centroid, and reports whether there was one.
func (l *lloyd) refill(ctx context.Context) (any bool, err error) {
	for c := range l.k {
		if !l.empty(c) {
			continue
		}
		i, err := l.farthest(ctx)
		if err != nil || i < 0 {
			return true, err
		}
		l.move(l.sums, i, l.labels[i], int32(c))
		l.labels[i], l.gaps[i] = int32(c), math.Inf(-1)
		any = true
	}
	return any, nil
}

// farthest returns the record farthest from its centroid, the first of equally far ones; -1 when none is off it.
// Records without weight, and those that are all their cluster has, stay.
func (l *lloyd) farthest(ctx context.Context) (int, error) {
	type far struct {
		i  int
		sq float64
	}
	best := make([]far, (l.n+grain-1)/grain)
	err := parallel.Ranges(ctx, l.n, grain, func(lo, hi int) error {
		f := far{i: -1}
		for i := lo; i < hi; i++ {
			c, weight := int(l.labels[i]), int64(l.weight(i))
			if c == l.k || weight == 0 || l.own(c)[l.width()-1] <= weight {
				continue
			}
			if s := squared(l.row(i), l.centroid(c)); s > f.sq {
				f = far{i, s}
			}
		}
		best[lo/grain] = f
		return nil
	})
	all := far{i: -1}
	for _, f := range best {
		if f.sq > all.sq {
			all = f
		}
	}
	return all.i, err
}
