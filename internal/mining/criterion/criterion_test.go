package criterion

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

type golden struct {
	Name, Op string
	Input    struct {
		Branches []map[string]float64
	}
	Expected struct {
		Gain  float64
		Info  float64 `json:"split_info"`
		Ratio float64 `json:"gain_ratio"`
	}
	Tolerance struct{ Abs float64 }
}

// The worked examples of Fletcher & Islam 2015, section 5, and Islam 2007, figure 7.17.
func TestGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/entropy_gain.json"))(t)
	var cases []golden
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.Op != "split_measures" {
				t.Fatalf("unknown operation %q", c.Op)
			}
			var b [][]float64
			for _, m := range c.Input.Branches {
				b = append(b, []float64{m["yes"], m["no"]})
			}
			s := Of(b)
			for _, p := range [][2]float64{{s.Gain, c.Expected.Gain}, {s.Info, c.Expected.Info},
				{s.GainRatio, c.Expected.Ratio}} {
				if math.Abs(p[0]-p[1]) > c.Tolerance.Abs {
					t.Errorf("%+v, expected %+v", s, c.Expected)
				}
			}
		})
	}
}

func TestEntropy(t *testing.T) {
	for _, c := range []struct {
		counts []float64
		want   float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{7}, 0}, {[]float64{3, 0, 3}, 1}, {[]float64{0.5, 0.5, 0.5, 0.5}, 2},
		{[]float64{9, 5}, 0.9402859586706311}} {
		if got := Entropy(c.counts); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Entropy(%v) = %v, expected %v", c.counts, got, c.want)
		}
	}
}

// Spread is the entropy times the total, to the resolution of the terms.
func TestSpread(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOf(
			rapid.Map(rapid.IntRange(0, 4000), func(k int) float64 { return float64(k) / 8 }),
		).Draw(t, "counts")
		n := 0.0
		for _, c := range counts {
			n += c
		}
		if got, want := Bits(Spread(counts)), n*Entropy(counts); math.Abs(got-want) > 1e-8*float64(1+len(counts))+1e-12*n {
			t.Fatalf("%v, expected %v", got, want)
		}
	})
	for k, v := range Terms(1000) {
		if v != Term(float64(k)) {
			t.Fatalf("Terms[%d] = %d, Term %d", k, v, Term(float64(k)))
		}
	}
}

// A cut at the midpoint tells its two numbers apart, however close or far they are.
func TestMidpoint(t *testing.T) {
	for _, c := range []struct{ low, next, want float64 }{
		{1, 2, 1.5}, {-3, 5, 1}, {1, math.Nextafter(1, 2), 1}, {-math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64},
		{0, math.SmallestNonzeroFloat64, 0},
	} {
		if got := Midpoint(c.low, c.next); got != c.want || got < c.low || got >= c.next {
			t.Errorf("%v between %v and %v, expected %v", got, c.low, c.next, c.want)
		}
	}
}
