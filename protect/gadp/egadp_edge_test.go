package gadp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Constant columns, sums of other columns and copies of them keep the moments; what is constant or determined by S
// stays.
func TestCollinear(t *testing.T) {
	const n = 30
	r := rand.New(rand.NewPCG(7, 8))
	c := egadpCorrelated(r, 5, n)
	sum, flat, double := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		sum[i], flat[i], double[i] = c[0][i]+c[1][i], 0.1, 2*c[3][i]-1
	}
	for what, u := range map[string][][]float64{
		"a sum":               {c[0], c[1], sum, c[3]},
		"a sum first":         {sum, c[0], c[1], c[3]},
		"twice":               {c[0], c[0], c[1], c[3]},
		"a constant":          {c[0], flat, c[1], c[3]},
		"determined by S":     {c[0], double, c[1], c[3]},
		"S twice":             {c[0], c[1], c[2], c[3], double},
		"a constant S":        {c[0], c[1], c[2], c[3], flat},
		"nothing but S alone": {double, flat, double, c[3]},
	} {
		for _, a := range []float64{0, 0.7} {
			y := released(t, u[:3], u[3:], egadpNormals(r, 3, n), a)
			if mean, cov := orthobasis.Drift(u, append(slices.Clone(y), u[3:]...)); mean > 1e-12 || cov > 1e-12 {
				t.Errorf("%s, a = %v: means drift by %.2g, covariances by %.2g", what, a, mean, cov)
			}
			for j, col := range u[:3] {
				stays := &col[0] == &flat[0] || &col[0] == &double[0]
				diff := 0.0
				for i, v := range col {
					diff = max(diff, math.Abs(v-y[j][i])/math.Abs(v))
				}
				if stays != (diff < 1e-12) {
					t.Errorf("%s, a = %v: column %d differs by %v", what, a, j, diff)
				}
			}
		}
	}
}

// The columns of noise have to be independent.
func TestNoiseThatIsNone(t *testing.T) {
	u := egadpCorrelated(rand.New(rand.NewPCG(7, 8)), 2, 30)
	if err := EGADPReplace(nil, egadpColumns(nil, 2, 30), u, egadpColumns(nil, 2, 30), []float64{0, 0}); err == nil {
		t.Error("noise of zeros is accepted")
	}
}

// The columns to fill may be those of the noise.
func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	u, z := egadpCorrelated(r, 3, 50), egadpNormals(r, 2, 50)
	u[0][3], u[2][7] = math.NaN(), math.NaN()
	want := released(t, u[:2], u[2:], z, 0)
	must.NoError(t, EGADPReplace(nil, z, u, z, []float64{0, 0}))
	for j := range z {
		for i, v := range z[j] {
			if v != want[j][i] && want[j][i] == want[j][i] {
				t.Fatalf("row %d of column %d is %v, expected %v", i, j, v, want[j][i])
			}
		}
	}
}

// Moments are exact for the complete records; the others follow the law of GADP with these moments; missing values stay
// missing, and a column without values has no part in it.
func TestMissing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 60
	u := egadpCorrelated(r, 5, n)
	void := make([]float64, n)
	for i := range void {
		void[i] = math.NaN()
	}
	var whole, gaps [][]float64
	z := egadpNormals(r, 4, n)
	for i := range n {
		switch i % 4 {
		case 1:
			u[i%3][i] = math.NaN()
		case 2:
			u[3+i%2][i] = math.NaN()
		}
		row := []float64{u[0][i], u[1][i], u[2][i], u[3][i], u[4][i]}
		if i%4 == 0 || i%4 == 3 {
			whole = append(whole, row)
		} else {
			gaps = append(gaps, append(row, z[0][i], z[2][i], z[3][i]))
		}
	}
	x := [][]float64{u[0], void, u[1], u[2]}
	for _, a := range []float64{0, 0.4} {
		y := released(t, x, [][]float64{u[3], u[4], void}, z, a)
		if slices.ContainsFunc(y[1], func(v float64) bool { return v == v }) {
			t.Error("a column without values gets some")
		}
		released := [][]float64{y[0], y[2], y[3]}
		if mean, cov := orthobasis.Drift(u, append(released, u[3:]...)); mean > 1e-12 || cov > 1e-12 {
			t.Errorf("a = %v: over complete records means drift by %.2g, covariances by %.2g", a, mean, cov)
		}
		want := drawn(t, egadpColumns(whole), egadpColumns(gaps), a)
		at := 0
		for i := range n {
			if i%4 == 0 || i%4 == 3 {
				continue
			}
			for j, c := range released {
				if w := want[j][at]; (c[i] == c[i]) != (u[j][i] == u[j][i]) || math.Abs(c[i]-w) > 1e-9*math.Abs(w) {
					t.Errorf("a = %v: row %d of column %d is %v, by the law %v; it was %v", a, i, j, c[i], w, u[j][i])
				}
			}
			at++
		}
	}
}

// drawn draws records of three confidential columns and two others, followed by three normals.
func drawn(t *testing.T, whole, gaps [][]float64, a float64) [][]float64 {
	mean := make([]float64, 5)
	for j := range mean {
		mean[j] = stat.Mean(whole[j], nil)
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, dense(whole), nil)
	law := must.Get(mvnorm.NewLaw(mean, &cov, []float64{a, a, a}))(t)
	y := egadpColumns(nil, 3, len(gaps[0]))
	must.NoError(t, law.Draw(y, gaps[:5], gaps[5:]))
	return y
}

// A column that is constant where records are complete does not give away the others.
func TestConstantAmongTheComplete(t *testing.T) {
	nan := math.NaN()
	u := [][]float64{{1, 1, 1, 1, 1, 7, nan}, {1, 2, 3, 5, 8, nan, 4}}
	y := released(t, u, nil, egadpNormals(rand.New(rand.NewPCG(7, 8)), 2, 7), 0)
	if y[0][5] != 1 || y[0][0] != 1 || y[0][6] == y[0][6] || y[1][5] == y[1][5] {
		t.Errorf("released %v", y)
	}
}

// Where complete records are so few that security counts as 1, it does for the others too: nothing of their originals
// passes.
func TestFewCompleteHideTheOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	u, z := egadpCorrelated(r, 4, 8), egadpNormals(r, 2, 8)
	u[3][5] = math.NaN() // seven complete records: 2k + q + 1
	y := released(t, u[:2], u[2:], z, 0.8)
	u[0][5] *= 2
	if again := released(t, u[:2], u[2:], z, 0.8); again[0][5] != y[0][5] {
		t.Errorf("a release follows its original from %v to %v", y[0][5], again[0][5])
	}
}

func TestInfinite(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, math.Inf(1), 4, 5}),
		table.NumColumn("y", 1, []float64{1, 2, 0, 4, 5}))
	tab = tab.WithAttr(0, table.Attribute{Name: "x", Step: 1, Domain: table.Interval{Lo: 0, Hi: 9}})
	if _, err := NewEGADP().Fit(context.Background(), tab, protecttest.Seed(1)); err == nil {
		t.Error("an infinite value is accepted")
	}
}

// protectedBy fits and applies with the security.
func protectedBy(t *testing.T, tab *table.Table, set map[string]string) (*EGADPPlan, *table.Table) {
	t.Helper()
	q := NewEGADP()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p.(*EGADPPlan), out
}

// After rounding means and standard deviations are off by half a step at most, and the notes say so.
func TestDriftOfTheGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	u := egadpCorrelated(r, 3, 500)
	var cols []table.Column
	for j, c := range u {
		step := stat.StdDev(c, nil) / 3
		for i := range c {
			c[i] = table.Snap(c[i], step)
		}
		cols = append(cols, table.NumColumn(string(rune('a'+j)), step, c))
	}
	tab := tabletest.Of(t, cols...)
	p, out := protectedBy(t, tab, nil)
	for j, c := range u {
		half, y := cols[j].Step/2, out.Num(j)
		if d := math.Abs(stat.Mean(y, nil) - stat.Mean(c, nil)); d > half/10 { // 500 roundings cancel
			t.Errorf("mean %d drifts by %v of half a step", j, d/half)
		}
		if d := math.Abs(stat.StdDev(y, nil) - stat.StdDev(c, nil)); d > half || d == 0 {
			t.Errorf("standard deviation %d drifts by %v of half a step", j, d/half)
		}
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "up to half a step, that is "+
		"0.17 standard deviations") || strings.Contains(notes, "end") {
		t.Errorf("notes %s", notes)
	}
	cols[1].Declared = true
	tab = tabletest.Of(t, cols...)
	p, _ = protectedBy(t, tab, nil)
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes,
		`moved to its end, which may move the moments further: "b"`) {
		t.Errorf("notes %s", notes)
	}
}
