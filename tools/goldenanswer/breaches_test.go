package main

import (
	"testing"

	"github.com/dither-data/dither/internal/noise/randomised"
)

// What a probability may become at most is where a pair of probabilities begins to be safe.
func TestSafe(t *testing.T) {
	for _, gamma := range []float64{1.5, 3, 19} {
		for _, prior := range []float64{0.01, 0.3, 0.8} {
			_, up := randomised.Posterior(prior, gamma)
			if safe(gamma, prior, up*(1-1e-6)) || !safe(gamma, prior, up+(1-up)*1e-3) {
				t.Errorf("gamma %v: %v to %v", gamma, prior, up)
			}
		}
	}
}
