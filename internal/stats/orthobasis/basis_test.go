package orthobasis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// normals returns p columns of n normals.
func normals(r *rand.Rand, p, n int) [][]float64 {
	out := mmap.Columns(nil, p, n)
	for _, c := range out {
		for i := range c {
			c[i] = r.NormFloat64()
		}
	}
	return out
}

// basis returns the orthonormal columns themselves.
func (b *Basis) basis(t fataler) [][]float64 {
	t.Helper()
	p := len(b.Mean)
	q, one := mmap.Columns(nil, p, b.N), mat.NewDense(p, p, nil)
	for j := range p {
		one.Set(j, j, 1)
	}
	must.NoError(t, b.Map(context.Background(), q, make([]float64, p), one))
	return q
}

func of(t fataler, cols [][]float64) *Basis {
	t.Helper()
	return must.Get(Of(context.Background(), cols))(t)
}

// check returns how far the basis is from orthonormal, and the product from the columns, in standard deviations.
func (b *Basis) check(t fataler) (orthonormal, product float64) {
	t.Helper()
	q := b.basis(t)
	for i := range q {
		orthonormal = max(orthonormal, math.Abs(floats.Sum(q[i])))
		for j := range i + 1 {
			want := 0.0
			if i == j && b.Kept[i] {
				want = 1
			}
			orthonormal = max(orthonormal, math.Abs(floats.Dot(q[i], q[j])-want))
		}
	}
	back := mmap.Columns(nil, len(q), b.N)
	must.NoError(t, b.Map(context.Background(), back, b.Mean, b.R))
	for j, c := range b.cols {
		size := max(math.Sqrt(b.Cov(j, j)), math.Abs(b.Mean[j])*1e-3)
		for i, v := range c {
			if v != back[j][i] {
				product = max(product, math.Abs(v-back[j][i])/size)
			}
		}
	}
	return orthonormal, product
}

// Columns that depend on each other to any degree, on scales that differ by up to 10^200 and far from zero, have an
// orthonormal basis and are its product with R.
func TestBasisProperties(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 8).Draw(t, "columns"), rapid.IntRange(1, 60).Draw(t, "rows")
		cols := normals(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), p, n)
		for j := range cols {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0: // nearly the sum of the others before it
				floats.Scale(math.Pow(10, -rapid.Float64Range(0, 18).Draw(t, "rest")), cols[j])
				for i := range j {
					floats.AddScaled(cols[j], 1/floats.Max([]float64{1e-300, floats.Norm(cols[i], 2)}), cols[i])
				}
			case 1:
				for i := range cols[j] {
					cols[j][i] = 7
				}
			case 2:
				copy(cols[j], cols[0])
			case 3:
				floats.Scale(math.Pow(10, rapid.Float64Range(-100, 100).Draw(t, "scale")), cols[j])
			case 4:
				floats.AddConst(rapid.Float64Range(-1000, 1000).Draw(t, "centre"), cols[j])
			}
		}
		b := must.Get(Of(context.Background(), cols))(t)
		if rank := b.Rank(0, p); rank > max(0, n-1) {
			t.Fatalf("%d records have rank %d", n, rank)
		}
		if o, r := b.check(t); o > 1e-13 || r > 1e-12 {
			t.Fatalf("off orthonormal by %.3g, the product off by %.3g; kept %v", o, r, b.Kept)
		}
	})
}

// fataler is a test or a rapid check.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// The factor is that of Householder's method on the centred columns, with positive diagonal.
func TestTwinHouseholder(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 7).Draw(t, "columns")
		n := p + 1 + rapid.IntRange(1, 50).Draw(t, "more rows")
		cols := normals(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)), p, n)
		centred := mat.NewDense(n, p, nil)
		for j, c := range cols {
			floats.AddConst(10, c)
			for i, v := range c {
				centred.Set(i, j, v-floats.Sum(c)/float64(n))
			}
		}
		var qr mat.QR
		var r mat.Dense
		qr.Factorize(centred)
		qr.RTo(&r)
		b := of(t, cols)
		for i := range p {
			for j := i; j < p; j++ {
				want := r.At(i, j) * math.Copysign(1, r.At(i, i))
				if got := b.R.At(i, j); math.Abs(got-want) > 1e-11*math.Sqrt(float64(n)) || i == j && got < 0 {
					t.Fatalf("R[%d][%d] is %v, expected %v", i, j, got, want)
				}
			}
		}
	})
}

// 40,000 records are three stripes: sums and orthogonality stay exact, and do not depend on the number of cores.
func TestStripes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cols := normals(r, 5, 40_000)
	floats.AddScaled(cols[2], 1e4, cols[0])
	floats.AddConst(1e6, cols[1])
	copy(cols[4], cols[3])
	floats.AddScaled(cols[4], -2, cols[0])
	b := of(t, cols)
	if o, p := b.check(t); o > 1e-13 || p > 1e-12 {
		t.Errorf("off orthonormal by %.3g, the product off by %.3g", o, p)
	}
	if want := []bool{true, true, true, true, false}; !slices.Equal(b.Kept, want) {
		t.Errorf("kept %v, expected %v", b.Kept, want)
	}
	q := b.basis(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := of(t, cols)
	if fmt.Sprint(mat.Formatted(one.R)) != fmt.Sprint(mat.Formatted(b.R)) || !mat.Equal(one.R, b.R) {
		t.Error("R depends on the number of cores")
	}
	for j, c := range one.basis(t) {
		if !slices.Equal(c, q[j]) {
			t.Errorf("column %d of the basis depends on the number of cores", j)
		}
	}
}

// What is left of a column is found however little it is, down to rounding.
func TestNearlyCollinear(t *testing.T) {
	for e := 0; e <= 20; e++ {
		cols := normals(rand.New(rand.NewPCG(3, 4)), 3, 200)
		rest := math.Pow(10, -float64(e))
		for i := range cols[1] {
			cols[1][i] = cols[0][i] + rest*cols[1][i]
		}
		b := of(t, cols)
		if kept := e <= 12; e != 13 && b.Kept[1] != kept {
			t.Errorf("with 1e-%d of its own a column is kept: %v", e, b.Kept[1])
		}
		if o, p := b.check(t); o > 1e-13 || p > 1e-13*10 {
			t.Errorf("1e-%d: off orthonormal by %.3g, the product off by %.3g", e, o, p)
		}
	}
}

// Rounding that is left of a column, and that the Gram matrix does not tell from something, is not taken off the next
// one.
func TestRoundingIsNoColumn(t *testing.T) {
	for run := range 50 {
		cols := normals(random(run), 5, 7)
		for j, rest := range []float64{1, 0.1, 0.002, 0, 0.1} {
			floats.Scale(rest, cols[j])
			for i := range j {
				floats.AddScaled(cols[j], 1/floats.Norm(cols[i], 2), cols[i])
			}
		}
		copy(cols[3], cols[0])
		b := of(t, cols)
		if o, p := b.check(t); o > 1e-13 || p > 1e-12 || b.Kept[3] {
			t.Errorf("run %d: off orthonormal by %.3g, the product off by %.3g; kept %v", run, o, p, b.Kept)
		}
	}
}

func TestNothingToFactorise(t *testing.T) {
	if b := of(t, nil); b.N != 0 || b.Rank(0, 0) != 0 {
		t.Errorf("no columns have the basis %+v", b)
	}
	b := of(t, [][]float64{{}, {}})
	if b.Rank(0, 2) != 0 || b.Cov(0, 1) != 0 {
		t.Errorf("columns without records have rank %d", b.Rank(0, 2))
	}
	b = of(t, [][]float64{{5}, {math.MaxFloat64}})
	if b.Rank(0, 2) != 0 || b.Mean[0] != 5 || b.Mean[1] != math.MaxFloat64 {
		t.Errorf("one record has rank %d and means %v", b.Rank(0, 2), b.Mean)
	}
}

// The largest and the smallest numbers neither overflow nor vanish.
func TestExtremes(t *testing.T) {
	m := math.MaxFloat64 / 8
	b := of(t, [][]float64{{m, -m, m, m / 2}, {5e-324, 0, 0, 1e-323}, {1, 2, 4, 8}})
	if b.Rank(0, 3) != 3 {
		t.Errorf("kept %v", b.Kept)
	}
	if o, _ := b.check(t); o > 1e-14 {
		t.Errorf("off orthonormal by %v", o)
	}
	for _, v := range append(slices.Clone(b.R.RawMatrix().Data), b.Mean...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("means %v, R %v", b.Mean, b.R.RawMatrix().Data)
			break
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Of(ctx, [][]float64{{1, 2, 3}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
	if _, err := Of(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context without columns gives %v", err)
	}
}

// The share that earlier columns explain is that of the regression: here half, exactly.
func TestExplained(t *testing.T) {
	b := of(t, [][]float64{{1, -1, 1, -1}, {2, 0, 0, -2}, {3, 3, 3, 3}})
	for j, want := range []float64{0, 0.5, 1} {
		lo := min(j, 1)
		if got := b.Explained(j, lo); math.Abs(got-want) > 1e-15 {
			t.Errorf("columns before %d explain %v of column %d, expected %v", lo, got, j, want)
		}
	}
	if got := b.Cov(0, 1); math.Abs(got-4.0/3) > 1e-15 {
		t.Errorf("covariance %v", got)
	}
}
