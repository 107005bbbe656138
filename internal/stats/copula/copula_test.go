package copula_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/copula"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/must"
)

func columns(r *rand.Rand, k, n int) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, n)
		for i := range out[j] {
			out[j][i] = r.NormFloat64()
		}
	}
	return out
}

func drawn(t *testing.T, u, z, given [][]float64, dial []float64) [][]float64 {
	t.Helper()
	y := columns(rand.New(rand.NewPCG(0, 0)), len(dial), len(u[0]))
	must.NoError(t, copula.Draw(nil, y, z, rank.OfAll(u), given, dial))
	return y
}

// With nothing given and independent columns the draws are, to the chance correlations of the sample, the normals that
// they are made of. Given a group, their mean in it is that of the original scores. Its standard error is below
// 1/sqrt(25000) = 0.0063; a right program is five of them off once in 1.7 million, for each of the four.
func TestDraw(t *testing.T) {
	const n = 100_000
	r := rand.New(rand.NewPCG(1, 2))
	u, z := columns(r, 2, n), columns(r, 1, n)
	group := make([]float64, n)
	for i := range group {
		if i%4 == 0 {
			group[i] = 1
		}
	}
	for i, v := range drawn(t, u, z, nil, []float64{0})[0] {
		if math.Abs(v-z[0][i]) > 0.05*max(1, math.Abs(z[0][i])) {
			t.Fatalf("record %d: %v is drawn of %v", i, v, z[0][i])
		}
	}
	for i, g := range group {
		u[0][i] = math.Exp(u[0][i] + 2*g)
	}
	x := rank.Of(u[0]).NormalScores()
	for _, a := range []float64{0, 0.4} {
		y := drawn(t, u, z, [][]float64{group}, []float64{a})[0]
		for g := range 2 {
			var was, is []float64
			for i, v := range group {
				if v == float64(g) {
					was, is = append(was, x[i]), append(is, y[i])
				}
			}
			if got, want := stat.Mean(is, nil), stat.Mean(was, nil); math.Abs(got-want) > 0.032 {
				t.Errorf("dial %v, group %d: mean %.3f, of the original scores %.3f", a, g, got, want)
			}
		}
	}
}

// A missing value of what is given is left out of the condition, and a column that is missing everywhere has no
// influence.
func TestMissing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	u, z := columns(r, 1, 50), columns(r, 1, 50)
	void := make([]float64, 50)
	for i := range void {
		void[i] = math.NaN()
	}
	part := columns(r, 1, 50)[0]
	part[3] = math.NaN()
	u[0][7] = math.NaN()
	y := drawn(t, u, z, [][]float64{void, part}, []float64{0})[0]
	if y[3] != z[0][3] || y[7] == y[7] || y[4] != y[4] {
		t.Errorf("records 3, 4 and 7 become %v, %v and %v", y[3], y[4], y[7])
	}
	if y, same := drawn(t, u, z, [][]float64{void}, []float64{0})[0],
		drawn(t, u, z, nil, []float64{0})[0]; y[3] != same[3] {
		t.Errorf("a void column turns %v into %v", same[3], y[3])
	}
}

// Shares that no joint law has are refused.
func TestContradiction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	u := columns(r, 2, 100)
	for i, v := range u[0] {
		u[1][i] = v + u[1][i]/100
	}
	if err := copula.Draw(nil, columns(r, 2, 100), columns(r, 2, 100), rank.OfAll(u), nil, []float64{0, 0.9}); err == nil {
		t.Error("a dial that contradicts the correlations is accepted")
	}
}

// Of 13 columns that are nearly one, 5,000 records tell of a column how much they leave open: it is that one plus as
// much noise, so half. The ranks of 20 records contradict each other so far that the draws would be extremes.
func TestOpen(t *testing.T) {
	for n, contradict := range map[int]bool{20: true, 5000: false} {
		r := rand.New(rand.NewPCG(3, 4))
		base, u := columns(r, 1, n)[0], columns(r, 14, n)
		for j, col := range u {
			noise := 0.1
			if j == 0 {
				noise = 1
			}
			for i := range col {
				col[i] = base[i] + noise*col[i]
			}
		}
		open, spread, err := copula.Open(rank.OfAll(u), nil, 1)
		must.NoError(t, err)
		if spread[0] > 1.5 != contradict || !contradict && (math.Abs(open[0]-0.5) > 0.05 || math.Abs(spread[0]-1) > 0.05) {
			t.Errorf("%d records leave %v open, and the draws have the variances %v", n, open, spread)
		}
	}
}
