package valuedisclosure

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func conditionalTake(t testing.TB, r *measure.Release) (measure.Value, ConditionalPrivacyDetail) {
	t.Helper()
	v := must.Get(param.Default(&ConditionalPrivacyMeter{}).Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(ConditionalPrivacyDetail)
}

func paired(original, released *table.Table) *measure.Release {
	return &measure.Release{Original: original, Released: released, Paired: true}
}

// planned releases a table by a technique, with the plan as an intruder knows it.
func planned(t *testing.T, q protect.Technique, set map[string]string, original *table.Table) *measure.Release {
	t.Helper()
	if p, ok := q.(param.Parametrised); ok {
		must.NoError(t, p.Params().Apply(set))
	}
	plan, err := q.Fit(context.Background(), original, rng.New([32]byte{1}))
	must.NoError(t, err)
	r := paired(original, original)
	if r.Released, err = executor.Run(context.Background(), plan, original, rng.New([32]byte{2}),
		protect.Options{}); err != nil {
		t.Fatal(err)
	}
	r.Mechanisms = []noisemodel.Mechanism{plan}
	if c, ok := plan.(protect.Composite); ok {
		for _, s := range c.Steps() {
			r.Mechanisms = append(r.Mechanisms, s)
		}
	}
	if s, ok := plan.(protect.Segmented); ok {
		r.Segments = s.Segmentation()
	}
	return r
}

// TestClosedForms releases 100,000 normal values with normal noise, and uniform ones with uniform noise, for which
// Agrawal & Aggarwal 2001 give the figures. With 100 cells the standard error of the information is below 0.004 bits;
// what the cells hide is some 0.02 bits.
func TestClosedForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 100_000
	draw := func(f func() float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = f()
		}
		return out
	}
	for _, c := range []struct {
		name     string
		value    func() float64
		noise    func() float64
		want     uncertainty.Figures
		interval func(c float64) float64
	}{
		{"normal 1 and 1", r.NormFloat64, r.NormFloat64, uncertainty.Normal(1, 1),
			func(c float64) float64 { return additive.Width(additive.Normal{Sigma: 1}, c) }},
		{"normal 2 and 1", func() float64 { return 2 * r.NormFloat64() }, r.NormFloat64, uncertainty.Normal(2, 1),
			func(c float64) float64 { return additive.Width(additive.Normal{Sigma: 1}, c) }},
		{"uniform 1 and 1", r.Float64, func() float64 { return r.Float64() - 0.5 }, uncertainty.Uniform(1, 1),
			func(c float64) float64 { return additive.Width(additive.Uniform{Half: 0.5}, c) }},
	} {
		x, y := draw(c.value), draw(c.noise)
		for i := range y {
			y[i] += x[i]
		}
		v, d := conditionalTake(t,
			paired(tabletest.Of(t, table.NumColumn("x", 0, x)), tabletest.Of(t, table.NumColumn("x", 0, y))))
		got := d.Columns[0]
		if got.Source != FromPairs || !got.Perturbed || v.Score != got.Loss {
			t.Errorf("%s: %+v", c.name, got)
		}
		protecttest.Near(t, c.name+": loss", got.Loss, c.want.Loss(), 0.02)
		protecttest.Near(t, c.name+": before", got.Before, c.want.Privacy(), 0.03)
		protecttest.Near(t, c.name+": after", got.After, c.want.Remaining(), 0.05)
		for k, p := range []float64{0.5, 0.95} {
			protecttest.Near(t, c.name+": interval", got.Intervals[k].Width, c.interval(p), 0.03)
		}
		// Without the correction, which is (100 x 100)/(2 x 100,000) nats where all pairs of cells occur.
		if more := meanOf(d.Records()) - got.Information; more < 0.03 || more > 0.08 {
			t.Errorf("%s: records hold %v bits more than %v on average", c.name, more, got.Information)
		}
	}
}

func meanOf(v []float64) float64 {
	sum, n := 0.0, 0.0
	for _, x := range v {
		if x == x {
			sum, n = sum+x, n+1
		}
	}
	return sum / n
}

// TestPairsEqualTwin counts the pairs of few values with a map: cells are the values then.
func TestPairsEqualTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		n := 300 + r.IntN(300)
		x, y := make([]float64, n), make([]float64, n)
		joint := map[[2]float64]float64{}
		for i := range x {
			x[i] = float64(r.IntN(4))
			y[i] = float64((int(x[i]) + r.IntN(3)) % 5)
			switch r.IntN(10) {
			case 0:
				x[i] = nan
				continue
			case 1:
				y[i] = nan
				joint[[2]float64{x[i], -1}]++
				continue
			}
			joint[[2]float64{x[i], y[i]}]++
		}
		px, py, total := map[float64]float64{}, map[float64]float64{}, 0.0
		for k, w := range joint {
			px[k[0]] += w
			py[k[1]] += w
			total += w
		}
		want := -float64(len(joint)-len(px)-len(py)+1) / (2 * total) * math.Log2E
		for k, w := range joint {
			want += w / total * math.Log2(w*total/(px[k[0]]*py[k[1]]))
		}
		_, d := conditionalTake(t,
			paired(tabletest.Of(t, table.NumColumn("x", 1, x)), tabletest.Of(t, table.NumColumn("x", 1, y))))
		if got := d.Columns[0].Information; math.Abs(got-want) > 1e-12 {
			t.Fatalf("information %v, expected %v", got, want)
		}
		for i, v := range d.Records() {
			if b := y[i]; x[i] == x[i] {
				if b != b {
					b = -1
				}
				if w := joint[[2]float64{x[i], b}]; math.Abs(v-math.Log2(w*total/(px[x[i]]*py[b]))) > 1e-9 {
					t.Fatalf("record %d holds %v bits", i, v)
				}
			} else if v == v {
				t.Fatalf("record %d has no value and holds %v bits", i, v)
			}
		}
	}
}

// TestCategoriesHaveTheirOwnCells renames 40 categories of 400 records, which tells all: log2 40 bits, though numbers
// would have 10 cells.
func TestCategoriesHaveTheirOwnCells(t *testing.T) {
	labels, x, y := make([]string, 40), make([]int32, 400), make([]int32, 400)
	for i := range x {
		labels[i%40] = string(rune('A' + i%40))
		x[i], y[i] = int32(i%40), int32((i+7)%40)
	}
	_, d := conditionalTake(t,
		paired(tabletest.Of(t, table.CatColumn("c", labels, x)), tabletest.Of(t, table.CatColumn("c", labels, y))))
	if got := d.Columns[0]; math.Abs(got.Information-math.Log2(40)) > 1e-9 || math.Abs(got.After-1) > 1e-9 {
		t.Errorf("%+v", got)
	}
}

// TestEnds has the identity, values that say nothing, and suppression.
func TestEnds(t *testing.T) {
	const n = 2000
	r := rand.New(rand.NewPCG(5, 6))
	x, other := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], other[i] = float64(i%8), float64(r.IntN(8))
	}
	gone := slices.Repeat([]float64{nan}, n)
	same := slices.Repeat([]float64{3}, n)
	original := tabletest.Of(t, table.NumColumn("x", 1, x))
	for name, c := range map[string]struct {
		y            []float64
		loss, within float64
	}{
		"identity":             {x, 1, 0},
		"nothing to do with x": {other, 0, 0.02},
		"all suppressed":       {gone, 0, 0},
		"constant":             {same, 0, 0},
	} {
		v, d := conditionalTake(t, paired(original, original.WithNum(0, c.y)))
		if math.Abs(v.Score-c.loss) > c.within {
			t.Errorf("%s: loss %v, expected %v", name, v.Score, c.loss)
		}
		if before := d.Columns[0].Before; math.Abs(before-8) > 1e-9 {
			t.Errorf("%s: privacy %v before, expected 8", name, before)
		}
		if name == "identity" && (d.Columns[0].After != 1 || d.Columns[0].Perturbed) {
			t.Errorf("identity: %+v", d.Columns[0])
		}
	}
}

// TestLargestCounts scores the worst of the perturbed columns, however much the others tell.
func TestLargestCounts(t *testing.T) {
	labels := []string{"u", "v", "w", "x"}
	n := 400
	a, b, c := make([]int32, n), make([]int32, n), make([]int32, n)
	noisy, noise := make([]int32, n), make([]int32, n)
	r := rand.New(rand.NewPCG(7, 8))
	for i := range a {
		a[i], b[i], c[i] = int32(i%4), int32(i/4%4), int32(i/16%4)
		noise[i], noisy[i] = int32(r.IntN(4)), c[i]
		if r.IntN(4) == 0 {
			noisy[i] = noise[i]
		}
	}
	original := tabletest.Of(t, table.CatColumn("a", labels, a), table.CatColumn("b", labels, b),
		table.CatColumn("c", labels, c), table.CatColumn("d", labels, slices.Repeat([]int32{1}, n)))
	v, d := conditionalTake(t, paired(original, original.WithCat(1, noise).WithCat(2, noisy)))
	if v.Score != d.Columns[2].Loss || v.Score < 0.3 || v.Score > 0.7 || d.Columns[0].Loss != 1 ||
		d.Columns[1].Loss > 0.1 {
		t.Errorf("score %v of %+v", v.Score, d.Columns)
	}
	if len(d.Columns) != 3 ||
		!slices.ContainsFunc(message.Written(v.Notes),
			func(s string) bool { return strings.HasPrefix(s, "1 attribute left out") }) {
		t.Errorf("the constant column is judged: notes %q", v.Notes)
	}
	if !(v.Lo < v.Score && v.Score < v.Hi && v.Hi-v.Lo < 0.2) {
		t.Errorf("the interval is %v to %v around %v", v.Lo, v.Hi, v.Score)
	}
	if all, _ := conditionalTake(t, paired(original, original)); all.Score != 1 {
		t.Errorf("identity: score %v", all.Score)
	}
}

// TestSecretsInClear scores 1 where a confidential column or the class is released as it is, however little a noisy one
// gives away; what is neither secret nor changed is only counted. Records then hold what the secrets tell: one bit of
// each of two values.
func TestSecretsInClear(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 1000
	age, noise, pay, city := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range age {
		age[i], noise[i], pay[i], city[i] = float64(i%8), float64(r.IntN(8)), int32(i%2), int32(i/8%4)
	}
	for role, want := range map[table.Role]float64{table.Confidential: 1, table.Class: 1, table.Quasi: 0} {
		secret := table.CatColumn("pay", []string{"low", "high"}, pay)
		secret.Role = role
		tab := tabletest.Of(t, table.NumColumn("age", 1, age), secret,
			table.CatColumn("city", []string{"n", "e", "s", "w"}, city))
		release := paired(tab, tab.WithNum(0, noise))
		v, d := conditionalTake(t, release)
		if math.Abs(v.Score-want) > 0.02 || v.Lo > v.Score || v.Score > v.Hi {
			t.Errorf("%v: score %v [%v, %v], expected %v", role, v.Score, v.Lo, v.Hi, want)
		}
		if got := strings.HasPrefix(d.Sentence().String(), "pay is released as it is: nothing is left"); got != (want == 1) {
			t.Errorf("%v: sentence %q", role, d.Sentence().String())
		}
		if mean := meanOf(d.Records()); math.Abs(mean-want) > 0.1 {
			t.Errorf("%v: records hold %v bits, expected %v", role, mean, want)
		}
		if last := v.Parts[len(v.Parts)-1]; last.Name.String() != "attributes released as they are" || last.Score != 2 {
			t.Errorf("%v: the last part is %+v", role, last)
		}
		if !slices.Contains(message.Written(v.Notes), "2 attributes released as they are") {
			t.Errorf("%v: notes %q", role, v.Notes)
		}
	}
}

// TestTechniqueIsKnown says that the plan's law is used, and only where it is.
func TestTechniqueIsKnown(t *testing.T) {
	r := planned(t, rnat.New(), nil, conditionalPeople(t, 300, false))
	for _, law := range []bool{true, false} {
		v, _ := conditionalTake(t, r)
		if got := slices.ContainsFunc(message.Written(v.Notes),
			func(s string) bool { return strings.Contains(s, "taken to be known") }); got != law {
			t.Errorf("with a law %v: notes %q", law, v.Notes)
		}
		r.Mechanisms = nil
	}
}

func TestConditionalPrivacyRefusals(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3}))
	for name, r := range map[string]*measure.Release{
		"nothing varies": paired(tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 1, nan})), tab),
		"no records":     paired(tab.Slice(0, 0), tab.Slice(0, 0)),
		"no pairs":       {Original: tab, Released: tab},
	} {
		if v, err := param.Default(&ConditionalPrivacyMeter{}).Measure(context.Background(), r, rng.Source{}); err == nil ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: score %v, error %v", name, v.Score, err)
		}
	}
}

func TestDetail(t *testing.T) {
	x := []float64{1, 2, 3, 4, 1, 2, 3, 4, 1, 2}
	tab := tabletest.Of(t, table.NumColumn("x", 1, x),
		table.CatColumn("c", []string{"u", "v"}, []int32{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}))
	_, d := conditionalTake(t, paired(tab, tab))
	if got := d.Sentence().String(); !strings.Contains(got, "nothing is left of the privacy of x") {
		t.Errorf("sentence %q", got)
	}
	v, d := conditionalTake(t, paired(tab, tab.WithNum(0, []float64{2, 2, 3, 4, 1, 1, 3, 4, 2, 2})))
	if got := d.Sentence().String(); !strings.Contains(got, "x reveals most") ||
		!strings.Contains(got, "Half of the original values") {
		t.Errorf("sentence %q", got)
	}
	names := ""
	for _, p := range v.Parts {
		names += p.Name.String() + "; "
	}
	for _, want := range []string{"x: privacy loss", "x: privacy before", "x: privacy after", "x: interval privacy at " +
		"50 %",
		"x: interval privacy at 99.9 %", "mean privacy loss"} {
		if !strings.Contains(names, want) {
			t.Errorf("parts %q lack %q", names, want)
		}
	}
	text, err := json.Marshal(d)
	if err != nil || strings.Contains(string(text), "Risk") {
		t.Errorf("JSON %s, error %v", text, err)
	}
	_, d = conditionalTake(t, paired(tab, tab.WithCat(1, []int32{0, 0, 0, 1, 0, 1, 0, 1, 0, 1})))
	if got := d.Sentence().String(); !strings.Contains(got, "equally likely categories") {
		t.Errorf("sentence %q", got)
	}
}
