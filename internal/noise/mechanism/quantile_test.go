package mechanism

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// quantile chooses once.
func quantile(t *testing.T, num, den uint64, epsilon Ratio, counts []int64, run int) int {
	t.Helper()
	q := must.Get(NewQuantile(num, den, epsilon))(t)
	w := rng.New(rng.SeedOf([32]byte{9, byte(run), byte(run >> 8), byte(run >> 16)})).Stream().Words()
	return q.Choose(w, counts)
}

// At a large epsilon a quantile is exact: no more values than its share are below it, or above it. Where several
// candidates are, each may be chosen.
func TestQuantilesAreExactWithoutNoise(t *testing.T) {
	for _, c := range []struct {
		num, den uint64
		counts   []int64
		lo, hi   int
	}{
		{1, 2, []int64{1, 1, 1}, 1, 1},
		{1, 2, []int64{4, 0, 0, 4}, 0, 3}, // between two halves any
		{1, 4, []int64{10, 10, 10, 10, 10}, 1, 1},
		{9, 10, []int64{90, 1, 1, 8}, 0, 1},
		{1, 2, []int64{0, 0, 7, 0}, 2, 2},
		{1, 2, []int64{0, 0, 0}, 0, 2}, // without values any
	} {
		for run := range 20 {
			if got := quantile(t, c.num, c.den, Ratio{1000, 1}, c.counts, run); got < c.lo || got > c.hi {
				t.Errorf("the quantile %d/%d of %v is candidate %d, expected %d to %d", c.num, c.den, c.counts, got, c.lo, c.hi)
			}
		}
	}
	for _, q := range [][2]uint64{{0, 1}, {1, 1}, {3, 2}, {1, 1 << 21}} {
		if _, err := NewQuantile(q[0], q[1], Ratio{1, 1}); err == nil {
			t.Errorf("a quantile %d/%d is taken", q[0], q[1])
		}
	}
}

// Ranks are off by no more than is said, in 95 of 100 choices: of 400 fewer than 40 are outside, but with a chance of
// 1e-5 if the bound were tight, which it is not.
func TestQuantilesAreOffAsSaid(t *testing.T) {
	counts := make([]int64, 100)
	for k := range counts {
		counts[k] = 10
	}
	q := must.Get(NewQuantile(1, 2, Ratio{1, 10}))(t)
	within, outside, moved := q.Within(len(counts), 0.95), 0, 0
	for run := range 400 {
		k := quantile(t, 1, 2, Ratio{1, 10}, counts, run)
		if off := math.Abs(float64(10*k+5) - 500); off > within {
			outside++
		} else if off > 20 {
			moved++
		}
	}
	if outside >= 40 || moved < 40 || within > 100 {
		t.Errorf("%d of 400 ranks are off by more than %v, %d by more than 20", outside, within, moved)
	}
}

// Neighbouring tables are told apart by no more than epsilon, where one value more moves the median furthest; with a
// score that is taken to change half as much as it does they are. A bound is above the true epsilon with a chance of
// 1e-6.
func TestAuditOfQuantiles(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	with, without := []int64{20, 21}, []int64{20, 20}
	of := func(counts []int64, num, den uint64, epsilon Ratio, from int) func(int) float64 {
		return func(run int) float64 { return float64(quantile(t, num, den, epsilon, counts, from+run)) }
	}
	attack := func(num, den uint64, epsilon Ratio, with, without []int64) float64 {
		a := audit.Attack{First: of(with, num, den, epsilon, 1<<20), Second: of(without, num, den, epsilon, 0), Runs: 20_000,
			FalseAlarm: 1e-6}
		return a.Epsilon()
	}
	if got := attack(1, 2, Ratio{1, 1}, with, without); got > 1 {
		t.Errorf("the median: epsilon is at least %.3f, the claim is 1", got)
	}
	if got := attack(9, 10, Ratio{1, 1}, []int64{9, 2}, []int64{9, 1}); got > 1 {
		t.Errorf("the ninth decile: epsilon is at least %.3f, the claim is 1", got)
	}
	// half the sensitivity is twice the epsilon in the exponent
	if got := attack(1, 100, Ratio{4, 1}, []int64{1, 0, 0}, []int64{0, 0, 0}); got <= 1 {
		t.Errorf("a sensitivity off by four: a bound of %.3f, not above the claim of 1", got)
	}
}
