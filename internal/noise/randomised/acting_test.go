package randomised

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// What an operator does to two items of six is the same by enumeration of its releases: the mean square of the weights,
// and the whole pair.
func TestActingEnumerated(t *testing.T) {
	const items = 0b11
	check := func(t *testing.T, a Acting, w []float64, l int, law [1 << all]float64) {
		second, whole := 0.0, 0.0
		for out, p := range law {
			k := size(out & items)
			second += p * w[k] * w[k]
			if k == 2 {
				whole += p
			}
		}
		near(t, "the mean square", a.Second[l]/max(1, second), second/max(1, second))
		near(t, "the whole pair", a.Whole[l], whole)
	}
	long.Check(t, func(r *rapid.T) {
		o, b := operator(r), Bits{rapid.Float64Range(0.6, 0.95).Draw(r, "one"), rapid.Float64Range(0.6, 0.95).Draw(r, "zero")}
		for l, record := range []int{0b111000, 0b101001, 0b111} {
			check(t, b.Act(2), b.Weights(2), l, itemwise(b, record))
			if a, ok := o.Act(2); ok && a.Condition < 1e4 {
				w, _ := o.Weights(2)
				check(t, a, w, l, released(o, record))
			}
		}
	})
	if _, ok := CutAndPaste(1, 3, 0.2).Act(2); ok {
		t.Error("a record of one item has pairs")
	}
	if _, ok := (Sizes{[]float64{0.64, 0.32, 0.04}, 0.2}).Act(1); ok {
		t.Error("what is not released is estimated")
	}
}

// The last row of the inverse is what elimination gives.
func TestLastWeights(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := operator(r).Transition(rapid.IntRange(1, 3).Draw(r, "k"))
		if p.Condition() > 1e5 {
			return
		}
		w, ok := lastWeights(p)
		q, err := Inverse(p)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		for l, v := range w {
			near(t, "a weight", v/p.Condition(), q[len(q)-1][l]/p.Condition())
		}
	})
}

// A value of one of two attributes acts as the matrix of FRAPP.
func TestActingOfCategories(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		d := Diagonal{rapid.Float64Range(1.5, 30).Draw(r, "gamma"), 12}
		m := diagonal(d, 12)
		w := [2]float64{}
		on, off := d.Subset(4)
		w[0], w[1] = -off/(on-off), (1-off)/(on-off)
		for l, x := range []int{1, 4} { // of the second attribute, whose values are x%4, value 0 is looked for
			second, whole := 0.0, 0.0
			for y, p := range m[x] {
				has := b2(y%4 == 0)
				second, whole = second+p*w[has]*w[has], whole+p*float64(has)
			}
			near(t, "the mean square", d.Act(1, 4).Second[l], second)
			near(t, "the probability", d.Act(1, 4).Whole[l], whole)
		}
	})
}

// One stratum of items that are released by themselves is Bits; of two sizes the error, the lowest support and the
// breach are those of the records one by one.
func TestStrata(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		b := Bits{rapid.Float64Range(0.6, 0.95).Draw(r, "one"), rapid.Float64Range(0.6, 0.99).Draw(r, "zero")}
		prior, n := rapid.Float64Range(0, 0.3).Draw(r, "prior"), rapid.Float64Range(1e3, 1e6).Draw(r, "n")
		near(t, "the lowest support", LowestAt([]Stratum{{1, prior, b.Act(2)}}, n), b.Lowest(2, n, prior))
		o := operator(r)
		a, ok := o.Act(2)
		if !ok {
			return
		}
		strata := []Stratum{{0.25, prior, b.Act(2)}, {0.35, 0.5, a}} // the others cannot have it
		s := rapid.Float64Range(0, 0.3).Draw(r, "support")
		variance, worst, own, whole := 0.0, 0.0, 0.0, 0.0
		for _, st := range strata {
			in := s / 0.6
			part, all := 0.0, 0.0
			for l, p := range []float64{(1 - st.Prior) * (1 - st.Prior), 2 * st.Prior * (1 - st.Prior), st.Prior * st.Prior} {
				variance += st.Share * (1 - in) * p * st.Second[l]
				part += (1 - in) * p * st.Whole[l] * float64(l) / 2
				all += (1 - in) * p * st.Whole[l]
			}
			variance += st.Share * in * (st.Second[2] - 1)
			part, all = part+in*st.Whole[2], all+in*st.Whole[2]
			worst, own, whole = max(worst, part/all), own+st.Share*part, whole+st.Share*all
		}
		near(t, "the error", ErrorAt(strata, n, s), math.Sqrt(variance/n))
		if low := LowestAt(strata, n); low < 0.6 {
			near(t, "four errors at the lowest support", 4*ErrorAt(strata, n, low)/low, 1)
		}
		w, mean := BreachAt(strata, s)
		near(t, "the worst breach", w, worst)
		near(t, "the mean breach", mean, own/whole)
	})
	if got := LowestAt(nil, 100); !math.IsInf(got, 1) {
		t.Errorf("no stratum: %v", got)
	}
}
