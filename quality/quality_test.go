package quality

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"

	_ "github.com/dither-data/dither/policy/yaml"
)

// worked is the model of the worked case.
const worked = `asset: {diagnosis: {weight: .6, attributes: {age: {aw: .3, cw: .5}, ward: {aw: .2, cw: .2}, dose: {aw: .5, cw: .3}},
        constraints: {dose_max: {on: dose, expr: "dose <= 10", weight: .6}},
        complex: {adult_or_low: {op: or, of: [{on: age, expr: "age >= 18"}, {on: dose, expr: "dose <= 5"}], weight: .4}}}}
`

func mustParse(t testing.TB, text string) *Model {
	t.Helper()
	return must.Get(Parse("model.yaml", []byte(text)))(t)
}

var none = math.NaN()

// patients makes a table of ages, wards and doses; an empty ward is missing.
func patients(t testing.TB, age []float64, ward []string, dose []float64) *table.Table {
	t.Helper()
	labels := []string{"icu", "er", "gp"}
	codes := make([]int32, len(ward))
	for i, w := range ward {
		codes[i] = -1
		for k, l := range labels {
			if l == w {
				codes[i] = int32(k)
			}
		}
	}
	tab := must.Get(table.New(table.NumColumn("age", 1, age), table.CatColumn("ward", labels, codes),
		table.NumColumn("dose", 1, dose)))(t)
	return tab
}

func close(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestWorkedCase: four patients, of whom three change: a dose above the most, an age that is lost, and a child whose
// dose is no longer low.
func TestWorkedCase(t *testing.T) {
	original := patients(t, []float64{34, 51, 17, 70}, []string{"icu", "er", "icu", "gp"}, []float64{5, 8, 4, 9})
	release := patients(t, []float64{34, none, 17, 70}, []string{"icu", "er", "icu", "gp"}, []float64{12, 8, 6, 9})
	r := must.Get(Evaluate(context.Background(), mustParse(t, worked), Pair{Original: original, Released: release}))(t)
	if want := []bool{true, true, true, false}; !reflect.DeepEqual(r.Differs, want) || r.Changed != 3 {
		t.Errorf("%v differ, want %v", r.Differs, want)
	}
	p := r.Purposes[0]
	if dose := p.Attributes[2]; !close(dose.AV, 0.5) || dose.CV != 0 {
		t.Errorf("of the doses %v changed and %v are missing, want 0.5 and 0", dose.AV, dose.CV)
	}
	if age := p.Attributes[0]; age.AV != 0 || !close(age.CV, 0.25) {
		t.Errorf("of the ages %v changed and %v are missing, want 0 and 0.25", age.AV, age.CV)
	}
	if got := p.Lack; !close(got.Accuracy, 0.25) || !close(got.Completeness, 0.125) || !close(got.Consistency, 1) {
		t.Errorf("the lacks are %+v, want 0.25, 0.125 and 1", got)
	}
	if v := p.Constraints[0].Violated; v != 1 {
		t.Errorf("the most of a dose is violated %d times, want 1", v)
	}
	if v := p.Complex[0]; v.Violated != 1 || v.Records != 1 || v.Checked != 3 {
		t.Errorf("the complex constraint is violated %d times in %d of %d records, want once of 3", v.Violated, v.Records,
			v.Checked)
	}
	if got := *p.Share.Consistency; !close(got, 0.25) {
		t.Errorf("the share of lack of consistency is %v, want 0.25", got)
	}
	if got := r.Asset; !close(got.Accuracy, 0.15) || !close(got.Completeness, 0.075) || !close(got.Consistency, 0.6) {
		t.Errorf("the asset lacks %+v, want 0.6 times that of its purpose", got)
	}
	if got := r.Share; !close(*got.Accuracy, 0.25) || !close(*got.Completeness, 0.125) || !close(*got.Consistency, 0.25) ||
		*got.Most != *got.Consistency {
		t.Errorf("the shares are %v %v %v", *got.Accuracy, *got.Completeness, *got.Consistency)
	}
}

// TestGoneAndAdded: a record that is gone is incomplete in every attribute, one that is added inaccurate in every
// attribute, and looked at by every constraint.
func TestGoneAndAdded(t *testing.T) {
	original := patients(t, []float64{34, 51, 17, 70}, []string{"icu", "er", "icu", "gp"}, []float64{5, 8, 4, 9})
	release := patients(t, []float64{51, 34, 3}, []string{"er", "icu", "er"}, []float64{8, 5, 20})
	r := must.Get(Evaluate(context.Background(), mustParse(t, worked),
		Pair{Original: original, Released: release, Rows: []int32{1, 0, -1}}))(t)
	if r.Gone != 2 || r.Added != 1 || r.Changed != 2 || !reflect.DeepEqual(r.Differs, []bool{false, false, true, true}) {
		t.Errorf("%d are gone, %d added, %d changed: %v", r.Gone, r.Added, r.Changed, r.Differs)
	}
	p := r.Purposes[0]
	for _, a := range p.Attributes {
		if a.Changed != 1 || a.Missing != 2 || !close(a.CV, 2.0/3) {
			t.Errorf("%+v", a)
		}
	}
	if !close(*p.Share.Completeness, 0.4) { // 2 of 5 records
		t.Errorf("the share of lack of completeness is %v, want 0.4", *p.Share.Completeness)
	}
	if c := p.Complex[0]; c.Violated != 2 || c.Records != 1 || !close(p.Lack.Consistency, 0.6+0.8) ||
		!close(p.ByRecord, 1) {
		t.Errorf("%+v; %v and %v by record", c, p.Lack.Consistency, p.ByRecord)
	}
	if _, err := Evaluate(context.Background(), mustParse(t, worked),
		Pair{Original: original, Released: release}); err == nil {
		t.Error("tables of different length are paired by nothing")
	}
}

// TestGroups: a group of values is no value that a condition can judge, and the most of the lack says so.
func TestGroups(t *testing.T) {
	original := patients(t, []float64{34, 51}, []string{"icu", "er"}, []float64{5, 8})
	general := must.Get(table.New(table.CatColumn("age", []string{"30-59"}, []int32{0, 0}),
		table.CatColumn("ward", []string{"icu", "hospital"}, []int32{0, 1}), table.NumColumn("dose", 1, []float64{6, 8})))(t)
	m := mustParse(
		t,
		`asset: {p: {attributes: {age: {aw: 1}, ward: {aw: 1}, dose: {aw: 1}}, constraints: {grown: {on: age, expr: age >= 18}, known: {on: ward, expr: "ward in ('icu', 'er')"}}}}`,
	)
	r := must.Get(Evaluate(context.Background(), m, Pair{Original: original, Released: general, Groups: true}))(t)
	p := r.Purposes[0]
	if a, b := p.Constraints[0], p.Constraints[1]; a.Unjudged != 2 || a.Violated != 0 || b.Unjudged != 1 ||
		b.Violated != 0 ||
		b.Checked != 1 {
		t.Errorf("%+v\n%+v", a, b)
	}
	if *p.Share.Consistency != 0 || !close(*p.Share.Most, 0.75) || p.Attributes[0].AV != 1 || p.Attributes[1].AV != 0.5 {
		t.Errorf("%v to %v, %+v", *p.Share.Consistency, *p.Share.Most, p.Attributes)
	}
	if p.Share.Completeness != nil {
		t.Error("there is a lack of completeness where nothing has a weight for it")
	}
}

// TestJoin pairs by the key, whatever the codes of labels, and refuses one that does not tell records apart.
func TestJoin(t *testing.T) {
	a, _ := table.New(table.CatColumn("id", []string{"x", "y"}, []int32{0, 1, 1, -1}),
		table.NumColumn("visit", 1, []float64{1, 1, 2, 1}))
	b, _ := table.New(table.CatColumn("id", []string{"y", "z"}, []int32{0, 1, 0}),
		table.NumColumn("visit", 1, []float64{2, 1, 1}))
	rows, err := Join(a, b, []string{"id", "visit"})
	if want := []int32{2, -1, 1}; err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("%v, %v; want %v", rows, err, want)
	}
	for want, key := range map[string][]string{
		"the key is not unique: rows 2 and 3 of the original have the same": {"id"},
		`the original has no column "no", which the key names`:              {"no"},
		"there is no key to pair records by":                                nil,
	} {
		if _, err := Join(a, b, key); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", key, err, want)
		}
	}
}

// TestFaults: every error of a file names its line and column.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"": "m.yaml: the quality model is empty, expected at least asset: {a purpose: {attributes: " +
			"{a column: {aw: 1}}}}",
		"asset:":                  "m.yaml:1:8: expected keys with values",
		"asset: {}":               "m.yaml:1:8: the model has no purpose",
		"key: [id]":               "m.yaml:1:1: the model has no purpose",
		"assets: {}":              "m.yaml:1:1: unknown key; did you mean \"asset\"?",
		"asset: {p: {x: 1}}":      "m.yaml:1:13: unknown key; expected one of weight, attributes, constraints, complex",
		"asset: {p: {weight: 1}}": `m.yaml:1:13: purpose "p" has no attributes`,
		"asset: {p: {attributes: {a: {aw: -1}}}}": "m.yaml:1:34: expected a weight, a number from 0 on",

		"asset: {p: {attributes: {a: {aw: 0}}}}":                                                      `m.yaml:1:13: purpose "p" weighs nothing: give an attribute a weight, or a constraint`,
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    constraints:\n      c: {on: b, expr: a > 1}": `m.yaml:5:15: a constraint is on "b", which is not an attribute of its purpose; did you mean "a"?`,
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    constraints:\n      c: {on: a, expr: b > 1}": `m.yaml:5:24: the expression does not name "a", which the constraint is on`,
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    constraints:\n" +
			"      c:\n        on: a\n        expr: \"a => 1\"": "m.yaml:7:19: expected a column, a number, or a text in quotes",
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    constraints:\n      c:\n        on: a\n        expr: >\n          " +
			"a =>\n          1": "m.yaml:7:15: at character 4: expected a column, a number, or a text in quotes",
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    complex:\n      c: {op: xor, of: []}": "m.yaml:5:15: expected " +
			"and, or or",
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    complex:\n      c: {op: or, of: []}": `m.yaml:5:23: complex constraint "c" joins no constraints: list them below of`,
		"asset:\n  p:\n    attributes: {a: {aw: 1}}\n    constraints:\n      c: {on: a}": "m.yaml:5:11: a constraint " +
			"needs on, a column, and expr, a condition, or a relation",
	} {
		_, err := Parse("m.yaml", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n%v\n%s", text, err, want)
		}
	}
}

// TestFit tells what of a model a table lacks.
func TestFit(t *testing.T) {
	tab := patients(t, nil, nil, nil)
	for text, want := range map[string]string{
		"asset: {p: {attributes: {agee: {aw: 1}}}}":                                                       `m.yaml:1:26: the table has no column "agee"; did you mean "age"?`,
		"asset: {p: {attributes: {age: {aw: 1}}, constraints: {c: {on: age, expr: age > doses}}}}":        `m.yaml:1:80: the table has no column "doses"; did you mean "dose"?`,
		"asset: {p: {attributes: {ward: {aw: 1}}, constraints: {c: {on: ward, expr: \"ward > 3\"}}}}":     `m.yaml:1:82: a number is compared with a text; column "ward" holds categories, which stand in quotes`,
		"asset: {p: {attributes: {ward: {aw: 1}}, constraints: {c: {on: ward, expr: \"ward = 'icu'\"}}}}": "",
	} {
		m, err := Parse("m.yaml", []byte(text))
		must.NoError(t, err)
		err = m.Fit(tab.Attrs())
		if err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s:\n%v\n%s", text, err, want)
		}
	}
}

// FuzzParse: no text brings the reader down, and a model that is read can be written and read again.
func FuzzParse(f *testing.F) {
	f.Add(worked)
	f.Add("key: id\nasset:\n  'a b':\n    attributes: {x-y: {aw: 1}}\n    constraints: {c: {on: x-y, expr: '`x-y` != " +
		"3'}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("m.yaml", []byte(text))
		if err != nil {
			if err.Error() == "" || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %q", text, err)
			}
			return
		}
		var b strings.Builder
		must.NoError(t, m.Write(&b))
		again, err := Parse("m.yaml", []byte(b.String()))
		if err != nil || !reflect.DeepEqual(plain(m), plain(again)) {
			t.Fatalf("%q\nis written\n%s\nand read: %v", text, b.String(), err)
		}
	})
}

// plain is a model without where it stands.
func plain(m *Model) Model {
	c := *m
	c.source = nil
	return c
}
