package noiseremoval

import (
	"testing"

	"github.com/dither-data/dither/measure/internal/noisetest"
	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	for _, m := range Measures {
		t.Run(m.Name, func(t *testing.T) { measuretest.Run(t, noisetest.Informed(m)) })
	}
}

func TestMoreNoiseIsLessRisk(t *testing.T) {
	for _, m := range Measures {
		t.Run(m.Name, func(t *testing.T) { noisetest.Monotone(t, m) })
	}
}
