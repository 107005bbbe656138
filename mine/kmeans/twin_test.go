package kmeans

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// dumb is Lloyd's iteration as it is told: every record is compared with every centroid, every sum is taken anew.
type dumb struct {
	*records
	l         *Learner
	labels    []int
	centroids [][]float64
}

func (d *dumb) distance(i, c int) float64 {
	s := 0.0
	for j, v := range d.row(i) {
		if !math.IsNaN(v) {
			s += float64((v - d.centroids[c][j]) * (v - d.centroids[c][j]))
		}
	}
	return s
}

func (d *dumb) assign() (changed bool) {
	for i, was := range d.labels {
		best := -1
		for c := range d.centroids {
			if known(d.row(i)) && (best < 0 || d.distance(i, c) < d.distance(i, best)) {
				best = c
			}
		}
		d.labels[i] = best
		changed = changed || best != was
	}
	return changed
}

// members returns the records of cluster c and their weight.
func (d *dumb) members(c int) (rows []int, weight float64) {
	for i, own := range d.labels {
		if own == c {
			rows = append(rows, i)
			weight += d.weight(i)
		}
	}
	return rows, weight
}

// mean returns the mean of column j of some records: whole units are added, as promised.
func (d *dumb) mean(rows []int, j int) (mean float64, ok bool) {
	var sum, weight int64
	for _, i := range rows {
		if v := d.row(i)[j]; !math.IsNaN(v) {
			sum += int64((v-d.low[j])*d.units[j]*d.weight(i) + 0.5)
			weight += int64(d.weight(i))
		}
	}
	if weight == 0 {
		return 0, false
	}
	return d.low[j] + float64(sum)/d.units[j]/float64(weight), true
}

func (d *dumb) refill() (any bool) {
	for c := range d.centroids {
		if _, w := d.members(c); w > 0 {
			continue
		}
		any = true
		best, far := -1, 0.0
		for i, own := range d.labels {
			if own < 0 || d.weight(i) == 0 {
				continue
			}
			if _, w := d.members(own); w > d.weight(i) && d.distance(i, own) > far {
				best, far = i, d.distance(i, own)
			}
		}
		if best < 0 {
			return true
		}
		d.labels[best] = c
	}
	return any
}

// explained is what the labels explain, in the order in which it is promised.
func (d *dumb) explained() float64 {
	s := 0.0
	for c := range d.centroids {
		rows, _ := d.members(c)
		for j, m := range d.records.mean {
			if v, ok := d.mean(rows, j); ok {
				var w int64
				for _, i := range rows {
					if !math.IsNaN(d.row(i)[j]) {
						w += int64(d.weight(i))
					}
				}
				s += float64(float64((v-m)*(v-m)) * float64(w))
			}
		}
	}
	return s * d.perUnit
}

func (d *dumb) run(start []int) (iterations int) {
	d.labels = make([]int, d.n)
	for i := range d.labels {
		d.labels[i] = -1
	}
	for _, i := range start {
		x := slices.Clone(d.row(i))
		for j := range x {
			if math.IsNaN(x[j]) {
				x[j] = d.records.mean[j]
			}
		}
		d.centroids = append(d.centroids, x)
	}
	was := 0.0
	for {
		iterations++
		if !d.assign() || iterations == d.l.Iterations {
			return iterations
		}
		refilled := d.l.Empty == Farthest && d.refill()
		if d.l.Tolerance > 0 {
			now := d.explained()
			if iterations > 1 && !refilled && now-was <= d.l.Tolerance*(d.spread-now) {
				return iterations
			}
			was = now
		}
		for c, x := range d.centroids {
			rows, _ := d.members(c)
			for j := range x {
				if v, ok := d.mean(rows, j); ok {
					x[j] = v
				}
			}
		}
	}
}

// same compares a run with its twin's, to the last bit.
func same(t interface{ Fatalf(string, ...any) }, l *Learner, d *records, start []int) *result {
	got, err := l.run(context.Background(), d, start)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	want := &dumb{records: d, l: l}
	if n := want.run(start); n != got.iterations {
		t.Fatalf("%d iterations, expected %d", got.iterations, n)
	}
	for i, c := range want.labels {
		if int(got.labels[i]) != c {
			t.Fatalf("record %d is in cluster %d, expected %d", i, got.labels[i], c)
		}
	}
	if all := slices.Concat(want.centroids...); !slices.Equal(got.centroids, all) {
		t.Fatalf("centroids %v, expected %v", got.centroids, all)
	}
	sse := 0.0
	for i, c := range want.labels {
		if c >= 0 {
			sse += want.distance(i, c) * d.weight(i) * d.perUnit
		}
	}
	if math.Abs(got.sse-sse) > 1e-12*sse {
		t.Fatalf("the sum of squares is %v, expected %v", got.sse, sse)
	}
	return got
}

// Small tables full of ties, gaps, duplicates and weights.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		dims, n := rapid.IntRange(1, 4).Draw(r, "columns"), rapid.IntRange(1, 40).Draw(r, "records")
		// Few values make ties, far ones cost digits, small ones underflow.
		unit := rapid.SampledFrom([]float64{1, 0.1, 1e-170, 1e90}).Draw(r, "unit")
		offset := rapid.SampledFrom([]float64{0, 0, 1e9}).Draw(r, "offset") * unit
		gaps := rapid.Bool().Draw(r, "gaps")
		points := make([]float64, n*dims)
		for i := range points {
			points[i] = offset + unit*float64(rapid.IntRange(0, 12).Draw(r, "value"))
			if gaps && rapid.IntRange(0, 3).Draw(r, "gap") == 0 {
				points[i] = math.NaN()
			}
		}
		var weights []float64
		if rapid.Bool().Draw(r, "weighted") {
			weights = rapid.SliceOfN(rapid.Float64Range(1e-3, 1e3), n, n).Draw(r, "weights")
			if rapid.Bool().Draw(r, "one is nothing beside the others") {
				weights[0] = 1e-300
			}
		}
		l := New()
		l.Empty = rapid.SampledFrom([]string{Farthest, Keep}).Draw(r, "empty")
		l.Tolerance = rapid.SampledFrom([]float64{0, 1e-6, 0.1}).Draw(r, "tolerance")
		l.Iterations = rapid.SampledFrom([]int{1, 2, 100}).Draw(r, "iterations")
		d := must.Get(gather(context.Background(), nil, points, dims, weights))(r)
		same(r, l, d, rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 6).Draw(r, "start"))
	})
}

// cloud returns records around a few points, in columns of very different ranges.
func cloud(n, dims int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	points := make([]float64, n*dims)
	for i := range points {
		points[i] = float64(r.IntN(4)) + 0.7*r.NormFloat64()
		if i%dims == 1 {
			points[i] = 5e5 + 100*points[i]
		}
	}
	return points
}

// Bounds spare most comparisons of larger tables; the labels must not notice, nor the number of cores.
func TestTwinOfMany(t *testing.T) {
	const n = 6_000
	for _, c := range []struct{ dims, k int }{{1, 3}, {2, 6}, {6, 4}, {7, 9}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			d := must.Get(gather(context.Background(), nil, cloud(n, c.dims, uint64(c.k)), c.dims, nil))(t)
			l := New()
			l.Tolerance, l.Iterations = 0, 15
			var start []int
			for i := range c.k {
				start = append(start, 17*i)
			}
			first := same(t, l, d, start)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			for _, cores := range []int{1, 3} {
				runtime.GOMAXPROCS(cores)
				again := must.Get(l.run(context.Background(), d, start))(t)
				if !slices.Equal(again.labels, first.labels) || !slices.Equal(again.centroids, first.centroids) ||
					again.sse != first.sse {
					t.Fatalf("on %d cores the clusters differ", cores)
				}
			}
		})
	}
}

// The mean of a cluster is that of exact arithmetic, within a billionth of a billionth or so of the column's range.
func TestMeansAreExact(t *testing.T) {
	const n, dims = 3000, 3
	points := cloud(n, dims, 5)
	for i := range points {
		if i%7 == 3 {
			points[i] = math.NaN()
		}
	}
	r := rand.New(rand.NewPCG(2, 3))
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = math.Exp(3 * r.NormFloat64())
	}
	for _, w := range [][]float64{nil, weights} {
		d := must.Get(gather(context.Background(), nil, points, dims, w))(t)
		for j := range dims {
			sum, total := new(big.Rat), new(big.Rat)
			lo, hi := math.Inf(1), math.Inf(-1)
			for i := range n {
				v := points[i*dims+j]
				if math.IsNaN(v) {
					continue
				}
				lo, hi = min(lo, v), max(hi, v)
				one := 1.0
				if w != nil {
					one = w[i]
				}
				weight := new(big.Rat).SetFloat64(one)
				total.Add(total, weight)
				sum.Add(sum, weight.Mul(weight, new(big.Rat).SetFloat64(v)))
			}
			want, _ := sum.Quo(sum, total).Float64()
			// Half a unit for the value and one for the weight of each record, and the rounding of the result.
			if got := d.mean[j]; math.Abs(got-want) > (hi-lo)*n*0x1p-58+math.Abs(want)*0x1p-51 {
				t.Errorf("column %d: mean %v, expected %v", j, got, want)
			}
		}
	}
}

// Sums do not depend on the order of the records, so neither do the clusters that begin at the same ones.
func TestOrderOfRecordsDoesNotMatter(t *testing.T) {
	const n, dims = 4000, 3
	points := cloud(n, dims, 9)
	l := New()
	l.Tolerance, l.Start = 0, []int{1, 20, 300, 3999}
	want := must.Get(l.divide(context.Background(), nil, points, dims, nil, rng.Source{}))(t)
	turned := make([]float64, 0, len(points))
	for i := n - 1; i >= 0; i-- {
		turned = append(turned, points[i*dims:][:dims]...)
	}
	for c, i := range l.Start {
		l.Start[c] = n - 1 - i
	}
	got := must.Get(l.divide(context.Background(), nil, turned, dims, nil, rng.Source{}))(t)
	slices.Reverse(got.labels)
	if !slices.Equal(got.labels, want.labels) || !slices.Equal(got.centroids, want.centroids) {
		t.Error("the clusters of the records in turned order differ")
	}
}
