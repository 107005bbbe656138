package criterion

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Upper entropies worked out by hand: the unit goes to the smaller class, or is shared by the smallest.
func TestUpperEntropy(t *testing.T) {
	for _, c := range []struct {
		counts []float64
		s      float64
		want   float64
	}{
		{[]float64{9, 5}, 1, 0.97095}, // entropy of (9, 6)
		{[]float64{4, 0}, 1, 0.72193}, // (4, 1)
		{[]float64{2, 3}, 1, 1},       // (3, 3)
		{[]float64{0, 0, 0}, 1, math.Log2(3)},
		{[]float64{5, 1, 1}, 1, Entropy([]float64{5, 1.5, 1.5})},
		{[]float64{5, 1, 2}, 3, Entropy([]float64{5, 3, 3})},
		{[]float64{0.25, 1, 7}, 0.5, Entropy([]float64{0.75, 1, 7})},
		{[]float64{7}, 1, 0},
	} {
		if got := UpperEntropy(c.counts, c.s); math.Abs(got-c.want) > 6e-6 {
			t.Errorf("upper entropy of %v with %v is %v, expected %v", c.counts, c.s, got, c.want)
		}
	}
}

// No distribution of the model has a larger entropy, and the shares are one of the model's that reaches it.
func TestUpperEntropyIsLargest(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		draw := rapid.Map(rapid.IntRange(0, 40), func(k int) float64 { return float64(k) / 4 })
		counts := rapid.SliceOfN(draw, 1, 6).Draw(t, "counts")
		s := rapid.SampledFrom([]float64{0.25, 1, 2, 5}).Draw(t, "s")
		n, sum, shares := s, 0.0, make([]float64, len(counts))
		for _, c := range counts {
			n += c
		}
		UpperShares(shares, counts, s)
		for k, p := range shares {
			sum += p
			if p < counts[k]/n-1e-12 || p > (counts[k]+s)/n+1e-12 {
				t.Fatalf("share %d is %v, expected between %v and %v", k, p, counts[k]/n, (counts[k]+s)/n)
			}
		}
		largest := UpperEntropy(counts, s)
		if math.Abs(sum-1) > 1e-12 || math.Abs(Entropy(shares)-largest) > 1e-12 {
			t.Fatalf("shares %v sum to %v and have entropy %v, expected 1 and %v", shares, sum, Entropy(shares), largest)
		}
		poured := make([]float64, len(counts))
		total := 0.0
		for k := range poured {
			poured[k] = rapid.Float64Range(0, 1).Draw(t, "part")
			total += poured[k]
		}
		for k := range poured {
			if total > 0 {
				poured[k] = counts[k] + s*poured[k]/total
			} else {
				poured[k] = counts[k] + s/float64(len(counts))
			}
		}
		if e := Entropy(poured); e > largest+1e-12 {
			t.Fatalf("%v has entropy %v, more than %v", poured, e, largest)
		}
	})
}
