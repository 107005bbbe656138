package unit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// plain finds the best key of one column by pairs of records, one after the other. It holds names, sorted.
func plain(tab *table.Table) (key string, holds []string, bits float64) {
	n := tab.Rows()
	cell := func(i, j int) string { c := tab.Column(j); return string(c.AppendKey(nil, i)) }
	count := func(j int) map[string]int {
		out := map[string]int{}
		for i := range n {
			out[cell(i, j)]++
		}
		return out
	}
	// kappa is the agreement in c of pairs that agree in k, among rows.
	kappa := func(rows []int, k, c int) (float64, float64) {
		pairs, same := 0.0, 0.0
		for a, i := range rows {
			for _, o := range rows[:a] {
				if cell(i, k) == cell(o, k) {
					pairs++
					if cell(i, c) == cell(o, c) {
						same++
					}
				}
			}
		}
		chance := 0.0
		for _, m := range count(c) {
			chance += float64(m) * float64(m-1) / float64(n) / float64(n-1)
		}
		by := pairs * (1 - chance)
		return 1 - (pairs-same)/by, by
	}
	all, most := make([]int, n), 0.0
	for i := range all {
		all[i] = i
	}
	for k := range tab.Width() {
		a := tab.Attr(k)
		values, several := count(k), 0
		for _, m := range values {
			if m > 1 {
				several++
			}
		}
		if a.Kind == table.Numeric && a.Step != 1 || len(values) < 20 || several < 20 {
			continue
		}
		var one []int // record of each unit
		seen := map[string]bool{}
		for i := range n {
			if v := cell(i, k); !seen[v] {
				seen[v], one = true, append(one, i)
			}
		}
		var held, kinds []int
		for c := range tab.Width() {
			if by, pairs := kappa(all, k, c); c != k && pairs >= 20 && by >= 0.99 {
				if back, pairs := kappa(all, c, k); pairs < 20 || back < 0.9 {
					held = append(held, c)
				}
			}
		}
		entropy := func(c int) (h float64) {
			for _, m := range count(c) {
				h -= float64(m) / float64(n) * math.Log2(float64(m)/float64(n))
			}
			return h
		}
		slices.SortFunc(held, func(a, b int) int { return int(math.Copysign(1, entropy(b)-entropy(a))) })
		total, names := 0.0, []string(nil)
		for h, c := range held {
			names = append(names, tab.Attr(c).Name)
			if !slices.ContainsFunc(held[:h], func(o int) bool {
				by, pairs := kappa(one, o, c)
				return pairs >= 5 && by == 1 || pairs >= 20 && by >= 0.8
			}) {
				kinds = append(kinds, c)
				total += entropy(c)
			}
		}
		if len(kinds) >= 2 && total >= 3 && total > most {
			slices.Sort(names)
			key, holds, most = a.Name, names, total
		}
	}
	return key, holds, most
}

// TestPlain compares Find with pairs of records taken one after the other, on tables of persons and of nobody.
func TestPlain(t *testing.T) {
	for seed := range long.Of[uint64](3, 12) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := &sheet{}
		for p := range 60 {
			who := anyone(r)
			for range 1 + r.IntN(4) {
				id := fmt.Sprint("p", p)
				if seed%3 == 2 { // nobody's
					id = fmt.Sprint("p", r.IntN(60))
				}
				s.row("a", r.IntN(30), "id", id, "sex", who.sex, "born", who.birth, "age", who.age, "origin", who.origin,
					"number", r.IntN(40), "v", r.Float64())
			}
		}
		tab := s.table(t, r)
		key, holds, bits := plain(tab)
		u := must.Get(unit.Find(t.Context(), tab))(t)
		if (key == "") != (len(u.Levels) == 0) || (key == "") != (seed%3 == 2) {
			t.Fatalf("seed %d: found %+v, want %q", seed, u.Levels, key)
		}
		if key == "" {
			continue
		}
		k := u.Levels[0]
		slices.Sort(k.Holds)
		if k.Columns[0] != key || !slices.Equal(k.Holds, holds) || math.Abs(k.Bits-bits) > 1e-9 {
			t.Errorf("seed %d: found %+v, want %q that holds %v, %v bits", seed, k, key, holds, bits)
		}
	}
}

// TestFalseAlarms: of 1,000 tables whose columns are independent a unit is found in at most one.
func TestFalseAlarms(t *testing.T) {
	long.Only(t, "many tables")
	const tables = 1000
	alarms := 0
	for seed := range tables {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		u, what := found(t, independent(r, 400+r.IntN(3000), 4+r.IntN(14)).table(t, r))
		if what != "" {
			alarms++
			t.Logf("table %d: found %s: %+v", seed, what, u)
		}
	}
	if alarms > 1 {
		t.Errorf("%d alarms in %d tables", alarms, tables)
	}
}

// independent draws columns by the laws of Zipf, uniform and normal.
func independent(r *rand.Rand, rows, columns int) *sheet {
	s := &sheet{}
	draw := make([]func() any, columns)
	for j := range draw {
		z := rand.NewZipf(r, 1.05+2*r.Float64(), 1, uint64(2+r.IntN(3000)))
		values, text := 2+int(math.Exp(r.Float64()*8)), r.IntN(2) == 0
		var number func() int
		switch r.IntN(3) {
		case 0:
			number = func() int { return int(z.Uint64()) }
		case 1:
			number = func() int { return r.IntN(values) }
		case 2:
			number = func() int { return int(math.Round(r.NormFloat64() * float64(values) / 4)) }
		}
		draw[j] = func() any {
			if text {
				return fmt.Sprint("t", number())
			}
			return number()
		}
	}
	for range rows {
		var cells []any
		for j, d := range draw {
			cells = append(cells, fmt.Sprint("c", j), d())
		}
		s.row(cells...)
	}
	return s
}

// BenchmarkFind takes a large table and a wide one: persons, and columns of nobody.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct{ rows, columns int }{{1_000_000, 15}, {20_000, 300}} {
		b.Run(fmt.Sprintf("%dx%d", c.rows, c.columns), func(b *testing.B) {
			r := rand.New(rand.NewPCG(17, 18))
			cols := make([]table.Column, c.columns)
			people := make([]person, c.rows/4)
			for k := range people {
				people[k] = anyone(r)
			}
			for j := range cols {
				values := 2 + int(math.Exp(r.Float64()*math.Log(float64(c.rows))))
				num := make([]float64, c.rows)
				for i := range num {
					switch who := i % len(people); j {
					case 0:
						num[i] = float64(who)
					case 1:
						num[i] = float64(people[who].age)
					case 2:
						num[i] = float64(len(people[who].origin) + int(people[who].sex[0]))
					case 3:
						num[i] = float64(people[who].origin[4])
					default:
						num[i] = float64(r.IntN(values))
					}
				}
				lo, hi := table.Range(num)
				cols[j] = table.Column{Attribute: table.Attribute{Name: fmt.Sprint("c", j), Kind: table.Numeric, Step: 1,
					Domain: table.Interval{Lo: lo, Hi: hi}}, Num: num}
			}
			tab := must.Get(table.New(cols...))(b)
			for b.Loop() {
				u, err := unit.Find(b.Context(), tab)
				if err != nil || len(u.Levels) != 1 || u.Levels[0].Columns[0] != "c0" {
					b.Fatal(u, err)
				}
			}
		})
	}
}
