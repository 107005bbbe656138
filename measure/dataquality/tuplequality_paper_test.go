package dataquality

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func tuplesTake(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, error) {
	t.Helper()
	m := NewTuples()
	must.NoError(t, m.Params().Apply(set))
	return m.Measure(t.Context(), r, rng.Source{})
}

const grown = "key: id\nasset: {care: {attributes: {age: {aw: 1}}, constraints: {adult: {on: age, expr: age >= 18}}}}"

// TestDefinitions: five records of which the first is as it was, the second changed and breaks a constraint, the third
// lost a value, the fourth has another id, and the fifth had a gap before.
func TestDefinitions(t *testing.T) {
	original := tabletest.Must(table.NumColumn("id", 1, []float64{1, 2, 3, 4, 5}),
		table.NumColumn("age", 1, []float64{34, 51, 19, 77, math.NaN()}))
	released := tabletest.Must(table.NumColumn("id", 1, []float64{1, 2, 3, 9, 5}),
		table.NumColumn("age", 1, []float64{34, 17, math.NaN(), 4, math.NaN()}))
	r := &measure.Release{Original: original, Released: released}
	for of, want := range map[string]float64{TuplesAll: 0.2, Accurate: 0.8, Complete: 0.4, Consistent: 0.6} {
		v, err := tuplesTake(t, r, map[string]string{"iqm": grown, "of": of})
		if err != nil || v.Score != want {
			t.Errorf("%s: %v, %v; want %v", of, v.Score, err, want)
		}
	}
	paired := &measure.Release{Original: original, Released: released, Paired: true}
	v, err := tuplesTake(t, paired, nil) // without a model the id is a value as any other
	if err != nil || v.Score != 0.2 || len(v.Parts) != 4 || v.Parts[3].Key != "complete-original" ||
		v.Parts[3].Score != 0.8 ||
		v.Parts[3].Name.String() != "complete in the original" {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := tuplesTake(t, paired, map[string]string{"of": Consistent}); !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("consistency without constraints: %v", err)
	}
}

// TestGroups: whether a group of ages keeps a constraint is not known, and the lower bound says so.
func TestGroups(t *testing.T) {
	exact := tabletest.Must(table.NumColumn("age", 1, []float64{34, 51}))
	general := tabletest.Must(table.CatColumn("age", []string{"30-59"}, []int32{0, 0}))
	v, err := tuplesTake(t,
		&measure.Release{Original: general, Released: general, Recoding: measure.Recoding{Exact: exact}, Paired: true},
		map[string]string{"iqm": grown, "of": Consistent})
	if err != nil || v.Score != 1 || v.Lo != 0 || v.Hi != 1 || len(v.Notes) != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestTwin compares with the definitions read word by word on random tables of two columns and many blocks.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for _, n := range []int{1, 7, 200, 9000} {
		draw := func() ([]float64, []int32) {
			x, c := make([]float64, n), make([]int32, n)
			for i := range x {
				if x[i], c[i] = float64(r.IntN(4)), int32(r.IntN(3)-1); x[i] == 0 {
					x[i] = math.NaN()
				}
			}
			return x, c
		}
		x, c := draw()
		y, d := draw()
		table2 := func(x []float64, c []int32) *table.Table {
			return tabletest.Must(table.NumColumn("x", 1, x), table.CatColumn("c", []string{"a", "b"}, c))
		}
		accurate, complete, consistent, all := 0.0, 0.0, 0.0, 0.0
		for i := range n {
			a := (y[i] != y[i] || x[i] == y[i]) && (d[i] < 0 || c[i] == d[i])
			b := y[i] == y[i] && d[i] >= 0
			k := !(d[i] == 0 && y[i] >= 2) && !(y[i] == 1)
			for of, is := range map[*float64]bool{&accurate: a, &complete: b, &consistent: k, &all: a && b && k} {
				if is {
					*of++
				}
			}
		}
		model := "asset: {p: {attributes: {x: {aw: 1}, c: {aw: 1}}, constraints: {one: {on: x, expr: x != 1}}, complex: " +
			"{two: {op: and, of: [{on: c, expr: \"c = 'b' or x < 2\"}, {on: x, expr: x > 0}]}}}}"
		rel := &measure.Release{Original: table2(x, c), Released: table2(y, d), Paired: true}
		for of, want := range map[string]float64{TuplesAll: all, Accurate: accurate, Complete: complete,
			Consistent: consistent} {
			v, err := tuplesTake(t, rel, map[string]string{"iqm": model, "of": of})
			if err != nil || v.Score != want/float64(n) {
				t.Errorf("%d records, %s: %v, %v; want %v", n, of, v.Score, err, want/float64(n))
			}
		}
	}
}

// A million records take 0.65 sorts of the yardstick.
func BenchmarkTuplesMeasure(b *testing.B) {
	x, c := make([]float64, 1_000_000), make([]int32, 1_000_000)
	for i := range x {
		x[i], c[i] = float64(i%90), int32(i%3)
	}
	original := tabletest.Must(table.NumColumn("age", 1, x), table.CatColumn("ward", []string{"icu", "er", "gp"}, c))
	released := original.Slice(1, len(x))
	original = original.Slice(0, len(x)-1)
	for b.Loop() {
		must.Get(tuplesTake(b, &measure.Release{Original: original, Released: released, Paired: true},
			map[string]string{"iqm": grown}))(b)
	}
	yardstick.Report(b)
}
