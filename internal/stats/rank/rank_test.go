package rank

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// dumbMid counts: 1 + the smaller values + half of the others that are equal.
func dumbMid(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = 0.5
		for _, y := range v {
			switch {
			case x != x:
				out[i] = missing
			case y < x:
				out[i]++
			case y == x:
				out[i] += 0.5
			}
		}
	}
	return out
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b,
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y })
}

// near compares with what another library computes.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-14 || x != x && y != y }

func TestRanksEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := column(t)
		want := dumbMid(v)
		if got := Of(v).Mid(); !same(got, want) {
			t.Fatalf("mid-ranks %v, expected %v", got, want)
		}
		n := 0.0
		for _, x := range v {
			if x == x {
				n++
			}
		}
		for i, r := range want {
			want[i] = distuv.UnitNormal.Quantile((r - 0.5) / n)
			if r != r {
				want[i] = missing
			}
		}
		if got := Of(v).NormalScores(); !slices.EqualFunc(got, want, near) {
			t.Fatalf("normal scores %v, expected %v", got, want)
		}
	})
}

// Which of two zeros comes first depends on the order of the records; what is made of them must not.
func TestMinusZeroIsZero(t *testing.T) {
	for _, v := range [][]float64{{math.Copysign(0, -1), 0}, {0, math.Copysign(0, -1)}} {
		if r := Of(v); math.Signbit(r.Sorted[0]) || math.Signbit(r.Sorted[1]) || !slices.Equal(r.Mid(), []float64{1.5, 1.5}) {
			t.Errorf("%v is sorted as %v with the ranks %v", v, r.Sorted, r.Mid())
		}
		if m := MarginalOf(v); math.Signbit(m[0]) || math.Signbit(m[1]) {
			t.Errorf("%v has the values %v", v, m)
		}
	}
}

// dumbSpearman is Pearson's correlation of the mid-ranks of the records that have both values; 0 where that is not
// defined.
func dumbSpearman(x, y []float64) float64 {
	var a, b []float64
	for i := range x {
		if x[i] == x[i] && y[i] == y[i] {
			a, b = append(a, x[i]), append(b, y[i])
		}
	}
	r := stat.Correlation(dumbMid(a), dumbMid(b), nil)
	if len(a) < 2 || math.IsNaN(r) || math.IsInf(r, 0) {
		return 0
	}
	return r
}

// table draws columns of one length with ties and, some of them, missing values.
func drawn(t *rapid.T) [][]float64 {
	n := rapid.IntRange(0, 30).Draw(t, "n")
	cols := make([][]float64, rapid.IntRange(1, 4).Draw(t, "p"))
	for k := range cols {
		lowest := rapid.IntRange(-5, 0).Draw(t, "lowest")
		for range n {
			v := float64(rapid.IntRange(lowest, 5).Draw(t, "value"))
			if v == -5 {
				v = missing
			}
			cols[k] = append(cols[k], v)
		}
	}
	return cols
}

func TestSpearmanEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		cols := drawn(t)
		rho := Spearman(OfAll(cols))
		for k := range cols {
			for l := range k {
				if got, want := rho.At(l, k), dumbSpearman(cols[k], cols[l]); math.Abs(got-want) > 1e-12 {
					t.Fatalf("columns %v and %v: %v, expected %v", cols[k], cols[l], got, want)
				}
			}
			if rho.At(k, k) != 1 {
				t.Fatalf("the diagonal is %v", rho.At(k, k))
			}
		}
	})
}

// The last bit, too, depends neither on the order of the records nor on the number of cores.
func TestSpearmanIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, 4)
	for k := range cols {
		cols[k] = make([]float64, 10_000)
		for i := range cols[k] {
			if cols[k][i] = r.NormFloat64(); k == 3 && i%7 == 0 {
				cols[k][i] = missing
			}
		}
	}
	want := Spearman(OfAll(cols))
	r.Shuffle(len(cols[0]), func(i, j int) {
		for _, c := range cols {
			c[i], c[j] = c[j], c[i]
		}
	})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := Spearman(OfAll(cols)); !same(got.RawSymmetric().Data, want.RawSymmetric().Data) {
		t.Errorf("%v in another order, expected %v", got, want)
	}
}

// The sums of products of twice the ranks exceed 2^63 from some three million records on.
func TestProductOfManyRecords(t *testing.T) {
	const n = 1 << 29
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([]int32, 5000), make([]int32, 5000)
	want := new(big.Int)
	for i := range x {
		if x[i] = int32(1 + r.IntN(100)); i%5 == 0 {
			x[i] = 0
			continue
		}
		y[i] = int32(1 + r.IntN(100))
		want.Add(want, new(big.Int).Mul(big.NewInt(int64(x[i])-n-1), big.NewInt(int64(y[i])-n-1)))
	}
	if f, _ := new(big.Float).SetInt(want).Float64(); product(x, y, n) != f {
		t.Errorf("the sum is %v, expected %v", product(x, y, n), f)
	}
}

// Sarathy, Muralidhar & Parsa 2002: a rank correlation of 0.5 is that of normal variables correlated 0.51764.
func TestNormalCorrelation(t *testing.T) {
	cols := OfAll([][]float64{{1, 2, 3}, {2, 1, 3}})
	scores, rho := Normal(cols)
	if got := rho.At(0, 1); math.Abs(got-0.51764) > 5e-6 || rho.At(0, 0) != 1 {
		t.Errorf("a rank correlation of 0.5 becomes %v, 1 becomes %v", got, rho.At(0, 0))
	}
	if want := distuv.UnitNormal.Quantile(1.0 / 6); !near(scores[1][1], want) || scores[0][1] != 0 {
		t.Errorf("the scores are %v, expected the lowest %v and the middle one 0", scores, want)
	}
	if scores, rho := Normal(nil); scores != nil || rho != nil {
		t.Error("no columns have a copula")
	}
}

func TestRowsCoverEveryRecordOnce(t *testing.T) {
	for _, n := range []int{0, 1, 4096, 4097, 20_000} {
		seen := make([]int, n)
		err := Rows(n, func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				seen[i]++
			}
			return nil
		})
		if err != nil || slices.ContainsFunc(seen, func(k int) bool { return k != 1 }) {
			t.Errorf("%d records: %v, or one is not visited once", n, err)
		}
	}
	first := errors.New("first")
	err := Rows(20_000, func(lo, _ int) error {
		switch lo {
		case 4096:
			return first
		case 8192:
			return errors.New("second")
		}
		return nil
	})
	if err != first {
		t.Errorf("the error is %v, expected that of the first block that has one", err)
	}
}
