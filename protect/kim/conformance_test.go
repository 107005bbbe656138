package kim

import (
	"testing"

	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for _, outside := range []string{fence.OutsideAllow, fence.OutsideClip, fence.OutsideRedraw} {
		t.Run(outside, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: map[string]string{"outside": outside}})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
