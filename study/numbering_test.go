package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Two values have one number where they are equal, whatever the grid says of them, and a missing one has none.
func TestNumbering(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, step := range []float64{0, 0.01, 1, 1e-9} {
		var a, b []float64
		for range 2000 {
			v := math.Round(r.NormFloat64()*300) / 100
			a, b = append(a, v), append(b, v+float64(r.IntN(2))*1e-5)
		}
		a[7], b[8], a[9], b[9] = math.NaN(), math.NaN(), 0, math.Copysign(0, -1)
		n := newNumbering(step, a, b)
		all, codes := append(a, b...), append(n.codes(a), n.codes(b)...)
		first, seen := map[int32]float64{}, map[float64]int32{}
		for i, v := range all {
			if v != v {
				if codes[i] != -1 {
					t.Errorf("step %v: a missing value has the number %d", step, codes[i])
				}
				continue
			}
			was, known := first[codes[i]]
			code, has := seen[v]
			if known && was != v || has && code != codes[i] || codes[i] < 0 || int(codes[i]) >= len(n.values) {
				t.Fatalf("step %v: %v has the number %d, as %v has, and %d before", step, v, codes[i], was, code)
			}
			first[codes[i]], seen[v] = v, codes[i]
		}
		if len(first) != len(n.values) {
			t.Errorf("step %v: %d numbers, %d are said", step, len(first), len(n.values))
		}
	}
	if got := newNumbering(1, []float64{math.NaN()}).codes([]float64{math.NaN()}); got[0] != -1 {
		t.Errorf("a column without values: %v", got)
	}
	inf := []float64{math.Inf(1), 3, math.Inf(-1), 3}
	if got := newNumbering(1, inf).codes(inf); got[1] != got[3] || got[0] == got[2] {
		t.Errorf("infinite values: %v", got)
	}
}
