package randomisedresponse

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

//go:embed testdata/pram.json
var pramGolden []byte

// Islam 2007, section 6.2: expected counts and their inverse.
func TestPramGolden(t *testing.T) {
	type in struct {
		P      transition.Matrix
		Counts []float64
	}
	type out struct{ Expected, Inverted []float64 }
	for _, c := range protecttest.Cases[in, out](t, pramGolden, "pram") {
		inverted := must.Get(c.Input.P.Estimate(c.Input.Counts))(t)
		for k, v := range c.Input.P.Expected(c.Input.Counts) {
			protecttest.Near(t, "expected", v, c.Expected.Expected[k], c.Tolerance.Abs)
			protecttest.Near(t, "inverted", inverted[k], c.Expected.Inverted[k], c.Tolerance.Abs)
		}
	}
}

// categories returns a table of columns "a", "b", ... with the codes given, row by row, and as many labels, of which
// the first is the last of the alphabet.
func categories(labels int, rows ...[]int32) *table.Table {
	var cols []table.Column
	for j := range rows[0] {
		var codes []int32
		for _, r := range rows {
			codes = append(codes, r[j])
		}
		names := make([]string, labels)
		for k := range names {
			names[k] = string(rune('z' - k))
		}
		cols = append(cols, table.CatColumn(string(rune('a'+j)), names, codes))
	}
	return tabletest.Must(cols...)
}

// repeated returns records of one column with the counts given.
func repeated(counts ...int) *table.Table {
	var rows [][]int32
	for c, n := range counts {
		rows = append(rows, slices.Repeat([][]int32{{int32(c)}}, n)...)
	}
	return categories(len(counts), rows...)
}

func pramFit(t testing.TB, tab *table.Table, set map[string]string) *PramPlan {
	t.Helper()
	q := NewPram()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	return p.(*PramPlan)
}

// counts returns how many records have each code of column j.
func counts(t *table.Table, j int) []float64 {
	out := make([]float64, len(t.Attr(j).Labels))
	for _, c := range t.Cat(j) {
		if c >= 0 {
			out[c]++
		}
	}
	return out
}

// The invariant matrix of counts (110, 90) and p = 0.9, and the risk by Bayes' rule.
func TestInvariantMatrix(t *testing.T) {
	p := pramFit(t, repeated(110, 90), map[string]string{"keep": "0.9", "invariant": "true", "alpha": "1"})
	for k, want := range []float64{0.83696, 0.16304, 0.19928, 0.80072} {
		protecttest.Near(t, "R", p.Units[0].Matrix[k/2][k%2], want, 5e-6)
	}
	p = pramFit(t, repeated(110, 90), map[string]string{"keep": "0.9"})
	protecttest.Near(t, "least", p.Units[0].Least, 81./92, 1e-12)
	protecttest.Near(t, "most", p.Units[0].Most, 99./108, 1e-12)
}

// Over many releases the counts have the mean and the covariance that the matrix says, invariant or not: of R releases
// the mean of d = 3 free counts has the statistic R (m - E)' C^-1 (m - E), which is chi-square with d degrees of
// freedom by the central limit theorem. A right program exceeds the quantile at 1 - 1e-6 once in a million for each of
// the two plans. Every variance lies within 6 standard errors, some sqrt(2/R): about 1e-8.
func TestReleaseFollowsTheMatrix(t *testing.T) {
	const runs, free = 4000, 3
	tab := repeated(120, 60, 15, 5)
	for _, set := range []map[string]string{{"keep": "0.6"}, {"keep": "0.6", "invariant": "true"}} {
		p := pramFit(t, tab, set)
		m, before := p.Units[0].Matrix, counts(tab, 0)
		want := m.Expected(before)
		if set["invariant"] == "true" {
			want = before
		}
		sum, square := make([]float64, free), make([]float64, free)
		for run := range runs {
			out := must.Get(p.Apply(tab, protecttest.Seed(3).Fork(fmt.Sprint(run))))(t)
			for k, n := range counts(out, 0)[:free] {
				sum[k] += n - want[k]
				square[k] += (n - want[k]) * (n - want[k])
			}
		}
		cov := m.Covariance(before).SliceSym(0, free).(*mat.SymDense)
		var chol mat.Cholesky
		if !chol.Factorize(cov) {
			t.Fatal("the covariance matrix is singular")
		}
		var solved mat.VecDense
		d := mat.NewVecDense(free, sum)
		must.NoError(t, chol.SolveVecTo(&solved, d))
		if stat := mat.Dot(d, &solved) / runs; stat > (distuv.ChiSquared{K: free}).Quantile(1-1e-6) {
			t.Errorf("%v: mean counts are off: chi-square %.1f", set, stat)
		}
		for k := range free {
			if ratio := square[k] / runs / cov.At(k, k); math.Abs(ratio-1) > 6*math.Sqrt(2./runs) {
				t.Errorf("%v: the variance of count %d is %.3f times what it should be", set, k, ratio)
			}
		}
	}
}

// A table of two columns, estimated from a release, is unbiased: over 400 releases the mean of each of the four cells
// lies within five of its standard errors, which are those of the sample. A right program fails once in 400,000.
func TestTwoWayEstimate(t *testing.T) {
	const runs = 400
	var rows [][]int32
	for cell, n := range []int{60, 10, 20, 110} {
		rows = append(rows, slices.Repeat([][]int32{{int32(cell / 2), int32(cell % 2)}}, n)...)
	}
	tab := categories(2, rows...)
	p := pramFit(t, tab, map[string]string{"matrices": "a=0.9 0.1/0.3 0.7, b=0.75"})
	if got := p.Units[0].Matrix; got[0][0] != 0.7 || got[0][1] != 0.3 || got[1][0] != 0.1 {
		t.Fatalf("the matrix by code is %v: it was given in alphabetical order, and code 0 comes last", got)
	}
	var sum, square [4]float64
	for run := range runs {
		out := must.Get(p.Apply(tab, protecttest.Seed(4).Fork(fmt.Sprint(run))))(t)
		cells := [][]float64{{0, 0}, {0, 0}}
		for i, x := range out.Cat(0) {
			cells[x][out.Cat(1)[i]]++
		}
		back := must.Get(transition.EstimateTable(p.Units[0].Matrix, cells, p.Units[1].Matrix))(t)
		for k := range 4 {
			sum[k] += back[k/2][k%2]
			square[k] += back[k/2][k%2] * back[k/2][k%2]
		}
	}
	for k, want := range []float64{60, 10, 20, 110} {
		mean := sum[k] / runs
		if sd := math.Sqrt((square[k]/runs - mean*mean) / runs); math.Abs(mean-want) > 5*sd {
			t.Errorf("cell %d is estimated as %v +- %v, expected %v", k, mean, sd, want)
		}
	}
}

// Crossed columns are released as combinations that occur, and the law of a column is the margin of the cells' by brute
// force.
func TestCrossed(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := make([][]int32, rapid.IntRange(1, 20).Draw(r, "rows"))
		for i := range rows {
			for range 3 {
				rows[i] = append(rows[i], rapid.Int32Range(-1, 2).Draw(r, "code"))
			}
		}
		tab := categories(3, rows...)
		set := map[string]string{"cross": "a+c", "keep": "0.25"}
		if rapid.Bool().Draw(r, "invariant") {
			set["invariant"], set["alpha"] = "true", "1"
		}
		p := pramFit(t, tab, set)
		must.NoError(r, p.Check())
		out := must.Get(p.Apply(tab, protecttest.Seed(5)))(r)
		occurs := map[[2]int32]bool{}
		for _, row := range rows {
			occurs[[2]int32{row[0], row[2]}] = true
		}
		u := p.Units[0]
		for i, row := range rows {
			if !occurs[[2]int32{out.Cat(0)[i], out.Cat(2)[i]}] {
				r.Fatalf("row %d is released as a combination that does not occur", i)
			}
			from := slices.IndexFunc(u.Cells, func(c []int32) bool { return c[0] == row[0] && c[1] == row[2] })
			for place, j := range []int{0, 2} {
				kernel, ok := noisemodel.At(p, j, nil, tab, i)
				for y := range int32(3) {
					want := 0.0
					for to, c := range u.Cells {
						if c[place] == y {
							want += u.Matrix[from][to]
						}
					}
					if got := kernel.P(float64(row[j]), float64(y)); row[j] >= 0 && (!ok || math.Abs(got-want) > 1e-12) {
						r.Fatalf("row %d, column %d: P(%d) = %v, expected %v", i, j, y, got, want)
					}
				}
			}
		}
		want := cellCounts(u, rows)
		if set["invariant"] != "" {
			for k, n := range u.Matrix.Expected(want) {
				protecttest.Near(t, "count", n, want[k], 1e-9)
			}
		}
	})
}

// cellCounts counts the rows by cell of columns 0 and 2.
func cellCounts(u Unit, rows [][]int32) []float64 {
	out := make([]float64, len(u.Cells))
	for _, row := range rows {
		out[slices.IndexFunc(u.Cells, func(c []int32) bool { return c[0] == row[0] && c[1] == row[2] })]++
	}
	return out
}

// A combination that the plan was not fitted on is refused, never released as it is.
func TestUnknownCombination(t *testing.T) {
	p := pramFit(t, categories(2, []int32{0, 0}, []int32{1, 1}), map[string]string{"cross": "a+b"})
	if _, err := p.Apply(categories(2, []int32{0, 1}), protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), `combination of "a+b"`) {
		t.Errorf("released: %v", err)
	}
	if k, ok := noisemodel.At(p, 0, nil, categories(2, []int32{0, 1}), 0); !ok || k.P(0, 0) != 0 || k.P(1, 1) != 0.8 {
		t.Error("the law of a combination that does not occur")
	}
	if none := pramFit(t, categories(2, []int32{0, 0}).Slice(0, 0),
		map[string]string{"cross": "a+b"}); none.Check() != nil {
		t.Error("a plan for no records is refused")
	}
}

// An ordered attribute goes to near values first.
func TestDecay(t *testing.T) {
	tab := protecttest.Mixed(100)
	p := pramFit(t, tab, map[string]string{"decay": "0.5", "keep": "0.3"})
	for k := range p.Units {
		m := p.Units[k].Matrix
		want := "[0.3 0.4 0.2 0.1]"
		if name := p.Changes()[k]; name != "size" {
			want = "[0.3 0.117 0.117 0.117 0.117 0.117 0.117]"
			if name == "sex" {
				want = "[0.3 0.7]"
			}
		}
		if got := fmt.Sprintf("%.3g", m[0]); got != want {
			t.Errorf("%s: %s, expected %s", p.Changes()[k], got, want)
		}
	}
}
