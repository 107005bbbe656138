package kmeans

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// lloyd is one run of Lloyd's iterations. Label k stands for no cluster: records have it before the first iteration,
// and those without any value keep it.
type lloyd struct {
	*records
	k         int
	centroids []float64 // one after another
	labels    []int32
	gaps      []float64 // see bound.go
	drift     []float64 // by label
	paths     []float64 // by cluster: how far its centroid has just moved
	old       []float64 // a centroid before it moved
	sums      []int64   // by label, of width numbers each
	moved     []int64   // what moved between sums, by piece of records
	changed   []int     // records with a new label, by piece
	piece     int       // records of a piece
}

// begin makes a run from the records that begin the clusters, or, where these are given, from centroids.
func (d *records) begin(start []int, from [][]float64) *lloyd {
	k := max(len(start), len(from))
	piece := max(grain/2, d.n/256, 4*k) // so many that the sums of all pieces take less memory than the records
	pieces := (d.n + piece - 1) / piece
	w := (k + 1) * d.width()
	l := &lloyd{
		records:   d,
		k:         k,
		piece:     piece,
		centroids: make([]float64, k*d.dims),
		labels:    mmap.Make[int32](d.space, d.n),
		gaps:      mmap.Make[float64](d.space, d.n),
		drift:     make([]float64, k+1),
		paths:     make([]float64, k),
		old:       make([]float64, d.dims),
		sums:      make([]int64, w),
		moved:     make([]int64, pieces*w),
		changed:   make([]int, pieces),
	}
	for c, i := range start {
		d.seed(i, l.centroid(c))
	}
	for c, x := range from {
		copy(l.centroid(c), x)
	}
	l.drift[k] = math.Inf(-1)
	for i := range l.labels {
		l.labels[i], l.gaps[i] = int32(k), math.Inf(-1)
		if d.partial && !known(d.row(i)) {
			l.gaps[i] = math.Inf(1)
		}
	}
	return l
}

// own returns the sums of a label.
func (l *lloyd) own(c int) []int64 { return l.sums[c*l.width():][:l.width()] }

// empty reports whether a cluster has no weight.
func (l *lloyd) empty(c int) bool { return l.sums[c*l.width()+l.width()-1] == 0 }

// centroid returns the place of a cluster.
func (l *lloyd) centroid(c int) []float64 { return l.centroids[c*l.dims:][:l.dims] }

// assign gives every record the label of the nearest centroid and returns how many changed theirs.
func (l *lloyd) assign(ctx context.Context) (changed int, err error) {
	err = parallel.Ranges(ctx, l.n, l.piece, func(lo, hi int) error {
		p := lo / l.piece
		l.changed[p] = l.scan(lo, hi, l.moved[p*len(l.sums):][:len(l.sums)])
		return nil
	})
	if err != nil {
		return 0, err
	}
	for p, n := range l.changed {
		if n == 0 {
			continue
		}
		changed += n
		part := l.moved[p*len(l.sums):][:len(l.sums)]
		for s, v := range part {
			l.sums[s] += v
		}
		clear(part)
	}
	return changed, nil
}

// update moves the centroids to the means of their records. In a column of which they have no value the centroid stays.
func (l *lloyd) update() {
	for c := range l.k {
		x := l.centroid(c)
		copy(l.old, x)
		for j := range x {
			if v, ok := l.average(l.own(c), j); ok {
				x[j] = v
			}
		}
		l.paths[c] = math.Sqrt(squared(l.old, x))
	}
	l.wander()
}

// between returns the sum of squared distances of the clusters' means from the mean of all, by weight: what the labels
// explain.
func (l *lloyd) between() float64 {
	s := 0.0
	for c := range l.k {
		own := l.own(c)
		for j, m := range l.mean {
			if v, ok := l.average(own, j); ok {
				s += float64(float64((v-m)*(v-m)) * float64(own[2*j+1]))
			}
		}
	}
	return float64(s * l.perUnit)
}

// remaining returns the sum of squared distances of the records from their centroids, by weight.
func (l *lloyd) remaining(ctx context.Context) (float64, error) {
	return l.sum(ctx, func(i int) float64 {
		c := int(l.labels[i])
		if c == l.k {
			return 0
		}
		return squared(l.row(i), l.centroid(c))
	})
}
