package posterior

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/forestframework"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// twin is the definition word by word: targets times records times attributes.
type twin struct {
	r     *measure.Release
	view  *intruder.View
	trees Trees
	o     Options
}

// beliefs returns the probability of every released record for a target, that it is in the file; wide says that no
// record fitted its segment.
func (w *twin) beliefs(row int) (p []float64, wide bool) {
	in := segment.Segment{}
	if w.trees.Guide != nil {
		keys := make([]uint64, w.r.Original.Rows())
		if err := w.trees.Guide.Route(w.r.Original, keys); err != nil {
			panic(err)
		}
		in = w.trees.Guide.Segment(keys[row])
	}
	p = w.normalised(row, &in)
	if math.IsNaN(p[0]) && w.trees.Guide != nil {
		p, wide = w.normalised(row, &segment.Segment{}), true
	}
	if math.IsNaN(p[0]) {
		for i := range p {
			p[i] = 1 / float64(len(p))
		}
		wide = false
	}
	return p, wide
}

func (w *twin) normalised(row int, segment *segment.Segment) []float64 {
	p := make([]float64, w.r.Released.Rows())
	sum := 0.0
	for i := range p {
		p[i] = w.density(row, i)
		for _, k := range w.view.Known {
			if !slices.Contains(w.additive(), k.Column) && !w.r.Original.MissingAt(row, k.Column) {
				p[i] *= w.one(&k, row, i, segment)
			}
		}
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// one is the probability that what is known of one attribute becomes what the record shows.
func (w *twin) one(k *intruder.Known, row, i int, segment *segment.Segment) float64 {
	was, is := w.r.Original.Column(k.Column), w.r.Released.Column(k.Column)
	kernel := w.law(k.Column, row, segment)
	at := func(c table.Column, i int) float64 {
		if c.Kind == table.Categorical {
			return float64(c.Cat[i])
		}
		return c.Num[i]
	}
	x, y := at(was, row), at(is, i)
	_, kept := kernel.(noisemodel.Kept)
	switch kernel.(type) {
	case noisemodel.Dealt, noisemodel.Anew:
		iv, ok := segment.Num[k.Column]
		codes, also := segment.Cat[k.Column]
		if ok && !iv.Contains(y) || also && !slices.Contains(codes, int32(y)) {
			return 0
		}
	}
	switch {
	case k.Exact():
		return kernel.P(x, y)
	case was.Kind == table.Categorical:
		p := 0.0
		for c := range was.Labels {
			if k.Groups[c] == k.Groups[int(x)] {
				p += kernel.P(float64(c), y)
			}
		}
		return p
	case kept && numbers(k, x).Contains(y):
		return 1
	case kept:
		return 0
	}
	p := 0.0
	open := w.open(k, &was.Attribute, x)
	for _, v := range open {
		p += kernel.P(v, y) / float64(len(open))
	}
	return p
}

// numbers is what is known of x, with room for rounding.
func numbers(k *intruder.Known, x float64) table.Interval {
	iv := k.Range(x)
	if k.Bands == nil {
		iv.Lo, iv.Hi = iv.Lo-1e-12, iv.Hi+1e-12
	}
	return iv
}

// open lists the numbers that what is known of x leaves open, 32 evenly among them where there are more.
func (w *twin) open(k *intruder.Known, a *table.Attribute, x float64) []float64 {
	iv := numbers(k, x).Intersect(a.Domain)
	var all []float64
	for n := -5000.0; a.Step > 0 && n <= 5000; n++ {
		if v := a.Snap(n * a.Step); iv.Contains(v) {
			all = append(all, v)
		}
	}
	if a.Step > 0 && len(all) <= 32 && len(all) > 0 {
		return all
	}
	if a.Step > 0 {
		iv.Lo, iv.Hi = all[0], all[len(all)-1]
	}
	var out []float64
	for e := range 32 {
		out = append(out, a.Snap(iv.Lo-a.Step/2+(iv.Hi-iv.Lo+a.Step)*(float64(e)+0.5)/32))
	}
	return out
}

func (w *twin) law(j, row int, segment *segment.Segment) noisemodel.Kernel {
	name := w.r.Original.Attr(j).Name
	changed := !w.view.Technique || w.r.Mechanisms == nil
	if w.view.Technique {
		for _, m := range slices.Backward(w.r.Mechanisms) {
			if !slices.Contains(m.Changes(), name) {
				continue
			}
			changed = true
			if of, ok := noisemodel.Of(m, j); ok {
				return of(segment, w.r.Original, row)
			}
		}
	}
	switch {
	case !changed:
		return noisemodel.Kept{}
	case w.r.Paired:
		return estimate(w.r.Original.Column(j), w.r.Released.Column(j))
	}
	return anything{}
}

// additive lists the known columns whose noise is additive.
func (w *twin) additive() (columns []int) {
	for _, m := range w.r.Mechanisms {
		if a, ok := m.(noisemodel.Additive); ok && w.view.Technique {
			names, _, _, _ := a.Additive(w.r.Released)
			for _, n := range names {
				j := w.r.Original.Find(n)
				if slices.Contains(w.view.Columns(), j) {
					columns = append(columns, j)
				}
			}
		}
	}
	return columns
}

// density is the multivariate normal density of a record's noise, were it the target's.
func (w *twin) density(row, i int) float64 {
	p := 1.0
	for _, m := range w.r.Mechanisms {
		a, ok := m.(noisemodel.Additive)
		if !ok || !w.view.Technique {
			continue
		}
		names, z, noise, err := a.Additive(w.r.Released)
		if err != nil {
			panic(err)
		}
		var at []int
		var middle, value, extra []float64
		for k, n := range names {
			j := w.r.Original.Find(n)
			x := w.r.Original.Num(j)[row]
			f := slices.IndexFunc(w.view.Known, func(k intruder.Known) bool { return k.Column == j })
			if f < 0 || x != x {
				continue
			}
			if z[k][i] != z[k][i] {
				return 0
			}
			x, blur := spread(&w.view.Known[f], w.r.Original.Attr(j), x)
			at, middle, value = append(at, k), append(middle, x), append(value, z[k][i])
			extra = append(extra, blur+w.r.Original.Attr(j).Step*w.r.Original.Attr(j).Step/12)
		}
		if at == nil {
			continue
		}
		cov := mat.NewSymDense(len(at), nil)
		for r, a := range at {
			for c, b := range at[:r+1] {
				cov.SetSym(r, c, noise.At(a, b))
			}
			cov.SetSym(r, r, cov.At(r, r)+extra[r])
		}
		law, ok := distmv.NewNormal(middle, cov, nil)
		if !ok {
			panic("the covariance is singular")
		}
		p *= law.Prob(value)
	}
	return p
}

// spread returns mean and variance of a number that is uniform on what is known of x.
func spread(k *intruder.Known, a *table.Attribute, x float64) (mean, variance float64) {
	switch {
	case k.Bands != nil:
		iv := k.Range(x).Intersect(a.Domain)
		return (iv.Lo + iv.Hi) / 2, (iv.Hi - iv.Lo) * (iv.Hi - iv.Lo) / 12
	case k.Within > 0:
		return x, k.Within * k.Within / 3
	}
	return x, 0
}

// shares returns the probabilities of the classes of a target by those of the records in the leaves of the released
// records.
func (w *twin) shares(p []float64) []float64 {
	r := w.r.Released
	class := r.Cat(r.WithRole(table.Class))
	out := make([]float64, len(w.trees.Class.ClassLabels()))
	leaf := make([]int32, r.Rows())
	w.trees.Class.Route(r, leaf)
	in := 1.0
	if !w.view.InFile {
		in = w.o.Membership
	}
	count := func(c int, of func(i int) bool) (n float64) {
		for i := range leaf {
			if of(i) && class[i] >= 0 && (c < 0 || int(class[i]) == c) {
				n++
			}
		}
		return n
	}
	for i, l := range leaf {
		there := func(k int) bool { return leaf[k] == l }
		if count(-1, there) == 0 {
			there = func(int) bool { return true }
		}
		for c := range out {
			if n := count(c, there); n > 0 {
				out[c] += (in*p[i] + (1-in)/float64(len(leaf))) * n / count(-1, there)
			}
		}
	}
	return out
}

var techniques = []struct {
	name string
	m    []protect.Method
	set  map[string]string
}{
	{"none", nil, nil},
	{"rnat", []protect.Method{rnat.Method}, nil},
	{"random categorical", []protect.Method{randomisedresponse.Categorical}, map[string]string{"p": "0.3"}},
	{"two plans", []protect.Method{rnat.Method, randomisedresponse.Categorical}, nil},
	{"linfapt", []protect.Method{leafnoise.Influential}, map[string]string{"minLeaf": "2"}},
	{"linnapt", []protect.Method{leafnoise.Innocent}, map[string]string{"minLeaf": "2"}},
	{"capt", []protect.Method{capt.Method}, map[string]string{"minLeaf": "2", "influential": "paper"}},
	{"framework", []protect.Method{framework.Framework}, map[string]string{"minLeaf": "2", "spread": "20"}},
	{
		"framework as printed",
		[]protect.Method{framework.Framework},
		map[string]string{"minLeaf": "2", "influential": "paper"},
	},
	{"random framework", []protect.Method{framework.RandomFramework}, nil},
	{"forest framework", []protect.Method{forestframework.Method}, map[string]string{"minLeaf": "4", "trees": "3"}},
	{"extended framework", []protect.Method{framework.ExtFramework}, map[string]string{"minLeaf": "2"}},
	{"drawn anew", []protect.Method{gadp.GADP}, nil},
	{"additive", []protect.Method{additivenoise.Independent}, nil},
	{"correlated", []protect.Method{additivenoise.Correlated}, nil},
	{"correlated, and categories", []protect.Method{additivenoise.Correlated, randomisedresponse.Categorical}, nil},
}

// drawRelease draws a release by a technique, or by several, each of which perturbs the original.
func drawRelease(t *rapid.T) *measure.Release {
	tab := protecttest.RandomTable(t)
	how := rapid.SampledFrom(techniques).Draw(t, "technique")
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	for k, m := range how.m {
		q := m.New()
		for name, v := range how.set {
			if q.Params().Has(name) {
				must.NoError(t, q.Params().Apply(map[string]string{name: v}))
			}
		}
		p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
		if err != nil {
			continue // nothing to perturb, or nothing to learn from
		}
		out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(byte(2+k)), protect.Options{}))(t)
		for _, name := range p.Changes() {
			j := tab.Find(name)
			if r.Released, err = r.Released.WithColumn(j, out.Column(j)); err != nil {
				t.Fatal(err)
			}
		}
		mechanisms := r.Mechanisms
		r = planned(r, p)
		r.Mechanisms = append(mechanisms, r.Mechanisms...)
	}
	if r.Segments == nil && rapid.IntRange(0, 3).Draw(t, "no class") == 0 {
		class := *tab.Attr(tab.Width() - 1)
		class.Role = 0
		r.Original, r.Released = r.Original.WithAttr(tab.Width()-1, class), r.Released.WithAttr(tab.Width()-1, class)
	}
	if how.m == nil || r.Mechanisms == nil {
		r.Released = r.Original.Gather(rapid.Permutation(upTo(tab.Rows())).Draw(t, "order"))
	} else if rapid.IntRange(0, 3).Draw(t, "unpaired") == 0 {
		r.Paired, r.Released = false, r.Released.Slice(0, max(1, tab.Rows()/2))
	}
	return r
}

func upTo(n int) []int { return measure.Drawn(n, n) }

// drawIntruder draws who knows some columns exactly, some within an error, by bands or by groups.
func drawIntruder(t *rapid.T, attrs []table.Attribute, aware bool) *intruder.View {
	who := intruder.Intruder{
		Name:     "drawn",
		Secret:   []string{},
		Outsider: rapid.Bool().Draw(t, "outsider"),
		Within:   map[string]float64{},
		Bands:    map[string][]float64{},
		Groups:   map[string][][]string{},
		Unaware:  !aware,
	}
	for _, a := range attrs {
		if rapid.IntRange(0, 3).Draw(t, "unknown") == 0 {
			continue
		}
		who.Knows = append(who.Knows, a.Name)
		scale := max(a.Step, 1.0/7*map[bool]float64{true: 1}[a.Step == 0])
		switch how := rapid.IntRange(0, 5).Draw(t, "how"); {
		case how == 0 && a.Kind == table.Categorical && len(a.Labels) > 1:
			who.Groups[a.Name] = [][]string{a.Labels[:2]}
		case how == 0 && a.Kind == table.Numeric:
			who.Within[a.Name] = 2.1 * scale
		case how == 1 && a.Kind == table.Numeric:
			who.Bands[a.Name] = []float64{-3 * scale, 4 * scale}
		}
	}
	v := must.Get(who.On(attrs))(t)
	return v
}

// TestTwin compares with the definition: laws of single values, of several plans, in segments and in forests, joint
// ones and guessed ones; missing values, whatever is known, paired or not, from inside and outside. Records and targets
// repeat by chance, so profiles are shared.
func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := drawRelease(t)
		aware := !r.Paired || rapid.IntRange(0, 4).Draw(t, "unaware") > 0
		view := drawIntruder(t, r.Original.Attrs(), aware)
		o := *param.Default(&Options{})
		o.MinLeaf, o.Membership = 2, 0.3
		trees := must.Get(Grow(context.Background(), r, view, o))(t)
		m := must.Get(Match(r, view, trees, o))(t)
		must.NoError(t, agree(&twin{r, view, trees, o}, m))
	})
}

// agree compares every target's belief with the twin's. Interpolated laws have an error of some 1e-5, others of
// rounding.
func agree(w *twin, m *Matcher) error {
	tolerance := 1e-9
	for _, k := range w.view.Known {
		if a := w.r.Original.Attr(k.Column); a.Kind == table.Numeric && a.Step == 0 {
			tolerance = 1e-4
		}
	}
	rows := upTo(w.r.Original.Rows())
	errs := make([]error, len(rows))
	err := m.Each(context.Background(), rows, func(k int, b *Belief) { errs[k] = w.compare(rows[k], b, tolerance) })
	for k, e := range errs {
		if e != nil {
			return fmt.Errorf("row %d: %w", rows[k], e)
		}
	}
	return err
}

func (w *twin) compare(row int, b *Belief, tolerance float64) error {
	p, wide := w.beliefs(row)
	in := 1.0
	if !w.view.InFile {
		in = w.o.Membership
	}
	got := make([]float64, len(p))
	b.Records(got)
	h, best := 0.0, slices.Max(p)
	for i, v := range p {
		if math.Abs(got[i]-in*v) > tolerance {
			return fmt.Errorf("record %d has probability %v, expected %v", i, got[i], in*v)
		}
		if v > 0 {
			h -= v * math.Log2(v)
		}
	}
	ties := 0.0
	for _, v := range p {
		if v > best*(1-1e-9) {
			ties++
		}
	}
	hit := 0.0
	if w.r.Paired && p[row] > best*(1-1e-9) {
		hit = 1 / ties
	}
	switch {
	case math.Abs(b.Entropy()-h) > 100*tolerance:
		return fmt.Errorf("the entropy is %v, expected %v", b.Entropy(), h)
	case math.Abs(b.Best()-in*best) > tolerance:
		return fmt.Errorf("the likeliest has %v, expected %v", b.Best(), in*best)
	case w.r.Paired && tolerance < 1e-6 && math.Abs(b.Hit(row)-hit) > 1e-9:
		return fmt.Errorf("the credit is %v, expected %v", b.Hit(row), hit)
	case wide != b.Widened:
		return fmt.Errorf("widened is %v, expected %v", b.Widened, wide)
	case w.trees.Class == nil:
		return nil
	}
	shares, want := make([]float64, b.m.Classes()), w.shares(p)
	b.Classes(shares)
	for c := range want {
		if math.Abs(shares[c]-want[c]) > tolerance*10 {
			return fmt.Errorf("class %d has %v, expected %v", c, shares[c], want[c])
		}
	}
	return nil
}
