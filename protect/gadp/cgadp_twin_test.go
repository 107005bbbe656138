package gadp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// cgadpFit returns the plan of a table for the given parameters.
// fit lists the columns: the law is tested on tables so small that Fit refuses them, too.
func cgadpFit(t tabletest.T, tab *table.Table, set map[string]string) *CGADPPlan {
	q := NewCGADP()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.plan(tab))(t)
	return p
}

// cgadpRelease fits and applies.
func cgadpRelease(t tabletest.T, tab *table.Table, set map[string]string) *table.Table {
	out, err := executor.Run(context.Background(), cgadpFit(t, tab, set), tab, protecttest.Seed(1), protect.Options{})
	must.NoError(t, err)
	return out
}

// marked returns a table of numeric columns, the first k confidential.
func marked(k int, cols ...table.Column) *table.Table {
	for j := range cols[:k] {
		cols[j].Role = table.Confidential
	}
	return tabletest.Must(cols...)
}

// dumb is C-GADP record by record from the definitions of Sarathy, Muralidhar & Parsa 2002: every matrix is built and
// inverted anew for the values of S that the record has.
type dumb struct {
	u    [][]float64
	k    int
	dial float64
}

// known returns the records that have the values of both columns, by column.
func (d *dumb) known(k, l int) (x, y []float64) {
	for i := range d.u[k] {
		if a, b := d.u[k][i], d.u[l][i]; a == a && b == b {
			x, y = append(x, a), append(y, b)
		}
	}
	return x, y
}

// mid returns the mid-ranks of complete values.
func mid(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = 0.5
		for _, y := range v {
			if y < x {
				out[i]++
			} else if y == x {
				out[i] += 0.5
			}
		}
	}
	return out
}

// corr returns the correlation of the normal copula.
func (d *dumb) corr(k, l int) float64 {
	if k == l {
		return 1
	}
	x, y := d.known(k, l)
	return 2 * math.Sin(math.Pi/6*stat.Correlation(mid(x), mid(y), nil))
}

func (d *dumb) block(rows, cols []int) *mat.Dense {
	m := mat.NewDense(len(rows), len(cols), nil)
	for a, k := range rows {
		for b, l := range cols {
			m.Set(a, b, d.corr(k, l))
		}
	}
	return m
}

// score returns the normal score of a known value.
func (d *dumb) score(k, i int) float64 {
	x, _ := d.known(k, k)
	r := 0.5
	for _, y := range x {
		if y < d.u[k][i] {
			r++
		} else if y == d.u[k][i] {
			r += 0.5
		}
	}
	return distuv.UnitNormal.Quantile((r - 0.5) / float64(len(x)))
}

// draw returns the scores released for record i; false where the correlations have no well-conditioned law.
func (d *dumb) draw(i int, z []float64) ([]float64, bool) {
	var x, s []int
	for k := range d.u {
		if k < d.k {
			x = append(x, k)
		} else if d.u[k][i] == d.u[k][i] {
			s = append(s, k)
		}
	}
	explained, open := make([]float64, d.k), d.block(x, x)
	if len(s) > 0 {
		var inv, beta, part mat.Dense
		if inv.Inverse(d.block(s, s)) != nil {
			return nil, false
		}
		beta.Mul(d.block(x, s), &inv)
		part.Mul(&beta, d.block(s, x))
		open.Sub(open, &part)
		for k := range x {
			for c, l := range s {
				explained[k] += beta.At(k, c) * d.score(l, i)
			}
		}
	}
	noise := mat.NewSymDense(d.k, nil)
	for a := range x {
		for b := range x {
			noise.SetSym(a, b, (1-d.dial*d.dial)*open.At(a, b))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(noise) || chol.Cond() > 1e6 {
		return nil, false
	}
	var root mat.TriDense
	chol.LTo(&root)
	y := make([]float64, d.k)
	for k := range x {
		y[k] = (1 - d.dial) * explained[k]
		if d.u[k][i] == d.u[k][i] && d.dial > 0 {
			y[k] += d.dial * d.score(k, i)
		}
		for c := range x[:k+1] {
			y[k] += root.At(k, c) * z[c]
		}
	}
	return y, true
}

// lawful reports whether the correlations of all columns are those of a law far from singular.
func (d *dumb) lawful() bool {
	all := make([]int, len(d.u))
	for k := range all {
		all[k] = k
	}
	m := d.block(all, all)
	for _, v := range m.RawMatrix().Data {
		if v != v {
			return false // a constant column
		}
	}
	var chol mat.Cholesky
	return chol.Factorize(mat.NewSymDense(len(all), m.RawMatrix().Data)) && chol.Cond() < 1e6
}

// cgadpSmall draws a table of a few related columns with ties and missing values.
func cgadpSmall(t *rapid.T) (*table.Table, int) {
	n := rapid.IntRange(8, 30).Draw(t, "n")
	k := rapid.IntRange(1, 3).Draw(t, "k")
	var cols []table.Column
	for j := range k + rapid.IntRange(0, 2).Draw(t, "q") {
		step := rapid.SampledFrom([]float64{0, 1, 0.1}).Draw(t, "step")
		v := make([]float64, n)
		for i := range v {
			v[i] = table.Snap(float64(rapid.IntRange(-40, 40).Draw(t, "value"))/7, step)
			if rapid.IntRange(0, 15).Draw(t, "gap") == 0 {
				v[i] = math.NaN()
			}
		}
		cols = append(cols, table.NumColumn(string(rune('a'+j)), step, v))
	}
	return marked(k, cols...), k
}

func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, k := cgadpSmall(t)
		d := &dumb{k: k, dial: rapid.SampledFrom([]float64{0, 0.3, 0.9}).Draw(t, "dial")}
		for j := range tab.Width() {
			d.u = append(d.u, tab.Num(j))
		}
		if !d.lawful() {
			return
		}
		discrete := rapid.SampledFrom([]string{Step, Interpolate}).Draw(t, "discrete")
		p := cgadpFit(t, tab, map[string]string{"security": fmt.Sprint(1 - d.dial), "discrete": discrete})
		d.dial = 1 - p.Least()
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
		z := make([][]float64, k)
		for j := range z {
			z[j] = make([]float64, tab.Rows())
			rng.Normals[uint64](protecttest.Seed(2).Fork(tab.Attr(j).Name).Stream(), z[j], nil, 0)
		}
		for i := range tab.Rows() {
			own := make([]float64, k)
			for j := range own {
				own[j] = z[j][i]
			}
			if y, ok := d.draw(i, own); ok {
				for j := range k {
					d.compare(t, p, j, i, y[j], out.Num(j)[i])
				}
			}
		}
	})
}

// compare checks a released value: it is one that scores next to y give.
func (d *dumb) compare(t *rapid.T, p *CGADPPlan, j, i int, y, got float64) {
	if d.u[j][i] != d.u[j][i] {
		if got == got {
			t.Fatalf("column %d, record %d: a missing value becomes %v", j, i, got)
		}
		return
	}
	sorted, _ := d.known(j, j)
	slices.Sort(sorted)
	n := float64(len(sorted))
	step := p.Attrs[j].Step
	if p.Discrete == Step && step > 0 {
		var may []float64
		for _, u := range []float64{distuv.UnitNormal.CDF(y - 1e-7), distuv.UnitNormal.CDF(y + 1e-7)} {
			may = append(may, sorted[min(int(math.Ceil(u*n)), len(sorted))-1])
		}
		if !slices.Contains(may, got) {
			t.Fatalf("column %d, record %d: released %v, expected %v", j, i, got, may)
		}
		return
	}
	at := min(max(distuv.UnitNormal.CDF(y)*n-0.5, 0), n-1)
	lo := min(int(at), len(sorted)-1)
	hi := min(lo+1, len(sorted)-1)
	want := sorted[lo] + (at-float64(lo))*(sorted[hi]-sorted[lo])
	if math.Abs(got-want) > step/2+1e-5 || got < sorted[0] || got > sorted[len(sorted)-1] {
		t.Fatalf("column %d, record %d: released %v, expected %v", j, i, got, want)
	}
}
