package geometric

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// pairOf returns two columns to be rotated for the first time, with the variances and the covariance given.
func pairOf(vi, vj, cov, rho float64) turning {
	first := turned{gram: [3][3]float64{{vi, vi, cov}, {vi, vi, cov}, {cov, cov, vj}}, least: rho}
	second := turned{gram: [3][3]float64{{vj, vj, -cov}, {vj, vj, -cov}, {-cov, -cov, vi}}, least: rho}
	return turning{first, second}
}

// drawPair draws such columns.
func drawPair(t *rapid.T) (vi, vj, cov, rho float64) {
	vi, vj = rapid.Float64Range(0.1, 3).Draw(t, "vi"), rapid.Float64Range(0.1, 3).Draw(t, "vj")
	return vi, vj, rapid.Float64Range(-1, 1).Draw(t, "r") * math.Sqrt(vi*vj), rapid.Float64Range(0, 6).Draw(t, "rho")
}

// The variances are those of the rotation-based transformation: Var(X_i - Y_i) = (1-c)² s_ii + s² s_jj - 2 (1-c) s
// s_ij, and for j with the other sign.
func TestSecurityIsTheClosedFormula(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		vi, vj, cov, _ := drawPair(t)
		angle := rapid.Float64Range(0, 360).Draw(t, "angle")
		pair := pairOf(vi, vj, cov, 0)
		s, c := math.Sincos(angle / 180 * math.Pi)
		for n, want := range []float64{
			((1-c)*(1-c)*vi + s*s*vj - 2*(1-c)*s*cov) / vi,
			((1-c)*(1-c)*vj + s*s*vi + 2*(1-c)*s*cov) / vj,
		} {
			if got := pair[n].security(angle); math.Abs(got-want) > 1e-9*max(1, want) {
				t.Fatalf("security %d at %v is %v, expected %v", n, angle, got, want)
			}
		}
	})
}

// The security range holds the secure angles and no others: angles between the scanned ones are on the right side of
// its limits, up to what the scan may miss.
func TestSecurityRange(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		vi, vj, cov, rho := drawPair(t)
		pair := pairOf(vi, vj, cov, rho)
		arcs, size := pair.secure(), 0.0
		for k, a := range arcs {
			if a.lo > a.hi || k > 0 && a.lo <= arcs[k-1].hi {
				t.Fatalf("the ranges are %v", arcs)
			}
			size += a.hi - a.lo
		}
		const many = 997
		hits := 0.0
		for k := range many {
			angle := 360 * (float64(k) + 0.5) / many
			in := false
			for _, a := range arcs {
				in = in || a.lo <= angle && angle <= a.hi
			}
			least := min(pair[0].security(angle), pair[1].security(angle))
			if in && least < rho-1e-4 || !in && least > rho+1e-4 {
				t.Fatalf("angle %v with security %v, threshold %v: in the range %v is %v", angle, least, rho, arcs, in)
			}
			if in {
				hits++
			}
		}
		if math.Abs(hits/many-size/360) > 10./many {
			t.Fatalf("%v of %d angles are in ranges of %v degrees", hits, many, size)
		}
		for _, share := range []float64{0, 0.3, 0.999999} {
			angle, ok := pair.draw(share)
			if ok != (len(arcs) > 0) || ok && min(pair[0].security(angle), pair[1].security(angle)) < rho-1e-4 {
				t.Fatalf("share %v draws %v, %v, of %v", share, angle, ok, arcs)
			}
		}
		if got := pair.most(); rho > 0 && (len(arcs) > 0) != (got >= rho-1e-9) {
			t.Fatalf("at most %v is possible, the range for %v is %v", got, rho, arcs)
		}
	})
}

// A half turn leaves both columns 4 whatever they are, so up to there a threshold can be met; the range for 4 of
// unrelated equal columns is that angle alone.
func TestHalfTurn(t *testing.T) {
	pair := pairOf(1, 1, 0, 4)
	if angle, ok := pair.draw(0.5); !ok || math.Abs(angle-180) > 0.01 {
		t.Errorf("a security of 4 draws %v, %v", angle, ok)
	}
	pair = pairOf(1, 1, 0, 4.01)
	if _, ok := pair.draw(0.5); ok || math.Abs(pair.most()-4) > 1e-9 {
		t.Errorf("a security above 4 is possible; at most %v", pair.most())
	}
	pair = pairOf(1, 1, 0, 0)
	if arcs := pair.secure(); len(arcs) != 1 || arcs[0] != (arc{0, 360}) {
		t.Errorf("without a threshold the range is %v", arcs)
	}
}
