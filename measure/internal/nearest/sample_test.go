package nearest

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/testkit/must"
)

// A sample is as large as the pairs allow by what a few questions cost, at least 100, and everyone where that is cheap.
func TestSample(t *testing.T) {
	const n, p = 5000, 2
	tab := normals(t, n, p, 1)
	s := must.Get(NewSpace(ctx, tab, Everything(tab)))(t)
	index := s.Index(s.Records(tab, nil))
	pose := func(rows []int) []float64 { return s.Questions(tab, rows) }
	all := func(q *neighbour.MixedSearch, _ int, known []float64) { q.Nearest(known, n, -1) } // looks at all records
	for _, c := range []struct{ pairs, want int }{{1, least}, {300 * n, 300}, {1000 * n, 1000}, {n * n, n},
		{math.MaxInt, n}} {
		rows, err := Sample(ctx, index, tab, c.pairs, pose, all)
		if err != nil || len(rows) != c.want {
			t.Errorf("%d pairs: a sample of %d (%v), expected %d", c.pairs, len(rows), err, c.want)
		}
	}
	cheap := func(q *neighbour.MixedSearch, _ int, known []float64) { q.Nearest(known, 1, -1) }
	if rows, err := Sample(ctx, index, tab, 500*n, pose, cheap); err != nil || len(rows) != n {
		t.Errorf("a sample of %d (%v), expected everyone", len(rows), err)
	}
	gone, stop := context.WithCancel(ctx)
	stop()
	if _, err := Sample(gone, index, tab, 1, pose, all); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Greedy links go by value, then by question; what is taken is looked for again, and who finds nothing is left over.
func TestSettle(t *testing.T) {
	taken := map[int]bool{}
	left := map[int][]candidate{1: {{3, 1, 8}}, 2: {{4, 2, 8}, {5, 2, 9}}, 3: nil}
	again := func(q int) (candidate, bool) {
		if len(left[q]) == 0 {
			return candidate{}, false
		}
		next := left[q][0]
		left[q] = left[q][1:]
		return next, true
	}
	first := []candidate{{2, 0, 7}, {2, 1, 7}, {2.5, 2, 7}, {9, 3, 7}}
	links, err := settle(ctx, first, 5, again, func(to int) bool { return taken[to] }, func(to int) { taken[to] = true })
	must.NoError(t, err)
	for q, want := range []int{7, 8, 9, -1, -1} {
		if links[q] != want {
			t.Errorf("question %d is linked to %d, expected %d", q, links[q], want)
		}
	}
}

// Released records are looked for among originals only when these are known exactly.
func TestReverseNeedsExact(t *testing.T) {
	tab := normals(t, 10, 2, 1)
	known := Everything(tab)
	known[1].Within = 1
	_, err := Distance{Pairs: 100, Reverse: true}.Link(ctx, tab, tab, known, nil)
	if err == nil || !strings.Contains(err.Error(), `"b"`) {
		t.Errorf("%v", err)
	}
}
