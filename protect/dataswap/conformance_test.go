package dataswap

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {}, "of three": {"t": "3", "tolerance": "0.5", "bins": "3", "except": "city"}, "single": {"t": "1", "rate": "1", "tries": "1"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"t": "3", "bins": "2", "except": "age"}})
}
