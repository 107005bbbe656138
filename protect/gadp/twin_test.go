package gadp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// gadpPeople draws a table of k confidential columns, q others and one of three groups, all related, in different
// units.
func gadpPeople(r *rapid.T, k, q int) *table.Table {
	draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
	n := rapid.IntRange(k+q+5, 60).Draw(r, "rows")
	group := make([]int32, n)
	cols := []table.Column{}
	for i := range group {
		group[i] = int32(i % 3)
	}
	for j := range k + q {
		scale := math.Pow(10, float64(rapid.IntRange(-2, 4).Draw(r, "scale")))
		v := make([]float64, n)
		for i := range v {
			v[i] = 3 + draw.NormFloat64() + float64(group[i])/2
			if j > 0 {
				v[i] += cols[0].Num[i] / (1 + math.Abs(cols[0].Num[0]))
			}
		}
		for i := range v {
			v[i] *= scale
		}
		c := table.NumColumn(string(rune('a'+j)), 0, v)
		if j < k {
			c.Role = table.Confidential
		}
		cols = append(cols, c)
	}
	return tabletest.Must(append(cols, table.CatColumn("group", []string{"x", "y", "z"}, group))...)
}

// regression is the method by its definition: least squares of X on a constant, S and the groups give F; the residuals
// E have covariance M; and the release is F + a E + (root of (1 - a^2) M) z.
func regression(x, design *mat.Dense, z [][]float64, a float64) *mat.Dense {
	n, k := x.Dims()
	var coef, f, e, m mat.Dense
	if err := coef.Solve(design, x); err != nil {
		panic(err)
	}
	f.Mul(design, &coef)
	e.Sub(x, &f)
	m.Mul(e.T(), &e)
	noise := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			noise.SetSym(i, j, (1-a*a)*m.At(i, j)/float64(n-1))
		}
	}
	var ch mat.Cholesky
	if !ch.Factorize(noise) {
		panic("no root")
	}
	var l mat.TriDense
	ch.LTo(&l)
	y := mat.NewDense(n, k, nil)
	for i := range n {
		for j := range k {
			v := f.At(i, j) + a*e.At(i, j)
			for c := range j + 1 {
				v += l.At(j, c) * z[c][i]
			}
			y.Set(i, j, v)
		}
	}
	return y
}

func TestRegression(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		k, q := rapid.IntRange(1, 3).Draw(r, "k"), rapid.IntRange(0, 2).Draw(r, "q")
		tab := gadpPeople(r, k, q)
		n := tab.Rows()
		tq := NewGADP()
		tq.Security = float64(rapid.IntRange(1, 10).Draw(r, "security")) / 10
		width := 1 + q
		if rapid.Bool().Draw(r, "given") {
			tq.Given, width = []string{"group"}, 3+q
		}
		x, design, z := mat.NewDense(n, k, nil), mat.NewDense(n, width, nil), gadpColumns(k, n)
		src := protecttest.Seed(3)
		for i := range n {
			design.Set(i, 0, 1)
			for j := range k + q {
				if v := tab.Num(j)[i]; j < k {
					x.Set(i, j, v)
				} else {
					design.Set(i, 1+j-k, v)
				}
			}
			if g := int(tab.Cat(k + q)[i]); g > 0 && width > 1+q {
				design.Set(i, q+g, 1)
			}
		}
		for j := range k {
			rng.Normals(src.Fork(tab.Attr(j).Name).Stream(), z[j], nil, table.RecordID(0))
		}
		want := regression(x, design, z, 1-tq.Security)
		p, err := tq.Fit(t.Context(), tab, protecttest.Seed(1))
		if n <= k+width { // columns and a constant
			if err == nil {
				r.Fatalf("%d records of %d columns are accepted", n, k+width-1)
			}
			return
		}
		must.NoError(r, err)
		out := must.Get(p.Apply(tab, src))(r)
		u, y, dial := p.(*GADPPlan).Records(tab), gadpColumns(k, n), p.(*GADPPlan).Dial()
		must.NoError(r, GADPReplace(y, u, z, dial))
		for j := range k {
			lo, hi := table.Range(tab.Num(j))
			for i := range n {
				if w := want.At(i, j); math.Abs(out.Num(j)[i]-w) > 1e-6*(hi-lo) || math.Abs(y[j][i]-w) > 1e-6*(hi-lo) {
					r.Fatalf("record %d of column %d is %v, by Replace %v, expected %v", i, j, out.Num(j)[i], y[j][i], w)
				}
			}
		}
	})
}
