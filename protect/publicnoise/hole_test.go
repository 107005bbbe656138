package publicnoise

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
)

// Li, Wang & Jajodia 2002: no interval shorter than epsilon around a released value holds the original, and the noise
// on either side of the hole is normal: a share of P(|e| > b) / P(|e| > a) of it is beyond b, for a = epsilon/2 and b
// = a + sigma. Of 40,000 values five standard errors are 0.013: a right program fails once in 1.7 million.
func TestHole(t *testing.T) {
	tab := triangle(40_000, 0, false)
	q := newHole()
	q.Epsilon, q.Sigma = 20, 10
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	n := p.(*HolePlan).Laws[0]
	half, sigma := 0.2*(n.High-n.Low)/2, 0.1*(n.High-n.Low)
	beyond := 0.0
	for i, y := range out.Num(0) {
		e := math.Abs(y - tab.Num(0)[i])
		if e < half*(1-1e-6) {
			t.Fatalf("row %d: %v becomes %v, inside the hole of %v", i, tab.Num(0)[i], y, half)
		}
		if e > half+sigma {
			beyond++
		}
	}
	tail := func(z float64) float64 { return math.Erfc(z / math.Sqrt2) }
	if got, want := beyond/float64(tab.Rows()), tail(half/sigma+1)/tail(half/sigma); math.Abs(got-want) > 0.013 {
		t.Errorf("%v of the noise is beyond the hole by sigma, expected %v", got, want)
	}
}
