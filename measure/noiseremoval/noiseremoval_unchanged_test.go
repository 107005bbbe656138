package noiseremoval_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/noisetest"
	"github.com/dither-data/dither/measure/noiseremoval"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// mixed returns a release of p noisy columns and q unchanged ones that go together, in other units and far from 0.
func mixed(r *rand.Rand, n, p, q int) (rel *measure.Release, s [][]float64) {
	all := noisetest.Draw(n, noisetest.Loadings(p+q, p+q, r.Uint64()), r.Uint64())
	for k, c := range all {
		for i := range c {
			if k >= p {
				c[i] = 40 + 7*c[i]
			}
		}
	}
	return noisetest.Beside(noisetest.Release(all[:p], noisetest.Identity(p, 0.3), r.Uint64()), all[p:]), all[p:]
}

// regressed returns the least squares fit of the columns y on the columns x, over the records that have all, at every
// record, by QR; a record that lacks a value of x has none. Spread holds the covariance of the residuals, with as many
// degrees of freedom as are left.
func regressed(y, x [][]float64) (fit [][]float64, spread *mat.SymDense) {
	var rows []int
	for i := range y[0] {
		if !slices.ContainsFunc(slices.Concat(x, y), func(c []float64) bool { return math.IsNaN(c[i]) }) {
			rows = append(rows, i)
		}
	}
	design, right := mat.NewDense(len(rows), len(x)+1, nil), mat.NewDense(len(rows), len(y), nil)
	for r, i := range rows {
		design.Set(r, 0, 1)
		for l, c := range x {
			design.Set(r, l+1, c[i])
		}
		for k, c := range y {
			right.Set(r, k, c[i])
		}
	}
	var beta, rest mat.Dense
	if err := beta.Solve(design, right); err != nil {
		panic(err)
	}
	rest.Mul(design, &beta)
	rest.Sub(right, &rest)
	spread = mat.NewSymDense(len(y), nil)
	spread.SymOuterK(1/float64(len(rows)-len(x)-1), rest.T())
	for k := range y {
		fit = append(fit, make([]float64, len(y[k])))
		for i := range fit[k] {
			fit[k][i] = beta.At(0, k)
			for l, c := range x {
				fit[k][i] += beta.At(l+1, k) * c[i]
			}
		}
	}
	return fit, spread
}

// TestUnchangedEqualsTwin guesses by a random gain on the residuals of the regression on unchanged columns. What of
// these is missing is that of the regression on the noisy ones, here where no noisy value is missing too.
func TestUnchangedEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p, q := rapid.IntRange(1, 3).Draw(t, "noisy"), rapid.IntRange(1, 3).Draw(t, "unchanged")
		n := rapid.SampledFrom([]int{60, 2501}).Draw(t, "records")
		share := rapid.SampledFrom([]float64{0, 0.05}).Draw(t, "missing")
		rel, s := mixed(r, n, p, q)
		for _, c := range s {
			for i := range c {
				if r.Float64() < share {
					c[i] = math.NaN()
				}
			}
		}
		rel = noisetest.Beside(
			&measure.Release{Original: rel.Original.Select(seq(p)...), Released: rel.Released.Select(seq(p)...),
				Making: measure.Making{Mechanisms: rel.Mechanisms}},
			s,
		)
		var z [][]float64
		for k := range p {
			z = append(z, rel.Released.Num(k))
		}
		back, _ := regressed(s, z)
		whole := make([][]float64, q)
		for l, c := range s {
			whole[l] = slices.Clone(c)
			for i, v := range c {
				if v != v {
					whole[l][i] = back[l][i]
				}
			}
		}
		fit := twinFit(z, s, whole)
		_, spread := regressed(z, s)
		gain := mat.NewDense(p, p, nil)
		gain.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, gain)
		sum := 0.0
		for k := range p {
			for i, x := range rel.Original.Num(k) {
				guess := fit[k][i]
				for l := range p {
					guess += gain.At(k, l) * (z[l][i] - fit[l][i])
				}
				sum += (guess - x) * (guess - x) / 0.3 / float64(n*p)
			}
		}
		var m noiseremoval.NoiseRemoval
		seen := must.Get(m.Noisy(context.Background(), rel))(t)
		d, _, err := m.Remove(context.Background(), seen, gain)
		must.NoError(t, err)
		spread.ScaleSym(1/0.3, spread)
		if !mat.EqualApprox(seen.Cov, spread, 1e-9) || seen.Freedom != seen.Records-q || len(d.Unchanged) != q {
			t.Fatalf("covariance %v with %d of %d degrees, expected %v", mat.Formatted(seen.Cov), seen.Freedom, seen.Records,
				mat.Formatted(spread))
		}
		if want := math.Sqrt(sum); math.Abs(d.Estimate.RMSE/want-1) > 1e-9 {
			t.Fatalf("error %v, expected %v", d.Estimate.RMSE, want)
		}
	})
}

// twinFit is the fit of the regression of z on s, at the values of s without gaps.
func twinFit(z, s, whole [][]float64) [][]float64 {
	n := len(z[0])
	var y, x [][]float64
	for _, c := range z {
		y = append(y, append(slices.Clone(c), slices.Repeat([]float64{math.NaN()}, n)...)) // fitted, but not regressed on
	}
	for l, c := range s {
		x = append(x, append(slices.Clone(c), whole[l]...))
	}
	fit, _ := regressed(y, x)
	for k := range fit {
		fit[k] = fit[k][n:]
	}
	return fit
}

func seq(n int) []int {
	out := make([]int, n)
	for k := range out {
		out[k] = k
	}
	return out
}

// TestUnchangedTell has unchanged columns, some of which tell nothing or twice the same: the guesses on the released
// values alone are as without them.
func TestUnchangedTell(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	with, s := mixed(r, 500, 2, 2)
	twice := slices.Clone(s[0])
	s = append(s, twice, slices.Repeat([]float64{3}, 500))
	with = noisetest.Beside(&measure.Release{Original: with.Original.Select(0, 1), Released: with.Released.Select(0, 1),
		Making: measure.Making{Mechanisms: with.Mechanisms}}, s)
	without := &measure.Release{Original: with.Original.Select(0, 1), Released: with.Released.Select(0, 1), Paired: true,
		Making: measure.Making{Mechanisms: with.Mechanisms}}
	take := func(rel *measure.Release) (*noiseremoval.Noisy, noiseremoval.Removal, noiseremoval.Guess) {
		var m noiseremoval.NoiseRemoval
		n := must.Get(m.Noisy(context.Background(), rel))(t)
		d, other, err := m.Remove(context.Background(), n, noisetest.Identity(2, 0.5), noisetest.Identity(2, 0.7))
		must.NoError(t, err)
		return n, d, other[0]
	}
	n, d, other := take(with)
	_, e, same := take(without)
	if !cmp.Equal(d.Unchanged, []string{"s0", "s1", "s2"}) || n.Freedom != 498 || d.Told == nil || e.Told != nil ||
		len(e.Unchanged) > 0 {
		t.Errorf("unchanged %v, freedom %d", d.Unchanged, n.Freedom)
	}
	near := cmpopts.EquateApprox(1e-12, 0)
	if diff := cmp.Diff([]noiseremoval.Guess{e.Released, e.Mean, same}, []noiseremoval.Guess{d.Released, d.Mean, other},
		near); diff != "" {
		t.Error(diff)
	}
	if !(d.Told.RMSE < d.Mean.RMSE) {
		t.Errorf("unchanged columns tell %v, the mean %v", d.Told.RMSE, d.Mean.RMSE)
	}
}

// TestClosest scores the better of an attack with and without the unchanged columns.
func TestClosest(t *testing.T) {
	rel, _ := mixed(rand.New(rand.NewPCG(1, 2)), 100, 2, 1)
	var m noiseremoval.NoiseRemoval
	for _, c := range []struct{ with, without, want float64 }{{0.2, 0.5, 0.2}, {0.5, 0.2, 0.2}} {
		v, err := m.Closest(context.Background(), rel, func(_ context.Context, n *noiseremoval.Noisy) (measure.Value, error) {
			if len(n.Unchanged) > 0 {
				return measure.Exact(c.with, nil), nil
			}
			if n.Freedom != 100 || n.Cov != n.Total {
				t.Errorf("without unchanged columns there are %d degrees of freedom", n.Freedom)
			}
			return measure.Exact(c.without, nil), nil
		})
		if err != nil || v.Score != c.want || (len(v.Notes) > 0) != (c.with > c.without) {
			t.Errorf("score %v with notes %q, expected %v (%v)", v.Score, v.Notes, c.want, err)
		}
	}
	fails := errors.New("no")
	if _, err := m.Closest(context.Background(), rel,
		func(context.Context, *noiseremoval.Noisy) (measure.Value, error) { return measure.Value{}, fails }); err != fails {
		t.Errorf("the error is %v", err)
	}
}

// TestUnchangedLeftOut has unchanged columns that are not used: an identifier, a weight, and one that is mostly
// missing.
func TestUnchangedLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rel, s := mixed(r, 45, 1, 6)
	for i := range 30 {
		s[0][i] = math.NaN()
	}
	s[1][7] = math.NaN()
	rel = noisetest.Beside(
		&measure.Release{
			Original: rel.Original.Select(0),
			Released: rel.Released.Select(0),
			Making:   measure.Making{Mechanisms: rel.Mechanisms},
		},
		s,
	)
	for j, role := range map[int]table.Role{3: table.Identifier, 4: table.Weight} {
		for _, side := range []**table.Table{&rel.Original, &rel.Released} {
			a := *(*side).Attr(j)
			a.Role = role
			*side = (*side).WithAttr(j, a)
		}
	}
	// Left are s1 with a gap, s4 and s5, which come first; s0 leaves 15 records.
	var m noiseremoval.NoiseRemoval
	n := must.Get(m.Noisy(context.Background(), rel))(t)
	if !cmp.Equal(n.Unchanged, []string{"s4", "s5", "s1"}) || n.Records != 44 || n.Freedom != 41 ||
		!strings.Contains(strings.Join(message.Written(n.Notes), "; "), "not used, for too few complete records: 1") {
		t.Errorf("unchanged %v, %d records, notes %q", n.Unchanged, n.Records, n.Notes)
	}
}

// TestMissingCountsAsTold suppresses noisy values: for the guess of another column they count as what the unchanged
// ones tell.
func TestMissingCountsAsTold(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(5, 6))
	x, s := make([][]float64, 2), make([][]float64, 1)
	for range n {
		u := 10 * r.NormFloat64()
		x[0], x[1], s[0] = append(x[0], u), append(x[1], u), append(s[0], u)
	}
	rel := noisetest.Beside(noisetest.Release(x, noisetest.Identity(2, 1), 7), s)
	z := slices.Clone(rel.Released.Num(1))
	for i := range n / 4 {
		z[i] = math.NaN()
	}
	cols := rel.Released.Columns()
	cols[1].Num = z
	released := must.Get(rel.Released.WithColumns(cols))(t)
	rel.Released = released
	var m noiseremoval.NoiseRemoval
	seen := must.Get(m.Noisy(context.Background(), rel))(t)
	d, _, err := m.Remove(context.Background(), seen, mat.NewDense(2, 2, []float64{0, 0.5, 0, 0}))
	must.NoError(t, err)
	// Where x1 is there the guess of x0 is the fit, which is within 0.2 of x0, and half of its noise: 0.5 on 3/4 of the
	// records.
	if math.Abs(d.Estimate.RMSEs[0]-0.5*math.Sqrt(0.75)) > 0.1 {
		t.Errorf("error %v, expected %v", d.Estimate.RMSEs[0], 0.5*math.Sqrt(0.75))
	}
}
