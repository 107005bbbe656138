package neighbour

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// twin compares with all records one by one.
type twin struct {
	dims   int
	points []float64
	gone   map[int]bool
}

func (w *twin) row(i int) []float64 { return w.points[i*w.dims:][:w.dims] }

// ranked returns the records in the order of their distance, without one of them.
func (w *twin) ranked(query []float64, except int) []Hit {
	var out []Hit
	for i := range len(w.points) / w.dims {
		if w.gone[i] || i == except {
			continue
		}
		s := 0.0
		for d, v := range query {
			s += (w.row(i)[d] - v) * (w.row(i)[d] - v)
		}
		out = append(out, Hit{i, s})
	}
	slices.SortStableFunc(out, func(a, b Hit) int {
		switch {
		case a.Squared < b.Squared:
			return -1
		case a.Squared > b.Squared:
			return 1
		}
		return 0
	})
	return out
}

func (w *twin) count(query []float64, squared float64) int {
	n := 0
	for _, h := range w.ranked(query, -1) {
		if h.Squared <= squared {
			n++
		}
	}
	return n
}

func (w *twin) farthest(query []float64) Hit {
	best := Hit{-1, -1}
	for _, h := range w.ranked(query, -1) {
		if h.Squared > best.Squared {
			best = h
		}
	}
	return best
}

// value draws numbers that repeat, and now and then one that is huge.
func value(r *rapid.T) float64 {
	switch k := rapid.IntRange(-6, 40).Draw(r, "v"); {
	case k < 8:
		return float64(k)
	case k < 10:
		return 3e200
	default:
		return float64(k%6) / 3
	}
}

// Every question has the answer of the twin, to the last bit, before and after records are removed.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		w := &twin{dims: rapid.IntRange(1, 5).Draw(r, "dims"), gone: map[int]bool{}}
		n := rapid.IntRange(0, 80).Draw(r, "n")
		for range n * w.dims {
			w.points = append(w.points, value(r))
		}
		kept := slices.Clone(w.points)
		x := build(slices.Clone(w.points), w.dims, rapid.IntRange(1, 9).Draw(r, "bucket"), nil)
		queries := slices.Clone(w.points[:n/2*w.dims])
		for range 8 * w.dims {
			queries = append(queries, value(r))
		}
		if rapid.Bool().Draw(r, "radii") {
			x.About(queries[len(queries)-w.dims:])
		}
		w.ask(r, x, queries)
		for range rapid.IntRange(0, n).Draw(r, "removed") {
			i := rapid.IntRange(0, n-1).Draw(r, "gone")
			x.Remove(i)
			w.gone[i] = true
		}
		if x.Len() != n-len(w.gone) {
			r.Fatalf("%d records, expected %d", x.Len(), n-len(w.gone))
		}
		w.ask(r, x, queries)
		if radii := x.radii; radii != nil {
			if x.About(x.about); !slices.Equal(radii, x.radii) {
				r.Fatalf("radii %v after records left, expected %v", radii, x.radii)
			}
		}
		if !slices.Equal(kept, w.points) {
			r.Fatal("the index writes to the points")
		}
	})
}

func (w *twin) ask(r *rapid.T, x *Index, queries []float64) {
	k := rapid.IntRange(1, 12).Draw(r, "k")
	s := x.Search()
	for i := range len(queries) / w.dims {
		q := queries[i*w.dims:][:w.dims]
		except := rapid.IntRange(-1, max(0, x.Len()-1)).Draw(r, "except")
		want := w.ranked(q, except)
		want = want[:min(k, len(want))]
		if got := s.Nearest(q, k, except); !slices.Equal(got, want) {
			r.Fatalf("the nearest are %v, expected %v", got, want)
		}
		for _, h := range want {
			all := w.count(q, h.Squared)
			if got := s.Count(q, h.Squared, math.MaxInt); got != all {
				r.Fatalf("%d records within %v, expected %d", got, h.Squared, all)
			}
			if got := s.Count(q, h.Squared, k); got != min(k, all) {
				r.Fatalf("%d records within %v up to %d, expected %d", got, h.Squared, k, min(k, all))
			}
		}
		if got, want := s.Farthest(q), w.farthest(q); got != want {
			r.Fatalf("the farthest is %v, expected %v", got, want)
		}
	}
	w.askAll(r, x, queries, k)
}

func (w *twin) askAll(r *rapid.T, x *Index, queries []float64, k int) {
	all := must.Get(x.All(context.Background(), queries, k))(r)
	for i := range len(queries) / w.dims {
		if got, want := all[i*k:][:k], w.padded(queries[i*w.dims:][:w.dims], -1, k); !slices.Equal(got, want) {
			r.Fatalf("query %d: the nearest are %v, expected %v", i, got, want)
		}
	}
	others := must.Get(x.Others(context.Background(), k))(r)
	for i := range len(w.points) / w.dims {
		want := slices.Repeat([]Hit{Nobody}, k)
		if !w.gone[i] {
			want = w.padded(w.row(i), i, k)
		}
		if got := others[i*k:][:k]; !slices.Equal(got, want) {
			r.Fatalf("record %d: the nearest others are %v, expected %v", i, got, want)
		}
	}
}

func (w *twin) padded(query []float64, except, k int) []Hit {
	hits := append(w.ranked(query, except), slices.Repeat([]Hit{Nobody}, k)...)
	return hits[:k]
}
