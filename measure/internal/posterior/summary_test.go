package posterior

import (
	"math"
	"testing"
)

// TestFigure82 is the example of Islam 2007, section 8.1: the entropies of 2 of 21 records are below 2.45, so the
// release is not secure for v = 0.05.
func TestFigure82(t *testing.T) {
	h := make([]float64, 21)
	for i := range h {
		h[i] = 2.45 + float64(i%3)/10
	}
	h[0], h[17] = 1.9, 2.2
	s := (&Rule{Threshold: 2.45, V: 0.05}).Summarise(h)
	if s.Below != 2.0/21 || s.Secure {
		t.Errorf("%+v", s)
	}
	if s := (&Rule{Threshold: 2.45, V: 2.0 / 21}).Summarise(h); !s.Secure {
		t.Errorf("a share of exactly v is not secure: %+v", s)
	}
}

// TestSummary: the mean and the standard deviation of section 8.1, which divides by n.
func TestSummary(t *testing.T) {
	s := (&Rule{Threshold: 3}).Summarise([]float64{1, 2, 3, 6})
	if s.Mean != 3 || s.SD != math.Sqrt(14.0/4) || s.Below != 0.5 || s.Secure {
		t.Errorf("%+v", s)
	}
	v := s.Value([]float64{1, 2, 3, 6}, 4)
	if v.Score != 3 || v.Lo != 3 || v.Hi != 3 || v.Notes[0].String() != "more than 0 % of the people are below 3 bits: "+
		"50 %" {
		t.Errorf("%+v", v)
	}
	for want, s := range map[string]Summary{
		"at most 5 % of the people are below 2.45 bits": {Below: 0.01,
			Upper: 0.01, Secure: true},
		"it is not shown that at most 5 % of the people are below 2.45 bits: 3 of them cannot be judged": {Unfit: 3},
	} {
		if s.Threshold, s.V = 2.45, 0.05; s.rule().String() != want {
			t.Errorf("%q, want %q", s.rule(), want)
		}
	}
	if v := s.Value([]float64{1, 2, 3, 6}, 400); !(v.Lo < 3 && v.Hi > 3 && v.Lo >= 0) {
		t.Errorf("a sample has the interval %v to %v", v.Lo, v.Hi)
	}
}

func TestByRow(t *testing.T) {
	got := ByRow(4, []int{1, 3}, []float64{5, 7})
	if len(got) != 4 || !math.IsNaN(got[0]) || got[1] != 5 || !math.IsNaN(got[2]) || got[3] != 7 {
		t.Errorf("%v", got)
	}
}
