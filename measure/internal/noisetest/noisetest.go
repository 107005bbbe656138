// Package noisetest makes releases by additive noise for the tests of the attacks on it.
package noisetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Noise is a plan that adds noise of this covariance to the named columns.
type Noise struct {
	Names []string
	Cov   *mat.SymDense
}

// Schema says nothing of the table.
func (n Noise) Schema() []table.Attribute { return nil }

// Changes names the columns.
func (n Noise) Changes() []string { return n.Names }

// Additive makes it a noisemodel.Additive.
func (n Noise) Additive(released *table.Table) (names []string, z [][]float64, noise *mat.SymDense, err error) {
	for _, name := range n.Names {
		j := released.Find(name)
		if j < 0 {
			return nil, nil, nil, fmt.Errorf("the released table has no column %q", name)
		}
		z = append(z, released.Num(j))
	}
	return n.Names, z, n.Cov, nil
}

// Loadings returns an m x rank matrix F of independent normal entries of variance 1/rank: the signal F u has a
// covariance F F' of that rank and attributes of variance about 1 for independent standard normals u.
func Loadings(m, rank int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	f := mat.NewDense(m, rank, nil)
	for i := range m {
		for k := range rank {
			f.Set(i, k, r.NormFloat64()/math.Sqrt(float64(rank)))
		}
	}
	return f
}

// Draw returns the columns of n records root u, u independent standard normals.
func Draw(n int, root mat.Matrix, seed uint64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	m, rank := root.Dims()
	cols, u := make([][]float64, m), make([]float64, rank)
	for j := range cols {
		cols[j] = make([]float64, n)
	}
	for i := range n {
		for k := range u {
			u[k] = r.NormFloat64()
		}
		for j := range cols {
			for k, v := range u {
				cols[j][i] += root.At(j, k) * v
			}
		}
	}
	return cols
}

// Of returns the covariance F F' of F u, times a factor.
func Of(f *mat.Dense, factor float64) *mat.SymDense {
	var s mat.SymDense
	s.SymOuterK(factor, f)
	return &s
}

// Identity returns the covariance of m independent variables, times a factor.
func Identity(m int, factor float64) *mat.SymDense {
	s := mat.NewSymDense(m, nil)
	for k := range m {
		s.SetSym(k, k, factor)
	}
	return s
}

// Table returns a table of continuous columns x0, x1, ...
func Table(cols [][]float64) *table.Table {
	var out []table.Column
	for k, v := range cols {
		out = append(out, table.NumColumn(fmt.Sprint("x", k), 0, v))
	}
	t, err := table.New(out...)
	if err != nil {
		panic("noisetest: " + err.Error())
	}
	return t
}

// Release returns the columns with normal noise of the covariance, and a plan that says so.
func Release(cols [][]float64, noise *mat.SymDense, seed uint64) *measure.Release {
	root, err := mvnorm.Root(noise)
	if err != nil {
		panic("noisetest: " + err.Error())
	}
	e := Draw(len(cols[0]), root, seed)
	for k, x := range cols {
		for i, v := range x {
			e[k][i] += v
		}
	}
	r := &measure.Release{Original: Table(cols), Released: Table(e), Paired: true}
	n := Noise{Cov: noise}
	for _, a := range r.Original.Attrs() {
		n.Names = append(n.Names, a.Name)
	}
	r.Mechanisms = []noisemodel.Mechanism{n}
	return r
}

// Beside returns the release with continuous columns s0, s1, ... beside the others, released unchanged.
func Beside(r *measure.Release, s [][]float64) *measure.Release {
	var more []table.Column
	for k, v := range s {
		more = append(more, table.NumColumn(fmt.Sprint("s", k), 0, v))
	}
	wide := func(t *table.Table) *table.Table {
		out, err := table.New(append(t.Columns(), more...)...)
		if err != nil {
			panic("noisetest: " + err.Error())
		}
		return out
	}
	return &measure.Release{
		Original: wide(r.Original),
		Released: wide(r.Released),
		Paired:   true,
		Making:   measure.Making{Mechanisms: r.Mechanisms},
	}
}

// Informed returns the measure with three tenths of the released variance taken for noise: what the conformance suite
// can measure, whose releases come without a plan.
func Informed(m measure.Measure) measure.Measure {
	bare := m.New
	m.New = func() measure.Meter { return informed{bare()} }
	return m
}

type informed struct{ measure.Meter }

func (m informed) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := m.Params().Apply(map[string]string{"noise": "0.3"}); err != nil {
		return measure.Value{}, err
	}
	return m.Meter.Measure(ctx, r, src)
}

// Monotone protects six correlated columns with ever more independent noise, 0.01, 0.25 and 2 of every column's
// variance: the score must rise by a tenth at least with every step, and the weakest noise must score no more than its
// own standard deviation, 0.1, with 5 standard errors of 30,000 cells. The error in standard deviations of the noise
// falls instead, as more of strong noise is told apart.
func Monotone(t *testing.T, m measure.Measure) {
	t.Helper()
	f := Loadings(6, 3, 1)
	x, last := Draw(5000, f, 2), 0.0
	for _, share := range []float64{0.01, 0.25, 2} {
		noise := Identity(6, 0)
		for k := range 6 {
			noise.SetSym(k, k, share*Of(f, 1).At(k, k))
		}
		v, err := m.New().Measure(context.Background(), Release(x, noise, 3), rng.Source{})
		if err != nil {
			t.Fatal(err)
		}
		if last == 0 && v.Score > 0.1*(1+5/math.Sqrt(2*30_000)) || last > 0 && v.Score < last+0.1 || v.Score > 1 {
			t.Errorf("noise of %v of the variance scores %v, less noise %v", share, v.Score, last)
		}
		last = v.Score
	}
}

// Bench measures releases of six correlated columns with independent noise, once each: nothing is remembered.
func Bench(b *testing.B, m measure.Measure) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r := Release(Draw(rows, Loadings(6, 3, 1), 2), Identity(6, 0.25), 3)
			for b.Loop() {
				fresh := &measure.Release{
					Original: r.Original,
					Released: r.Released,
					Paired:   true,
					Making:   measure.Making{Mechanisms: r.Mechanisms},
				}
				if _, err := m.New().Measure(context.Background(), fresh, rng.Source{}); err != nil {
					b.Fatal(err)
				}
			}
			yardstick.Report(b)
		})
	}
}
