package moments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/yardstick"
)

func of(t rapid.TB, cols [][]float64) *Moments {
	t.Helper()
	m, err := Of(context.Background(), cols)
	if err != nil {
		t.Fatal(err)
	}
	return m
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

// near compares sums of products of two columns by the size that their rounding errors have.
func near(t rapid.TB, what string, got, want *Moments, tolerance float64) {
	t.Helper()
	for k := range want.P {
		for l := range want.P {
			kl := k*want.P + l
			size := math.Sqrt(want.Co[k*want.P+k]*want.Co[l*want.P+l]) + 1e-300
			spread := math.Sqrt(want.Co[k*want.P+k]/max(1, want.N[k*want.P+k])) + math.Abs(want.Mean[kl])
			if got.N[kl] != want.N[kl] || math.Abs(got.Mean[kl]-want.Mean[kl]) > tolerance*spread ||
				math.Abs(got.Co[kl]-want.Co[kl]) > tolerance*size {
				t.Fatalf(
					"%s, columns %d and %d: n %v, mean %v, co %v; expected %v, %v, %v",
					what,
					k,
					l,
					got.N[kl],
					got.Mean[kl],
					got.Co[kl],
					want.N[kl],
					want.Mean[kl],
					want.Co[kl],
				)
			}
		}
	}
}

func TestDefinition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cols := random(r)
		got, want := of(t, cols), New(len(cols))
		for k := range cols {
			for l := range cols {
				kl := k*len(cols) + l
				want.N[kl], want.Mean[kl], _, want.Co[kl] = pair(cols[k], cols[l])
			}
		}
		near(t, "moments", got, want, tolerance)
		cov, means := got.Cov(), got.Means()
		for k := range cols {
			for l := range cols {
				kl := k*len(cols) + l
				if c := cov.At(k, l); got.N[kl] > 1 && c != got.Co[kl]/(got.N[kl]-1) || got.N[kl] < 2 && c != 0 {
					t.Fatalf("covariance %v of %v records with sum %v", c, got.N[kl], got.Co[kl])
				}
			}
			if n := got.N[k*len(cols)+k]; n == 0 != math.IsNaN(means[k]) {
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

// Any split of the records into parts, merged in order, has the moments of the whole.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cols := random(r)
		n := len(cols[0])
		merged := New(len(cols))
		for lo := 0; lo < n; {
			hi := rapid.IntRange(lo+1, n).Draw(r, "cut")
			part := make([][]float64, len(cols))
			for k := range cols {
				part[k] = cols[k][lo:hi]
			}
			merged.Merge(of(t, part))
			lo = hi
		}
		near(t, "merged", merged, of(t, cols), tolerance)
	})
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
	rapid.Check(t, func(r *rapid.T) {
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
	rapid.Check(t, func(r *rapid.T) {
		cols := random(r)
		want := of(t, cols)
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
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

// On two cores a million records take 0.1 (6 columns) and 0.6 (20 columns) of slices.Sort of a million random float64;
// with missing values in half of the 20 columns 1.5.
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
