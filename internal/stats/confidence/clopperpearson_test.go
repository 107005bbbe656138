package confidence

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestClopperPearsonByTheBinomial: at its upper bound so few successes, and at its lower one so many, have exactly the
// chance left over; and fractions lie between their neighbours.
func TestClopperPearsonByTheBinomial(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {1, 1}, {0, 32}, {3, 100}, {74, 1000}, {999, 1000}, {1000, 1000}, {40, 80}} {
		x, n := c[0], c[1]
		lo, hi := ClopperPearson(x, n, 0.95)
		if x < n {
			if p := (distuv.Binomial{N: n, P: hi}).CDF(x); math.Abs(p-0.05) > 1e-9 {
				t.Errorf("%v of %v: above %v the chance is %v", x, n, hi, p)
			}
			_, next := ClopperPearson(x+1, n, 0.95)
			if _, mid := ClopperPearson(x+0.5, n, 0.95); !(hi < mid && mid < next) && x+1 < n {
				t.Errorf("half a success more than %v of %v gives %v, not between %v and %v", x, n, mid, hi, next)
			}
		} else if hi != 1 {
			t.Errorf("upper bound %v of %v of %v", hi, x, n)
		}
		if x > 0 {
			if p := 1 - (distuv.Binomial{N: n, P: lo}).CDF(x-1); math.Abs(p-0.05) > 1e-9 {
				t.Errorf("%v of %v: below %v the chance is %v", x, n, lo, p)
			}
		} else if lo != 0 {
			t.Errorf("lower bound %v of 0 of %v", lo, n)
		}
	}
	if lo, hi := ClopperPearson(0, 0, 0.95); lo != 0 || hi != 1 {
		t.Errorf("without trials %v to %v", lo, hi)
	}
}

// TestMoreIfNoneSucceed compares with trying one by one.
func TestMoreIfNoneSucceed(t *testing.T) {
	for _, c := range [][3]float64{{0, 0, 0.09}, {0, 32, 0.09}, {0, 31, 0.09}, {18, 100, 0.09}, {2.5, 40, 0.2}} {
		want := 0
		for _, hi := ClopperPearson(c[0], c[1], 0.95); hi > c[2]; _, hi = ClopperPearson(c[0], c[1]+float64(want), 0.95) {
			want++
		}
		if got := MoreIfNoneSucceed(c[0], c[1], 0.95, c[2]); got != want {
			t.Errorf("%v: %d more, expected %d", c, got, want)
		}
	}
	if MoreIfNoneSucceed(0, 5, 0.95, 0) != -1 || MoreIfNoneSucceed(0, 5, 0.95, 1) != -1 {
		t.Error("a limit of 0 or 1 can be proved")
	}
}

// TestMoreToDecide compares with trying one by one, in whole and in part successes.
func TestMoreToDecide(t *testing.T) {
	for _, c := range [][3]float64{{75, 1000, 0.09}, {0, 0, 0.09}, {0, 10, 0.09}, {9, 100, 0.09}, {18, 100, 0.09},
		{12, 100, 0.09}, {2.5, 40, 0.2}, {3, 100, 0.09}} {
		x, n, limit := c[0], c[1], c[2]
		want, kept := 0, x < limit*n
		if n > 0 && x/n != limit {
			for lo, hi := ClopperPearson(x, n, 0.95); lo <= limit && limit < hi; lo,
				hi = ClopperPearson(x/n*(n+float64(want)), n+float64(want), 0.95) {
				want++
			}
		}
		if got, k := MoreToDecide(x, n, 0.95, limit); got != want || k != kept {
			t.Errorf("%v: %d more, kept %v; expected %d, %v", c, got, k, want, kept)
		}
	}
}

// TestGateVectors: which shares of successes prove a limit of 0.09, by one-sided bounds of 95 %.
func TestGateVectors(t *testing.T) {
	for _, c := range []struct{ x, n, hi float64 }{{74, 1000, .089072}, {75, 1000, .090154}, {90, 1000, .106299},
		{3, 100, .075711}, {0, 100, .029513}} {
		if _, hi := ClopperPearson(c.x, c.n, 0.95); math.Abs(hi-c.hi) > 5e-7 {
			t.Errorf("%v of %v: %v, expected %v", c.x, c.n, hi, c.hi)
		}
	}
	if lo, _ := ClopperPearson(75, 1000, 0.95); math.Abs(lo-.061744) > 5e-7 {
		t.Errorf("75 of 1000 are at least %v", lo)
	}
	if n := MoreIfNoneSucceed(0, 0, 0.95, 0.09); n != 32 {
		t.Errorf("%d without success prove 0.09, expected 32", n)
	}
}
