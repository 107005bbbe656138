package valueclusters

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ mine.ValueClusterer = (*STIRRModel)(nil)
	_ mine.Described      = (*STIRRModel)(nil)
)

func stirrFit(t testing.TB, l *STIRRLearner, tab *table.Table) *STIRRModel {
	t.Helper()
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	return m.(*STIRRModel)
}

func categories(t testing.TB, labels []string, cols ...[]int32) *table.Table {
	t.Helper()
	var out []table.Column
	for j, c := range cols {
		out = append(out, table.CatColumn(string(rune('a'+j)), labels, c))
	}
	return tabletest.Of(t, out...)
}

// planted draws records of two kinds: those of one have values 0 to 2 in every attribute, those of the other 3 to 5,
// but for a share of noise.
func planted(t testing.TB, rows, attributes int, noise float64) *table.Table {
	r := rand.New(rand.NewPCG(6, 7))
	cols := make([][]int32, attributes)
	for range rows {
		kind := r.Int32N(2)
		for j := range cols {
			v := 3*kind + r.Int32N(3)
			if r.Float64() < noise {
				v = r.Int32N(6)
			}
			cols[j] = append(cols[j], v)
		}
	}
	return categories(t, []string{"p", "q", "r", "s", "t", "u"}, cols...)
}

// Gibson, Kleinberg & Raghavan 1998, section 4: the first basin that is not the principal one parts planted clusters by
// sign, with some noise too. Values of one cluster are similar although they never occur in one record.
func TestPlantedClusters(t *testing.T) {
	for _, c := range []string{"sum", "power", "max"} {
		l := STIRRNew()
		l.Basins, l.Combiner = 2, c
		m := stirrFit(t, l, planted(t, 2000, 4, 0.1))
		if !m.Converged {
			t.Errorf("%s: not converged after %d rounds: %v", c, m.Rounds, m.Change)
		}
		for _, a := range m.Attributes {
			for v, x := range a.Values {
				if x.Weights[0] <= 0 {
					t.Errorf("%s: %s = %s has the weight %v in the principal basin", c, a.Name, x.Label, x.Weights[0])
				}
				if math.Signbit(x.Weights[1]) != math.Signbit(a.Values[v/3*3].Weights[1]) ||
					math.Signbit(x.Weights[1]) == math.Signbit(a.Values[5-v/3*3].Weights[1]) {
					t.Errorf("%s: weights of %s: %v", c, a.Name, a.Values)
				}
			}
		}
		similar := m.Similar()
		if len(similar) != 4*6 { // three pairs on either side of four attributes
			t.Errorf("%s: %d similar pairs, expected 24", c, len(similar))
		}
		for _, s := range similar {
			if strings.Contains("pqr", s.A) != strings.Contains("pqr", s.B) || s.Strength < 0.5 {
				t.Errorf("%s: %+v", c, s)
			}
		}
	}
}

// With the product the principal basin settles on one of two like clusters instead: the larger gains by every round.
func TestProductSettlesOnOneCluster(t *testing.T) {
	l := STIRRNew()
	l.Combiner = "product"
	for _, a := range stirrFit(t, l, planted(t, 2000, 4, 0.1)).Attributes {
		var w []float64
		for _, v := range a.Values {
			w = append(w, v.Weights[0])
		}
		if x, y := w[:3], w[3:]; slices.Min(x) < 5*slices.Max(y) && slices.Min(y) < 5*slices.Max(x) {
			t.Errorf("%s: principal weights %v", a.Name, w)
		}
	}
}

// With the sum the basins are the eigenvectors of the matrix of meetings, largest in magnitude first.
func TestSumFindsEigenvectors(t *testing.T) {
	tab := planted(t, 500, 5, 0.3)
	l := STIRRNew()
	l.Basins, l.Rounds, l.Tolerance = 2, 20_000, 1e-12
	m := stirrFit(t, l, tab)
	meet := mat.NewSymDense(30, nil)
	for i := range tab.Rows() {
		for j := range 5 {
			for k := range j {
				x, y := 6*j+int(tab.Cat(j)[i]), 6*k+int(tab.Cat(k)[i])
				meet.SetSym(x, y, meet.At(x, y)+1)
			}
		}
	}
	var e mat.EigenSym
	if !e.Factorize(meet, true) {
		t.Fatal("no eigenvectors")
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	order := make([]int, 30)
	for i := range order {
		order[i] = i
	}
	values := e.Values(nil)
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, math.Abs(values[b])-math.Abs(values[a]))) })
	if !m.Converged || math.Abs(values[order[2]])/math.Abs(values[order[1]]) > 0.999 {
		t.Fatalf("%d rounds, eigenvalues %v", m.Rounds, values)
	}
	for b := range 2 {
		dot := 0.0
		for j, a := range m.Attributes {
			for v, x := range a.Values {
				dot += x.Weights[b] * vectors.At(6*j+v, order[b])
			}
		}
		if math.Abs(math.Abs(dot)-1) > 1e-9 {
			t.Errorf("basin %d is off the eigenvector: cosine %v", b+1, dot)
		}
	}
}

// stirrTwin lets the weights of one table flow once, record by record, as Gibson, Kleinberg & Raghavan 1998 define it.
func stirrTwin(tab *table.Table, cols []int, l *STIRRLearner, weight map[[2]int][]float64) map[[2]int][]float64 {
	out := map[[2]int][]float64{}
	for at, w := range weight {
		out[at] = make([]float64, len(w))
	}
	for i := range tab.Rows() {
		for k, j := range cols {
			if tab.MissingAt(i, j) {
				continue
			}
			for b := range l.Basins {
				var others []float64
				for o, p := range cols {
					if o != k && !tab.MissingAt(i, p) {
						others = append(others, weight[[2]int{o, int(tab.Cat(p)[i])}][b])
					}
				}
				out[[2]int{k, int(tab.Cat(j)[i])}][b] += combine(l, others)
			}
		}
	}
	return out
}

func combine(l *STIRRLearner, w []float64) float64 {
	if len(w) == 0 {
		return 0
	}
	sum, product, most := 0.0, 1.0, 0.0
	for _, x := range w {
		if l.Combiner == "power" {
			x = math.Copysign(math.Pow(math.Abs(x), l.Q), x)
		}
		sum += x
		product *= x
		if math.Abs(x) > math.Abs(most) || x == -most && x > 0 {
			most = x
		}
	}
	switch l.Combiner {
	case "product":
		return product
	case "max":
		return most
	case "power":
		return math.Copysign(math.Pow(math.Abs(sum), 1/l.Q), sum)
	}
	return sum
}

// TestRoundAgainstTwin compares the sums of a round before they are scaled.
func TestRoundAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(1, 30).Draw(r, "rows")
		var codes [][]int32
		for range rapid.IntRange(1, 5).Draw(r, "attributes") {
			codes = append(codes, rapid.SliceOfN(rapid.Int32Range(-1, 2), rows, rows).Draw(r, "codes"))
		}
		tab, l := categories(t, []string{"x", "y", "z"}, codes...), STIRRNew()
		l.Combiner, l.Basins = rapid.SampledFrom(combiners).Draw(r, "combiner"), rapid.IntRange(2, 4).Draw(r, "basins")
		l.Q = rapid.SampledFrom([]float64{1, 2, 3.5}).Draw(r, "q")
		cols, _ := categorical.Columns(tab, nil, table.Class|table.Identifier|table.Weight)
		f := newFlow(l, tab, cols, rng.New([32]byte{byte(rows)}))
		weight := map[[2]int][]float64{}
		for k := range cols {
			for v := range 3 {
				at := int(f.offset[k]) + v
				weight[[2]int{k, v}] = f.weight[at*l.Basins : (at+1)*l.Basins]
			}
		}
		want := stirrTwin(tab, cols, l, weight)
		got := flows(f)
		for at, w := range want {
			for b, x := range w {
				y := got[(int(f.offset[at[0]])+at[1])*l.Basins+b]
				if math.Abs(x-y) > 1e-6*max(1, math.Abs(x)) { // roots of what cancels to nothing but rounding
					t.Fatalf("%s: attribute %d, value %d, basin %d: %v, expected %v", l.Combiner, at[0], at[1], b, y, x)
				}
			}
		}
	})
}

// TestOrthonormal checks what normalise promises, and that the records are divided into pieces of which the sum is the
// whole.
func TestOrthonormal(t *testing.T) {
	tab := planted(t, 3000, 4, 0.5)
	l := STIRRNew()
	l.Basins = 6
	f := newFlow(l, tab, []int{0, 1, 2, 3}, rng.New([32]byte{1}))
	whole := flows(f)
	must.Get(f.round(context.Background()))(t)
	got := slices.Clone(f.weight)
	f.weight = whole
	f.normalise()
	for at := range got {
		if math.Abs(got[at]-f.weight[at]) > 1e-12 {
			t.Fatalf("in pieces %v, at once %v", got[at], f.weight[at])
		}
	}
	for a := range 6 {
		for b := range a + 1 {
			dot, want := 0.0, 0.0
			if a == b {
				want = 1
			}
			for v := range f.occurs {
				dot += f.weight[v*6+a] * f.weight[v*6+b]
			}
			if math.Abs(dot-want) > 1e-12 {
				t.Errorf("basins %d and %d have the product %v", a, b, dot)
			}
		}
	}
}

// TestSimilarByHand has three values in three basins: the first two agree in sign, the third does not.
func TestSimilarByHand(t *testing.T) {
	m := &STIRRModel{Attributes: []STIRRAttribute{
		{
			"a",
			[]Value{{"x", []float64{0.1, 0.4, -0.2}}, {"y", []float64{0.9, 0.3, -0.05}}, {"z", []float64{0.2, -0.2, -0.1}}},
		},
		// the third basin tells nothing of it
		{"b", []Value{{"x", []float64{0.1, 0.5, 0}}, {"y", []float64{0.1, 0.25, 1e-13}}}},
		{"c", nil},
	}}
	want := []mine.Alike{{Attribute: "a", A: "x", B: "y", Strength: 0.25}, {Attribute: "b", A: "x", B: "y", Strength: 0.5}}
	if got := m.Similar(); !reflect.DeepEqual(got, want) {
		t.Errorf("similar: %+v, expected %+v", got, want)
	}
	if m.Least = 0.3; len(m.Similar()) != 1 {
		t.Errorf("similar by 0.3 or more: %+v", m.Similar())
	}
}

func TestEdges(t *testing.T) {
	none := slices.Repeat([]int32{-1}, 6)
	labels := []string{"x", "y", "z"}
	for _, c := range []struct {
		name string
		tab  *table.Table
	}{
		{"no records", categories(t, labels, none, none).Slice(0, 0)},
		{"one record", categories(t, labels, make([]int32, 6), make([]int32, 6)).Slice(0, 1)},
		{"identical records", categories(t, labels, make([]int32, 6), make([]int32, 6))},
		{"nothing known", categories(t, labels, none, none)},
		{"one attribute", categories(t, labels, []int32{0, 1, 2, 0, 1, 2})},
		{"two attributes", categories(t, labels, []int32{0, 1, 2, 0, 1, 2}, []int32{0, 1, 2, 1, 1, -1})},
		{"no labels", categories(t, nil, none)},
	} {
		for _, combiner := range combiners {
			l := STIRRNew()
			l.Combiner, l.Basins = combiner, 5
			m := stirrFit(t, l, c.tab)
			for _, a := range m.Attributes {
				for _, v := range a.Values {
					for _, w := range v.Weights {
						if math.IsNaN(w) || math.Abs(w) > 1+1e-9 {
							t.Errorf("%s, %s: %s = %s has the weights %v", c.name, combiner, a.Name, v.Label, v.Weights)
						}
					}
				}
			}
			data := must.Get(json.Marshal(m))(t)
			var back STIRRModel
			if err := json.Unmarshal(data, &back); err != nil || back.Text() != m.Text() ||
				!reflect.DeepEqual(back.Similar(), m.Similar()) {
				t.Errorf("%s, %s: through JSON the model differs: %v", c.name, combiner, err)
			}
		}
	}
	l := STIRRNew()
	l.Attributes = []string{"n"}
	if _, err := l.Fit(context.Background(), categories(t, labels, none), rng.Source{}); err == nil {
		t.Error("a column that is not there is taken")
	}
}

// A converged model does not depend on the seed.
func TestSeed(t *testing.T) {
	tab := planted(t, 1000, 4, 0.2)
	l := STIRRNew()
	l.Basins, l.Rounds, l.Tolerance = 2, 5000, 1e-13
	a := stirrFit(t, l, tab)
	other := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{99})))(t)
	for j, x := range a.Attributes {
		for v, w := range x.Values {
			for b, y := range other.(*STIRRModel).Attributes[j].Values[v].Weights {
				if math.Abs(w.Weights[b]-y) > 1e-9 {
					t.Fatalf("weights %v and %v", w.Weights[b], y)
				}
			}
		}
	}
}

// TestManyValues: an attribute of 20,000 values has 200 million pairs, and a text of all its values nobody reads. The
// others keep their pairs.
func TestManyValues(t *testing.T) {
	long.Only(t, "20,000 values")
	const n = 20_000
	labels, many, few := make([]string, n), make([]int32, n), make([]int32, n)
	for i := range n {
		labels[i], many[i], few[i] = fmt.Sprint("v", i), int32(i), int32(i%4)
	}
	half := make([]int32, n)
	for i := range half {
		half[i] = few[i] / 2
	}
	tab := tabletest.Of(t, table.CatColumn("many", labels, many), table.CatColumn("few", labels[:4], few),
		table.CatColumn("half", labels[:2], half))
	l := STIRRNew()
	l.Basins, l.Least = 2, 0
	m := stirrFit(t, l, tab)
	for _, p := range m.Similar() {
		if p.Attribute != "few" && p.Attribute != "half" {
			t.Fatalf("similar values of column %q", p.Attribute)
		}
	}
	if len(m.Similar()) == 0 || len(m.Attributes[0].Values) != n {
		t.Errorf("%d pairs, %d values of the column of many", len(m.Similar()), len(m.Attributes[0].Values))
	}
	if text := m.Text(); len(text) > 20_000 || !strings.Contains(text, "and 19950 between") {
		t.Errorf("a text of %d characters", len(text))
	}
}

// A text of a wide table ends, as that of many values does.
func TestTextOfManyAttributes(t *testing.T) {
	cols := make([]table.Column, 300)
	for j := range cols {
		cols[j] = table.CatColumn(fmt.Sprint("c", j), []string{"a", "b"}, []int32{0, 1, 0, 1})
	}
	tab := tabletest.Of(t, cols...)
	if text := stirrFit(t, STIRRNew(), tab).Text(); strings.Count(text, "\n") > 102 ||
		!strings.HasSuffix(text, "\nand 250 more attributes\n") {
		t.Errorf("a text of %d lines", strings.Count(text, "\n"))
	}
}

func bench(b *testing.B, tab *table.Table, combiner string) {
	l := STIRRNew()
	l.Combiner = combiner
	b.ReportAllocs()
	for b.Loop() {
		m := stirrFit(b, l, tab)
		b.ReportMetric(float64(m.Rounds), "rounds")
	}
	yardstick.Report(b)
}

// Fifty rounds on records like Adult's, of which 7,722 are different, take 0.8 of the time of the yardstick, whether
// 30,162 or a million.
func Benchmark30k(b *testing.B) { bench(b, protecttest.AdultLike(b, 30_162), "sum") }
func Benchmark1M(b *testing.B)  { bench(b, protecttest.AdultLike(b, 1_000_000), "sum") }

// BenchmarkDifferent1M has a million records of ten values, nearly all different: 19 rounds take 35 times the
// yardstick, two a round.
func BenchmarkDifferent1M(b *testing.B) { bench(b, planted(b, 1_000_000, 10, 0.5), "sum") }

// BenchmarkPower1M takes two powers for every weight: eight times the yardstick a round.
func BenchmarkPower1M(b *testing.B) { bench(b, planted(b, 1_000_000, 10, 0.5), "power") }

func flows(f *flow) []float64 {
	out, err := f.flows(context.Background())
	if err != nil {
		panic(err)
	}
	return out
}
