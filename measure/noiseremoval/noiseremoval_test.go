package noiseremoval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/noisetest"
	"github.com/dither-data/dither/measure/noiseremoval"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// withGaps returns columns of random values of which about a share is missing.
func withGaps(r *rand.Rand, n, p int, share float64) [][]float64 {
	cols := make([][]float64, p)
	for k := range cols {
		cols[k] = make([]float64, n)
		for i := range cols[k] {
			cols[k][i] = 100 + 3*r.NormFloat64()
			if r.Float64() < share {
				cols[k][i] = math.NaN()
			}
		}
	}
	return cols
}

// twin guesses cell by cell in the columns' own units.
func twin(
	original, released [][]float64,
	sd []float64,
	step float64,
	gain mat.Matrix,
	within float64,
) noiseremoval.Guess {
	p, n := len(sd), len(released[0])
	var whole [][]float64
	for i := range n {
		row := make([]float64, p)
		for k := range p {
			row[k] = released[k][i]
		}
		if !math.IsNaN(stat.Mean(row, nil)) {
			whole = append(whole, row)
		}
	}
	mean := make([]float64, p)
	for k := range p {
		for _, row := range whole {
			mean[k] += row[k] / float64(len(whole))
		}
	}
	g := noiseremoval.Guess{RMSEs: make([]float64, p), Withins: make([]float64, p)}
	all, ratios := 0.0, 0.0 // of the squared error to that of the original column's own mean
	for k := range p {
		var known, scored []float64
		for _, x := range original[k] {
			if x == x {
				known = append(known, x)
			}
		}
		cells := 0.0
		for i := range n {
			x := original[k][i]
			if math.IsNaN(x) || math.IsNaN(released[k][i]) {
				continue
			}
			cells++
			scored = append(scored, x)
			guess := mean[k]
			for l := range p {
				if z := released[l][i]; z == z {
					guess += sd[k] * gain.At(k, l) * (z - mean[l]) / sd[l]
				}
			}
			g.RMSEs[k] += math.Pow((guess-x)/sd[k], 2)
			if math.Abs(table.Snap(guess, step)-x) <= within*stat.StdDev(known, nil)+1e-9*step {
				g.Withins[k]++
			}
		}
		all += cells
		ratios += g.RMSEs[k] * sd[k] * sd[k] / stat.PopVariance(scored, nil)
		g.RMSE += g.RMSEs[k]
		g.Within += g.Withins[k]
		g.RMSEs[k], g.Withins[k] = math.Sqrt(g.RMSEs[k]/cells), g.Withins[k]/cells
	}
	g.RMSE, g.Within, g.Error = math.Sqrt(g.RMSE/all), g.Within/all, math.Sqrt(ratios/all)
	return g
}

// randomRelease returns columns on a grid that are unlike their originals, and the standard deviations of the noise
// that the plan claims.
func randomRelease(r *rand.Rand, n, p int, share, step float64) (rel *measure.Release, sd []float64) {
	original, released := withGaps(r, n, p, share), withGaps(r, n, p, share)
	noise := noisetest.Noise{Cov: mat.NewSymDense(p, nil)}
	for k := range p {
		for i, x := range original[k] {
			original[k][i], released[k][i] = table.Snap(x, step), table.Snap(released[k][i], step)
		}
		sd = append(sd, 0.5+r.Float64())
		noise.Names = append(noise.Names, fmt.Sprint("x", k))
		noise.Cov.SetSym(k, k, sd[k]*sd[k])
	}
	rel = &measure.Release{
		Original: noisetest.Table(original),
		Released: noisetest.Table(released),
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{noise}},
	}
	for k := range p {
		a := *rel.Original.Attr(k)
		a.Step = step
		rel.Original = rel.Original.WithAttr(k, a)
	}
	return rel, sd
}

// TestRemoveEqualsTwin guesses by a random gain in tables of fewer and of more records than a block holds, some with
// missing values and some on a grid: the number of records is odd there, so that no mean lies half-way between two
// values.
func TestRemoveEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p := rapid.IntRange(1, 4).Draw(t, "columns")
		n := rapid.SampledFrom([]int{21, 57, 2501}).Draw(t, "records")
		share := rapid.SampledFrom([]float64{0, 0.2}).Draw(t, "missing")
		step := 0.0
		if share == 0 {
			step = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "step")
		}
		rel, sd := randomRelease(r, n, p, share, step)
		var original, released [][]float64
		for k := range p {
			original, released = append(original, rel.Original.Num(k)), append(released, rel.Released.Num(k))
		}
		gain := mat.NewDense(p, p, nil)
		gain.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, gain)
		m := noiseremoval.NoiseRemoval{Within: rapid.SampledFrom([]float64{0, 0.1, 2}).Draw(t, "within")}
		seen, err := m.Noisy(context.Background(), rel)
		if err != nil {
			if share > 0 && strings.Contains(err.Error(), "are complete") {
				return
			}
			t.Fatal(err)
		}
		d, other, err := m.Remove(context.Background(), seen, gain, mat.NewDense(p, p, nil))
		must.NoError(t, err)
		zero, one := mat.NewDense(p, p, nil), noisetest.Identity(p, 1)
		near := cmpopts.EquateApprox(1e-9, 1e-9)
		for name, pair := range map[string][2]noiseremoval.Guess{
			"estimate": {twin(original, released, sd, step, gain, m.Within), d.Estimate},
			"released": {twin(original, released, sd, step, one, m.Within), d.Released},
			"mean":     {twin(original, released, sd, step, zero, m.Within), d.Mean},
			"other":    {d.Mean, other[0]},
		} {
			if d := cmp.Diff(pair[0], pair[1], near); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
		}
	})
}

// TestRemoveOnAnyCores has many blocks, of which the last is short.
func TestRemoveOnAnyCores(t *testing.T) {
	r := noisetest.Release(withGaps(rand.New(rand.NewPCG(1, 2)), 30_017, 3, 0.1), noisetest.Identity(3, 0.4), 5)
	take := func() string {
		var m noiseremoval.NoiseRemoval
		fresh := &measure.Release{
			Original: r.Original,
			Released: r.Released,
			Paired:   true,
			Making:   measure.Making{Mechanisms: r.Mechanisms},
		}
		n := must.Get(m.Noisy(context.Background(), fresh))(t)
		d, _, err := m.Remove(context.Background(), n, noisetest.Identity(3, 0.7))
		must.NoError(t, err)
		text, _ := json.Marshal(d)
		return string(text)
	}
	first := take()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if second := take(); first != second {
		t.Errorf("one core gives %s, all give %s", second, first)
	}
}

// silent is a plan that says nothing of its noise.
type silent struct{}

func (silent) Schema() []table.Attribute { return nil }
func (silent) Changes() []string         { return nil }

// stubborn is a plan that cannot read the table.
type stubborn struct{ silent }

func (stubborn) Additive(*table.Table) ([]string, [][]float64, *mat.SymDense, error) {
	return nil, nil, nil, errors.New("cannot read it")
}

// TestUnknownNoise says why there is nothing to attack.
func TestUnknownNoise(t *testing.T) {
	a, b := withGaps(rand.New(rand.NewPCG(1, 2)), 9, 2, 0), withGaps(rand.New(rand.NewPCG(3, 4)), 9, 2, 0)
	x, y := noisetest.Table(a), noisetest.Table(b)
	gaps := noisetest.Table([][]float64{{1, math.NaN(), 3}, {math.NaN(), 2, 3}})
	labels := tabletest.Of(t, table.CatColumn("x0", []string{"a"}, make([]int32, 9)))
	one := func(cov float64, names ...string) []noisemodel.Mechanism {
		return []noisemodel.Mechanism{noisetest.Noise{Names: names, Cov: noisetest.Identity(max(1, len(names)), cov)}}
	}
	for _, c := range []struct {
		why string
		r   *measure.Release
		set float64
	}{
		{why: "needs the plan", r: &measure.Release{Original: x, Released: y, Paired: true}},
		{why: "not of additive noise", r: &measure.Release{Original: x, Released: y, Paired: true,
			Making: measure.Making{Mechanisms: []noisemodel.Mechanism{silent{}}}}},
		{why: "cannot read it", r: &measure.Release{Original: x, Released: y, Paired: true,
			Making: measure.Making{Mechanisms: []noisemodel.Mechanism{silent{}, stubborn{}}}}, set: 0.5},
		{why: "paired", r: &measure.Release{Original: x, Released: y}, set: 0.5},
		{why: "changes no number", r: &measure.Release{Original: x, Released: x, Paired: true}, set: 0.5},
		{why: "column has noise", r: &measure.Release{Original: x, Released: y, Paired: true,
			Making: measure.Making{Mechanisms: one(0, "x0", "x1")}}},
		{why: "column has noise", r: &measure.Release{Original: x, Released: y, Paired: true,
			Making: measure.Making{Mechanisms: one(math.NaN(), "x0")}}},
		{why: "column has noise", r: &measure.Release{Original: x, Released: y, Paired: true,
			Making: measure.Making{Mechanisms: one(1)}}},
		{why: `no column "x9"`, r: &measure.Release{Original: x, Released: y, Paired: true, Making: measure.Making{Mechanisms: one(1, "x0", "x9")}}},
		{why: `"x0", which is not a numeric column`, r: &measure.Release{Original: labels, Released: labels, Paired: true,
			Making: measure.Making{Mechanisms: one(1, "x0")}}},
		{why: `"x0" is too large beside`, r: &measure.Release{Original: x, Released: y, Paired: true, Making: measure.Making{Mechanisms: one(1e-320, "x0")}}},
		{why: "1 records are complete", r: &measure.Release{Original: gaps, Released: gaps, Paired: true,
			Making: measure.Making{Mechanisms: one(1, "x0", "x1")}}},
	} {
		m := noiseremoval.NoiseRemoval{Noise: c.set}
		if _, err := m.Noisy(context.Background(), c.r); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("the error is %v, expected %q", err, c.why)
		}
	}
}

// TestNoCells has no record with both an original and a released value.
func TestNoCells(t *testing.T) {
	nan := math.NaN()
	x, z := noisetest.Table([][]float64{{nan, nan, 3}}), noisetest.Table([][]float64{{1, 2, nan}})
	r := &measure.Release{Original: x, Released: z, Paired: true}
	m := noiseremoval.NoiseRemoval{Noise: 0.5}
	n := must.Get(m.Noisy(context.Background(), r))(t)
	if _, _, err := m.Remove(context.Background(), n, noisetest.Identity(1, 1)); err == nil {
		t.Error("an error without cells has a root mean square")
	}
}

// TestAssumedNoise has no plan: half of the variance of a changed column is noise.
func TestAssumedNoise(t *testing.T) {
	a := withGaps(rand.New(rand.NewPCG(1, 2)), 50, 3, 0)
	b := withGaps(rand.New(rand.NewPCG(3, 4)), 50, 3, 0)
	b[1] = a[1]
	for _, mechanisms := range [][]noisemodel.Mechanism{nil, {silent{}}} {
		m := noiseremoval.NoiseRemoval{Noise: 0.5}
		n := must.Get(m.Noisy(
			context.Background(),
			&measure.Release{Original: noisetest.Table(a), Released: noisetest.Table(b), Paired: true,
				Making: measure.Making{Mechanisms: mechanisms}},
		))(t)
		want := []float64{math.Sqrt(stat.Variance(b[0], nil) / 2), math.Sqrt(stat.Variance(b[2], nil) / 2)}
		if d := cmp.Diff(want, n.SD, cmpopts.EquateApprox(1e-12, 0)); d != "" || !cmp.Equal(n.Names, []string{"x0", "x2"}) {
			t.Errorf("columns %v: %s", n.Names, d)
		}
		if !mat.EqualApprox(n.Noise, noisetest.Identity(2, 1), 1e-15) || math.Abs(n.Total.At(1, 1)-2) > 1e-12 {
			t.Errorf("noise %v, released variance %v", n.Noise, n.Total.At(1, 1))
		}
	}
}

// TestSteps has a composite of two steps of additive noise, whose plan speaks for the first, and a column changed
// otherwise.
func TestSteps(t *testing.T) {
	a := withGaps(rand.New(rand.NewPCG(1, 2)), 60, 5, 0)
	b := withGaps(rand.New(rand.NewPCG(3, 4)), 60, 5, 0)
	b[4][7] = math.NaN()
	two := mat.NewSymDense(2, []float64{4, 1, 1, 9})
	r := &measure.Release{
		Original: noisetest.Table(a),
		Released: noisetest.Table(b),
		Paired:   true,
		Making: measure.Making{Mechanisms: []noisemodel.Mechanism{
			noisetest.Noise{Names: []string{"x2", "x0"}, Cov: two},
			noisetest.Noise{Names: []string{"x0"}, Cov: noisetest.Identity(1, 77)},
			silent{},
			noisetest.Noise{Names: []string{"x0", "x4", "x1"}, Cov: mat.NewSymDense(3, []float64{5, 2, 0, 2, 16, 0, 0, 0, 0})},
		}},
	}
	var m noiseremoval.NoiseRemoval
	n := must.Get(m.Noisy(context.Background(), r))(t)
	want := mat.NewSymDense(3, []float64{1, 1. / 6, 0, 1. / 6, 1, 0, 0, 0, 1})
	if !cmp.Equal(n.Names, []string{"x2", "x0", "x4"}) || !cmp.Equal(n.SD, []float64{2, 3, 4}) ||
		!mat.EqualApprox(n.Noise, want, 1e-15) {
		t.Errorf("columns %v with noise %v, correlations %v", n.Names, n.SD, mat.Formatted(n.Noise))
	}
	notes := strings.Join(message.Written(n.Notes), "; ")
	for _, s := range []string{"without noise, not attacked: 1", "otherwise than by additive noise, not attacked: 1",
		"59 of 60 records"} {
		if !strings.Contains(notes, s) {
			t.Errorf("notes %q lack %q", notes, s)
		}
	}
	if n.Records != 59 {
		t.Errorf("%d complete records", n.Records)
	}
}

// TestOriginal subtracts the noise from the released covariance; where that leaves less than nothing in a direction,
// nothing is left there.
func TestOriginal(t *testing.T) {
	for _, c := range []struct{ released, want []float64 }{
		{[]float64{4, 1, 1, 3}, []float64{3, 1, 1, 2}},
		{[]float64{0.5, 0, 0, 3}, []float64{0, 0, 0, 2}},
		{[]float64{2, 2, 2, 2}, []float64{1.5, 1.5, 1.5, 1.5}}, // eigenvalues 3 and -1, of (1, 1) and (1, -1)
	} {
		n := noiseremoval.Noisy{SD: []float64{1, 1}, Cov: mat.NewSymDense(2, c.released), Noise: noisetest.Identity(2, 1)}
		got, err := n.Original()
		if err != nil || !mat.EqualApprox(got, mat.NewSymDense(2, c.want), 1e-12) {
			t.Errorf("%v: %v, expected %v (%v)", c.released, mat.Formatted(got), c.want, err)
		}
	}
}

// TestValue checks the score and its notes at their limits.
func TestValue(t *testing.T) {
	for _, c := range []struct {
		estimate, released float64 // in standard deviations of the original
		score              float64
		closer, mass       bool // notes: the attack comes no closer; the mean is as good
	}{
		{0.2, 0.5, 0.2, false, false},
		{1.5, 0.5, 0.5, true, false},
		{0.991, 2, 0.991, false, true},
		{0.989, 2, 0.989, false, false},
		{0.9, 0.9, 0.9, true, false},
		{1.2, 2, 1, false, true},
	} {
		// The noise is half as wide as the original.
		d := noiseremoval.Removal{Names: []string{"a"}, Released: noiseremoval.Guess{RMSE: 2 * c.released, Error: c.released},
			Estimate: noiseremoval.Guess{RMSE: 2 * c.estimate, Error: c.estimate, RMSEs: []float64{2 * c.estimate}}}
		v := d.Value(measure.Part{Key: "first", Score: 9})
		notes := strings.Join(message.Written(v.Notes), "; ")
		if v.Score != c.score || v.Parts[0].Score != 2*min(c.estimate, c.released) || v.Parts[1].Score != 2*c.estimate ||
			v.Parts[3].Score != 9 || len(v.Parts) != 9 || strings.Contains(notes, "no closer") != c.closer ||
			strings.Contains(notes, "the mean") != c.mass {
			t.Errorf("%+v: score %v with %q", c, v.Score, notes)
		}
	}
}

// TestConstantColumn has noise on a column that is the same for all: it is left out of the score, and alone it leaves
// nothing to find.
func TestConstantColumn(t *testing.T) {
	x := withGaps(rand.New(rand.NewPCG(1, 2)), 300, 2, 0)
	for i := range x[1] {
		x[1][i] = 0.1
	}
	m := param.Default(&noiseremoval.NoiseRemoval{})
	take := func(cols [][]float64) (noiseremoval.Removal, error) {
		n := must.Get(m.Noisy(context.Background(), noisetest.Release(cols, noisetest.Identity(len(cols), 4), 6)))(t)
		d, _, err := m.Remove(context.Background(), n, noisetest.Identity(len(cols), 0.5))
		return d, err
	}
	d := must.Get(take(x))(t)
	want := d.Released.RMSEs[0] * 2 / math.Sqrt(stat.PopVariance(x[0], nil))
	if notes := strings.Join(message.Written(d.Value().Notes), "; "); math.Abs(d.Released.Error/want-1) > 1e-9 ||
		d.OriginalSD[1] != 0 ||
		!strings.Contains(notes, "left out of the score: 1") {
		t.Errorf("error %v, expected %v; notes %q", d.Released.Error, want, notes)
	}
	if _, err := take(x[1:]); !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("a constant column alone gives %v", err)
	}
}

// TestNotesStayApart takes two attacks on one release, whose own notes follow those that they share.
func TestNotesStayApart(t *testing.T) {
	r := noisetest.Release(withGaps(rand.New(rand.NewPCG(1, 2)), 200, 1, 0.1), noisetest.Identity(1, 16), 6)
	m := param.Default(&noiseremoval.NoiseRemoval{})
	seen := must.Get(m.Noisy(context.Background(), r))(t)
	seen.Notes = append(make([]message.Sentence, 0, 9), message.Name("shared")) // with room for more
	var values []measure.Value
	for _, gain := range []float64{1, 0} {
		d, _, err := m.Remove(context.Background(), seen, noisetest.Identity(1, gain))
		must.NoError(t, err)
		values = append(values, d.Value())
	}
	if strings.Contains(values[0].Notes[1].String(), "mean") ||
		!strings.Contains(values[0].Notes[1].String(), "no closer") {
		t.Errorf("notes %q and %q", values[0].Notes, values[1].Notes)
	}
}

// TestOtherNoise has twice the noise that the plan says.
func TestOtherNoise(t *testing.T) {
	r := noisetest.Release(withGaps(rand.New(rand.NewPCG(1, 2)), 2000, 3, 0), noisetest.Identity(3, 4), 6)
	for _, c := range []struct {
		variance float64
		noted    bool
	}{{4, false}, {2, true}, {8, true}} {
		r := &measure.Release{Original: r.Original, Released: r.Released, Paired: true,
			Making: measure.Making{Mechanisms: []noisemodel.Mechanism{
				noisetest.Noise{Names: []string{"x0", "x1", "x2"}, Cov: noisetest.Identity(3, c.variance)},
			}}}
		m := param.Default(&noiseremoval.NoiseRemoval{})
		n := must.Get(m.Noisy(context.Background(), r))(t)
		d, _, err := m.Remove(context.Background(), n, noisetest.Identity(3, 1))
		must.NoError(t, err)
		if notes := d.Value().Notes; strings.Contains(strings.Join(message.Written(notes), "; "),
			"the noise is not as assumed") != c.noted {
			t.Errorf("noise of variance 4 taken for %v: notes %q", c.variance, notes)
		}
	}
}
