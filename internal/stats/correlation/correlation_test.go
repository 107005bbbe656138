package correlation

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var na = math.NaN()

// near allows what rounding leaves: the values of these tests have at most ten digits.
var near = []cmp.Option{cmpopts.EquateApprox(1e-10, 1e-10), cmpopts.EquateNaNs()}

// twin computes the statistics by their definition, pair by pair, on the records that have both values.
func twin(cols [][]float64) *Statistics {
	p := len(cols)
	s := &Statistics{Mean: make([]float64, p), SD: make([]float64, p), Cov: square(p), Corr: square(p)}
	for k := range cols {
		for l := range cols {
			var x, y []float64
			for i := range cols[k] {
				if !math.IsNaN(cols[k][i]) && !math.IsNaN(cols[l][i]) {
					x, y = append(x, cols[k][i]), append(y, cols[l][i])
				}
			}
			s.Cov[k][l], s.Corr[k][l] = na, na
			if len(x) > 1 {
				s.Cov[k][l] = stat.Covariance(x, y, nil)
				if stat.Variance(x, nil) > 0 && stat.Variance(y, nil) > 0 {
					s.Corr[k][l] = stat.Correlation(x, y, nil)
				}
			}
			if k == l {
				s.Mean[k], s.SD[k] = stat.Mean(x, nil), math.Sqrt(s.Cov[k][k])
			}
		}
	}
	return s
}

func of(t testing.TB, cols ...[]float64) *Statistics {
	t.Helper()
	return must.Get(Of(context.Background(), cols))(t)
}

func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 12).Draw(t, "rows")
		value := rapid.Custom(func(t *rapid.T) float64 {
			if v := rapid.IntRange(-1, 5).Draw(t, "value"); v >= 0 {
				return float64(v)
			}
			return na
		})
		var cols [][]float64
		for range 3 {
			cols = append(cols, rapid.SliceOfN(value, rows, rows).Draw(t, "column"))
		}
		got := must.Get(Of(context.Background(), cols))(t)
		if d := cmp.Diff(twin(cols), got, near...); d != "" {
			t.Fatal(d)
		}
	})
}

// TestManyBlocks has several blocks of records, of which the last is short, and values missing in one column only.
func TestManyBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([][]float64, 3)
	for k := range cols {
		cols[k] = make([]float64, 20_497)
	}
	for i := range cols[0] {
		cols[0][i] = 1e6 + r.NormFloat64()
		cols[1][i] = cols[0][i] + 0.5*r.NormFloat64()
		cols[2][i] = r.ExpFloat64()
		if r.IntN(3) == 0 {
			cols[2][i] = na
		}
	}
	got := of(t, cols...)
	if d := cmp.Diff(twin(cols), got, near...); d != "" {
		t.Error(d)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if d := cmp.Diff(of(t, cols...), got); d != "" {
		t.Errorf("one core differs: %s", d)
	}
}

// TestLargeOffset has values whose squares lose all digits of the variance: 1e9+1, 1e9+2, 1e9+3.
func TestLargeOffset(t *testing.T) {
	s := of(t, []float64{1e9 + 1, 1e9 + 2, 1e9 + 3}, []float64{-1e9 + 3, -1e9 + 2, -1e9 + 1})
	if s.Mean[0] != 1e9+2 || s.SD[0] != 1 || math.Abs(s.Corr[0][1]+1) > 1e-15 {
		t.Errorf("mean %v, standard deviation %v, correlation %v; expected 1e9+2, 1, -1", s.Mean[0], s.SD[0], s.Corr[0][1])
	}
}

// TestConstant has columns without variance: 0.1, whose sums are rounded, many times; and one that is constant on the
// records that the other has.
func TestConstant(t *testing.T) {
	tenth, x, part := make([]float64, 10_000), make([]float64, 10_000), make([]float64, 10_000)
	for i := range tenth {
		tenth[i], x[i], part[i] = 0.1, float64(i), na
	}
	part[3], part[7], part[9999] = 1, 2, 5
	gaps := append([]float64(nil), x...)
	gaps[3], gaps[7] = na, na
	s := of(t, tenth, x, part, gaps)
	if s.Mean[0] != 0.1 || s.SD[0] != 0 || !math.IsNaN(s.Corr[0][0]) || !math.IsNaN(s.Corr[0][1]) || s.Cov[0][1] != 0 {
		t.Errorf("constant column: mean %v, standard deviation %v, correlations %v, covariances %v", s.Mean[0], s.SD[0],
			s.Corr[0], s.Cov[0])
	}
	if s.Corr[1][1] != 1 || math.IsNaN(s.Corr[2][1]) || !math.IsNaN(s.Corr[3][2]) || !math.IsNaN(s.Cov[3][2]) {
		t.Errorf("correlations %v; expected one of three records and none of one record", s.Corr)
	}
}

// TestPairwise has three records with both values, on which the correlation is 1 while no column has it over all its
// values.
func TestPairwise(t *testing.T) {
	s := of(t, []float64{1, 2, 3, 9, na}, []float64{2, 4, 6, na, -50})
	if math.Abs(s.Corr[0][1]-1) > 1e-15 || s.Cov[1][0] != 2 || s.Mean[0] != 3.75 {
		t.Errorf("correlation %v, covariance %v, mean %v; expected 1, 2, 3.75", s.Corr[0][1], s.Cov[1][0], s.Mean[0])
	}
}

func TestOfTable(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("a", 0, []float64{1, 2}), table.NumColumn("b", 0, []float64{5, 9}))
	s, err := OfTable(context.Background(), tab, []int{1, 0})
	if err != nil || s.Mean[0] != 7 || s.Mean[1] != 1.5 {
		t.Errorf("means %v, error %v; expected 7, 1.5", s, err)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := Of(context.Background(), make([][]float64, Limit+1)); err == nil {
		t.Error("more than Limit columns are accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Of(ctx, [][]float64{make([]float64, 5000)}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context the error is %v", err)
	}
	if s := of(t); len(s.Mean) != 0 || len(s.Corr) != 0 {
		t.Errorf("no columns give %v", s)
	}
}

func TestFurthest(t *testing.T) {
	a := [][]float64{{1, 0.1, 0.2}, {0.1, 1, math.NaN()}, {0.2, math.NaN(), 1}}
	b := [][]float64{{1, 0.4, 0.9}, {0.4, 1, 0}, {0.9, 0, 1}}
	if i, j, by, ok := Furthest(a, b); i != 2 || j != 0 || math.Abs(by-0.7) > 1e-15 || !ok {
		t.Errorf("%d and %d differ by %v, %v", i, j, by, ok)
	}
	if i, j, by, ok := Furthest(a, a); i != 1 || j != 0 || by != 0 || !ok {
		t.Errorf("of equal matrices %d and %d differ by %v, %v", i, j, by, ok)
	}
	if _, _, _, ok := Furthest([][]float64{{1}}, [][]float64{{1}}); ok {
		t.Error("one column has a pair")
	}
}
