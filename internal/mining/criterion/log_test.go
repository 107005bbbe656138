package criterion

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// The logarithm is that of the library, to the rounding of both, for whole and broken weights of any size.
func TestLogIsTheLogarithm(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		x := math.Ldexp(rapid.Float64Range(1, 2).Draw(t, "mantissa"), rapid.IntRange(-60, 60).Draw(t, "exponent"))
		want := math.Log2(x)
		if got := log2(x); math.Abs(got-want) > 0x1p-51*max(1, math.Abs(want)) {
			t.Fatalf("log2(%v) is %v, not %v", x, got, want)
		}
	})
}

// Every part of [1, 2), at both ends and in the middle; powers of two are exact, as the terms of 1, 2, 4 ... records
// must be.
func TestLogOfEveryPart(t *testing.T) {
	for i := range pieces {
		for _, at := range []float64{0, 0.5, 1 - 0x1p-40} {
			x := 1 + (float64(i)+at)/pieces
			if got, want := log2(x), math.Log2(x); math.Abs(got-want) > 0x1p-51 {
				t.Errorf("log2(%v) is %v, not %v", x, got, want)
			}
		}
	}
	for e := range 25 {
		if x := math.Ldexp(1, e); Term(x) != int64(e)<<(e+28) {
			t.Errorf("the term of 2^%d is %v", e, Term(x))
		}
	}
}

func BenchmarkTerm(b *testing.B) {
	var sum int64
	x := 1000.3
	for b.Loop() {
		sum += Term(x)
		x += 0.7
	}
	if sum == 0 {
		b.Fatal("no terms")
	}
}
