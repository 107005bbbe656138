package sideeffects

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.Family(t, Measures, measuretest.With(map[string]string{
		"sensitive": "job=nurse;city=north,good=yes=>job=nurse",
	}))
}
