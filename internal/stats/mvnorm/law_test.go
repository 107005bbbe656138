package mvnorm

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

var nan = math.NaN()

func law(t rapid.TB, mean []float64, cov mat.Symmetric, dial ...float64) *Law {
	t.Helper()
	return must.Get(NewLaw(mean, cov, dial))(t)
}

func columns(k, n int) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, n)
	}
	return out
}

// linear reads the law of one record off its draws: the value where all normals are 0, and the root, column by column.
func linear(t rapid.TB, l *Law, u []float64) (centre []float64, cov *mat.SymDense) {
	k := l.k
	y, z, us := columns(k, k+1), columns(k, k+1), columns(len(u), k+1)
	for j, v := range u {
		for i := range us[j] {
			us[j][i] = v
		}
	}
	for i := range k {
		z[i][i+1] = 1
	}
	must.NoError(t, l.Draw(y, us, z))
	root := mat.NewDense(k, k, nil)
	centre = make([]float64, k)
	for r := range k {
		centre[r] = y[r][0]
		for i := range k {
			root.Set(r, i, y[r][i+1]-y[r][0])
		}
	}
	var c mat.Dense
	c.Mul(root, root.T())
	return centre, sym(&c)
}

// problem is a law to draw from, and a record.
type problem struct {
	k        int
	mean, sd []float64
	cov      *mat.SymDense
	dial     []float64
	record   []float64
}

func pose(r *rapid.T) *problem {
	p := &problem{k: rapid.IntRange(1, 3).Draw(r, "k")}
	q := rapid.IntRange(0, 3).Draw(r, "q")
	p.cov = covariance(r, p.k+q, p.k+q+2)
	p.sd = scales(p.cov)
	a := rapid.Float64Range(0, 0.99).Draw(r, "a")
	for range p.k {
		p.dial = append(p.dial, a)
	}
	for j, sd := range p.sd {
		p.mean = append(p.mean, sd*rapid.Float64Range(-100, 100).Draw(r, "mean"))
		p.record = append(p.record, p.mean[j]+sd*rapid.Float64Range(-3, 3).Draw(r, "value"))
	}
	return p
}

// without drops attribute j of S.
func (p *problem) without(j int) *problem {
	o := &problem{k: p.k, dial: p.dial}
	var at []int
	for i := range p.mean {
		if i != j {
			at = append(at, i)
			o.mean, o.sd, o.record = append(o.mean, p.mean[i]), append(o.sd, p.sd[i]), append(o.record, p.record[i])
		}
	}
	o.cov = mat.NewSymDense(len(at), nil)
	for a, i := range at {
		for b, l := range at[:a+1] {
			o.cov.SetSym(a, b, p.cov.At(i, l))
		}
	}
	return o
}

// A law draws what Condition says of Dial.
func TestLawIsCondition(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := pose(r)
		cxy := must.Get(Dial(p.cov, p.k, p.dial))(r)
		want := must.Get(Condition(p.mean, p.cov, p.k, cxy))(r)
		centre, cov := linear(r, law(r, p.mean, p.cov, p.dial...), p.record)
		for i := range p.k {
			m := want.Intercept[i]
			for j, v := range p.record {
				m += want.B.At(i, j) * v
			}
			if math.Abs(centre[i]-m) > 1e-5*p.sd[i] {
				r.Fatalf("attribute %d has mean %v given the record, expected %v", i, centre[i], m)
			}
		}
		close(r, "the covariance of the noise", cov, want.Cov, p.sd[:p.k], p.sd[:p.k], 1e-5)
		noise := must.Get(Noise(p.cov, p.dial))(r)
		close(r, "Noise", noise, want.Cov, p.sd[:p.k], p.sd[:p.k], 1e-5)
	})
}

// A record that lacks a value of S is drawn by the law of the others; one that lacks a value of X has none there, and
// the others stand.
func TestMissing(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := pose(r)
		l := law(r, p.mean, p.cov, p.dial...)
		if len(p.mean) > p.k {
			gap := rapid.IntRange(p.k, len(p.mean)-1).Draw(r, "gap")
			o := p.without(gap)
			want, cov := linear(r, law(r, o.mean, o.cov, o.dial...), o.record)
			u := slices.Clone(p.record)
			u[gap] = nan
			got, gotCov := linear(r, l, u)
			for i := range p.k {
				if math.Abs(got[i]-want[i]) > 1e-6*p.sd[i] {
					r.Fatalf("without attribute %d of S the mean is %v, expected %v", gap, got, want)
				}
			}
			close(r, "the covariance", gotCov, cov, p.sd[:p.k], p.sd[:p.k], 1e-6)
		}
		gap := rapid.IntRange(0, p.k-1).Draw(r, "gap in X")
		want, _ := linear(r, l, p.record)
		u := slices.Clone(p.record)
		u[gap] = nan
		got, _ := linear(r, l, u)
		for i := range p.k {
			if i == gap != (got[i] != got[i]) || i != gap && got[i] != want[i] {
				r.Fatalf("without attribute %d of X the mean is %v, expected %v", gap, got, want)
			}
		}
	})
}

// A record's draw depends on nothing but the record: together, one by one and at the same time give the same bits, in
// any units but those.
func TestDrawOneByOne(t *testing.T) {
	const n = 3*strip + 17
	r := rand.New(rand.NewPCG(1, 2))
	cov := mat.NewSymDense(5,
		[]float64{4, 1, 1, 0, 1e3, 1, 2, 0, 1, 200, 1, 0, 1, 0, 100, 0, 1, 0, 1, 10, 1e3, 200, 100, 10, 1e6})
	mean := []float64{1, 2, 3, 4, 1e6}
	u, z, y := columns(5, n), columns(2, n), columns(2, n)
	for j := range u {
		for i := range u[j] {
			u[j][i] = mean[j] + r.NormFloat64()*math.Sqrt(cov.At(j, j))
			if r.IntN(20) == 0 && i > strip {
				u[j][i] = nan
			}
			if j < 2 {
				z[j][i] = r.NormFloat64()
			}
		}
	}
	l := law(t, mean, cov, 0.5, 0.3)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			y := columns(2, n)
			if err := l.Draw(y, u, z); err != nil {
				t.Error(err)
			}
		})
	}
	must.NoError(t, l.Draw(y, u, z))
	wg.Wait()
	one := func(c [][]float64, i int) [][]float64 {
		out := make([][]float64, len(c))
		for j := range c {
			out[j] = c[j][i : i+1]
		}
		return out
	}
	for i := range n {
		alone := columns(2, 1)
		must.NoError(t, law(t, mean, cov, 0.5, 0.3).Draw(alone, one(u, i), one(z, i)))
		for k := range alone {
			if math.Float64bits(alone[k][0]) != math.Float64bits(y[k][i]) && !(math.IsNaN(alone[k][0]) && math.IsNaN(y[k][i])) {
				t.Fatalf("record %d is %v alone, %v with others", i, alone[k][0], y[k][i])
			}
		}
	}
}

// An attribute without variance is released as it is, or has no influence, known or not.
func TestNoVariance(t *testing.T) {
	cov := mat.NewSymDense(4, []float64{1, 0, 0.5, 0, 0, 0, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 0})
	l := law(t, []float64{1, 7, 3, nan}, cov, 0, 0)
	for _, last := range []float64{9, nan} {
		y := columns(2, 1)
		if err := l.Draw(y, [][]float64{{1}, {8}, {4}, {last}}, [][]float64{{0}, {5}}); err != nil || y[0][0] != 1.5 ||
			y[1][0] != 8 {
			t.Errorf("drawn %v, error %v", y, err)
		}
	}
	y := columns(2, 1)
	if err := l.Draw(y, [][]float64{{1}, {nan}, {nan}, {9}}, [][]float64{{2}, {5}}); err != nil || y[0][0] != 3 ||
		y[1][0] == y[1][0] {
		t.Errorf("drawn %v without S, error %v", y, err)
	}
	if err := law(t, nil, nil).Draw(nil, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestLawRefusals(t *testing.T) {
	one, zero := mat.NewSymDense(2, []float64{1, 0.9, 0.9, 1}), []float64{0, 0}
	for what, c := range map[string]struct {
		mean []float64
		cov  *mat.SymDense
		dial []float64
		text string
	}{
		"a dial above 1":           {zero, one, []float64{1.5}, "expected 0 to 1"},
		"a dial that is no number": {zero, one, []float64{nan}, "expected 0 to 1"},
		"no mean":                  {[]float64{nan, 0}, one, []float64{0}, "no values"},
		"too many":                 {zero, one, []float64{0, 0, 0}, "not of the same attributes"},
		"unequal shares": {zero, one, []float64{0.9, 0}, "security specification contradicts the covariances: " +
			"a covariance matrix is not positive semi-definite: its smallest eigenvalue is -0.248 of its largest"},
		"a correlation of 2": {zero, mat.NewSymDense(2, []float64{1, 2, 2, 1}), []float64{0, 0},
			"not positive semi-definite"},
		"a correlation of 2 with S": {zero, mat.NewSymDense(2, []float64{1, 2, 2, 1}), []float64{0.99}, "are not valid"},
		"covariances without number": {zero, mat.NewSymDense(2, []float64{1, nan, nan, 1}), []float64{0, 0},
			"infinite or missing"},
	} {
		_, err := NewLaw(c.mean, c.cov, c.dial)
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: error %v, expected %q", what, err, c.text)
		}
		if what == "a correlation of 2" && err != nil && strings.Contains(err.Error(), "security") {
			t.Errorf("%s is put down to the security: %v", what, err)
		}
	}
}

// Given S the attributes are independent, so unequal shares are fine; where S is missing they are nearly the same
// attribute and are not. The record is drawn with smaller shares then, never with larger ones.
func TestContradictionWhereMissing(t *testing.T) {
	cov := mat.NewSymDense(3, []float64{1, 0.9, 0.95, 0.9, 1, 0.95, 0.95, 0.95, 1})
	l := law(t, []float64{0, 0, 0}, cov, 0.8, 0)
	centre, noise := linear(t, l, []float64{1, 1, nan})
	if centre[0] != 0.4 || centre[1] != 0 {
		t.Errorf("centre %v, expected half of 0.8 of the value, and 0", centre)
	}
	close(t, "the covariance", noise, mat.NewSymDense(2, []float64{1 - 0.16, 0.9, 0.9, 1}), []float64{1, 1},
		[]float64{1, 1}, 1e-12)
}

// Security is what a regression on the release says: 1 - R^2 of an attribute on (Y, S), and the smallest of all linear
// combinations.
func TestSecurity(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		p := pose(r)
		each, worst, err := Security(p.cov, p.dial)
		must.NoError(r, err)
		joint := p.joint(r)
		for i := range p.k {
			if want := left(r, joint, p.k, unitVector(p.k, i)); math.Abs(each[i]-want) > 1e-5 {
				r.Fatalf("attribute %d: security %v, expected %v", i, each[i], want)
			}
			if worst > each[i]+1e-9 {
				r.Fatalf("the worst combination has %v, attribute %d %v", worst, i, each[i])
			}
		}
		lowest := 1.0
		search := rand.New(rand.NewPCG(1, 2))
		best := make([]float64, p.k)
		for range 300 { // climbs down from where it is, so that it comes near the worst
			w := make([]float64, p.k)
			for i := range w {
				w[i] = best[i] + search.NormFloat64()/p.sd[i]*math.Pow(0.5, float64(search.IntN(12)))
			}
			if v := left(r, joint, p.k, w); v < lowest {
				lowest, best = v, w
			}
			if v := left(r, joint, p.k, w); v < worst-1e-5 {
				r.Fatalf("a combination has %v, less than the worst %v", v, worst)
			}
		}
		if p.k == 1 && math.Abs(lowest-worst) > 1e-5 {
			r.Fatalf("worst %v of one attribute, expected %v", worst, lowest)
		}
	})
	// One attribute of variance 4, correlation 0.6 with S, half let through: R^2 = 0.36 + 0.25 * 0.64.
	each, worst, err := Security(mat.NewSymDense(2, []float64{4, 1.2, 1.2, 1}), []float64{0.5})
	if err != nil || math.Abs(each[0]-0.48) > 1e-12 || math.Abs(worst-0.48) > 1e-12 {
		t.Errorf("security %v, worst %v, error %v; expected 0.48", each, worst, err)
	}
	// The sum of two attributes is published: each has something left, their sum nothing.
	each, worst, err = Security(mat.NewSymDense(3, []float64{1, 0, 1, 0, 1, 1, 1, 1, 2}), []float64{0, 0})
	if err != nil || math.Abs(each[0]-0.5) > 1e-9 || math.Abs(worst) > 1e-9 {
		t.Errorf("security %v, worst %v, error %v; expected 0.5 and 0", each, worst, err)
	}
}

// joint returns the covariance of (X, Y, S).
func (p *problem) joint(t rapid.TB) *mat.SymDense {
	cxy := must.Get(Dial(p.cov, p.k, p.dial))(t)
	n, k := len(p.mean)+p.k, p.k
	at := func(i int) int { // position in u
		if i < k {
			return i
		}
		return i - k
	}
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			v := p.cov.At(at(i), at(j))
			if j < k && i >= k && i < 2*k {
				v = cxy.At(j, i-k)
			}
			c.SetSym(i, j, v)
		}
	}
	return c
}

func unitVector(k, i int) []float64 {
	w := make([]float64, k)
	w[i] = 1
	return w
}

// left returns what a regression on the attributes from k on leaves of the variance of a combination of the first k.
func left(t rapid.TB, joint *mat.SymDense, k int, w []float64) float64 {
	n := joint.SymmetricDim()
	x := mat.NewVecDense(n, append(slices.Clone(w), make([]float64, n-k)...))
	var with mat.VecDense
	with.MulVec(joint, x)
	v := mat.Dot(x, &with)
	others := mat.NewSymDense(n-k, nil)
	for i := range n - k {
		for j := range i + 1 {
			others.SetSym(i, j, joint.At(k+i, k+j))
		}
	}
	inv := must.Get(Inverse(others))(t)
	c := with.SliceVec(k, n)
	var b mat.VecDense
	b.MulVec(inv, c)
	return 1 - mat.Dot(&b, c)/v
}

// 1,000,000 records of 20 attributes, 10 of them confidential, take 0.6 of slices.Sort of a million random float64 on
// one core without missing values; with 2 % of the values of S missing, so that one record in five has a gap, 1.8.
func BenchmarkDraw(b *testing.B) {
	const k, p, n = 10, 20, 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	cov := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i {
			cov.SetSym(i, j, 0.3)
		}
		cov.SetSym(i, i, 1)
	}
	u, z, y := columns(p, n), columns(k, n), columns(k, n)
	for _, c := range slices.Concat(u, z) {
		for i := range c {
			c[i] = r.NormFloat64()
		}
	}
	l := law(b, make([]float64, p), cov, make([]float64, k)...)
	run := func(b *testing.B) {
		for b.Loop() {
			must.NoError(b, l.Draw(y, u, z))
		}
		yardstick.Report(b)
	}
	b.Run("1Mx20", run)
	for _, c := range u[k:] {
		for i := range c {
			if r.IntN(50) == 0 {
				c[i] = nan
			}
		}
	}
	b.Run("1Mx20Missing", run)
}
