package quality

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// tuple is a record of a small table: an age, a dose and a ward, each nil where it is missing.
type tuple struct {
	age, dose *float64
	ward      string
}

// TestTwin evaluates random small tables as Figures 5.1 and 5.2 are printed, record by record, and compares every
// count.
func TestTwin(t *testing.T) {
	m := mustParse(t, `
asset:
  one:
    weight: 0.7
    attributes: {age: {aw: 0.4, cw: 0.1}, dose: {aw: 0.2, cw: 0.3}}
    constraints: {grown: {on: age, expr: age >= 2, weight: 0.3}, low: {on: dose, expr: dose <= age, weight: 2}}
    complex:
      some: {op: or, weight: 0.5, of: [{on: age, expr: age > 1}, {on: dose, expr: dose < 2}, {on: age, expr: age = 0}]}
      all: {op: and, weight: 0.25, of: [{on: age, expr: age < 3}, {on: dose, expr: "6 / dose > 2"}]}
  two:
    weight: 0.2
    attributes: {ward: {aw: 1, cw: 0.5}}
    constraints: {ours: {on: ward, expr: "ward in ('icu', 'er')"}}
`)
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		n := 1 + r.IntN(9)
		original := randomTuples(r, n)
		rows, released := make([]int32, 0, n), []tuple{}
		for _, o := range r.Perm(n) {
			if r.IntN(5) == 0 {
				continue // gone
			}
			s := original[o]
			if r.IntN(2) == 0 {
				s = randomTuples(r, 1)[0]
			}
			rows, released = append(rows, int32(o)), append(released, s)
		}
		if len(released) == 0 || r.IntN(3) == 0 {
			rows, released = append(rows, -1), append(released, randomTuples(r, 1)[0])
		}
		pair := Pair{Original: tableOf(t, original), Released: tableOf(t, released), Rows: rows}
		got := must.Get(Evaluate(context.Background(), m, pair))(t)
		want := printed(original, released, rows)
		if text := counts(got); text != want {
			t.Fatalf("original %v\nrelease %v\nrows %v\ngot  %s\nwant %s", original, released, rows, text, want)
		}
	}
}

func randomTuples(r *rand.Rand, n int) []tuple {
	number := func() *float64 {
		if v := float64(r.IntN(5)); v < 4 {
			return &v
		}
		return nil
	}
	out := make([]tuple, n)
	for i := range out {
		out[i] = tuple{number(), number(), []string{"icu", "er", "gp", ""}[r.IntN(4)]}
	}
	return out
}

func tableOf(t *testing.T, of []tuple) *table.Table {
	ages, doses, wards := make([]float64, len(of)), make([]float64, len(of)), make([]string, len(of))
	for i, v := range of {
		ages[i], doses[i], wards[i] = none, none, v.ward
		if v.age != nil {
			ages[i] = *v.age
		}
		if v.dose != nil {
			doses[i] = *v.dose
		}
	}
	return patients(t, ages, wards, doses)
}

// counts writes the counts and the printed indices of an evaluation.
func counts(r *Result) string {
	var b strings.Builder
	fmt.Fprint(&b, r.Changed, r.Gone, r.Added)
	for _, p := range r.Purposes {
		for _, a := range p.Attributes {
			fmt.Fprint(&b, " ", a.Name, " ", a.Changed, a.Missing)
		}
		for _, c := range append(p.Constraints, p.Complex...) {
			fmt.Fprint(&b, " ", c.Name, " ", c.Violated, c.Records, c.Unjudged)
		}
		fmt.Fprintf(&b, " %.9f %.9f %.9f %.9f", p.Lack.Accuracy, p.Lack.Completeness, p.Lack.Consistency, p.ByRecord)
	}
	fmt.Fprintf(&b, " %.9f %.9f %.9f", r.Asset.Accuracy, r.Asset.Completeness, r.Asset.Consistency)
	return b.String()
}

// printed is the model above evaluated by hand: a verdict is 0 where the constraint is violated, 1 where it holds or a
// value is missing, 2 where it cannot be judged.
func printed(original, released []tuple, rows []int32) string {
	holds := func(condition func() bool, values ...*float64) int {
		for _, v := range values {
			if v == nil {
				return 1
			}
		}
		if condition() {
			return 1
		}
		return 0
	}
	type cell struct{ changed, missing int }
	cells := map[string]*cell{"age": {}, "dose": {}, "ward": {}}
	violated, records, unjudged := map[string]int{}, map[string]int{}, map[string]int{}
	note := func(name string, verdict, cells int) {
		switch verdict {
		case 0:
			violated[name] += cells
			records[name]++
		case 2:
			unjudged[name]++
		}
	}
	differ, gone, added := 0, len(original), 0
	for i, s := range released {
		o := tuple{}
		age, dose, ward := true, true, true // whether they changed
		if rows[i] >= 0 {
			o = original[rows[i]]
			same := func(a, b *float64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
			age, dose, ward = !same(o.age, s.age), !same(o.dose, s.dose), o.ward != s.ward
			gone--
			if age || dose || ward {
				differ++
			}
		} else {
			added++
		}
		fate := func(name string, changed, missing bool) {
			switch {
			case changed && missing:
				cells[name].missing++
			case changed:
				cells[name].changed++
			}
		}
		fate("age", age, s.age == nil)
		fate("dose", dose, s.dose == nil)
		fate("ward", ward, s.ward == "")
		if age {
			note("grown", holds(func() bool { return *s.age >= 2 }, s.age), 1)
		}
		if dose {
			note("low", holds(func() bool { return *s.dose <= *s.age }, s.age, s.dose), 1)
		}
		if ward {
			note("ours", map[string]int{"gp": 0, "er": 1, "icu": 1, "": 1}[s.ward], 1)
		}
		touched := 0
		if age {
			touched++
		}
		if dose {
			touched++
		}
		if touched == 0 {
			continue
		}
		any := max(holds(func() bool { return *s.age > 1 }, s.age), holds(func() bool { return *s.dose < 2 }, s.dose),
			holds(func() bool { return *s.age == 0 }, s.age))
		note("some", any, touched)
		sixth := 2
		if s.dose == nil || *s.dose != 0 {
			sixth = holds(func() bool { return 6 / *s.dose > 2 }, s.dose)
		}
		young := holds(func() bool { return *s.age < 3 }, s.age)
		switch {
		case young == 0 || sixth == 0:
			note("all", 0, touched)
		case sixth == 2:
			note("all", 2, touched)
		}
	}
	n := float64(len(released))
	var b strings.Builder
	fmt.Fprint(&b, differ+gone, gone, added)
	for _, name := range []string{"age", "dose"} {
		fmt.Fprint(&b, " ", name, " ", cells[name].changed, cells[name].missing+gone)
	}
	for _, name := range []string{"grown", "low", "some", "all"} {
		fmt.Fprint(&b, " ", name, " ", violated[name], records[name], unjudged[name])
	}
	share := func(name string) (float64, float64) {
		return float64(cells[name].changed) / n, float64(cells[name].missing+gone) / n
	}
	ageA, ageC := share("age")
	doseA, doseC := share("dose")
	wardA, wardC := share("ward")
	sum := func(of map[string]int) float64 {
		return float64(of["grown"])*0.3 + float64(of["low"])*2 + float64(of["some"])*0.5 + float64(of["all"])*0.25
	}
	acl, cml, csl := ageA*0.4+doseA*0.2, ageC*0.1+doseC*0.3, sum(violated)
	fmt.Fprintf(&b, " %.9f %.9f %.9f %.9f", acl, cml, csl, sum(records))
	fmt.Fprint(&b, " ward ", cells["ward"].changed, cells["ward"].missing+gone, " ours ", violated["ours"],
		records["ours"], unjudged["ours"])
	ours := float64(violated["ours"])
	fmt.Fprintf(&b, " %.9f %.9f %.9f %.9f", wardA, wardC*0.5, ours, ours)
	fmt.Fprintf(&b, " %.9f %.9f %.9f", (acl*0.7+wardA*0.2)/2, (cml*0.7+wardC*0.5*0.2)/2, (csl*0.7+ours*0.2)/2)
	return b.String()
}
