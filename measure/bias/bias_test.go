package bias

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) { measuretest.Run(t, Measure) }

func tableOf(t testing.TB, columns ...[]float64) *table.Table {
	t.Helper()
	var cols []table.Column
	for k, v := range columns {
		cols = append(cols, table.NumColumn(string(rune('a'+k)), 0, v))
	}
	tab, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// twin computes the moments of the definition, pair by pair, on the records that have both values.
func twin(columns [][]float64) moments {
	p := len(columns)
	m := moments{mean: make([]float64, p), sd: make([]float64, p), corr: make([][]float64, p)}
	for k := range columns {
		m.corr[k] = make([]float64, p)
		for l := range columns {
			var x, y []float64
			for i := range columns[k] {
				if !math.IsNaN(columns[k][i]) && !math.IsNaN(columns[l][i]) {
					x, y = append(x, columns[k][i]), append(y, columns[l][i])
				}
			}
			m.corr[k][l] = math.NaN()
			if len(x) > 1 && stat.Variance(x, nil) > 0 && stat.Variance(y, nil) > 0 {
				m.corr[k][l] = stat.Correlation(x, y, nil)
			}
			if k == l {
				m.mean[k], m.sd[k] = stat.MeanStdDev(x, nil)
				if len(x) == 1 {
					m.sd[k] = math.NaN()
				}
			}
		}
	}
	return m
}

var near = []cmp.Option{cmpopts.EquateApprox(1e-10, 1e-10), cmpopts.EquateNaNs(), cmp.AllowUnexported(moments{})}

func TestMomentsEqualTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 12).Draw(t, "rows")
		value := rapid.Custom(func(t *rapid.T) float64 {
			v := rapid.IntRange(-1, 5).Draw(t, "value")
			if v < 0 {
				return math.NaN()
			}
			return float64(v)
		})
		var columns [][]float64
		var cols []table.Column
		for _, name := range []string{"a", "b", "c"} {
			v := rapid.SliceOfN(value, rows, rows).Draw(t, name)
			columns = append(columns, v)
			cols = append(cols, table.NumColumn(name, 1, v))
		}
		tab, _ := table.New(cols...)
		got, err := momentsOf(context.Background(), tab, []int{0, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(twin(columns), got, near...); d != "" {
			t.Fatal(d)
		}
	})
}

// TestManyBlocks has several blocks of records, of which the last is short, and values missing in one column only.
func TestManyBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	columns := make([][]float64, 3)
	for k := range columns {
		columns[k] = make([]float64, 5*block+17)
	}
	for i := range columns[0] {
		columns[0][i] = 1e6 + r.NormFloat64()
		columns[1][i] = columns[0][i] + 0.5*r.NormFloat64()
		columns[2][i] = r.ExpFloat64()
		if r.IntN(3) == 0 {
			columns[2][i] = math.NaN()
		}
	}
	tab := tableOf(t, columns...)
	got, err := momentsOf(context.Background(), tab, []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(twin(columns), got, near...); d != "" {
		t.Error(d)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, _ := momentsOf(context.Background(), tab, []int{0, 1, 2})
	if d := cmp.Diff(one, got, cmp.AllowUnexported(moments{})); d != "" {
		t.Errorf("one core differs: %s", d)
	}
}

// TestLargeOffset has values whose squares lose all digits of the variance: 1e9+1, 1e9+2, 1e9+3.
func TestLargeOffset(t *testing.T) {
	tab := tableOf(t, []float64{1e9 + 1, 1e9 + 2, 1e9 + 3}, []float64{-1e9 + 3, -1e9 + 2, -1e9 + 1})
	m, err := momentsOf(context.Background(), tab, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if m.mean[0] != 1e9+2 || m.sd[0] != 1 || math.Abs(m.corr[0][1]+1) > 1e-15 {
		t.Errorf("mean %v, standard deviation %v, correlation %v; expected 1e9+2, 1, -1", m.mean[0], m.sd[0], m.corr[0][1])
	}
}

func take(t *testing.T, r *measure.Release) (measure.Value, error) {
	t.Helper()
	return Measure.New().Measure(context.Background(), r, rng.Source{})
}

func TestScore(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	constant := []float64{7, 7, 7, 7}
	// Correlation of x with (1, 2, 3, 4) is 1, with (4, 3, 2, 1) it is -1; the third column is constant.
	v, err := take(t, &measure.Release{Original: tableOf(t, x, x, constant), Released: tableOf(t, x, []float64{4, 3, 2, 1}, constant)})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(v.Score-2) > 1e-15 {
		t.Errorf("score %v, expected 2", v.Score)
	}
	if len(v.Notes) != 1 {
		t.Errorf("notes %q, expected one on the constant column", v.Notes)
	}
	if d := v.Detail.(Detail); !math.IsNaN(d.CorrOriginal[2][0]) || d.SDOriginal[2] != 0 || d.CorrOriginal[0][0] != 1 {
		t.Errorf("constant column: correlation %v, standard deviation %v", d.CorrOriginal[2][0], d.SDOriginal[2])
	}
}

func TestParts(t *testing.T) {
	labels := []string{"u", "v"}
	make2 := func(a, b []float64, codes []int32) *table.Table {
		tab, err := table.New(table.NumColumn("a", 0, a), table.NumColumn("b", 0, b), table.CatColumn("s", labels, codes))
		if err != nil {
			t.Fatal(err)
		}
		return tab
	}
	v, err := take(t, &measure.Release{
		Original: make2([]float64{1, 2, 3}, []float64{1, 3, 2}, []int32{0, 0, -1}),
		Released: make2([]float64{3, 5, 7}, []float64{1, 3, 2}, []int32{0, 1, 1}),
	})
	if err != nil {
		t.Fatal(err)
	}
	// Column a: mean 2 to 5 at standard deviation 1, which becomes 2. Shares of u: 1 to 1/3.
	for i, want := range []float64{0, 0, 3, 1, 2. / 3} {
		if got := v.Parts[i]; math.Abs(got.Score-want) > 1e-15 {
			t.Errorf("%s: %v, expected %v", got.Name, got.Score, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	one := tableOf(t, []float64{1, 2})
	if _, err := take(t, &measure.Release{Original: one, Released: one}); err == nil {
		t.Error("one numeric column gives a correlation")
	}
	wide := make([]table.Column, Limit+1)
	for j := range wide {
		wide[j] = table.NumColumn(string(rune(0x4e00+j)), 0, []float64{1, 2})
	}
	tab, err := table.New(wide...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := take(t, &measure.Release{Original: tab, Released: tab}); err == nil {
		t.Error("more than Limit columns are accepted")
	}
}
