package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// Centroids move until both are as far from a record as rounding can tell. Whenever the bound spares the record the
// comparison, comparing gives the label it has; without slack two trials in a hundred go wrong. Where they stop a
// little short of that it is spared.
func TestBoundIsSafeAgainstRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for trial := range 20_000 {
		dims := 1 + r.IntN(6)
		points := make([]float64, 3*dims)
		x, a, b := points[:dims], points[dims:][:dims], points[2*dims:]
		away, far := make([]float64, dims), 1+r.Float64()
		for j := range x {
			x[j], away[j] = r.Float64(), r.NormFloat64()
			a[j], b[j] = x[j]-away[j], x[j]+far*away[j]
		}
		d := must.Get(gather(context.Background(), nil, points, dims, nil))(t)
		l := d.begin([]int{1, 2}, nil)
		must.Get(l.assign(context.Background()))(t)
		// The near centroid goes away and the far one comes, in steps, to the same distance, give or take an ulp or so.
		meet, steps := (1+far)/2*(1+float64(r.IntN(9)-4)*0x1p-53), 1+r.IntN(5)
		short := trial % 2 * (steps % 2)
		for step := range steps {
			share := float64(step+1) / float64(steps) * (1 - 1e-9*float64(short))
			for c, s := range []float64{-1 - (meet-1)*share, far + (meet-far)*share} {
				y := l.centroid(c)
				copy(l.old, y)
				for j := range y {
					y[j] = x[j] + s*away[j]
				}
				l.paths[c] = math.Sqrt(squared(l.old, y))
			}
			l.wander()
			if step == 0 && steps > 1 { // compared again when the drift is no longer 0
				l.compare([]int32{0}, l.moved)
			}
		}
		spared := len(l.open(new(list), 0, 1)) == 0
		if c, _, _ := nearest(x, l.centroids); spared && int32(c) != l.labels[0] {
			t.Fatalf("a record of cluster %d is spared, and %d is nearest", l.labels[0], c)
		}
		if short == 1 && far > 1.1 && !spared {
			t.Fatal("a record that is nearer to its centroid by a share of 1e-9 is compared")
		}
	}
}
