package valuedisclosure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// uniform is whole noise from -reach to reach that does not wrap around.
type uniform struct{ reach float64 }

func (u uniform) P(x, y float64) float64 {
	if math.Abs(y-x) > u.reach {
		return 0
	}
	return 1 / (2*u.reach + 1)
}

// mechanism has one law for every numeric column.
type mechanism struct {
	attrs  []table.Attribute
	kernel noisemodel.Kernel
}

func (m mechanism) Schema() []table.Attribute { return m.attrs }
func (m mechanism) Changes() []string {
	var names []string
	for _, a := range m.attrs {
		if a.Kind == table.Numeric {
			names = append(names, a.Name)
		}
	}
	return names
}
func (m mechanism) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Everywhere(m.kernel), m.attrs[j].Kind == table.Numeric
}

// ages returns a release of ages with the domain given.
func ages(t tabletest.T, lo, hi float64, original, released []float64, k noisemodel.Kernel) *measure.Release {
	column := func(v []float64) *table.Table {
		c := table.NumColumn("age", 1, v)
		c.Domain = table.Interval{Lo: lo, Hi: hi}
		return tabletest.Of(t, c)
	}
	r := &measure.Release{Original: column(original), Released: column(released), Paired: true}
	r.Mechanisms = []noisemodel.Mechanism{mechanism{r.Original.Attrs(), k}}
	return r
}

func inferenceTake(t tabletest.T, m *IntervalInferenceMeter, r *measure.Release) IntervalInferenceDetail {
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	d := v.Detail.(IntervalInferenceDetail)
	if v.Score != d.worst().Inferred {
		t.Fatal("the score is ", v.Score, ", that of the worst column ", d.worst().Inferred)
	}
	return d
}

// TestThesis is the example of section 3.2.2: an age is released as 120, the noise is uniform on -50 to 50, so the age
// is at least 70.
func TestThesis(t *testing.T) {
	for _, c := range []struct{ hi, want float64 }{
		{150, 81}, // 70 to 150 are left
		{200, 101},
		{120, 51},
		{70, 1}, // then it is known
	} {
		m := New()
		m.Confidence, m.Width = 100, 100*81/151.0
		d := inferenceTake(t, m, ages(t, 0, c.hi, []float64{70}, []float64{120}, uniform{50}))
		got := d.Columns[0]
		if left := got.Left * (c.hi + 1); math.Abs(left-c.want) > 1e-9 || *got.Right != 1 {
			t.Errorf("with a domain to %v %v ages are left, expected %v; right %v", c.hi, left, c.want, *got.Right)
		}
		if wantInferred := c.want <= 81/151.0*(c.hi+1); (got.Inferred == 1) != wantInferred ||
			(got.Certain == 1) != (c.want == 1) {
			t.Errorf("with a domain to %v: %+v", c.hi, got)
		}
	}
	d := inferenceTake(t, New(), ages(t, 0, 60, []float64{10}, []float64{120}, uniform{50}))
	if got := d.Columns[0]; got.Unfit != 1 || got.Left != 1 || got.Inferred != 0 || *got.Right != 1 {
		t.Errorf("a value that no age can have given: %+v", got)
	}
}

// fewest returns how many values of a small domain hold the original, by trying all sizes of sets: the likeliest values
// first.
func fewest(k noisemodel.Kernel, lo, hi int, y, confidence float64) float64 {
	var p []float64
	total := 0.0
	for x := lo; x <= hi; x++ {
		p = append(p, k.P(float64(x), y))
		total += p[len(p)-1]
	}
	if total == 0 {
		return float64(hi - lo + 1)
	}
	slices.Sort(p)
	slices.Reverse(p)
	for n := 1; n <= len(p); n++ {
		sum := 0.0
		for _, v := range p[:n] {
			sum += v
		}
		possible := n == len(p) || p[n] == 0
		if possible || confidence < 1 && sum >= confidence*total*(1-1e-12) {
			return float64(n)
		}
	}
	panic("all values hold the original")
}

// TestIntervalInferenceTwin compares with sets of values that are tried one by one, for uniform and for wrapped normal
// noise.
func TestIntervalInferenceTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		hi := rapid.IntRange(0, 40).Draw(rt, "highest")
		d := wrap.On(table.Interval{Lo: 0, Hi: float64(hi)}, 1)
		kernel := rapid.SampledFrom([]noisemodel.Kernel{uniform{float64(rapid.IntRange(0, 20).Draw(rt, "reach"))},
			wrap.NoiseKernel{
				Domain: d,
				SD:     rapid.Float64Range(0.3, 10).Draw(rt, "sd"),
			}, wrap.UniformKernel{Domain: d}, noisemodel.Kept{}}).Draw(rt, "law")
		n := rapid.IntRange(1, 8).Draw(rt, "records")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(rapid.IntRange(0, hi).Draw(rt, "original")), float64(rapid.IntRange(0, hi).Draw(rt, "released"))
			if rapid.IntRange(0, 9).Draw(rt, "gap") == 0 {
				y[i] = math.NaN()
			}
		}
		m := New()
		m.Confidence = rapid.SampledFrom([]float64{50, 90, 99.9, 100}).Draw(rt, "confidence")
		m.Width = rapid.Float64Range(0, 100).Draw(rt, "width")
		got := inferenceTake(rt, m, ages(rt, 0, float64(hi), x, y, kernel)).Columns[0]
		size, left, inferred := float64(hi+1), 0.0, 0.0
		for i := range y {
			if y[i] != y[i] {
				left++
				continue
			}
			k := fewest(kernel, 0, hi, y[i], m.Confidence/100)
			left += k / size
			fits := false
			for v := range hi + 1 {
				fits = fits || kernel.P(float64(v), y[i]) > 0
			}
			if fits && k <= max(1, m.Width/100*size) {
				inferred++
			}
		}
		protecttest.Near(t, "left", got.Left, left/float64(n), 1e-9)
		protecttest.Near(t, "inferred", got.Inferred, inferred/float64(n), 1e-9)
	})
}

// TestCells compares cells of a domain of 300,000 values with all of its values: the number left is within 5 % of what
// it is.
func TestCells(t *testing.T) {
	d := wrap.On(table.Interval{Lo: 0, Hi: 299_999}, 1)
	for _, k := range []noisemodel.Kernel{uniform{5}, uniform{2000}, wrap.NoiseKernel{Domain: d, SD: 30},
		wrap.NoiseKernel{Domain: d, SD: 20_000}} {
		for _, y := range []float64{150_000, 7, 0, 299_990}[:long.Of(1, 4)] {
			for _, c := range []float64{0.9, 0.999, 1}[:long.Of(2, 3)] {
				got, _, ok := inferenceDivide(&d, y).left(k, y, c)
				want := fewest2(k, 300_000, y, c)
				if !ok || math.Abs(got-want) > 0.05*want+1 {
					t.Errorf("%+v at %v with %v: %v values are left, expected %v", k, y, c, got, want)
				}
			}
		}
	}
}

// fewest2 is fewest with a running sum.
func fewest2(k noisemodel.Kernel, size int, y, confidence float64) float64 {
	p, total := make([]float64, size), 0.0
	for x := range p {
		p[x] = k.P(float64(x), y)
		total += p[x]
	}
	slices.Sort(p)
	sum, n := 0.0, 0
	for n < size && p[size-1-n] > 0 && (confidence == 1 || sum < confidence*total) {
		sum += p[size-1-n]
		n++
	}
	return float64(n)
}

// TestSegments: of a number that a leaf keeps in a sub-domain only the sub-domain is left, and the original is always
// in it.
func TestSegments(t *testing.T) {
	long.Only(t, "a tree and its release")
	tab := protecttest.Mixed(600)
	q := framework.Framework.New()
	must.NoError(t, q.Params().Apply(map[string]string{"influential": "keep", "spread": "100"}))
	r := protecttest.Released(t, tab, q)
	m := New()
	m.Confidence = 100
	inside := false
	for _, c := range inferenceTake(t, m, r).Columns {
		if *c.Right != 1 {
			t.Errorf("%s: only %v of the originals are among the values left", c.Name, *c.Right)
		}
		if c.Left < 1-1e-9 {
			inside = true
		}
	}
	if !inside {
		t.Error("no attribute is narrowed by its leaf")
	}
	// What is left is what the released record's own leaf leaves.
	p := must.Get(newParts(r))(t)
	ws, _ := laws(r)
	for _, w := range ws {
		a := r.Original.Attr(w.at)
		sum, n := 0.0, 0.0
		for i := range r.Released.Rows() {
			if r.Original.MissingAt(i, w.at) {
				continue
			}
			n++
			if r.Released.MissingAt(i, w.at) {
				sum++
				continue
			}
			d, whole := domain(a, w.at, p.segment(i)), wrap.On(a.Domain, a.Step)
			sum += d.Size() / whole.Size()
		}
		c := m.column(r, p, w, rowsOf(r.Released.Rows()))
		protecttest.Near(t, a.Name, c.Left, sum/n, 1e-6)
	}
}

func rowsOf(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestAdditive: of normal noise of a known deviation 99.9 % lie within 3.29 deviations; less noise leaves less; and the
// original is among what is left in at least 99 % of the cases: of 4,000 independent ones fewer than 3,960 come once in
// 10^60 where 99.9 % do.
func TestAdditive(t *testing.T) {
	values := make([]float64, 4000)
	src := rng.New([32]byte{3}).Rand()
	for i := range values {
		values[i] = math.Round(100 * src.NormFloat64())
	}
	tab := tabletest.Of(t, table.NumColumn("x", 1, values))
	m := New()
	m.Targets = len(values)
	last := 0.0
	for _, noise := range []string{"0.001", "0.01", "0.1"} {
		q := additivenoise.Independent.New()
		must.NoError(t, q.Params().Apply(map[string]string{"noise": noise}))
		c := inferenceTake(t, m, protecttest.Released(t, tab, q)).Columns[0]
		if c.Left <= last || *c.Right < 0.99 {
			t.Errorf("noise %s leaves %v of the domain, which holds %v of the originals", noise, c.Left, *c.Right)
		}
		last = c.Left
		d := wrap.On(tab.Attr(0).Domain, 1)
		if noise == "0.01" { // a deviation of 10, so 66 values of some 700
			protecttest.Near(t, "values left", c.Left*d.Size(), 2*3.29*10, 6)
		}
	}
}

// TestPairs: the more attributes there are, the fewer records are looked at, 100 at least, unless fewer are asked for.
func TestPairs(t *testing.T) {
	const rows, attributes = 2000, 20
	src := rng.New([32]byte{5}).Rand()
	values := make([][]float64, attributes)
	for j := range values {
		values[j] = make([]float64, rows)
		for i := range values[j] {
			values[j][i] = math.Round(10 * src.NormFloat64())
		}
	}
	r := protecttest.Released(t, tabletest.Of(t, tabletest.Numbers(1, values...)...), additivenoise.Independent.New())
	for _, c := range []struct{ targets, pairs, want int }{
		{1000, 1, 100}, {1000, 300 * inferenceMostCells * attributes, 300}, {1000, math.MaxInt32, 1000}, {40, 1, 40},
		{5000, math.MaxInt32, rows},
	} {
		m := New()
		m.Targets, m.Pairs = c.targets, c.pairs
		d := inferenceTake(t, m, r)
		if d.Targets != c.want || d.Records != rows || len(d.Columns) != attributes {
			t.Errorf("targets %d, pairs %d: %d of %d records in %d attributes are looked at, want %d", c.targets, c.pairs,
				d.Targets, d.Records, len(d.Columns), c.want)
		}
	}
}

func TestWhatIsJudged(t *testing.T) {
	secret := table.NumColumn("income", 1, []float64{1, 2, 3})
	secret.Role = table.Confidential
	open := table.NumColumn("age", 1, []float64{4, 5, 6})
	id := table.NumColumn("id", 1, []float64{7, 8, 9})
	id.Role = table.Identifier
	tab := tabletest.Of(t, secret, open, id)
	d := inferenceTake(t, New(), &measure.Release{Original: tab, Released: tab, Paired: true})
	if len(d.Columns) != 1 || d.Columns[0].Name != "income" || d.Columns[0].Certain != 1 {
		t.Errorf("released as it is: %+v", d.Columns)
	}
	moved := tabletest.Of(t, table.NumColumn("income", 1, []float64{2, 3, 1}), open, id)
	r := &measure.Release{Original: tab, Released: moved.WithAttr(0, secret.Attribute), Paired: true}
	if _, err := New().Measure(t.Context(), r, rng.Source{}); err == nil {
		t.Error("without a plan the noise is known")
	}
}

// 30,000 records take 3.3 times the yardstick, a million 4.8 times: a sample of 1,000 is looked at, and all are routed.
func BenchmarkIntervalInferenceMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		tab := protecttest.Mixed(rows)
		r := protecttest.Released(b, tab, framework.NewFramework())
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				must.Get(New().Measure(b.Context(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
