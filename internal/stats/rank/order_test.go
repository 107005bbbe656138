package rank

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// odd are the numbers that sorting by bits may get wrong.
var odd = []float64{
	math.NaN(),
	math.Copysign(math.NaN(), -1),
	0,
	math.Copysign(0, -1),
	1,
	-1,
	1 + 0x1p-52,
	1 - 0x1p-53,
	-1 - 0x1p-52,
	0.1,
	1e-300,
	-1e-300,
	math.SmallestNonzeroFloat64,
	-math.SmallestNonzeroFloat64,
	math.MaxFloat64,
	-math.MaxFloat64,
	math.Inf(1),
	math.Inf(-1),
	3,
	3 + 0x1p-40,
}

// column draws odd numbers, or numbers close to each other, or few distinct ones, below and above what radix counts.
func column(t *rapid.T) []float64 {
	n := rapid.SampledFrom([]int{0, 1, 2, 7, few, few + 1, 1500}).Draw(t, "n")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	shape := rapid.IntRange(0, 4).Draw(t, "shape")
	v := make([]float64, n)
	for i := range v {
		switch shape {
		case 0:
			v[i] = odd[r.IntN(len(odd))]
		case 1:
			v[i] = 1e6 + float64(r.IntN(300))*0x1p-30
		case 2:
			v[i] = float64(r.IntN(9) - 4)
		case 3:
			v[i] = r.NormFloat64()
		case 4:
			v[i] = math.Float64frombits(r.Uint64())
		}
	}
	return v
}

// dumbOrder compares values, missing ones last.
func dumbOrder(v []float64) []int32 {
	order := make([]int32, len(v))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		a, b := v[i], v[j]
		switch {
		case a != a || b != b:
			return cmp.Compare(boolean(a != a), boolean(b != b))
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	return order
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestOrderEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := column(t)
		was := slices.Clone(v)
		got, known := Order(v)
		if want := dumbOrder(v); !slices.Equal(got, want) {
			t.Fatalf("order %v, expected %v", got, want)
		}
		for r, i := range got {
			if (v[i] == v[i]) != (r < known) {
				t.Fatalf("%d values are known, position %d is %v", known, r, v[i])
			}
		}
		for i := range v {
			if math.Float64bits(v[i]) != math.Float64bits(was[i]) {
				t.Fatal("Order writes to its argument")
			}
		}
	})
}

// Whole numbers, of which some are equal and some differ in the lower half alone.
func TestWordsEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		v := make([]uint64, rapid.SampledFrom([]int{0, 1, 7, few, few + 1, 1500}).Draw(t, "n"))
		mask := rapid.SampledFrom([]uint64{math.MaxUint64, 3, 3 << 62, 0xf<<40 | 7}).Draw(t, "mask")
		want := make([]int32, len(v))
		for i := range v {
			v[i], want[i] = r.Uint64()&mask, int32(i)
		}
		slices.SortStableFunc(want, func(i, j int32) int { return cmp.Compare(v[i], v[j]) })
		if got := Words(v); !slices.Equal(got, want) {
			t.Fatalf("order %v of %v, expected %v", got, v, want)
		}
	})
}

// Every shape of the benchmarks at a size where all passes count.
func TestOrderSortsManyValues(t *testing.T) {
	for name, v := range shapes(100_000) {
		v[7], v[99_999] = missing, missing
		if got, known := Order(v); known != 99_998 || !slices.Equal(got, dumbOrder(v)) {
			t.Errorf("%s: %d known values are not in order", name, known)
		}
	}
}
