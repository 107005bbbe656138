package moments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

func of(t rapid.TB, cols [][]float64) *Moments {
	t.Helper()
	return must.Get(Of(context.Background(), cols))(t)
}

// tolerance allows for offsets of a million deviations, which leave a mean ten digits.
const tolerance = 1e-8

// random draws columns of numbers of some scale and offset, with missing values in some of them.
func random(r *rapid.T) [][]float64 {
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 17, Block - 1, Block, Block + 1, 2*Block + 100}).Draw(r, "rows")
	seed := rapid.Uint64().Draw(r, "seed")
	draw := rand.New(rand.NewPCG(seed, 1))
	cols := make([][]float64, rapid.IntRange(1, 5).Draw(r, "columns"))
	for k := range cols {
		scale := math.Pow(10, float64(rapid.IntRange(-3, 5).Draw(r, "scale")))
		offset := scale * rapid.SampledFrom([]float64{0, 1, -1e3, 1e6}).Draw(r, "offset")
		missing := rapid.SampledFrom([]float64{0, 0, 0.1, 0.9, 1}).Draw(r, "missing")
		cols[k] = make([]float64, n)
		for i := range cols[k] {
			cols[k][i] = offset + scale*draw.NormFloat64()
			if k > 0 {
				cols[k][i] += scale * cols[0][i] / 2
			}
			if draw.Float64() < missing {
				cols[k][i] = math.NaN()
			}
		}
	}
	return cols
}

// pair is the definition: the records that have both columns, their means, and the sum of the products of the
// deviations.
func pair(x, y []float64) (n, mx, my, co float64) {
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			n++
			mx += x[i]
			my += y[i]
		}
	}
	if n == 0 {
		return 0, 0, 0, 0
	}
	mx, my = mx/n, my/n
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			co += (x[i] - mx) * (y[i] - my)
		}
	}
	return n, mx, my, co
}

// near compares with the definition by the size that rounding errors have.
func near(t rapid.TB, what string, m *Moments, cols [][]float64) {
	t.Helper()
	size := func(k int) (mean, sd, co float64) {
		n, mean, _, co := pair(cols[k], cols[k])
		return math.Abs(mean), math.Sqrt(co / max(1, n)), math.Sqrt(co) + 1e-300
	}
	for k := range cols {
		mean, sd, a := size(k)
		for l := range cols {
			_, _, b := size(l)
			n, mk, _, co := pair(cols[k], cols[l])
			if m.N(k, l) != n || math.Abs(m.Mean(k, l)-mk) > tolerance*(sd+mean) || math.Abs(m.Co(k, l)-co) > tolerance*a*b {
				t.Fatalf("%s, columns %d and %d: n %v, mean %v, co %v; expected %v, %v, %v", what, k, l,
					m.N(k, l), m.Mean(k, l), m.Co(k, l), n, mk, co)
			}
		}
	}
}

func TestDefinition(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		cols := random(r)
		got := of(t, cols)
		near(t, "moments", got, cols)
		cov, means := got.Cov(), got.Means()
		for k := range cols {
			for l := range cols {
				n := got.N(k, l)
				if c := cov.At(k, l); n > 1 && c != got.Co(k, l)/(n-1) || n < 2 && c != 0 {
					t.Fatalf("covariance %v of %v records with sum %v", c, n, got.Co(k, l))
				}
			}
			if n := got.N(k, k); n == 0 != math.IsNaN(means[k]) {
				t.Fatalf("mean %v of %v values", means[k], n)
			}
		}
		same := true
		for _, c := range cols {
			for i, v := range c {
				same = same && math.IsNaN(v) == math.IsNaN(cols[0][i])
			}
		}
		if got.Complete() != same {
			t.Fatalf("complete is %v", got.Complete())
		}
	})
}

// Records in any order, split into any parts that are merged in any order, have the moments of the whole, bit by bit.
func TestAnyOrder(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		cols := random(r)
		n := len(cols[0])
		want := of(t, cols)
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "order"), 1)).Perm(n)
		for k, c := range cols {
			cols[k] = make([]float64, n)
			for i, o := range order {
				cols[k][i] = c[o]
			}
		}
		merged := New(want.Ranges)
		for lo := 0; lo < n; {
			hi := rapid.IntRange(lo+1, n).Draw(r, "cut")
			part := make([][]float64, len(cols))
			for k := range cols {
				part[k] = cols[k][lo:hi]
			}
			m := New(want.Ranges)
			must.NoError(t, m.Add(context.Background(), part))
			m.Merge(merged)
			merged = m
			lo = hi
		}
		if !reflect.DeepEqual(merged, want) {
			t.Fatalf("in another order: %+v, expected %+v", merged, want)
		}
	})
}

// Where values are on the grid, means and covariances are the true ones, rounded, even where all digits but the last
// cancel and where the sums need more than 64 bits.
func TestWholeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, wide := range []float64{3, 1e6, 1 << 47} {
		for _, n := range []int{1, 2, 3, 2000} {
			for _, offset := range []float64{0, 1e6, -1 << 51} {
				var cols [2][]float64
				for i := range n {
					v := math.Round(r.Float64() * wide)
					w := v
					if r.IntN(3) == 0 {
						w = math.Round(r.Float64() * wide)
					}
					cols[0], cols[1] = append(cols[0], offset+v), append(cols[1], w)
					if i > 1 && r.IntN(4) == 0 {
						cols[1][i] = math.NaN()
					}
				}
				m := of(t, cols[:])
				for k, x := range cols {
					for l, y := range cols {
						mean, co := precise(x, y)
						if d := m.Mean(k, l) - mean; math.Abs(d) > 1e-15*math.Abs(mean) {
							t.Errorf("%d values to %v at %v: mean %v, off by %v", n, wide, offset, m.Mean(k, l), d)
						}
						if d := m.Co(k, l) - co; math.Abs(d) > 1e-15*math.Abs(co) {
							t.Errorf("%d values to %v at %v: sum of products %v, off by %v", n, wide, offset, m.Co(k, l), d)
						}
					}
				}
			}
		}
	}
}

// precise is pair in fractions.
func precise(x, y []float64) (mean, co float64) {
	sx, sy, sxy, n := new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) {
			continue
		}
		a, b := new(big.Rat).SetFloat64(x[i]), new(big.Rat).SetFloat64(y[i])
		sx.Add(sx, a)
		sy.Add(sy, b)
		sxy.Add(sxy, a.Mul(a, b))
		n.Add(n, big.NewRat(1, 1))
	}
	sx.Quo(sx, n)
	mean, _ = sx.Float64()
	co, _ = sxy.Sub(sxy, sx.Mul(sx, sy)).Float64()
	return mean, co
}

// What a column may hold at most, and least, neither overflows nor vanishes; infinite values leave no mean.
func TestExtremes(t *testing.T) {
	top := math.MaxFloat64
	for _, c := range []struct {
		values   []float64
		mean, co float64
	}{
		{[]float64{-top, top}, 0, math.Inf(1)},
		{[]float64{top, top, top}, top, 0},
		{[]float64{1e150, -1e150, 1e150, -1e150}, 0, 4e300},
		{[]float64{1e-150, -1e-150}, 0, 2e-300},
		{[]float64{5e-324, 5e-324}, 5e-324, 0},
		{[]float64{0x1p-900, 0x1p-900 * 3}, 0x1p-899, 0},
		{[]float64{1, math.Inf(1)}, math.NaN(), math.NaN()},
		{[]float64{math.Inf(-1), math.Inf(-1)}, math.NaN(), math.NaN()},
	} {
		m := of(t, [][]float64{c.values})
		near := func(a, b, by float64) bool { return a == b || a != a && b != b || math.Abs(a-b) <= 1e-14*by }
		most := max(math.Abs(c.values[0]), math.Abs(c.values[1]))
		if mean, co := m.Mean(0, 0), m.Co(0, 0); !near(mean, c.mean, most) || !near(co, c.co, c.co) {
			t.Errorf("%v: mean %v and sum of squares %v, expected %v and %v", c.values, mean, co, c.mean, c.co)
		}
	}
	m := New([]Range{{Lo: 2, Hi: 4}})
	if err := m.Add(context.Background(), [][]float64{{1, 9, 3}}); err != nil || m.Mean(0, 0) != 3 || m.Co(0, 0) != 2 {
		t.Errorf("values outside: mean %v and sum of squares %v, expected 3 and 2", m.Mean(0, 0), m.Co(0, 0))
	}
}

// A column at a billion deviations from zero, whose mean has seven digits, keeps eight of its variance, where the sum
// of squares keeps none; one of equal values has exactly that mean and no variance, whatever the number of blocks.
func TestOffsets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 100_003
	near0, far, tenth, gappy := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		near0[i] = math.Round(r.NormFloat64()*1024) / 1024 // so that 1e9 takes none of its digits
		far[i] = near0[i] + 1e9
		tenth[i], gappy[i] = 0.1, 0.3
		if r.IntN(3) == 0 {
			gappy[i] = math.NaN()
		}
	}
	m := of(t, [][]float64{near0, far, tenth, gappy})
	cov := m.Cov()
	if d := math.Abs(cov.At(1, 1)/cov.At(0, 0) - 1); d > 1e-8 {
		t.Errorf("the variance at 1e9 is off by %v of itself", d)
	}
	if d := math.Abs(m.Means()[1] - 1e9 - m.Means()[0]); d > 1e-6 {
		t.Errorf("the mean at 1e9 is off by %v", d)
	}
	for k, v := range map[int]float64{2: 0.1, 3: 0.3} {
		if m.Means()[k] != v || cov.At(k, k) != 0 || cov.At(k, 2) != 0 {
			t.Errorf("a column of %v has mean %v and variance %v", v, m.Means()[k], cov.At(k, k))
		}
	}
}

// The number of cores changes no bit.
func TestOneCore(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		cols := random(r)
		want := of(t, cols)
		for _, cores := range []int{1, 2, 7} {
			old := runtime.GOMAXPROCS(cores)
			got := of(t, cols)
			runtime.GOMAXPROCS(old)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("on %d cores the moments differ", cores)
			}
		}
	})
}

func TestJSON(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		cols := random(r)
		want := of(t, cols)
		text := must.Get(json.Marshal(want))(t)
		got := &Moments{}
		if err := json.Unmarshal(text, got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: read back as %+v, error %v", text, got, err)
		}
	})
}

func TestNothing(t *testing.T) {
	m := of(t, nil)
	if m.Cov() != nil || len(m.Means()) != 0 || !m.Complete() {
		t.Errorf("no columns have moments %+v", m)
	}
	if m = of(t, [][]float64{{}, {}}); m.Cov().At(0, 1) != 0 || !math.IsNaN(m.Means()[0]) {
		t.Errorf("no records have moments %+v", m)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Of(ctx, [][]float64{{1, 2}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v under a cancelled context", err)
	}
}

// On two cores a million records take 0.3 (6 columns) and 2 (20 columns) of slices.Sort of a million random float64;
// with missing values in half of the 20 columns 4.
func BenchmarkOf(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, 20)
	for k := range cols {
		cols[k] = make([]float64, 1_000_000)
		for i := range cols[k] {
			cols[k][i] = r.NormFloat64()
		}
	}
	for _, p := range []int{6, 20} {
		b.Run(fmt.Sprintf("1Mx%d", p), func(b *testing.B) {
			for b.Loop() {
				of(b, cols[:p])
			}
			yardstick.Report(b)
		})
	}
	for k := range 10 {
		for i := range cols[k] {
			if r.IntN(10) == 0 {
				cols[k][i] = math.NaN()
			}
		}
	}
	b.Run("1Mx20Missing", func(b *testing.B) {
		for b.Loop() {
			of(b, cols)
		}
		yardstick.Report(b)
	})
}
