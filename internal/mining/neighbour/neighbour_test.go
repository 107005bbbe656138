package neighbour

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// normals returns records whose attributes have the given covariance with each other, and 1 more with themselves.
func normals(n, dims int, common float64) []float64 {
	r := rand.New(rand.NewPCG(1, 9))
	out := make([]float64, n*dims)
	for i := range n {
		c := math.Sqrt(common) * r.NormFloat64()
		for d := range dims {
			out[i*dims+d] = c + r.NormFloat64()
		}
	}
	return out
}

// The tree, on more records than one leaf and one goroutine take, finds what the twin finds.
func TestLarge(t *testing.T) {
	const n, asked = 20_000, 300
	for _, dims := range []int{2, 6, 50}[:long.Of(1, 3)] {
		w := &twin{dims: dims, points: normals(n, dims, 0.5)}
		all := must.Get(Build(w.points, dims).All(context.Background(), w.points[:asked*dims], 3))(t)
		for i := 0; i < asked; i += 29 {
			if got, want := all[3*i:3*i+3], w.ranked(w.row(i), -1)[:3]; !slices.Equal(got, want) {
				t.Errorf("%d attributes, record %d: the nearest are %v, expected %v", dims, i, got, want)
			}
		}
		x, centre := Build(w.points, dims), make([]float64, dims)
		outermost, s := w.farthest(centre), x.Search()
		for _, q := range [][]float64{w.row(outermost.Record), w.row(0), w.row(1)} {
			want := w.farthest(q)
			x.about = nil
			plain := s.Farthest(q)
			if x.About(centre); plain != want || s.Farthest(q) != want {
				t.Errorf("%d attributes: the farthest is %v, by radii %v, expected %v", dims, plain, s.Farthest(q), want)
			}
		}
	}
}

// Records at nearly one distance from the query differ by less than a bound by radii is off by rounding, the more the
// farther the point of the radii is: the bound allows for it.
func TestRadiiAreRounded(t *testing.T) {
	const n, dims = 300, 3
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := &twin{dims: dims}
		for range n {
			x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			floats.Scale(1/floats.Norm(x, 2), x)
			w.points = append(w.points, x...)
		}
		x := build(slices.Clone(w.points), dims, 1, nil)
		x.About([]float64{1000 * r.NormFloat64(), 1000 * r.NormFloat64(), 1000 * r.NormFloat64()})
		q := make([]float64, dims)
		if got, want := x.Search().Farthest(q), w.farthest(q); got != want {
			t.Fatalf("seed %d: the farthest is %v, expected %v", seed, got, want)
		}
	}
}

// The index is the same on any number of cores.
func TestCores(t *testing.T) {
	points := normals(50_000, 3, 1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := Build(points, 3)
	runtime.GOMAXPROCS(4)
	if four := Build(points, 3); !reflect.DeepEqual(one, four) {
		t.Error("one core builds another index than four")
	}
}

// Records that are all alike, or all at one distance from most others, take the time of few: were each compared with
// each, or moved for each that is removed, this test would take minutes.
func TestHeavyDuplicates(t *testing.T) {
	n := long.Of(30_000, 300_000)
	for _, corners := range []int{1, 12} {
		points := make([]float64, corners*n)
		for i := range n {
			points[corners*i+i%corners] = 1
		}
		x := Build(points, corners)
		others := must.Get(x.Others(context.Background(), 1))(t)
		for i, got := range others {
			want := Hit{Record: i % corners}
			if want.Record == i {
				want.Record += corners
			}
			if got != want {
				t.Fatalf("%d corners: the nearest to record %d is %v, expected %v", corners, i, got, want)
			}
		}
		for i := range n {
			x.Remove(i)
		}
		if x.Len() != 0 || x.Search().Farthest(points[:corners]).Record != -1 {
			t.Errorf("%d corners: %d records are left", corners, x.Len())
		}
	}
}

// A constant attribute, and one that spans more than the largest number, do no harm.
func TestOddAttributes(t *testing.T) {
	var points []float64
	for i := range 100 {
		points = append(points, 7, float64(i-50)*3e306, float64(i))
	}
	w := &twin{dims: 3, points: points}
	x := build(slices.Clone(points), 3, 4, nil)
	for i := range 100 {
		if got, want := x.Search().Nearest(w.row(i), 3, i), w.ranked(w.row(i), i)[:3]; !slices.Equal(got, want) {
			t.Errorf("the nearest to record %d are %v, expected %v", i, got, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	x := Build(normals(1000, 2, 1), 2)
	if _, err := x.Others(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Others returns %v", err)
	}
	if _, err := x.All(ctx, normals(10, 2, 1), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled All returns %v", err)
	}
}

func TestPoints(t *testing.T) {
	nan := math.NaN()
	got := Points([][]float64{{1, nan, 5}, {8, 9, 9}, {0, 4, -1e300}}, []float64{3, 8, 2}, []float64{2, 0, 1})
	if want := []float64{-1, 0, -2, 0, 0, 2, 1, 0, -1e100}; !slices.Equal(got, want) {
		t.Errorf("the records are %v, expected %v", got, want)
	}
	if Points(nil, nil, nil) != nil {
		t.Error("no columns have records")
	}
}
