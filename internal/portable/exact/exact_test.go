package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// precision holds all sums of the tests without an error.
const precision = 4400

func big0() *big.Float { return new(big.Float).SetPrec(precision) }

// slow is the sum in math/big.
func slow(terms []float64) float64 {
	s, odd := big0(), 0.0
	for _, v := range terms {
		if v-v != 0 {
			odd += v
			continue
		}
		s.Add(s, big0().SetFloat64(v))
	}
	if odd != 0 {
		return odd
	}
	f, _ := s.Float64()
	return f
}

func same(a, b float64) bool { return a == b || a != a && b != b }

// number draws floats of all sizes: those that cancel, the smallest and the largest.
func number(r *rapid.T) float64 {
	m := rapid.SampledFrom([]float64{0, 1, 0.1, 1.5, 1 - 0x1p-53, 1 + 0x1p-52, 3}).Draw(r, "m")
	e := rapid.OneOf(rapid.IntRange(-3, 3), rapid.IntRange(-60, 60), rapid.IntRange(-1080, -1000),
		rapid.IntRange(1000, 1023), rapid.IntRange(-1080, 1023)).Draw(r, "e")
	if rapid.Bool().Draw(r, "negative") {
		m = -m
	}
	return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, math.Ldexp(m, e)))
}

func TestSum(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		terms := rapid.SliceOf(rapid.Custom(number)).Draw(r, "terms")
		if got, want := Of(terms), slow(terms); got != want {
			t.Fatalf("sum %v, expected %v", got, want)
		}
	})
}

// Terms in any order and in any parts have one sum, bit by bit.
func TestOrder(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		terms := rapid.SliceOfN(rapid.Custom(number), 1, -1).Draw(r, "terms")
		want := Of(terms)
		terms = rapid.Permutation(terms).Draw(r, "order")
		var parts [3]Sum
		for _, v := range terms {
			parts[rapid.IntRange(0, 2).Draw(r, "part")].Add(v)
		}
		before := parts[1]
		parts[0].Merge(&parts[1])
		if parts[1] != before {
			t.Fatal("a sum that was merged into another has changed")
		}
		parts[2].Merge(&parts[0])
		if got := parts[2].Float64(); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("sum %v, expected %v", got, want)
		}
	})
}

// What fills the chunks fastest does not overflow them, nor does it where it cancels.
func TestCarries(t *testing.T) {
	const n = 3*pending + 5
	for _, v := range []float64{1 - 0x1p-53, -(1 - 0x1p-53), math.MaxFloat64 / 8192, 0x1p31 - 0x1p-21, 5e-324, -5e-324} {
		for shift := range 32 {
			var one, list Sum
			x := math.Ldexp(v, -shift)
			terms := make([]float64, n)
			for i := range terms {
				terms[i] = x
				one.Add(x)
			}
			list.AddAll(terms)
			want, _ := new(big.Float).Mul(big0().SetFloat64(x), big0().SetInt64(n)).Float64()
			if one.Float64() != want || list.Float64() != want {
				t.Fatalf("%d times %v: %v and %v, expected %v", n, x, one.Float64(), list.Float64(), want)
			}
			for range n {
				one.Add(-x)
			}
			if got := one.Float64(); got != 0 || math.Signbit(got) {
				t.Fatalf("%d times %v and %v: %v", n, x, -x, got)
			}
			for range 2*pending + 1 {
				one.Merge(&list)
			}
			list = Sum{}
			list.AddAll(terms[:pending]) // as much as goes in without a carry
			one.Merge(&list)
			one.AddAll(terms[:pending])
			times := big0().SetInt64(n*(2*pending+1) + 2*pending)
			if want, _ := new(big.Float).Mul(big0().SetFloat64(x), times).Float64(); one.Float64() != want {
				t.Fatalf("merges of %v: %v, expected %v", x, one.Float64(), want)
			}
		}
	}
}

// Ties go to the even neighbour, and a bit far below them decides.
func TestRounding(t *testing.T) {
	for _, e := range []int{-1022, -1011, -1010, -1000, -32, 0, 1, 31, 970} {
		for _, odd := range []float64{0, 1} {
			at, half := math.Ldexp(1+odd*0x1p-52, e), math.Ldexp(1, e-53)
			for _, rest := range []float64{0, 5e-324, -5e-324} {
				for _, sign := range []float64{1, -1} {
					terms := []float64{sign * at, sign * half, sign * rest}
					if got, want := Of(terms), slow(terms); got != want {
						t.Errorf("%v: %v, expected %v", terms, got, want)
					}
				}
			}
		}
	}
}

func TestEndless(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	top := math.MaxFloat64
	for _, c := range []struct {
		terms []float64
		want  float64
	}{
		{nil, 0},
		{[]float64{math.Copysign(0, -1)}, 0},
		{[]float64{1, inf}, inf},
		{[]float64{-inf, 1, -inf}, -inf},
		{[]float64{inf, 1, -inf}, nan},
		{[]float64{nan, 1}, nan},
		{[]float64{nan, inf}, nan},
		{[]float64{top, top}, inf},
		{[]float64{-top, -top}, -inf},
		{[]float64{top, top, -top}, top},
		{[]float64{top, 0x1p969}, top},
		{[]float64{top, 0x1p970}, inf},
		{[]float64{top, 0x1p970, -5e-324}, top},
	} {
		if got := Of(c.terms); !same(got, c.want) {
			t.Errorf("%v: %v, expected %v", c.terms, got, c.want)
		}
		var a, b Sum
		for i, v := range c.terms {
			[]*Sum{&a, &b}[i&1].Add(v)
		}
		a.Merge(&b)
		if got := a.Float64(); !same(got, c.want) {
			t.Errorf("%v merged: %v, expected %v", c.terms, got, c.want)
		}
	}
}

// Products are rounded one by one, and then summed without an error.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		x, y, terms := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = math.Ldexp(r.NormFloat64(), r.IntN(800)-400), math.Ldexp(r.NormFloat64(), r.IntN(200)-100)
			terms[i] = x[i] * y[i]
		}
		var s Sum
		s.AddProducts(x, y)
		if want := slow(terms); s.Float64() != want {
			t.Fatalf("sum of %d products %v, expected %v", n, s.Float64(), want)
		}
	}
}

// The mean is the true one, rounded, wherever the values stand.
func TestMean(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 100; n++ {
		for _, offset := range []float64{0, 1e9, -1e15, 0.1} {
			x, sum := make([]float64, n), big0()
			for i := range x {
				x[i] = offset + r.NormFloat64()*float64(n&1)
				sum.Add(sum, big0().SetFloat64(x[i]))
			}
			want, _ := big0().Quo(sum, big0().SetInt64(int64(n))).Float64()
			if got := Mean(x); got != want {
				t.Errorf("mean of %d values at %v: %v, expected %v", n, offset, got, want)
			}
		}
	}
	if !math.IsNaN(Mean(nil)) {
		t.Errorf("nothing has the mean %v", Mean(nil))
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x30\x3c\x01\x00\x00\x00\x00\x00\x00\x80"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var terms []float64
		var a, b Sum
		for ; len(data) >= 8; data = data[8:] {
			x := uint64(0)
			for i, c := range data[:8] {
				x |= uint64(c) << (8 * i)
			}
			v := math.Float64frombits(x)
			terms = append(terms, v)
			if x&1 == 0 {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		a.Merge(&b)
		if got, again, want := a.Float64(), Of(terms), slow(terms); !same(got, want) || !same(again, want) {
			t.Fatalf("%v: %v and %v, expected %v", terms, got, again, want)
		}
	})
}

func BenchmarkSum(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1<<20)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	b.Run("1M", func(b *testing.B) {
		for b.Loop() {
			Of(x)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/term")
	})
	b.Run("add", func(b *testing.B) {
		var s Sum
		for b.Loop() {
			for _, v := range x {
				s.Add(v)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/term")
	})
	b.Run("products", func(b *testing.B) {
		var s Sum
		for b.Loop() {
			s.AddProducts(x, x)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/term")
	})
	b.Run("plain", func(b *testing.B) {
		s := 0.0
		for b.Loop() {
			for _, v := range x {
				s += v
			}
		}
		if s == 1 {
			b.Fatal()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/term")
	})
	b.Run("10", func(b *testing.B) {
		for b.Loop() {
			Of(x[:10])
		}
	})
}

// The sums of groups are those of their members, wherever these stand.
func TestGroups(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		groups := rapid.IntRange(1, 5).Draw(r, "groups")
		values := rapid.SliceOf(rapid.Custom(number)).Draw(r, "values")
		of, sums := make([]int32, len(values)), make([]Sum, groups)
		for i, v := range values {
			of[i] = int32(rapid.IntRange(0, groups-1).Draw(r, "group"))
			sums[of[i]].Add(v)
		}
		if got, want := ByGroup(of, values, groups), Rounded(sums); !slices.Equal(got, want) {
			t.Fatalf("sums %v, expected %v", got, want)
		}
	})
}

func TestKnown(t *testing.T) {
	var s Sum
	x := make([]float64, 200)
	for i := range x {
		if x[i] = 1; i%3 == 0 {
			x[i] = math.NaN()
		}
	}
	if n := s.AddKnown(x); n != 133 || s.Float64() != 133 || OfKnown(x) != 133 {
		t.Errorf("%d known values with the sums %v and %v, expected 133", n, s.Float64(), OfKnown(x))
	}
}

// Sums of whole numbers, and what they deviate by, are those of math/big, rounded.
func TestWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + r.IntN(20)
		a, b := make([]uint64, n), make([]uint64, n)
		var x, y, squares Whole
		sx, sy, sxy := new(big.Int), new(big.Int), new(big.Int)
		offset := uint64(1) << r.IntN(47)
		for i := range a {
			a[i], b[i] = offset+r.Uint64N(1<<r.IntN(47)), offset+r.Uint64N(1<<r.IntN(47))
			x, y, squares = x.Plus(Whole{0, a[i]}), y.Plus(Whole{0, b[i]}), squares.PlusProduct(a[i], b[i])
			u, v := new(big.Int).SetUint64(a[i]), new(big.Int).SetUint64(b[i])
			sx.Add(sx, u)
			sy.Add(sy, v)
			sxy.Add(sxy, u.Mul(u, v))
		}
		times := uint64(1) << r.IntN(28) // as many records of each kind
		w := Whole{0, times}
		for _, s := range []*Whole{&x, &y, &squares} {
			p := s.times(w)
			*s = Whole{p[1], p[2]}
		}
		many := new(big.Int).SetUint64(times)
		for _, s := range []*big.Int{sx, sy, sxy} {
			s.Mul(s, many)
		}
		all := new(big.Int).Mul(big.NewInt(int64(n)), many)
		d := new(big.Rat).SetFrac(sx.Mul(sx, sy), all)
		want, _ := d.Sub(new(big.Rat).SetInt(sxy), d).Float64()
		if got := Deviation(all.Uint64(), squares, x, y); math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Fatalf("%d records: deviation %v, expected %v", all, got, want)
		}
		if times == 1 && Dot(a, b) != squares {
			t.Fatalf("sum of products %v, expected %v", Dot(a, b), squares)
		}
	}
}
