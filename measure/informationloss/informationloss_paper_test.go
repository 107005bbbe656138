package informationloss_test

import (
	"math"
	"testing"
)

// TestScoreOfDomingoFerrerAndTorra takes IL = 100 (IL1 + IL2 + IL3 + IL4 + IL5) / 5 of two columns, worked out by hand:
//
//	a = 2, 4, 6   mean 4, variance 4      a' = 3, 5, 7   mean 5, variance 4
//	b = 1, 1, 4   mean 2, variance 3      b' = 1, 2, 3   mean 2, variance 1
//	covariance 3, correlation 3/sqrt(12)  covariance 2, correlation 1
func TestScoreOfDomingoFerrerAndTorra(t *testing.T) {
	il1 := (1./2 + 1./4 + 1./6 + 0 + 1 + 1./4) / 6
	il1s := (3/math.Sqrt(8) + 2/math.Sqrt(6)) / 6
	others := []float64{1. / 8, 1. / 3, 1. / 3, 1 - math.Sqrt(3)/2}
	for values, first := range map[string]float64{"il1": il1, "il1s": il1s} {
		v := take(t, release(t), map[string]string{"values": values})
		want := first
		for _, x := range others {
			want += x
		}
		if want *= 20; math.Abs(v.Score-want) > 1e-12 {
			t.Errorf("values=%s: IL is %v, expected %v", values, v.Score, want)
		}
		for k, x := range append([]float64{il1, il1s}, others...) {
			if math.Abs(v.Parts[k].Score-100*x) > 1e-12 {
				t.Errorf("%s is %v, expected %v", v.Parts[k].Name.String(), v.Parts[k].Score, 100*x)
			}
		}
	}
}
