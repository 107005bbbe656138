package rankswap

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	protecttest.Run(t, Method, protecttest.Options{})
	protecttest.Run(t, Method, protecttest.Options{Set: map[string]string{"p": "20", "top": "5", "bottom": "7.5", "except": "age"}})
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"p": "100", "top": "50", "bottom": "50"}})
}
