package infoloss_test

import (
	"math"
	"testing"
)

// TestExample works the definitions of Domingo-Ferrer, Mateo-Sanz & Torra (2001) out by hand, with IL1s of Yancey,
// Winkler & Creecy (2002) and the cap of Trottini (2003).
//
//	a = 2, 4, 6   mean 4, variance 4      a' = 3, 5, 7   mean 5, variance 4
//	b = 1, 1, 4   mean 2, variance 3      b' = 1, 2, 3   mean 2, variance 1
//	covariance 3, correlation 3/sqrt(12)  covariance 2, correlation 1
func TestExample(t *testing.T) {
	l := of(t, true, [][]float64{{2, 4, 6}, {1, 1, 4}}, [][]float64{{3, 5, 7}, {1, 2, 3}})
	a1, b1 := 1./2+1./4+1./6, 0+1+1./4
	a1s, b1s := 3/(math.Sqrt2*2), 2/(math.Sqrt2*math.Sqrt(3))
	il5 := 1 - math.Sqrt(3)/2
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"IL1", l.IL1, (a1 + b1) / 6},
		{"IL1 of a", l.Columns[0].IL1, a1 / 3},
		{"IL1 of b", l.Columns[1].IL1, b1 / 3},
		{"IL1s", l.IL1s, (a1s + b1s) / 6},
		{"IL1s of a", l.Columns[0].IL1s, a1s / 3},
		{"IL2", l.IL2, (1./4 + 0) / 2},
		{"IL3", l.IL3, (0 + 2./3 + 1./3) / 3},
		{"IL4", l.IL4, (0 + 2./3) / 2},
		{"IL4 of b", l.Columns[1].IL4, 2. / 3},
		{"IL5", l.IL5, il5},
		{"IL", l.Total(false), 100 * (13./36 + 1./8 + 1./3 + 1./3 + il5) / 5},
		{"IL with IL1s", l.Total(true), 100 * ((a1s+b1s)/6 + 1./8 + 1./3 + 1./3 + il5) / 5},
	} {
		if math.Abs(c.got-c.want) > 1e-13 {
			t.Errorf("%s is %v, expected %v", c.name, c.got, c.want)
		}
	}
}

// TestCap has changes far beyond the values: every term is 1, and the correlation goes from 1 to -1.
func TestCap(t *testing.T) {
	l := of(t, true, [][]float64{{1, 2, 3}, {1, 2, 3}}, [][]float64{{100, 200, 300}, {-100, -200, -300}})
	if l.IL1 != 1 || l.IL1s != 1 || l.IL2 != 1 || l.IL3 != 1 || l.IL4 != 1 || l.IL5 != 1 || l.Total(false) != 100 {
		t.Errorf("losses %+v, expected 1 each", l)
	}
}
