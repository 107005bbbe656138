package transition

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
)

// near fails unless two lists of numbers agree.
func near(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if !floats.EqualApprox(got, want, tolerance) {
		t.Errorf("%s: %v, expected %v", what, got, want)
	}
}

// random draws a matrix that can be undone, and positive counts.
func random(r *rapid.T) (Matrix, []float64) {
	k := rapid.IntRange(1, 6).Draw(r, "categories")
	m, counts := zeros(k), make([]float64, k)
	for x, row := range m {
		for y := range row {
			row[y] = float64(rapid.IntRange(0, 9).Draw(r, "weight"))
		}
		row[x] += 9 * float64(k) // the diagonal dominates
		floats.Scale(1/floats.Sum(row), row)
		counts[x] = float64(rapid.IntRange(0, 50).Draw(r, "count"))
	}
	return m, counts
}

// The checked numbers of the two-category example: counts (110, 90), p = 0.9.
func TestTwoCategories(t *testing.T) {
	m, counts := Uniform(2, 0.9), []float64{110, 90}
	near(t, "expected", m.Expected(counts), []float64{108, 92}, 1e-12)
	r := m.Invariant(counts, 1)
	near(t, "first row", r[0], []float64{0.83696, 0.16304}, 5e-6)
	near(t, "second row", r[1], []float64{0.19928, 0.80072}, 5e-6)
	near(t, "expected by R", r.Expected(counts), counts, 1e-12)
	if truth := m.Reverse(counts)[1][1]; math.Abs(truth-0.9*90/92) > 1e-12 {
		t.Errorf("P(original | released) = %v, expected p T / sum of p T", truth)
	}
}

func TestBuilders(t *testing.T) {
	near(t, "uniform", Uniform(3, 0.8)[1], []float64{0.1, 0.8, 0.1}, 1e-15)
	near(t, "decay", Decay(4, 0.3, 0.5)[0], []float64{0.3, 0.4, 0.2, 0.1}, 1e-15)
	near(t, "neighbours", Decay(4, 0.3, 0)[2], []float64{0, 0.35, 0.3, 0.35}, 1e-15)
	near(t, "one", Uniform(1, 0.2)[0], []float64{1}, 0)
	for k := range 6 {
		for _, m := range []Matrix{Uniform(k, 0.7), Decay(k, 0.4, 0.3), Decay(k, 0, 1), Uniform(k, 1)} {
			if err := m.Check(k); err != nil {
				t.Error(err)
			}
		}
	}
	if keep, ok := Uniform(5, 0.3).Keep(); !ok || keep != 0.3 {
		t.Errorf("Keep is %v, %v", keep, ok)
	}
	if _, ok := Decay(3, 0.3, 0.5).Keep(); ok {
		t.Error("a decaying matrix counts as uniform")
	}
}

// TestEpsilon: a matrix bounds the odds by its largest ratio within a column, whichever column that is; a zero beside a
// probability leaves no bound, and a column of zeros takes none away.
func TestEpsilon(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		m    Matrix
		want float64
	}{
		{Matrix{{1}}, 0}, {nil, 0},
		{Uniform(2, 0.9), math.Log(9)}, {Uniform(5, 0.2), 0}, {Uniform(7, 0.1), Epsilon(7, 0.1)}, {Uniform(3, 1), inf},
		{Matrix{{0.5, 0.3, 0.2}, {0.4, 0.2, 0.4}, {0.1, 0.5, 0.4}}, math.Log(5)},
		{Matrix{{0.25, 0.75}, {0.5, 0.5}}, math.Log(2)},
		{Matrix{{0, 0.5, 0.5}, {0, 0.25, 0.75}, {0, 0.5, 0.5}}, math.Log(2)},
		{Matrix{{0.5, 0.5, 0}, {0.25, 0.5, 0.25}, {0.25, 0.5, 0.25}}, inf},
	} {
		if got := c.m.Epsilon(); got != c.want && !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%v has the epsilon %v, expected %v", c.m, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for name, m := range map[string]Matrix{
		"short": {{1}}, "ragged": {{1, 0}, {1}}, "negative": {{1.5, -0.5}, {0, 1}}, "sum": {{0.5, 0.4}, {0, 1}},
		"none": {{math.NaN(), 1}, {0, 1}},
	} {
		if m.Check(2) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Estimates undo expectations, in one attribute and in two, and agree with explicit inverses.
func TestEstimatesUndo(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		px, tx := random(r)
		py, ty := random(r)
		got := must.Get(px.Estimate(px.Expected(tx)))(r)
		near(t, "counts", got, tx, 1e-7)
		cells := make([][]float64, len(tx))
		for x := range cells {
			for y := range ty {
				cells[x] = append(cells[x], tx[x]+ty[y]*float64(x+1))
			}
		}
		released := ExpectedTable(px, cells, py)
		back := must.Get(EstimateTable(px, released, py))(r)
		for x := range cells {
			near(t, "table", back[x], cells[x], 1e-7)
			for y := range ty { // by brute force
				sum := 0.0
				for u := range cells {
					for v := range ty {
						sum += cells[u][v] * px[u][x] * py[v][y]
					}
				}
				near(t, "expected table", released[x][y:y+1], []float64{sum}, 1e-7)
			}
		}
	})
}

// A matrix of which two rows are equal cannot be undone.
func TestSingular(t *testing.T) {
	m := Uniform(2, 0.5)
	if _, err := m.Estimate([]float64{1, 2}); err == nil {
		t.Error("counts are estimated")
	}
	if _, err := EstimateTable(m, [][]float64{{1, 2}, {3, 4}}, m); err == nil {
		t.Error("a table is estimated")
	}
	if c := m.Condition(); c < 1e15 {
		t.Errorf("the condition number is %v", c)
	}
	if c := Uniform(4, 0.7).Condition(); math.Abs(c-1/0.6) > 1e-9 { // eigenvalues 1 and (4 * 0.7 - 1)/3
		t.Errorf("the condition number is %v, expected %v", c, 1/0.6)
	}
}

// The invariant matrix keeps counts, is a matrix, and leaves alone what has none, softened or not.
func TestInvariant(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		m, counts := random(r)
		for _, alpha := range []float64{0, 0.5, 1} {
			inv := m.Invariant(counts, alpha)
			must.NoError(r, inv.Check(len(counts)))
			near(t, "counts", inv.Expected(counts), counts, 1e-9)
			for k, c := range counts {
				for l := range counts {
					if c == 0 && k != l && (inv[k][l] != 0 || inv[l][k] != 0) {
						r.Fatalf("category %d has no counts and takes part", k)
					}
				}
			}
			if alpha == 0 && inv.Kept(counts) != 1 {
				r.Fatal("alpha 0 changes values")
			}
		}
		if q := m.Reverse(counts); q.Check(len(counts)) != nil {
			r.Fatal("the reverse is no matrix")
		}
	})
}

// The covariance of the counts agrees with that of the sum over all outcomes of the single records, enumerated.
func TestCovariance(t *testing.T) {
	m, counts := Matrix{{0.7, 0.2, 0.1}, {0.1, 0.6, 0.3}, {0.25, 0.25, 0.5}}, []float64{2, 1, 1}
	records := []int{0, 0, 1, 2}
	mean, square := make([]float64, 3), mat.NewSymDense(3, nil)
	for s := range 81 {
		p, n := 1.0, make([]float64, 3)
		for i, x := range records {
			y := s / int(math.Pow(3, float64(i))) % 3
			p *= m[x][y]
			n[y]++
		}
		floats.AddScaled(mean, p, n)
		square.SymRankOne(square, p, mat.NewVecDense(3, n))
	}
	near(t, "mean", m.Expected(counts), mean, 1e-12)
	square.SymRankOne(square, -1, mat.NewVecDense(3, mean))
	if got := m.Covariance(counts); !mat.EqualApprox(got, square, 1e-12) {
		t.Errorf("%v, expected %v", mat.Formatted(got), mat.Formatted(square))
	}
}

// Clip keeps the sum; expectation and maximisation finds the inverse where that is positive, and no negative count
// elsewhere.
func TestClipAndLikeliest(t *testing.T) {
	near(t, "clip", Clip([]float64{-10, 60, 50}), []float64{0, 60 * 100. / 110, 50 * 100. / 110}, 1e-12)
	near(t, "clip all", Clip([]float64{-1, -2}), []float64{0, 0}, 0)
	m := Uniform(3, 0.8)
	near(t, "likeliest", m.Likeliest(m.Expected([]float64{20, 30, 50}), 10_000), []float64{20, 30, 50}, 1e-4)
	got := m.Likeliest([]float64{0, 40, 60}, 10_000)
	if floats.Min(got) < 0 || math.Abs(floats.Sum(got)-100) > 1e-6 || got[0] > 1e-3 {
		t.Errorf("likeliest %v", got)
	}
}

// Sure and Kept are what enumeration gives.
func TestSure(t *testing.T) {
	m, counts := Uniform(2, 0.9), []float64{110, 90}
	least, most := m.Sure(counts)
	near(t, "sure", []float64{least, most, m.Kept(counts)}, []float64{81. / 92, 99. / 108, 0.9}, 1e-12)
	if least, most := m.Sure([]float64{0, 0}); least != 1 || most != 1 || m.Kept([]float64{0, 0}) != 1 {
		t.Error("without records nothing is at risk")
	}
}

// The alias tables hold the probabilities exactly: every cell's threshold and alias, added up.
func TestSamplerIsExact(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		m, _ := random(r)
		s := m.Sampler()
		for x, row := range m {
			got := make([]float64, len(row))
			for y := range row {
				c, stays := s.cells[x*s.k+y], 0.0
				if stays = math.Ldexp(float64(c.threshold), -64); c.alias == int32(y) {
					stays = 1
				}
				got[y] += stays / float64(len(row))
				got[c.alias] += (1 - stays) / float64(len(row))
			}
			near(t, "probabilities", got, row, 1e-12)
		}
	})
}

// What has no probability is never drawn, at either end of both words.
func TestSamplerNeverDrawsTheImpossible(t *testing.T) {
	m := Matrix{{0.1, 0.2, 0.7, 0}, {0, 0, 0, 1}, {1. / 3, 1. / 3, 1. / 3, 0}, {0, 0.9, 0, 0.1}}
	s, r := m.Sampler(), rand.New(rand.NewPCG(1, 2))
	words := []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1, 1 << 63}
	for range 10_000 {
		words = append(words, r.Uint64())
	}
	for x := range m {
		for k, w := range words {
			for _, b := range []rng.Block{{A: w, B: words[len(words)-1-k]}, {A: words[k/2], B: w}} {
				if y := s.Draw(int32(x), b); m[x][y] == 0 {
					t.Fatalf("%d is released as %d by %v", x, y, b)
				}
			}
		}
	}
}

// A draw takes about 3 ns.
func BenchmarkDraw(b *testing.B) {
	s := Uniform(40, 0.8).Sampler()
	stream := rng.New([32]byte{1}).Stream()
	blocks := make([]rng.Block, 4096)
	stream.Fill(blocks, 0)
	sum, i := int32(0), 0
	for b.Loop() {
		sum += s.Draw(sum&31, blocks[i&4095])
		i++
	}
	yardstick.Report(b)
}
