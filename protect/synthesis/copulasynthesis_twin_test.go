package synthesis

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// of is a variable of cells with so many records each.
func of(records ...int) *Variable {
	v := &Variable{}
	for k, n := range records {
		v.Cells = append(v.Cells, Cell{Records: n, Code: int32(k)})
	}
	v.ready()
	return v
}

// Two variables cut at their medians: the correlation r of what is seen is that of sin(pi r / 2) behind it (Sheppard
// 1899). Its series converges slowly, so the last digits are not held against it.
func TestSheppard(t *testing.T) {
	v := of(7, 7).series()
	for _, seen := range []float64{-0.6, -1.0 / 3, 0, 0.1, 1.0 / 3, 0.5, 0.6} {
		if got, want := behind(&v, &v, seen), math.Sin(math.Pi*seen/2); math.Abs(got-want) > 1e-4 {
			t.Errorf("behind %v is %v, expected %v", seen, got, want)
		}
	}
}

// phi is the standard normal distribution, and nodes are the ends of its cells by bisection of it.
func phi(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

func quantile(p float64) float64 {
	lo, hi := -9.0, 9.0
	for range 80 {
		if mid := (lo + hi) / 2; phi(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// points are how many a quadrature has in each cell.
const points = 600

// plainScores are the means of a standard normal variable in cells with these shares, by quadrature.
func plainScores(shares []float64) (scores, ends []float64) {
	ends = []float64{-9}
	sum := 0.0
	for k, p := range shares {
		sum += p
		end := 9.0
		if k < len(shares)-1 {
			end = quantile(sum)
		}
		lo, mean := ends[k], 0.0
		for n := range points {
			z := lo + (float64(n)+0.5)*(end-lo)/points
			mean += z * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * (end - lo) / points
		}
		scores, ends = append(scores, mean/p), append(ends, end)
	}
	return scores, ends
}

// plainSeen is the correlation of the scores of two variables with the correlation rho, by quadrature of the first.
func plainSeen(a, b []float64, rho float64) float64 {
	x, ends := plainScores(a)
	y, cuts := plainScores(b)
	cov, s := 0.0, math.Sqrt(1-rho*rho)
	for k := range a {
		for n := range points {
			wide := (ends[k+1] - ends[k]) / points
			z, given := ends[k]+(float64(n)+0.5)*wide, 0.0
			for l := range b {
				given += y[l] * (phi((cuts[l+1]-rho*z)/s) - phi((cuts[l]-rho*z)/s))
			}
			cov += x[k] * given * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * wide
		}
	}
	sd := func(p, v []float64) float64 {
		sum := 0.0
		for k := range p {
			sum += p[k] * v[k] * v[k]
		}
		return math.Sqrt(sum)
	}
	return cov / (sd(a, x) * sd(b, y))
}

// shares are those of the cells of a variable.
func (v *Variable) shares() (out []float64) {
	all := 0
	for _, c := range v.Cells {
		all += c.Records
	}
	for _, c := range v.Cells {
		out = append(out, float64(c.Records)/float64(all))
	}
	return out
}

// Scores, and the correlation behind that of scores, are those of quadratures of the normal distribution.
func TestBehindTwin(t *testing.T) {
	vs := []*Variable{of(1, 1), of(9, 1), of(3, 4, 3), of(1, 2, 3, 4, 90), of(5, 5, 5, 5, 5, 5, 5, 5)}
	for _, v := range vs {
		want, _ := plainScores(v.shares())
		for k, got := range v.scores() {
			if math.Abs(got-want[k]) > 1e-4 {
				t.Errorf("%v: a score is %v, expected %v", v.shares(), got, want[k])
			}
		}
		for _, w := range vs {
			a, b := v.series(), w.series()
			for _, rho := range []float64{-0.7, -0.3, 0.2, 0.7} {
				if got := behind(&a, &b, plainSeen(v.shares(), w.shares(), rho)); math.Abs(got-rho) > 1e-3 {
					t.Errorf("%v and %v: behind is %v, expected %v", v.shares(), w.shares(), got, rho)
				}
			}
		}
	}
}

// numbers is a table of two ordered columns of few values and one of a binary category that go together.
func numbers(t *testing.T, rows int) *table.Table {
	draw := rng.New([32]byte{7}).Rand()
	x, y, c := make([]float64, rows), make([]float64, rows), make([]int32, rows)
	for i := range rows {
		z := draw.NormFloat64()
		x[i] = math.Round(2 * z)
		y[i] = math.Round(z + draw.NormFloat64())
		if z+0.5*draw.NormFloat64() > 0.7 {
			c[i] = 1
		}
	}
	return tabletest.Of(t, table.NumColumn("x", 1, x), table.NumColumn("y", 1, y),
		table.CatColumn("c", []string{"no", "yes"}, c))
}

// The plan has the counts of the values, and the correlations that plain scores and quadratures give.
func TestFitTwin(t *testing.T) {
	tab := numbers(t, 500)
	p := fitted(t, tab)
	at := make([][]float64, len(p.Variables)) // plain scores by variable and record
	for k := range p.Variables {
		v := &p.Variables[k]
		j := v.Column
		value := func(i int) float64 {
			if tab.Attr(j).Kind == table.Numeric {
				return tab.Num(j)[i]
			}
			return float64(tab.Cat(j)[i])
		}
		count := map[float64]int{}
		for i := range tab.Rows() {
			count[value(i)]++
		}
		scores, _ := plainScores(v.shares())
		by := map[float64]float64{}
		for c, cell := range v.Cells {
			own := float64(cell.Code)
			if tab.Attr(j).Kind == table.Numeric {
				own = cell.Lo
			}
			if cell.Records != count[own] || cell.Lo != cell.Hi {
				t.Errorf("%s = %v: %d records, expected %d", tab.Attr(j).Name, own, cell.Records, count[own])
			}
			by[own] = scores[c]
		}
		if len(by) != len(count) {
			t.Errorf("%s has %d cells of %d values", tab.Attr(j).Name, len(by), len(count))
		}
		for i := range tab.Rows() {
			at[k] = append(at[k], by[value(i)])
		}
	}
	for k := range p.Variables {
		for l := range k {
			seen := plainSeen(p.Variables[k].shares(), p.Variables[l].shares(), p.Corr[k][l]/slack)
			if want := pearson(at[k], at[l]); math.Abs(seen-want) > 2e-3 {
				t.Errorf("variables %d and %d: drawn ones go together by %v, expected %v", k, l, seen, want)
			}
		}
	}
}

func pearson(x, y []float64) float64 {
	var sx, sy, xx, yy, xy float64
	n := float64(len(x))
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		xx, yy, xy = xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	return (xy - sx*sy/n) / math.Sqrt((xx-sx*sx/n)*(yy-sy*sy/n))
}

// fitted is a plan whose values are all released as they are.
func fitted(t *testing.T, tab *table.Table) *CopulaPlan {
	t.Helper()
	q := CopulaNew()
	q.Common = 1
	p := must.Get(protect.Fit(t.Context(), q, tab, protecttest.Seed(1)))(t)
	return p.(*CopulaPlan)
}

// The records are those of normal variables with the plan's correlations, read off the cells.
func TestDrawTwin(t *testing.T) {
	p := fitted(t, numbers(t, 500))
	src := protecttest.Seed(2)
	blank := must.Get(p.Blank(src))(t)
	got := must.Get(p.Apply(blank, src))(t)
	n := len(p.Variables)
	c := mat.NewSymDense(n, nil)
	for k := range n {
		c.SetSym(k, k, 1)
		for l := range k {
			c.SetSym(k, l, p.Corr[k][l])
		}
	}
	var root mat.Cholesky
	if !root.Factorize(c) {
		t.Fatal("the correlations are none")
	}
	var lower mat.TriDense
	root.LTo(&lower)
	for i := range got.Rows() {
		e := make([]float64, n)
		for k := range n {
			v := &p.Variables[k]
			e[k] = src.Fork(got.Attr(v.Column).Name).Stream().At(uint64(i)).Normal()
			z := 0.0
			for l := range k + 1 {
				z += lower.At(k, l) * e[l]
			}
			shares, at := v.shares(), 0
			for u := phi(z); at < len(shares)-1 && u >= shares[at]; at++ {
				u -= shares[at]
			}
			want, is := v.Cells[at].Lo, 0.0
			if got.Attr(v.Column).Kind == table.Numeric {
				is = got.Num(v.Column)[i]
			} else {
				want, is = float64(v.Cells[at].Code), float64(got.Cat(v.Column)[i])
			}
			if is != want {
				t.Fatalf("record %d, %s: %v, expected %v", i, got.Attr(v.Column).Name, is, want)
			}
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(got.Num(0))))) < 5 {
		t.Error("few values are drawn")
	}
}
