package numfmt

import (
	"math"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v, res float64
		want   string
	}{
		{0.1 + 0.2, 0.01, "0.3"}, {0.1 + 0.2, 0, "0.3"}, {math.Copysign(0, -1), 1, "0"}, {-0.0004, 0.01, "−0.0004"},
		{30162, 1, "30,162"}, {1990, 1, "1990"},
		{-1234567, 1, "−1,234,567"}, {2.50, 0.01, "2.5"}, {1e21, 1, "1e+21"}, {math.NaN(), 1, "missing"},
		{math.Inf(-1), 1, "−∞"}, {1e-9, 0, "1e-09"}, {3.5, 0.1, "3.5"},
	} {
		if got := Number(c.v, c.res); got != c.want {
			t.Errorf("Number(%v, %v) = %q, want %q", c.v, c.res, got, c.want)
		}
	}
	for share, want := range map[float64]string{0: "0 %", 1: "100 %", 0.99999: "over 99.9 %", 0.00001: "under 0.1 %",
		0.1234: "12.3 %", 0.5: "50 %"} {
		if got := Percent(share); got != want {
			t.Errorf("Percent(%v) = %q, want %q", share, got, want)
		}
	}
	for n, want := range map[float64]string{0: "0", 999: "999", 1234: "1,234", 30162: "30,162", 12.5: "12.5",
		-4321: "−4,321"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%v) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 records", 1: "1 record", 30162: "30,162 records"} {
		if got := Counted(n, "record"); got != want {
			t.Errorf("Counted(%v) = %q, want %q", n, got, want)
		}
	}
	if one, two := Are(1, "person"), Are(2, "person"); one != "1 person is" || two != "2 people are" {
		t.Errorf("%s, %s", one, two)
	}
}

// TestRound: the number is the one that is written, whatever its last bit.
func TestRound(t *testing.T) {
	for _, v := range []float64{0, 0.95, 1.05, 0.949, 0.25, 0.35, 2.5, -1.005, 1e-9, 1234.5678, math.Pi * 1e5} {
		for digits := range 4 {
			if got, want := Fixed(Round(v, digits), digits), Fixed(v, digits); got != want {
				t.Errorf("%v to %d decimals is %s, and %s is written", v, digits, got, want)
			}
			if got, want := Number(Significant(v, digits+1), 0), Rounded(v, digits+1); got != want {
				t.Errorf("%v to %d digits is %s, and %s is written", v, digits+1, got, want)
			}
		}
	}
	if got := Round(0.95, 1); got != 0.9 { // its bits are under 0.95
		t.Errorf("0.95 to one decimal is %v", got)
	}
	if !math.IsNaN(Round(math.NaN(), 1)) || !math.IsInf(Significant(math.Inf(1), 2), 1) {
		t.Error("what is no number is rounded to one")
	}
}

// TestSprintf: whole numbers of any size are grouped, and nothing else is.
func TestSprintf(t *testing.T) {
	if got, want := Sprintf("of %d people %d (%.2f %%) are %q, %s of %d; %v", 30162, 999, 1234.5, "1000", "2000", 1000, 4000), `of 30,162 people 999 (1234.50 %) are "1000", 2000 of 1,000; 4,000`; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}
