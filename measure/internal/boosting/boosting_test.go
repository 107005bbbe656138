package boosting_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/internal/boosting"
)

// columns returns an ordered and a nominal column and one of noise.
func columns(n int, r *rand.Rand) *boosting.Columns {
	c := &boosting.Columns{Bins: make([][]uint8, 3), Count: []int{20, 5, 9}, Nominal: []bool{false, true, false}}
	for j, count := range c.Count {
		for range n {
			c.Bins[j] = append(c.Bins[j], uint8(r.IntN(count)))
		}
	}
	return c
}

func all(n int) (rows []int32) {
	for i := range n {
		rows = append(rows, int32(i))
	}
	return rows
}

// A step in an ordered column and a set of bins of a nominal one are learned, and new rows predicted: a number to a
// tenth of its spread, a class of two and of three, as functions of both columns, without error.
func TestLearns(t *testing.T) {
	const n = 2000
	c := columns(2*n, rand.New(rand.NewPCG(1, 1)))
	number, two, three := make([]float64, 2*n), make([]int32, 2*n), make([]int32, 2*n)
	for i := range number {
		high, odd := c.Bins[0][i] >= 7, c.Bins[1][i]%2 == 1
		if high != odd {
			two[i] = 1
		}
		if high {
			number[i], three[i] = 3, 1
		}
		if odd {
			number[i], three[i] = number[i]+5, three[i]+1
		}
	}
	ctx, wrong, square := context.Background(), 0, 0.0
	m := must.Get(boosting.Number(ctx, c, all(n), number, boosting.Defaults))(t)
	a, _ := boosting.Classes(ctx, c, all(n), two, 2, boosting.Defaults)
	b, _ := boosting.Classes(ctx, c, all(n), three, 3, boosting.Defaults)
	if m.Outputs() != 1 || a.Outputs() != 1 || b.Outputs() != 3 {
		t.Fatalf("%d, %d and %d outputs", m.Outputs(), a.Outputs(), b.Outputs())
	}
	dst := make([]float64, 3)
	for i := n; i < 2*n; i++ {
		m.Predict(c, i, dst[:1])
		square += (dst[0] - number[i]) * (dst[0] - number[i]) / n
		if a.Predict(c, i, dst[:1]); dst[0] > 0 != (two[i] == 1) {
			wrong++
		}
		b.Predict(c, i, dst)
		for k, v := range dst {
			if k != int(three[i]) && v >= dst[three[i]] {
				wrong++
				break
			}
		}
	}
	if math.Sqrt(square) > 0.3 || wrong > 0 {
		t.Errorf("an error of %v, and %d classes are wrong", math.Sqrt(square), wrong)
	}
}

// A model of one tree with one split, without ridge and taking whole steps, has the means of the two sides that leave
// the least squares.
func TestStumpTwin(t *testing.T) {
	o := boosting.Options{Rounds: 1, Depth: 1, Leaf: 1, Rate: 1}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := columns(12, r)
		y := make([]float64, 12)
		for i := range y {
			y[i] = r.NormFloat64()
		}
		m := must.Get(boosting.Number(context.Background(), c, all(12), y, o))(t)
		got, dst := 0.0, make([]float64, 1)
		for i := range y {
			m.Predict(c, i, dst)
			got += (dst[0] - y[i]) * (dst[0] - y[i])
		}
		if want := least(c, y); math.Abs(got-want) > 1e-9 {
			t.Errorf("seed %d: squares of %v, expected %v", seed, got, want)
		}
	}
}

// least tries all splits: thresholds, and all sets of bins of the nominal column.
func least(c *boosting.Columns, y []float64) float64 {
	best := squares(y, func(int) bool { return true })
	for j, bins := range c.Bins {
		if c.Nominal[j] {
			for set := range 1 << c.Count[j] {
				best = min(best, squares(y, func(i int) bool { return set>>bins[i]&1 == 1 }))
			}
			continue
		}
		for cut := range c.Count[j] {
			best = min(best, squares(y, func(i int) bool { return int(bins[i]) <= cut }))
		}
	}
	return best
}

func squares(y []float64, left func(i int) bool) (ss float64) {
	for _, side := range []bool{true, false} {
		n, mean := 0.0, 0.0
		for i, v := range y {
			if left(i) == side {
				n, mean = n+1, mean+v
			}
		}
		for i, v := range y {
			if left(i) == side {
				ss += (v - mean/n) * (v - mean/n)
			}
		}
	}
	return ss
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := columns(10, rand.New(rand.NewPCG(1, 1)))
	_, err := boosting.Number(ctx, c, all(10), make([]float64, 10), boosting.Defaults)
	_, other := boosting.Classes(ctx, c, all(10), make([]int32, 10), 3, boosting.Defaults)
	if !errors.Is(err, context.Canceled) || !errors.Is(other, context.Canceled) {
		t.Errorf("errors %v and %v", err, other)
	}
}
