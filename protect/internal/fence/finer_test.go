package fence_test

import (
	"testing"

	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

func TestFiner(t *testing.T) {
	for step, want := range map[float64]float64{1: 0.01, 0.01: 0.0001, 0.1: 0.001, 5: 0.05, 0.3: 0.003, 0: 0} {
		if got := fence.Finer(table.Attribute{Domain: table.Interval{Lo: -10, Hi: 10}, Step: step}); got.Step != want {
			t.Errorf("step %v becomes %v, expected %v", step, got.Step, want)
		}
	}
	far := table.Attribute{Domain: table.Interval{Lo: 0, Hi: 1e15}, Step: 1}
	if fence.Finer(far).Step != 1 {
		t.Error("a grid of 10^17 values is finer")
	}
}
