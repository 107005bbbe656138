package cellkey

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// The laws of the largest entropy, computed independently.
func TestKnownLaws(t *testing.T) {
	for _, c := range []struct {
		p     Params
		count int
		want  []float64
	}{
		{Params{2, 1, 0}, 100, []float64{.063827, .244691, .382963, .244691, .063827}},
		{Params{2, 1, 0}, 1, []float64{.398065, .305806, .194194, .101935}},
		{Params{3, 2, 0}, 50, []float64{.037358, .111908, .216145, .269178, .216145, .111908, .037358}},
		{Params{3, 1.5, 0}, 1, []float64{.483714, .238210, .133082, .084347, .060646}},
	} {
		table := must.Get(New(c.p))(t)
		got := table.Of(c.count).P
		if len(got) != len(c.want) {
			t.Fatalf("%+v, count %d: %d deviations, want %d", c.p, c.count, len(got), len(c.want))
		}
		for k := range got {
			if math.Abs(got[k]-c.want[k]) > 1e-6 {
				t.Errorf("%+v, count %d: %v, want %v", c.p, c.count, got, c.want)
				break
			}
		}
	}
}

// Every law has mean 0 and the variance where that is possible, shows nothing negative and nothing small.
func TestLaws(t *testing.T) {
	for d := 1; d <= 8; d++ {
		for small := range d {
			for _, v := range []float64{.3, 1, 2.5, 7} {
				p := Params{d, v, small}
				if v >= float64(d*d) {
					continue
				}
				table, err := New(p)
				if err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
				for n := 1; n < 2*d+4; n++ {
					var sum, mean, variance float64
					law := table.Of(n)
					for k, q := range law.P {
						e := float64(law.Deviations[k])
						sum, mean, variance = sum+q, mean+q*e, variance+q*e*e
						if r := n + law.Deviations[k]; q < 0 || r < 0 || r >= 1 && r <= small {
							t.Fatalf("%+v: %d is shown as %d with probability %v", p, n, r, q)
						}
					}
					low, high := -law.Deviations[0], law.Deviations[len(law.Deviations)-1]
					if math.Abs(sum-1) > 1e-12 || math.Abs(mean) > 1e-9 {
						t.Errorf("%+v, count %d: sum %v, mean %v", p, n, sum, mean)
					}
					if n > small && v < float64(low*high) && math.Abs(variance-v) > 1e-9 {
						t.Errorf("%+v, count %d: variance %v", p, n, variance)
					}
				}
			}
		}
	}
	// Giessing & Tent: where counts of 1 and 2 are not shown, the least variance of a count of 1 is 2
	table := must.Get(New(Params{4, 1, 2}))(t)
	for k, d := range table.Of(1).Deviations {
		if want := map[int]float64{-1: 2. / 3, 2: 1. / 3}[d]; table.Of(1).P[k] != want {
			t.Errorf("a count of 1 moves by %d with probability %v, want %v", d, table.Of(1).P[k], want)
		}
	}
}

// Keys that are uniform move counts by the law: chi-squared with 4 degrees of freedom is below 33.4 but in one of a
// million runs; the keys are fixed.
func TestMoved(t *testing.T) {
	table := must.Get(New(Params{2, 1, 0}))(t)
	r, n := rand.New(rand.NewPCG(1, 2)), 200_000
	seen := map[int]int{}
	for range n {
		seen[table.Moved(10, r.Uint64())-10]++
	}
	chi := 0.0
	for k, d := range table.Of(10).Deviations {
		e := float64(n) * table.Of(10).P[k]
		chi += (float64(seen[d]) - e) * (float64(seen[d]) - e) / e
	}
	if chi > 33.4 {
		t.Errorf("chi-squared is %v: %v", chi, seen)
	}
	if table.Moved(0, 12345) != 0 {
		t.Error("a zero moved")
	}
}

func TestParams(t *testing.T) {
	for _, p := range []Params{{0, 1, 0}, {21, 1, 0}, {2, 0, 0}, {2, 4, 0}, {2, math.NaN(), 0}, {2, 1, 2}, {2, 1, -1}} {
		if _, err := New(p); err == nil {
			t.Errorf("%+v is not refused", p)
		}
	}
}
