package channel_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure/internal/channel"
)

// Rates and area are those of counting pair by pair and limit by limit.
func TestDetect(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		figures := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 20), func(v int) float64 { return float64(v) }), 1, 300)
		in, out := figures.Draw(rt, "members"), figures.Draw(rt, "others")
		d := channel.Detect(in, out)
		area := 0.0
		for _, a := range in {
			for _, b := range out {
				if a < b {
					area++
				} else if a == b {
					area += 0.5
				}
			}
		}
		if want := area / float64(len(in)*len(out)); math.Abs(d.AUC-want) > 1e-12 {
			rt.Fatalf("the area is %v, expected %v", d.AUC, want)
		}
		for falsely, got := range map[float64]float64{0.01: d.AtOne, 0.001: d.AtTenth} {
			want := 0.0
			for _, limit := range out { // called in are figures below that of somebody else
				wrong, right := 0.0, 0.0
				for _, b := range out {
					if b < limit {
						wrong++
					}
				}
				for _, a := range in {
					if a < limit {
						right++
					}
				}
				if wrong/float64(len(out)) <= falsely {
					want = max(want, right/float64(len(in)))
				}
			}
			if math.Abs(got-want) > 1e-12 {
				rt.Fatalf("at %v the rate is %v, expected %v", falsely, got, want)
			}
		}
	})
}

func TestDetectNothing(t *testing.T) {
	inf := math.Inf(1)
	if d := channel.Detect([]float64{math.NaN(), inf}, []float64{inf, inf}); d.AtOne != 0 || d.AUC != 0.5 {
		t.Errorf("%+v", d)
	}
}
