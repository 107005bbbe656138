package protecttest

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// sloping is a law of 0 to 99,999, the lower half of them three times as likely as the upper; its probabilities sum to
// all.
type sloping struct{ all float64 }

func (s sloping) P(_, y float64) float64 {
	switch {
	case y < 0 || y >= 100_000 || y != y:
		return 0
	case y < 50_000:
		return s.all * 1.5 / 100_000
	}
	return s.all * 0.5 / 100_000
}

// TestSumOnALargeGrid: too many values to look at each, and a law that is so little off that 2,000 values cannot tell:
// only its sum does.
func TestSumOnALargeGrid(t *testing.T) {
	stream, drawn := Seed(1).Stream(), make([]float64, copies())
	for i := range drawn {
		draw := stream.At(uint64(i))
		if drawn[i] = float64(rng.Below(draw.A, 50_000)); rng.Below(draw.B, 4) == 0 {
			drawn[i] += 50_000
		}
	}
	column := func(v []float64) table.Column {
		c := table.NumColumn("v", 1, v)
		c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 99_999}, true
		return c
	}
	one, released := tabletest.Of(t, column([]float64{500})), tabletest.Of(t, column(drawn))
	if err := compare(sloping{1}, one, released, 0, 0); err != nil {
		t.Errorf("a right law: %v", err)
	}
	for _, all := range []float64{0.98, 1.02, 0.5, 2} {
		if err := compare(sloping{all}, one, released, 0, 0); err == nil || !strings.Contains(err.Error(), "sum to") {
			t.Errorf("a law that sums to %v: %v; expected that it says so", all, err)
		}
	}
}
