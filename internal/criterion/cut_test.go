package criterion

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestBestCutEqualsTwin tries every cut half way between two values.
func TestBestCutEqualsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		values, classes := make([]float64, n), make([]int32, n)
		for i := range values {
			values[i] = float64(rapid.IntRange(0, 6).Draw(t, "value"))
			if values[i] == 0 {
				values[i] = math.NaN()
			}
			classes[i] = rapid.Int32Range(0, 2).Draw(t, "class")
		}
		cut, got, ok := BestCut(values, classes)
		var want Split
		wantCut, found := 0.0, false
		for _, lo := range values {
			hi := math.Inf(1)
			for _, v := range values {
				if v > lo && v < hi {
					hi = v
				}
			}
			if math.IsInf(hi, 1) || lo != lo {
				continue
			}
			sides := [][]float64{make([]float64, 3), make([]float64, 3)}
			for i, v := range values {
				if v <= lo {
					sides[0][classes[i]]++
				} else if v > lo {
					sides[1][classes[i]]++
				}
			}
			s, c := Of(sides), (lo+hi)/2
			if !found || s.Gain > want.Gain+1e-12 || s.Gain > want.Gain-1e-12 && c < wantCut {
				want, wantCut, found = s, c, true
			}
		}
		if ok != found || ok && (cut != wantCut || math.Abs(got.Gain-want.Gain) > 1e-12 || math.Abs(got.Info-want.Info) > 1e-12) {
			t.Fatalf("cut %v with %+v (%v), expected %v with %+v (%v)", cut, got, ok, wantCut, want, found)
		}
	})
}

func TestBestCutHasNone(t *testing.T) {
	for _, values := range [][]float64{nil, {1}, {2, 2}, {math.NaN(), 1}} {
		if _, _, ok := BestCut(values, make([]int32, len(values))); ok {
			t.Errorf("%v has a cut", values)
		}
	}
}
