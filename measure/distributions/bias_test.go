package distributions

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// withoutPatterns leaves out the trees of type DM.
func withoutPatterns(*measure.Release) map[string]string { return map[string]string{"dm": "false"} }

func biasTake(t *testing.T, r *measure.Release) (measure.Value, error) {
	t.Helper()
	return Bias.New().Measure(context.Background(), r, rng.Source{})
}

func TestScore(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	constant := []float64{7, 7, 7, 7}
	// Correlation of x with (1, 2, 3, 4) is 1, with (4, 3, 2, 1) it is -1; the third column is constant.
	v := must.Get(biasTake(
		t,
		&measure.Release{
			Original: tabletest.Of(t, tabletest.Numbers(0, x, x, constant)...),
			Released: tabletest.Of(t, tabletest.Numbers(0, x, []float64{4, 3, 2, 1}, constant)...),
		},
	))(t)
	if math.Abs(v.Score-2) > 1e-15 {
		t.Errorf("score %v, expected 2", v.Score)
	}
	if d := v.Detail.(Detail); !math.IsNaN(d.CorrOriginal[2][0]) || d.SDOriginal[2] != 0 || d.CorrOriginal[0][0] != 1 {
		t.Errorf("constant column: correlation %v, standard deviation %v", d.CorrOriginal[2][0], d.SDOriginal[2])
	}
}

// people has two confidential numeric columns, one that is not, a categorical one and a class that is 1 from a = 5 on.
func people(t *testing.T, a, b, c []float64, codes []int32) *table.Table {
	t.Helper()
	class := make([]int32, len(a))
	for i, v := range a {
		if v >= 5 {
			class[i] = 1
		}
	}
	cols := []table.Column{table.NumColumn("a", 0, a), table.NumColumn("b", 0, b), table.NumColumn("c", 0, c),
		table.CatColumn("s", []string{"u", "v"}, codes), table.CatColumn("y", []string{"no", "yes"}, class)}
	cols[0].Role, cols[1].Role, cols[4].Role = table.Confidential, table.Confidential, table.Class
	return tabletest.Of(t, cols...)
}

// part returns the score of the part whose name begins so; ok is false when there is none.
func part(v measure.Value, begin string) (score float64, ok bool) {
	for _, p := range v.Parts {
		if strings.HasPrefix(p.Name.String(), begin) {
			return p.Score, true
		}
	}
	return 0, false
}

// TestTypes changes a column at a time, in a way that has one known figure of every type.
func TestTypes(t *testing.T) {
	a, c := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 1, 2, 1, 2}
	b := []float64{2, 1, 4, 3, 6, 5}
	s := []int32{0, 0, 0, 1, 1, -1}
	orig := people(t, a, b, c, s)
	ab, _ := correlation.Of(context.Background(), [][]float64{a, b, c})
	for _, x := range []struct {
		name     string
		released *table.Table
		want     map[string]float64
	}{
		{"nothing", orig, map[string]float64{"type A: l": 0, "type B: l": 0, "type C: l": 0, "type D: l": 0,
			"largest shift": 0}},
		// a' = 2a: the standard deviation doubles, correlations stay; of the six values of a' only 2, 4, 6 are at most 6, so
		// that the distribution functions differ by 1/2 at 6; the mean moves by 3.5 at a standard deviation of sqrt(3.5).
		{"a doubled", people(t, []float64{2, 4, 6, 8, 10, 12}, b, c, s),
			map[string]float64{"type A: l": 1, "type A: m": 1. / 3,
				"type B: l": 0, "type C: l": 0, "type D: largest": 0.5, "largest shift": math.Sqrt(3.5)}},
		// b' = -b: its correlations change sign.
		{"b negated", people(t, a, []float64{-2, -1, -4, -3, -6, -5}, c, s), map[string]float64{"type A: l": 0,
			"type B: l": 2 * ab.Corr[0][1], "type B: m": 2 * ab.Corr[0][1], "type C: l": 2 * math.Abs(ab.Corr[1][2]),
			"type C: m": math.Abs(ab.Corr[1][2]),
			"type D: l": 1}},
		// The shares of u go from 3/5 to 1/6.
		{"categories", people(t, a, b, c, []int32{0, 1, 1, 1, 1, 1}),
			map[string]float64{"type A: l": 0, "type B: l": 0, "type C: l": 0,
				"type D: l": 3./5 - 1./6, "type D: m": (3./5 - 1./6) / 5}},
	} {
		v := must.Get(biasTake(t, &measure.Release{Original: orig, Released: x.released}))(t)
		for name, want := range x.want {
			if got, ok := part(v, name); !ok || math.Abs(got-want) > 1e-14 {
				t.Errorf("%s: %s is %v, expected %v", x.name, name, got, want)
			}
		}
	}
}

// TestWhere names what the largest figures are of.
func TestWhere(t *testing.T) {
	a, b, c := []float64{1, 2, 3, 4, 5, 6}, []float64{2, 1, 4, 3, 6, 5}, []float64{1, 2, 1, 2, 1, 2}
	s := make([]int32, 6)
	v, err := biasTake(t,
		&measure.Release{Original: people(t, a, b, c, s), Released: people(t, a, []float64{-2, -1, -4, -3, -6, -8}, c, s)})
	must.NoError(t, err)
	d := v.Detail.(Detail)
	for _, x := range []struct {
		got  Change
		want string
		of   int
	}{{d.A, "b", 3}, {d.B, "a and b", 1}, {d.C, "b and c", 2}, {d.D, "b", 5}, {d.Shift, "b", 3}} {
		if x.got.Where != x.want || x.got.Of != x.of {
			t.Errorf("%+v, expected %d with the largest at %q", x.got, x.of, x.want)
		}
	}
}

// TestDM has one rule, the class by column a, that the release loses: there the class goes by column c, which the
// original tree does not test.
func TestDM(t *testing.T) {
	n := 40
	a, b, c, s := make([]float64, n), make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		a[i], b[i], c[i] = float64(i%10), float64(i%7), float64(i%3)
	}
	orig := people(t, a, b, c, s)
	class := make([]int32, n)
	for i := range n {
		class[i] = int32(i % 3 / 2)
	}
	released := orig.WithCat(4, class)
	v, err := biasTake(t, &measure.Release{Original: orig, Released: released})
	must.NoError(t, err)
	if got, ok := part(v, "type DM"); !ok || got != 1 {
		t.Errorf("type DM is %v, expected 1: all rules of the release test column c", got)
	}
	if v, err = biasTake(t, &measure.Release{Original: orig, Released: orig}); err != nil {
		t.Fatal(err)
	}
	if got, ok := part(v, "type DM"); !ok || got != 0 {
		t.Errorf("type DM of the original is %v, expected 0", got)
	}
	m := Bias.New().(*Meter)
	m.DM = false
	v, err = m.Measure(context.Background(), &measure.Release{Original: orig, Released: released}, rng.Source{})
	if _, ok := part(v, "type DM"); err != nil || ok ||
		strings.Contains(strings.Join(message.Written(v.Notes), " "), "DM") {
		t.Errorf("without dm there are parts %v and notes %q, error %v", v.Parts, v.Notes, err)
	}
}

// TestDMIsTreeSimilarity takes type DM from the rules of the trees that the release shares.
func TestDMIsTreeSimilarity(t *testing.T) {
	r := measuretest.Release(true)
	v := must.Get(biasTake(t, r))(t)
	x, y, err := trees.Of(context.Background(), r, Bias.New().(*Meter).Learner)
	must.NoError(t, err)
	w := ruletypes.Compare(x, y, r.Released).Weights
	if got := v.Detail.(Detail).DM; math.Abs(got-(w[2]+w[3])/100) > 1e-15 || got == 0 {
		t.Errorf("type DM is %v, the weights of the types are %v", got, w)
	}
}

// TestLeftOut says in notes what cannot be taken and why.
func TestLeftOut(t *testing.T) {
	x, y, constant := []float64{1, 2, 3, 4}, []float64{2, 1, 4, 3}, []float64{7, 7, 7, 7}
	plain := tabletest.Of(t, tabletest.Numbers(0, x, y, constant)...)
	all := func(role table.Role, columns ...int) *table.Table {
		t := plain
		for _, j := range columns {
			a := *t.Attr(j)
			a.Role = role
			t = t.WithAttr(j, a)
		}
		return t
	}
	for _, c := range []struct {
		name  string
		table *table.Table
		notes []string
		parts []string
	}{
		{"no role", plain, []string{"2 of 3 pairs", "type A leaves out 1 of 3", "type C is left out: all numeric columns " +
			"are taken",
			"type DM is left out: no column has the role class"}, []string{"type A", "type B", "type D"}},
		{"one confidential", all(table.Confidential, 0),
			[]string{"2 of 3 pairs", "type A leaves out", "type B is left out: no two confidential",
				"type DM"}, []string{"type A", "type C", "type D"}},
		{"the constant is not", all(table.Confidential, 0, 1), []string{"2 of 3 pairs", "type A leaves out",
			"type C is left out: no confidential and no other", "type DM"}, []string{"type A", "type B", "type D"}},
	} {
		v := must.Get(biasTake(t, &measure.Release{Original: c.table, Released: c.table}))(t)
		if len(v.Notes) != len(c.notes) {
			t.Fatalf("%s: notes %q, expected %q", c.name, v.Notes, c.notes)
		}
		for k, n := range c.notes {
			if !strings.HasPrefix(v.Notes[k].String(), n) {
				t.Errorf("%s: note %q, expected %q", c.name, v.Notes[k].String(), n)
			}
		}
		for _, typ := range []string{"type A", "type B", "type C", "type D:", "type DM"} {
			_, ok := part(v, typ)
			if want := strings.Contains(strings.Join(c.parts, " ")+":", typ); ok != want {
				t.Errorf("%s: part on %s: %v, expected %v", c.name, typ, ok, want)
			}
		}
	}
}

// TestSuppressedColumn releases no value of one of three columns.
func TestSuppressedColumn(t *testing.T) {
	x, y, z := []float64{1, 2, 3, 4}, []float64{2, 1, 4, 3}, []float64{1, 0, 0, 1}
	na := math.NaN()
	v := must.Get(biasTake(
		t,
		&measure.Release{
			Original: tabletest.Of(t, tabletest.Numbers(0, x, y, z)...),
			Released: tabletest.Of(t, tabletest.Numbers(0, x, y, []float64{na, na, na, na})...),
		},
	))(t)
	d := v.Detail.(Detail)
	if d.D.Largest != 1 || d.D.Where != "c" || d.A.Of != 2 || v.Score != 0 {
		t.Errorf("distributions %+v, variances %+v, score %v", d.D, d.A, v.Score)
	}
}

func TestDetailEncodes(t *testing.T) {
	text := must.Get(json.Marshal(Detail{Names: []string{"a"}, DM: math.NaN(), A: Change{1, 0.5, 0.25, "a"},
		Distances: []Distance{{"a", math.NaN()}, {"b", 0.5}}}))(t)
	for _, want := range []string{`"A":{"of":1,"largest":0.5,"mean":0.25,"where":"a"}`, `"DM":null`, `"distances":{"a":null,"b":0.5}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	two, flat := []float64{1, 2}, []float64{3, 3}
	for _, c := range []struct {
		original, released *table.Table
		skip               bool
		want               string
	}{
		{tabletest.Of(t, tabletest.Numbers(0, two)...), tabletest.Of(t, tabletest.Numbers(0, two)...), true,
			"needs two numeric columns for a correlation, found 1"},
		{tabletest.Of(t, tabletest.Numbers(0, two, flat)...), tabletest.Of(t, tabletest.Numbers(0, two, two)...), true,
			"no two numeric columns of the original vary"},
		{tabletest.Of(t, tabletest.Numbers(0, two, two)...), tabletest.Of(t, tabletest.Numbers(0, two, flat)...), false,
			"no two numeric columns vary in both tables"},
	} {
		_, err := biasTake(t, &measure.Release{Original: c.original, Released: c.released})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || errors.Is(err, measure.ErrNotApplicable) != c.skip {
			t.Errorf("error %v, expected %q, a skip: %v", err, c.want, c.skip)
		}
	}
	wide := make([]table.Column, correlation.Limit+1)
	for j := range wide {
		wide[j] = table.NumColumn(string(rune(0x4e00+j)), 0, []float64{1, 2})
	}
	tab := tabletest.Of(t, wide...)
	if _, err := biasTake(t, &measure.Release{Original: tab, Released: tab}); err == nil {
		t.Error("more than correlation.Limit columns are accepted")
	}
}
