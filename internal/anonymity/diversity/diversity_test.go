package diversity

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// Machanavajjhala and others 2007, definitions 4.1 and 4.2: values that occur 4, 2, 1 and 1 times; entropy 1.75 bits; 4
// < c (2+1+1) needs c above 1, and 4 < c (1+1) c above 2.
func TestDefinitions41And42(t *testing.T) {
	counts := []int32{1, 1, 2, 4}
	if l := Entropy(counts); !near(l, math.Exp2(1.75), 1e-12) {
		t.Errorf("entropy l = %v", l)
	}
	for _, c := range []struct{ c, l float64 }{{0.5, 1}, {1, 1}, {1.5, 2}, {2, 2}, {2.1, 3}, {4, 3}, {4.1, 4}, {100, 4}} {
		if l := Recursive(counts, c.c); l != c.l {
			t.Errorf("c = %v: l = %v, expected %v", c.c, l, c.l)
		}
	}
	for n, counts := range [][]int32{nil, {7}} {
		if e, r := Entropy(counts), Recursive(counts, 0.1); e != float64(n) || r != float64(n) {
			t.Errorf("%d values: entropy l = %v, recursive l = %v", n, e, r)
		}
	}
}

// TestWholeEntropy has classes of equally frequent values, for which exp(ln l) may come out just below l.
func TestWholeEntropy(t *testing.T) {
	for l := 1; l <= 1000; l++ {
		for _, each := range []int32{1, 3, 7} {
			if got := Entropy(slices.Repeat([]int32{each}, l)); got != float64(l) {
				t.Fatalf("%d values %d times each: entropy l = %v", l, each, got)
			}
		}
	}
}

// TestDiversityEqualsTwin takes the definitions literally.
func TestDiversityEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Int32Range(1, 40), 1, 12).Draw(t, "counts")
		c := rapid.SampledFrom([]float64{0.5, 1, 2, 3}).Draw(t, "c")
		slices.Sort(counts)
		n := 0.0
		for _, k := range counts {
			n += float64(k)
		}
		var shares []float64
		for _, k := range counts {
			shares = append(shares, float64(k)/n)
		}
		if l := Entropy(counts); !near(math.Log(l), stat.Entropy(shares), 1e-9) {
			t.Fatalf("entropy l of %v is %v, expected %v", counts, l, math.Exp(stat.Entropy(shares)))
		}
		want := 1.0
		slices.Reverse(counts)
		for l := range counts {
			tail := 0.0
			for _, k := range counts[l:] {
				tail += float64(k)
			}
			if float64(counts[0]) < c*tail {
				want = float64(l + 1)
			}
		}
		slices.Reverse(counts)
		if l := Recursive(counts, c); l != want {
			t.Fatalf("recursive l of %v with c = %v is %v, expected %v", counts, c, l, want)
		}
	})
}

// Li, Li & Venkatasubramanian 2007, section 5: nine salaries of 3k to 11k, one each; {3, 4, 5} is .375 from the whole
// and {6, 8, 11} .167. With all salaries equally far apart both are 2/3.
func TestSection5Salaries(t *testing.T) {
	w := NewWhole([]int32{1, 1, 1, 1, 1, 1, 1, 1, 1})
	for _, c := range []struct {
		runs []Run
		want float64
	}{{[]Run{{0, 1}, {1, 1}, {2, 1}}, 0.375}, {[]Run{{3, 1}, {5, 1}, {8, 1}}, 1.0 / 6}} {
		if o, e := w.Ordered(c.runs), w.Equal(c.runs); !near(o, c.want, 1e-12) || !near(e, 2.0/3, 1e-12) {
			t.Errorf("%v: ordered distance %v, equal distance %v", c.runs, o, e)
		}
	}
	if o, e := w.Ordered(nil), w.Equal(nil); o != 0 || e != 0 {
		t.Errorf("no values: ordered distance %v, equal distance %v", o, e)
	}
	one := NewWhole([]int32{4})
	if o, e := one.Ordered([]Run{{0, 2}}), one.Equal([]Run{{0, 2}}); o != 0 || e != 0 || one.Values() != 1 {
		t.Errorf("one value all over: ordered distance %v, equal distance %v", o, e)
	}
}

// TestDistancesEqualTwin sums over all values: the differences of the shares, and those of the cumulative shares.
func TestDistancesEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.Int32Range(1, 9), 1, 12).Draw(t, "whole")
		own := make([]int32, len(whole))
		var runs []Run
		size, n := 0.0, 0.0
		for v, c := range whole {
			if own[v] = rapid.Int32Range(0, c).Draw(t, "own"); own[v] > 0 {
				runs = append(runs, Run{int32(v), own[v]})
			}
			size += float64(own[v])
			n += float64(c)
		}
		if len(runs) == 0 {
			return
		}
		equal, ordered, sum := 0.0, 0.0, 0.0
		for v, c := range whole {
			d := float64(own[v])/size - float64(c)/n
			sum += d
			equal += math.Abs(d) / 2
			ordered += math.Abs(sum) / max(1, float64(len(whole)-1))
		}
		w := NewWhole(whole)
		if e, o := w.Equal(runs), w.Ordered(runs); !near(e, equal, 1e-12) || !near(o, ordered, 1e-12) {
			t.Fatalf("equal distance %v, ordered distance %v; expected %v, %v", e, o, equal, ordered)
		}
	})
}
