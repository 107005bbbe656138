package informationloss_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/anonymity/infoloss"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people has two numeric columns, a weight, an identifier and a category.
func people(t testing.TB, a, b []float64) *table.Table {
	t.Helper()
	other := make([]float64, len(a))
	for i := range other {
		other[i] = a[i] * b[i]
	}
	cols := []table.Column{
		table.NumColumn("a", 0, a),
		table.NumColumn("b", 0, b),
		table.NumColumn("w", 0, other),
		table.NumColumn("id", 0, other),
		table.CatColumn("s", []string{"u"}, make([]int32, len(a))),
	}
	cols[2].Role, cols[3].Role = table.Weight, table.Identifier
	return tabletest.Of(t, cols...)
}

func take(t testing.TB, r *measure.Release, set map[string]string) measure.Value {
	t.Helper()
	m := informationloss.InformationLoss.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v
}

func release(t testing.TB) *measure.Release {
	return &measure.Release{Original: people(t, []float64{2, 4, 6}, []float64{1, 1, 4}),
		Released: people(t, []float64{3, 5, 7}, []float64{1, 2, 3}), Paired: true}
}

// TestLeavesOutWeightsAndIdentifiers compares the other numeric columns, unless they are named.
func TestLeavesOutWeightsAndIdentifiers(t *testing.T) {
	for set, want := range map[string]string{"": "a b", "b": "b", "w,a,w": "w a"} {
		var names []string
		v := take(t, release(t), map[string]string{"columns": set})
		for _, c := range v.Detail.(informationloss.InformationLossDetail).Columns {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("columns=%s compares %s, expected %s", set, got, want)
		}
	}
}

// TestUnpaired leaves the losses of values out of the parts and of the mean.
func TestUnpaired(t *testing.T) {
	r := release(t)
	whole := take(t, r, nil)
	r.Paired = false
	v := take(t, r, nil)
	if len(v.Parts) != 4 || v.Parts[0].Name.String() != "IL2, means" || len(v.Notes) != 1 {
		t.Errorf("parts %v, notes %q; expected IL2 to IL5 and a note", v.Parts, v.Notes)
	}
	sum := 0.0
	for k, p := range v.Parts {
		sum += p.Score
		if w := whole.Parts[k+2]; p.Key != w.Key || p.Score != w.Score {
			t.Errorf("part %v, expected %v", p, whole.Parts[k+2])
		}
	}
	if math.Abs(v.Score-sum/4) > 1e-12 {
		t.Errorf("score %v, expected the mean %v of the parts", v.Score, sum/4)
	}
}

// TestNotes says what is left out and how many values are suppressed.
func TestNotes(t *testing.T) {
	na := math.NaN()
	for _, c := range []struct {
		name string
		r    *measure.Release
		set  string
		want []string
	}{
		{"whole", release(t), "", nil},
		{"one column", release(t), "a", []string{"the original has no correlations (IL5)"}},
		{"two suppressed", &measure.Release{Original: people(t, []float64{2, 4, na}, []float64{1, 5, 4}),
			Released: people(t, []float64{2, na, na}, []float64{1, 5, na}), Paired: true}, "",
			[]string{"values that the release lacks, counted as lost: 2"}},
		{"one record", &measure.Release{Original: people(t, []float64{2}, []float64{1}),
			Released: people(t, []float64{2}, []float64{1})}, "",
			[]string{"the records are not paired", "the original has no variances and covariances (IL3, IL4)",
				"the original has no correlations (IL5)"}},
	} {
		v := take(t, c.r, map[string]string{"columns": c.set})
		if len(v.Notes) != len(c.want) {
			t.Fatalf("%s: notes %q, expected %q", c.name, v.Notes, c.want)
		}
		for k, n := range c.want {
			if !strings.HasPrefix(v.Notes[k].String(), n) {
				t.Errorf("%s: note %q, expected %q", c.name, v.Notes[k].String(), n)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	na := math.NaN()
	lost := people(t, []float64{na, na}, []float64{na, na})
	for _, c := range []struct {
		name, columns, want string
		original            *table.Table
	}{
		{"no such column", "x", `columns: the table has no column "x"`, release(t).Original},
		{"a category", "a,s", `columns: column "s" is categorical, expected numeric`, release(t).Original},
		{"no numeric column", "", "the table has no numeric column to compare", lost.Select(3, 4)},
		{"no values", "", "the numeric columns of the original have no values to compare", lost},
	} {
		m := informationloss.InformationLoss.New()
		must.NoError(t, m.Params().Apply(map[string]string{"columns": c.columns}))
		_, err := m.Measure(context.Background(),
			&measure.Release{Original: c.original, Released: c.original, Paired: true}, rng.Source{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, expected %s", c.name, err, c.want)
		}
		if skip := c.columns == ""; errors.Is(err, measure.ErrNotApplicable) != skip {
			t.Errorf("%s: a measure that does not apply: %v, expected %v", c.name, !skip, skip)
		}
	}
}

func TestDetailEncodes(t *testing.T) {
	na := math.NaN()
	text, err := json.Marshal(
		informationloss.InformationLossDetail{infoloss.Loss{IL1: na, IL1s: na, IL2: 0.5, IL3: 0, IL4: 1, IL5: na,
			Columns: []infoloss.Column{{Name: "a", Cells: 3, Suppressed: 1, IL1: 0.25, IL1s: na, IL2: 0, IL4: 1}}}},
	)
	want := `{"il1":null,"il1s":null,"il2":0.5,"il3":0,"il4":1,"il5":null,` +
		`"columns":[{"name":"a","cells":3,"suppressed":1,"il1":0.25,"il1s":null,"il2":0,"il4":1}]}`
	if err != nil || string(text) != want {
		t.Errorf("detail encodes to %s, error %v", text, err)
	}
}
