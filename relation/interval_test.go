package relation_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// span is what a released label says that a value is: from lo to hi, as the column counts.
func span(t *testing.T, a *table.Attribute, label string) (lo, hi float64) {
	t.Helper()
	read := func(text string) float64 {
		v, ok := a.ParseValue(text)
		if !ok {
			t.Fatalf("%s: %q is no value", a.Name, text)
		}
		return v
	}
	if label == hierarchy.Top {
		return math.Inf(-1), math.Inf(1)
	}
	if text, ok := strings.CutPrefix(label, "<= "); ok {
		return math.Inf(-1), read(text)
	}
	if text, ok := strings.CutPrefix(label, ">= "); ok {
		return read(text), math.Inf(1)
	}
	if from, to, ok := strings.Cut(strings.Trim(label, "[]"), ", "); ok {
		return read(from), read(to)
	}
	v := read(label)
	return v, v
}

// scene is a table with sums, products, ratios, completed months and days between dates, some values missing.
func scene(r *rand.Rand, n int) ([]table.Column, []string) {
	draw := func(name string, step float64, lo, hi int) table.Column {
		v := make([]float64, n)
		for i := range v {
			if v[i] = math.NaN(); r.IntN(20) > 0 {
				v[i] = table.Snap(float64(lo+r.IntN(hi-lo))*step, step)
			}
		}
		return table.NumColumn(name, step, v)
	}
	of := func(name string, step float64, f func(i int) float64) table.Column {
		v := make([]float64, n)
		for i := range v {
			v[i] = table.Snap(f(i), step) + 0
		}
		return table.NumColumn(name, step, v)
	}
	a, b, c := draw("a", 1, -50, 300), draw("b", 0.01, 1, 9000), draw("c", 0.5, -40, 90)
	x, y := draw("x", 0.1, -300, 900), draw("y", 1, 1, 60)
	from, days := draw("from", 1, 12_000, 19_000), draw("days", 1, 0, 400)
	to := of("to", 1, func(i int) float64 { return from.Num[i] + days.Num[i] })
	months := of("months", 1, func(i int) float64 {
		if from.Num[i] != from.Num[i] || to.Num[i] != to.Num[i] {
			return math.NaN()
		}
		return float64(calendar.Month.Completed(int(from.Num[i]), int(to.Num[i])))
	})
	from.Dates, to.Dates = calendar.ISO, calendar.ISO
	return []table.Column{a, b, c, x, y, from, to, days, months,
			of("total", 0.01, func(i int) float64 { return a.Num[i] + b.Num[i] - c.Num[i] + 7 }),
			of("area", 0.1, func(i int) float64 { return x.Num[i] * a.Num[i] }),
			of("rate", 0.001, func(i int) float64 { return 100 * x.Num[i] / (y.Num[i] * y.Num[i]) }),
		}, []string{"total = a + b - c + 7", "area = x * a", "rate = 100 * x / y^2", "months = months(from, to)",
			"days = to - from"}
}

// coarse returns the reduced table with some columns at a level of their hierarchies, and the hierarchies.
func coarse(t *testing.T, r *rand.Rand, reduced *table.Table) (*table.Table, map[string]*hierarchy.Hierarchy, []int) {
	t.Helper()
	with, level := map[string]*hierarchy.Hierarchy{}, make([]int, reduced.Width())
	for j := range reduced.Width() {
		c := reduced.Column(j)
		if r.IntN(3) == 0 {
			continue
		}
		h := hierarchy.Build(&c)
		level[j] = 1 + r.IntN(h.Height())
		groups, err := h.Groups(&c, level[j])
		must.NoError(t, err)
		for i := range groups {
			if c.MissingAt(i) {
				groups[i] = -1
			}
		}
		with[c.Name] = h
		if reduced, err = reduced.WithColumn(j, table.CatColumn(c.Name, h.Labels(level[j]), groups)); err != nil {
			t.Fatal(err)
		}
	}
	return reduced, with, level
}

// TestIntervals: what is computed from generalised values is an interval that holds the original value, and all that
// any values of the same groups come to.
func TestIntervals(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		cols, rules := scene(r, 120)
		tab, by, left := restated(t, rules, cols...)
		if len(left) > 0 || len(by.Computed()) != len(rules) {
			t.Fatalf("left %v, computed %v", left, by.Computed())
		}
		reduced := must.Get(by.Reduce(tab))(t)
		general, with, level := coarse(t, r, reduced)
		out, _, err := by.Restore(tab, general, relation.Draws{Source: rng.Source{}})
		must.NoError(t, err)
		spans := 0
		for _, target := range by.Computed() {
			j, k := tab.Find(target), out.Find(target)
			if out.Attr(k).Kind == table.Categorical {
				spans++
			}
			for i := range tab.Rows() {
				whole := slices.ContainsFunc(by.Steps, func(s relation.Step) bool {
					return s.Target == target && !slices.ContainsFunc(s.Columns, func(n string) bool {
						return tab.MissingAt(i, tab.Find(n))
					})
				})
				if out.MissingAt(i, k) && whole || !out.MissingAt(i, k) && tab.MissingAt(i, j) {
					t.Fatalf("%s is missing in record %d, or appears", target, i)
				}
				if out.MissingAt(i, k) || out.Attr(k).Kind == table.Numeric {
					continue
				}
				lo, hi := span(t, tab.Attr(j), out.Attr(k).Labels[out.Cat(k)[i]])
				if v := tab.Num(j)[i]; v < lo || v > hi {
					t.Fatalf("seed %d: %s is %v in record %d, and released from %v to %v", seed, target, v, i, lo, hi)
				}
			}
		}
		if spans == 0 && len(with) > 4 {
			t.Errorf("seed %d: nothing is an interval", seed)
		}
		implied(t, r, tab, reduced, by, out, with, level)
	}
}

// implied draws other values of the groups of a record, and holds what they come to against what is released.
func implied(t *testing.T, r *rand.Rand, tab, reduced *table.Table, by *relation.Restatement, out *table.Table,
	with map[string]*hierarchy.Hierarchy, level []int) {
	t.Helper()
	cols := reduced.Columns()
	for j := range cols {
		h := with[cols[j].Name]
		if h == nil {
			continue
		}
		groups := must.Get(h.Groups(&cols[j], level[j]))(t)
		num := slices.Clone(cols[j].Num)
		for i := range num { // of another record of the same group
			if k := r.IntN(len(num)); groups[k] == groups[i] && num[i] == num[i] && num[k] == num[k] {
				num[i] = cols[j].Num[k]
			}
		}
		cols[j].Num = num
	}
	other := must.Get(reduced.WithColumns(cols))(t)
	exact, _, err := by.Restore(tab, other, relation.Draws{Source: rng.Source{}})
	must.NoError(t, err)
	for _, target := range by.Computed() {
		j, k := exact.Find(target), out.Find(target)
		if out.Attr(k).Kind == table.Numeric {
			continue
		}
		for i := range tab.Rows() {
			if exact.MissingAt(i, j) || out.MissingAt(i, k) {
				continue
			}
			lo, hi := span(t, tab.Attr(tab.Find(target)), out.Attr(k).Labels[out.Cat(k)[i]])
			if v := exact.Num(j)[i]; v < lo || v > hi {
				t.Fatalf("%s: the groups of record %d allow %v, and it is released from %v to %v", target, i, v, lo, hi)
			}
		}
	}
}

// TestIntervalsAreTight: an interval is no wider than what the sources imply.
func TestIntervalsAreTight(t *testing.T) {
	a := table.NumColumn("a", 1, []float64{25, 44, 60})
	b := table.NumColumn("b", 1, []float64{3, 5, 7})
	born := table.DateColumn("born", calendar.ISO, []float64{0, 400, 900})
	age := table.NumColumn("age", 1, []float64{50, 48, 47})
	for i, v := range born.Num {
		age.Num[i] = float64(calendar.Year.Completed(int(v), 20_000))
	}
	total := table.NumColumn("total", 1, []float64{28, 49, 67})
	area := table.NumColumn("area", 1, []float64{75, 220, 420})
	tab, by, _ := restated(t, []string{"total = a + b", "area = a * b", "age = years(born, 2024-10-04)"}, a, b, born, age,
		total, area)
	reduced, err := by.Reduce(tab)
	must.NoError(t, err)
	for _, c := range []table.Column{
		table.CatColumn("a", []string{"[20, 40)", ">= 40", "*"}, []int32{0, 1, 2}),
		table.CatColumn("born", []string{"1970-Q1", "1971", "1970s"}, []int32{0, 1, 2}),
	} {
		if reduced, err = reduced.WithColumn(reduced.Find(c.Name), c); err != nil {
			t.Fatal(err)
		}
	}
	out, _, err := by.Restore(tab, reduced, relation.Draws{Source: rng.Source{}})
	must.NoError(t, err)
	for name, want := range map[string]string{
		"total": "[23, 42] >= 45 *", "area": "[60, 117] >= 200 *", "age": "54 [52, 53] [44, 54]",
	} {
		c := out.Column(out.Find(name))
		var got []string
		for _, k := range c.Cat {
			got = append(got, c.Labels[k])
		}
		if fmt.Sprint(strings.Join(got, " ")) != want {
			t.Errorf("%s is %q, expected %q", name, got, want)
		}
	}
}
