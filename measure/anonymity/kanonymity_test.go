package anonymity

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// kAnonymityTake measures a release of a table as it is, for an intruder who knows the columns.
func kAnonymityTake(
	t tabletest.T,
	tab *table.Table,
	set map[string]string,
	knows ...string,
) (measure.Value, KAnonymityDetail) {
	return takeOf(t, &measure.Release{Original: tab, Released: tab, Paired: true}, set, knows...)
}

func takeOf(
	t tabletest.T,
	r *measure.Release,
	set map[string]string,
	knows ...string,
) (measure.Value, KAnonymityDetail) {
	m := KAnonymity.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(),
		r.Against(&intruder.Intruder{Name: "x", Knows: knows, Secret: []string{}}), rng.Source{}))(t)
	return v, v.Detail.(KAnonymityDetail)
}

// Sweeney 2002, figure 2: a table of eleven records that is 2-anonymous for race, birth, gender and ZIP code.
func TestSweeneyFigure2(t *testing.T) {
	tab := tabletest.Of(t,
		table.CatColumn("race", []string{"Black", "White"}, []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}),
		table.NumColumn("birth", 1, []float64{1965, 1965, 1965, 1965, 1964, 1964, 1964, 1964, 1964, 1967, 1967}),
		table.CatColumn("gender", []string{"m", "f"}, []int32{0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0}),
		table.CatColumn("zip", []string{"0214*", "0213*"}, []int32{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}))
	v, d := kAnonymityTake(t, tab, map[string]string{"k": "3"}, "race", "birth", "gender", "zip")
	want := KAnonymityDetail{
		Intruder: "x",
		Released: 11,
		Classes:  5,
		Smallest: 2,
		K:        3,
		Below:    8,
		Average:  2.2,
		Sizes:    []Size{{2, 4}, {3, 1}},
	}
	if diff := cmp.Diff(want, d, cmpopts.IgnoreUnexported(KAnonymityDetail{})); diff != "" || v.Score != 2 {
		t.Errorf("k = %v, %s", v.Score, diff)
	}
	if r := d.Records(); r[0] != 0.5 || r[6] != 1./3 {
		t.Errorf("risks %v, expected 1/2 for the first and 1/3 for the seventh record", r)
	}
	if !strings.Contains(d.Sentence().String(), "at least 2 of all 11") {
		t.Error(d.Sentence().String())
	}
}

// TestKAnonymityEqualsTwin counts every record's companions one by one.
func TestKAnonymityEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 20).Draw(t, "rows")
		anything := rapid.Bool().Draw(t, "anything")
		var cols []table.Column
		var names []string
		var values [][]float64
		for j := range rapid.IntRange(1, 4).Draw(t, "columns") {
			v := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, math.NaN()}), rows, rows).Draw(t, "values")
			cols, names, values = append(
				cols,
				table.NumColumn(fmt.Sprint(j), 1, v),
			), append(names, fmt.Sprint(j)), append(values, v)
		}
		candidates := make([]int, rows)
		for i := range rows {
			for k := range rows {
				if !slices.ContainsFunc(values, func(v []float64) bool {
					a, b := v[i], v[k]
					return a != b && (!anything && (a == a || b == b) || anything && a == a && b == b)
				}) {
					candidates[i]++
				}
			}
		}
		want := KAnonymityDetail{Smallest: slices.Min(candidates)}
		for _, c := range candidates {
			if c < 3 {
				want.Below++
			}
			if c == 1 {
				want.Alone++
			}
		}
		set := map[string]string{"k": "3"}
		if anything {
			set["missing"] = "any"
		}
		v, d := kAnonymityTake(t, tabletest.Of(t, cols...), set, names...)
		if v.Score != float64(want.Smallest) || d.Below != want.Below || d.Alone != want.Alone {
			t.Fatalf("k %v, %d below, %d alone; expected %d, %d, %d", v.Score, d.Below, d.Alone, want.Smallest, want.Below,
				want.Alone)
		}
		for i, r := range d.Records() {
			if r != 1/float64(candidates[i]) {
				t.Fatalf("record %d has risk %v, expected 1/%d", i, r, candidates[i])
			}
		}
		classes := 0
		for _, s := range d.Sizes {
			classes += s.Classes
		}
		if classes != d.Classes {
			t.Fatalf("sizes of %d classes, expected %d", classes, d.Classes)
		}
	})
}

// TestExtremes has releases in which all records look alike: constant, suppressed, unknown; and one record.
func TestExtremes(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		values []float64
		knows  []string
		k      float64
	}{
		"constant":        {[]float64{4, 4, 4}, []string{"a"}, 3},
		"suppressed":      {[]float64{nan, nan, nan}, []string{"a"}, 3},
		"nothing known":   {[]float64{1, 2, 3}, nil, 3},
		"one record":      {[]float64{1}, []string{"a"}, 1},
		"all different":   {[]float64{1, 2, 3}, []string{"a"}, 1},
		"every one twice": {[]float64{1, 2, 2, 1}, []string{"a"}, 2},
	} {
		v, _ := kAnonymityTake(t, tabletest.Of(t, table.NumColumn("a", 1, c.values)), nil, c.knows...)
		if v.Score != c.k {
			t.Errorf("%s: k = %v, expected %v", name, v.Score, c.k)
		}
		if c.knows == nil && len(v.Notes) == 0 {
			t.Errorf("%s: there is no note", name)
		}
	}
}

// TestMissing suppresses one cell of a pair of records: as a value of its own it parts them, as anything it does not.
func TestMissing(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, math.NaN(), 2, 2}))
	if v, _ := kAnonymityTake(t, tab, nil, "a"); v.Score != 1 {
		t.Errorf("as a value, k = %v, expected 1", v.Score)
	}
	v, d := kAnonymityTake(t, tab, map[string]string{"missing": "any"}, "a")
	if v.Score != 2 || d.Alone != 0 || d.Classes != 3 {
		t.Errorf("as anything, k = %v, %d alone, %d classes; expected 2, 0, 3", v.Score, d.Alone, d.Classes)
	}
}

// TestCoarse knows a number within 5, so by its band of ten.
func TestCoarse(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{-1, 0, 9, 10, 19, 20}))
	who := &intruder.Intruder{Name: "x", Knows: []string{"a"}, Within: map[string]float64{"a": 5}}
	v := must.Get(KAnonymity.New().Measure(context.Background(),
		&measure.Release{Original: tab, Released: tab, Intruder: who}, rng.Source{}))(t)
	if d := v.Detail.(KAnonymityDetail); d.Classes != 4 || d.Alone != 2 || !math.IsNaN(d.Records()[0]) {
		t.Errorf("%d classes, %d alone, risk of an unpaired record %v; expected 4, 2, NaN", d.Classes, d.Alone,
			d.Records()[0])
	}
}

func TestKAnonymityDetailHoldsNoValues(t *testing.T) {
	v, _ := kAnonymityTake(t, tabletest.Of(t, table.NumColumn("a", 0.5, []float64{123456.5, 123456.5, 7})), nil, "a")
	text, err := json.Marshal(v)
	if err != nil || strings.Contains(string(text), "123456") {
		t.Errorf("%s, error %v", text, err)
	}
}
