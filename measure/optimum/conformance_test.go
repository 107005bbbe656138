package optimum

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.Run(t, Measure, measuretest.With(map[string]string{"sensitive": "job=nurse;city=north,good=yes=>job=nurse", "nodes": "1000"}))
}
