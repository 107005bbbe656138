package classnoise

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestLawIsTheTransition checks that the law that measures of risk ask for is the transition that the release is drawn
// from: rows sum to 1, a class stays with 1 - P but where it is the only one, and what is no class has no probability.
func TestLawIsTheTransition(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		classes := rapid.IntRange(1, 5).Draw(r, "classes")
		leaves := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 9), classes, classes), 1, 4).Draw(r, "leaves")
		p := NewPlan(leaves, rapid.SampledFrom([]Amount{Printed, Permutation}).Draw(r, "amount"))
		p.Class = 3
		of, ok := p.Law(3)
		if _, other := p.Law(2); !ok || other {
			r.Fatalf("the class has a law: %v; another column: %v", ok, other)
		}
		k := of(nil, nil, 0)
		for x, row := range p.Transition() {
			sum := 0.0
			for y, want := range row {
				got := k.P(float64(x), float64(y))
				if sum += got; math.Abs(got-want) > 1e-12 {
					r.Fatalf("leaves %v: P(%d, %d) = %v, expected %v", leaves, x, y, got, want)
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				r.Fatalf("leaves %v: the probabilities of class %d sum to %v", leaves, x, sum)
			}
			if others := float64(classes); k.P(float64(x), -1) != 0 || k.P(float64(x), others) != 0 || k.P(-1, float64(x)) != 0 {
				r.Fatal("what is no class has a probability")
			}
		}
	})
}
