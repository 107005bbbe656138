package uma

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	protecttest.Run(t, Method, protecttest.Options{Alike: protecttest.EachColumn})
	protecttest.Run(
		t,
		Method,
		protecttest.Options{
			Set:   map[string]string{"grouping": "classic", "k": "7", "grid": "finer", "except": "income,size"},
			Alike: protecttest.EachColumn,
		},
	)
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"k": "20"}})
}
