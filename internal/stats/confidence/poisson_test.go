package confidence

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestPoissonTail compares with the sum of the chances of all fewer events.
func TestPoissonTail(t *testing.T) {
	for _, expected := range []float64{1e-6, 0.05, 1, 7.5, 400} {
		for _, n := range []int{0, 1, 2, 7, 8, 12, 380, 400, 460} {
			want := 1 - distuv.Poisson{Lambda: expected}.CDF(float64(n-1))
			if n == 0 {
				want = 1
			}
			if got := PoissonTail(n, expected); math.Abs(got-want) > 1e-9 {
				t.Errorf("at least %d where %v are expected: %v, want %v", n, expected, got, want)
			}
		}
	}
}
