package dataquality

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

const worked = `asset: {diagnosis: {weight: .6, attributes: {age: {aw: .3, cw: .5}, ward: {aw: .2, cw: .2}, dose: {aw: .5, cw: .3}},
        constraints: {dose_max: {on: dose, expr: "dose <= 10", weight: .6}},
        complex: {adult_or_low: {op: or, of: [{on: age, expr: "age >= 18"}, {on: dose, expr: "dose <= 5"}], weight: .4}}}}
`

func patients(age []float64, ward []int32, dose []float64) *table.Table {
	return tabletest.Must(table.NumColumn("age", 1, age), table.CatColumn("ward", []string{"icu", "er", "gp"}, ward),
		table.NumColumn("dose", 1, dose))
}

var (
	before = patients([]float64{34, 51, 17, 70}, []int32{0, 1, 0, 2}, []float64{5, 8, 4, 9})
	after  = patients([]float64{34, math.NaN(), 17, 70}, []int32{0, 1, 0, 2}, []float64{12, 8, 6, 9})
)

func iqmTake(t *testing.T, r *measure.Release, set map[string]string) (measure.Value, error) {
	t.Helper()
	m := NewIQM()
	must.NoError(t, m.Params().Apply(set))
	return m.Measure(t.Context(), r, rng.Source{})
}

// TestWorkedCase: ACL 0.25, CML 0.125, CSL 1, of which a quarter per record and weight; one purpose of weight 0.6.
func TestWorkedCase(t *testing.T) {
	r := &measure.Release{Original: before, Released: after, Paired: true}
	for of, want := range map[string]float64{IQMAll: (0.25 + 0.125 + 0.25) / 3, Accuracy: 0.25, Completeness: 0.125,
		Consistency: 0.25} {
		v, err := iqmTake(t, r, map[string]string{"iqm": worked, "of": of})
		if err != nil || math.Abs(v.Score-want) > 1e-12 || v.Lo != v.Score || v.Hi != v.Score {
			t.Errorf("%s: %v, %v; want %v", of, v.Score, err, want)
		}
		parts := map[string]float64{}
		for _, p := range v.Parts {
			parts[p.Name.String()] = p.Score
		}
		for name, want := range map[string]float64{"diagnosis: ACL": 0.25, "diagnosis: CML": 0.125, "diagnosis: CSL": 1,
			"accuracy (1 - lack)": 0.75, "accuracy lack as printed (5.4)": 0.15,
			"consistency lack as printed (5.6)": 0.6} {
			if got, ok := parts[name]; !ok || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
	}
}

// TestCount: a complex constraint on two values that both changed counts twice as printed, and once per record.
func TestCount(t *testing.T) {
	r := &measure.Release{
		Original: before,
		Released: patients([]float64{4, 51, 17, 70}, []int32{0, 1, 0, 2}, []float64{7, 8, 4, 9}),
		Paired:   true,
	}
	for count, want := range map[string]float64{ByCell: 0.8, ByRecord: 0.4} {
		v, err := iqmTake(t, r, map[string]string{"iqm": worked, "count": count})
		if d, ok := v.Detail.(Detail); err != nil || !ok || math.Abs(d.Purposes[0].Lack.Consistency-want) > 1e-12 ||
			math.Abs(*d.Share.Consistency-0.1) > 1e-12 {
			t.Errorf("%s: %+v, %v; want %v", count, v.Detail, err, want)
		}
	}
}

// TestPairing: records of a release in another order, and with fewer of them, are those of their identities, or of
// their keys.
func TestPairing(t *testing.T) {
	whole := &measure.Release{Original: before, Released: after, Paired: true}
	want := must.Get(iqmTake(t, whole, map[string]string{"iqm": worked}))(t)
	keyed := func(t *table.Table, ids ...float64) *table.Table {
		return tabletest.Insert(t, 0, table.NumColumn("id", 1, ids))
	}
	order := []int{2, 0, 3, 1}
	r := &measure.Release{Original: keyed(before, 1, 2, 3, 4), Released: keyed(after.Gather(order), 3, 1, 4, 2)}
	got, err := iqmTake(t, r, map[string]string{"iqm": "key: id\n" + worked})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("by key %+v, %v\nwant %+v", got, err, want)
	}
	some := []int{0, 2}
	r = &measure.Release{Original: before, Released: after.Gather(some), Matched: before.Gather(some)}
	v, err := iqmTake(t, r, map[string]string{"iqm": worked})
	if d, ok := v.Detail.(Detail); err != nil || !ok || d.Gone != 2 || d.Purposes[0].Attributes[2].Changed != 2 ||
		d.Purposes[0].Attributes[1].Missing != 2 {
		t.Errorf("of some %+v, %v", v.Detail, err)
	}
	for _, set := range []map[string]string{{"iqm": worked}, {}} {
		r := &measure.Release{Original: before, Released: after}
		if _, err := iqmTake(t, r, set); !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("%v: %v", set, err)
		}
	}
	if _, err := iqmTake(t, whole, map[string]string{"iqm": "asset: {p: {attributes: {agee: {aw: 1}}}}"}); err == nil ||
		err.Error() != `quality model:1:26: the table has no column "agee"; did you mean "age"?` {
		t.Error(err)
	}
}
