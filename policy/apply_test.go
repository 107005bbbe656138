package policy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func patients(t testing.TB) *table.Table {
	t.Helper()
	tab := must.Get(table.New(table.NumColumn("age", 1, []float64{31, 17, math.NaN(), 90}),
		table.NumColumn("salary", 0.01, []float64{100.25, 7, 0.1, 99.99}),
		table.CatColumn("school", []string{"low", "high", "unused"}, []int32{1, 0, 0, -1}),
		table.CatColumn("code", []string{"007", "1.50", "-"}, []int32{0, 1, 0, -1})))(t)
	return tab
}

func apply(t *testing.T, columns string) (*table.Table, error) {
	t.Helper()
	return parse(t, "version: 1\ncolumns:\n  "+columns).Apply(patients(t))
}

func TestApply(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		policy string
		want   table.Column
	}{
		{"age: {role: weight, keep: true}", table.NumColumn("age", 1, []float64{31, 17, nan, 90})},
		{"age: {domain: [0, 120]}", table.Column{Attribute: table.Attribute{Name: "age",
			Domain: table.Interval{Lo: 0, Hi: 120}, Declared: true, Step: 1},
			Num: []float64{31, 17, nan, 90}}},
		{"age: {domain: [17, 90]}", table.Column{Attribute: table.Attribute{Name: "age",
			Domain: table.Interval{Lo: 17, Hi: 90}, Declared: true, Step: 1},
			Num: []float64{31, 17, nan, 90}}},
		{"age: {step: 0.5}", stepped(table.NumColumn("age", 0.5, []float64{31, 17, nan, 90}))},
		{"salary: {step: 0.01}", stepped(table.NumColumn("salary", 0.01, []float64{100.25, 7, 0.1, 99.99}))},
		{"age: {kind: categorical}", table.CatColumn("age", []string{"17", "31", "90"}, []int32{1, 0, -1, 2})},
		{"age: {kind: ordered}", ordered("age", []string{"17", "31", "90"}, 1, 0, -1, 2)},
		{"age: {values: [90, 31, 17, 5]}", declared(table.CatColumn("age", []string{"90", "31", "17", "5"},
			[]int32{1, 2, -1, 0}))},
		{"school: {kind: ordered, values: [none, low, high]}",
			declared(ordered("school", []string{"none", "low", "high"}, 2, 1, 1, -1))},
		{"school: {kind: categorical}", table.CatColumn("school", []string{"low", "high", "unused"}, []int32{1, 0, 0, -1})},
		{"code: {kind: numeric}", table.NumColumn("code", 0.01, []float64{7, 1.5, 7, nan})},
		{"code: {domain: [0, 10]}", table.Column{Attribute: table.Attribute{Name: "code",
			Domain: table.Interval{Lo: 0, Hi: 10}, Declared: true, Step: 0.01},
			Num: []float64{7, 1.5, 7, nan}}},
	} {
		out, err := apply(t, c.policy)
		if err != nil {
			t.Errorf("%s: %v", c.policy, err)
			continue
		}
		if d := cmp.Diff(c.want, out.Column(out.Find(c.want.Name)), cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", c.policy, d)
		}
	}
}

func ordered(name string, labels []string, codes ...int32) table.Column {
	c := table.CatColumn(name, labels, codes)
	c.Ordered = true
	return c
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{"aeg: {keep: true}", `p.yaml:3:3: the table has no column "aeg"; did you mean "age"?`},
		{"age: {domain: [18, 65]}", `p.yaml:3:17: "age" is declared to lie in [18, 65], but 2 records have a value outside; outside: clip sets such values to the nearer end`},
		{"age: {domain: [0, 89]}", `p.yaml:3:17: "age" is declared to lie in [0, 89], but 1 record has a value outside; outside: clip sets such values to the nearer end`},
		{"salary: {step: 1}", `p.yaml:3:18: "salary" is declared to have the step 1, but 3 records have a value between the steps`},
		{"salary: {step: 0.3}", `p.yaml:3:18: "salary" is declared to have the step 0.3, but 4 records have a value between the steps`},
		{"school: {kind: numeric}", `p.yaml:3:18: "school" is declared numeric, but 3 records have no number`},
		{"school: {kind: ordered}", `p.yaml:3:18: "school" is declared ordered, but values does not say how`},
		{"school: {values: [low]}", `p.yaml:3:20: "school": 1 record has a value that is not listed`},
		{"age: {kind: ordered, values: [31, 90]}", `p.yaml:3:32: "age": 1 record has a value that is not listed`},
	} {
		_, err := apply(t, c.policy)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.policy, err, c.want)
		}
	}
	_, err := parse(t, "version: 1\nclass: scholo").Apply(patients(t))
	if want := `p.yaml:2:8: the table has no column "scholo" for the class; did you mean "school"?`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	_, err = (&Policy{Columns: map[string]Column{"age": {Domain: []Text{"0", "1"}}}}).Apply(patients(t))
	if want := `policy: "age" is declared to lie in [0, 1], but 3 records have a value outside; outside: clip sets such values to the nearer end`; err == nil ||
		err.Error() != want {
		t.Errorf("a policy that was not parsed: %v\nwant %s", err, want)
	}
}

// What is declared about columns changes no value: every record reads the same before and after, or the policy is
// refused.
func TestApplyKeepsValues(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2.5, 10, math.NaN()}), 1, 8).Draw(t, "values")
		labels := rapid.SliceOfN(rapid.Int32Range(-1, 2), len(values), len(values)).Draw(t, "codes")
		in := tabletest.Of(t, table.NumColumn("n", 0.5, values), table.CatColumn("c", []string{"1", "2.5", "x"}, labels))
		column := rapid.SampledFrom(
			[]string{"{kind: numeric}", "{kind: categorical}", "{domain: [0, 9]}", "{step: 0.5}", "{step: 1}",
				"{values: [x, '2.5', '1', '1.0', '0.0', '10.0']}"},
		)
		text := fmt.Sprintf("version: 1\ncolumns: {n: %s, c: %s}", column.Draw(t, "n"), column.Draw(t, "c"))
		p := must.Get(Parse("p.yaml", []byte(text)))(t)
		out, err := p.Apply(in)
		if err != nil {
			return
		}
		for j := range 2 {
			for i := range values {
				if a, b := read(in, i, j), read(out, i, j); a != b {
					t.Fatalf("%s\nrow %d, column %d: %s became %s", text, i, j, a, b)
				}
			}
		}
	})
}

// read writes a value so that a number and its label read alike.
func read(t *table.Table, i, j int) string {
	switch {
	case t.MissingAt(i, j):
		return "?"
	case t.Attr(j).Kind == table.Numeric:
		return string(table.AppendNumber(nil, t.Num(j)[i], 0))
	}
	s := t.Attr(j).Labels[t.Cat(j)[i]]
	return strings.TrimSuffix(s, ".0")
}

// declared marks the labels as the custodian's.
func declared(c table.Column) table.Column {
	c.Declared = true
	return c
}

func stepped(c table.Column) table.Column {
	c.StepDeclared = true
	return c
}
