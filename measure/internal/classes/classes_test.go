package classes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// look is what an intruder sees of a value: two records agree in a column when their looks are equal. Missing is "".
func look(t *table.Table, k intruder.Known, i int) string {
	if mask := t.Column(k.Column).Suppressed; mask != nil && mask[i] {
		return hidden
	}
	if t.MissingAt(i, k.Column) {
		return ""
	}
	if t.Attr(k.Column).Kind == table.Categorical {
		c := t.Cat(k.Column)[i]
		if k.Groups != nil {
			return fmt.Sprint("group ", k.Groups[c])
		}
		return fmt.Sprint("label ", c)
	}
	v := t.Num(k.Column)[i]
	switch {
	case k.Bands != nil:
		n := 0
		for _, b := range k.Bands {
			if v >= b {
				n++
			}
		}
		return fmt.Sprint("band ", n)
	case k.Within > 0:
		return fmt.Sprint("of width ", math.Floor(v/(2*k.Within))+0)
	}
	return fmt.Sprint(v + 0)
}

// hidden is the look of a suppressed value.
const hidden = "*"

// unmarked are tables that do not show what is suppressed: where anything matches a missing value, that is one.
func unmarked(t *rapid.T, tables []*table.Table) (out []*table.Table) {
	for _, tab := range tables {
		cols := tab.Columns()
		for j := range cols {
			cols[j].Suppressed = nil
		}
		tab := must.Get(tab.WithColumns(cols))(t)
		out = append(out, tab)
	}
	return out
}

// agree is the definition, value by value.
func agree(a *table.Table, i int, b *table.Table, j int, known []intruder.Known, anything bool) bool {
	for _, k := range known {
		x, y := look(a, k, i), look(b, k, j)
		if x != y && !(anything && (x == "" || y == "")) {
			return false
		}
	}
	return true
}

// draw returns a table of so many records in few different values of all sorts, and what is known of its columns.
func draw(t *rapid.T, rows []int) (tables []*table.Table, known []intruder.Known) {
	seed := rapid.Uint64().Draw(t, "seed")
	lack := rapid.SampledFrom([]int{1 << 30, 2, 5}).Draw(t, "one value in so many is missing")
	r := rng.New([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)}).Rand()
	labels := []string{"a", "b", "c", "d"}
	columns := make([][]table.Column, len(rows))
	for j := range rapid.IntRange(0, 5).Draw(t, "columns") {
		k := intruder.Known{Column: j}
		kinds := []string{"whole", "real", "far", "within", "bands", "category", "groups", "suppressed", "constant"}
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		for n := range rows {
			num, cat := make([]float64, rows[n]), make([]int32, rows[n])
			for i := range num {
				x := float64(r.IntN(5) - 2)
				switch kind {
				case "real":
					x /= 3
				case "far":
					x *= 1e9
				case "constant":
					x = 7
				case "suppressed":
					x = math.NaN()
				}
				if x == 0 && r.IntN(2) == 0 {
					x = math.Copysign(0, -1)
				}
				num[i], cat[i] = x, int32(r.IntN(4))
				if r.IntN(lack) == 0 {
					num[i], cat[i] = math.NaN(), -1
				}
			}
			if kind == "category" || kind == "groups" {
				columns[n] = append(columns[n], table.CatColumn(fmt.Sprint("c", j), labels, cat))
			} else {
				columns[n] = append(columns[n], table.NumColumn(fmt.Sprint("c", j), 0, num))
			}
			if kind != "constant" && r.IntN(2) == 0 {
				c := &columns[n][j]
				c.Suppressed = make([]bool, rows[n])
				for i := range c.Suppressed {
					c.Suppressed[i] = c.MissingAt(i) && r.IntN(2) == 0
				}
			}
		}
		switch kind {
		case "within":
			k.Within = 1
		case "bands":
			k.Bands = []float64{-1, 1}
		case "groups":
			k.Groups = []int32{-1, 0, 0, -4}
		}
		known = append(known, k)
	}
	for n := range rows {
		all := append(columns[n], table.NumColumn("row", 1, make([]float64, rows[n])))
		tab := tabletest.Of(t, all...)
		tables = append(tables, tab)
	}
	return tables, known
}

// TestEqualsTwin compares classes, sizes and candidates of two tables with the definition, pair by pair.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := []int{
			rapid.SampledFrom([]int{0, 1, 7, 60}).Draw(t, "rows"),
			rapid.SampledFrom([]int{0, 1, 30}).Draw(t, "rows"),
		}
		tables, known := draw(t, rows)
		for _, anything := range []bool{false, true} {
			c := must.Get(Of(context.Background(), known, anything, tables...))(t)
			candidates := must.Get(c.Candidates(context.Background()))(t)
			if anything {
				tables = unmarked(t, tables)
			}
			next := int32(0)
			for n, a := range tables {
				for i := range a.Rows() {
					own := c.Of[n][i]
					if own > next {
						t.Fatalf("class %d comes before %d has been seen", own, next)
					}
					next = max(next, own+1)
					for m, b := range tables {
						same, near := int32(0), int32(0)
						for j := range b.Rows() {
							equal := agree(a, i, b, j, known, false)
							if (own == c.Of[m][j]) != equal {
								t.Fatalf("records %d and %d are in the classes %d and %d, equal %v", i, j, own, c.Of[m][j], equal)
							}
							alike := agree(a, i, b, j, known, anything)
							if c.Alike(own, c.Of[m][j]) != alike {
								t.Fatalf("records %d and %d: expected alike %v", i, j, alike)
							}
							if equal {
								same++
							}
							if alike {
								near++
							}
						}
						if c.Sizes[m][own] != same || candidates[m][own] != near {
							t.Fatalf("size %d and %d candidates, expected %d and %d", c.Sizes[m][own], candidates[m][own], same, near)
						}
					}
				}
			}
			if int(next) != c.Len() {
				t.Fatalf("%d classes, expected %d", c.Len(), next)
			}
		}
	})
}

// TestTallyEqualsTwin counts the values of every column among the candidates of every class.
func TestTallyEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tables, known := draw(t, []int{rapid.SampledFrom([]int{1, 7, 40}).Draw(t, "rows")})
		tab := tables[0]
		anything := rapid.Bool().Draw(t, "anything")
		c := must.Get(Of(context.Background(), known, anything, tab))(t)
		if anything {
			tab = unmarked(t, tables)[0]
		}
		for j := range tab.Width() {
			tally, err := c.Tally(context.Background(), 0, tab, j)
			must.NoError(t, err)
			got := make([][]Run, c.Len())
			must.NoError(t, tally.Each(context.Background(), func() func(int32, []Run) {
				return func(class int32, runs []Run) { got[class] = slices.Clone(runs) }
			}))
			value := func(i int) float64 {
				if tab.Attr(j).Kind == table.Categorical {
					return float64(tab.Cat(j)[i])
				}
				return tab.Num(j)[i]
			}
			var distinct []float64
			for i := range tab.Rows() {
				if !tab.MissingAt(i, j) {
					distinct = append(distinct, value(i))
				}
			}
			slices.Sort(distinct)
			distinct = slices.Compact(distinct)
			for i := range tab.Rows() {
				counts := make([]int32, len(distinct))
				for k := range tab.Rows() {
					if !tab.MissingAt(k, j) && agree(tab, i, tab, k, known, anything) {
						counts[slices.Index(distinct, value(k))]++
					}
				}
				var want []Run
				for v, n := range counts {
					if n > 0 {
						want = append(want, Run{Value: int32(v), Count: n})
					}
				}
				if d := cmp.Diff(want, got[c.Of[0][i]], cmpopts.EquateEmpty()); d != "" {
					t.Fatal(d)
				}
			}
			for v, n := range tally.Totals {
				same := int32(0)
				for i := range tab.Rows() {
					if value(i) == distinct[v] {
						same++
					}
				}
				if same != n {
					t.Fatalf("value %d occurs %d times, expected %d", v, n, same)
				}
			}
		}
	})
}

// TestNumber numbers keys along all three ways, among them keys that differ in high bits only, against a map.
func TestNumber(t *testing.T) {
	for _, n := range []int{0, 1, 100, alone, 3*block + 5} {
		for _, kinds := range []uint64{1, 3, 5000, 1 << 40} {
			for _, shift := range []uint{0, 50} {
				r := rng.New([32]byte{byte(n), byte(shift)}).Rand()
				keys, dst := make([]uint64, n), make([]int32, n)
				for i := range keys {
					keys[i] = r.Uint64N(kinds) << shift
				}
				seen := map[uint64]int32{}
				want := make([]int32, n)
				for i, k := range keys {
					if _, ok := seen[k]; !ok {
						seen[k] = int32(len(seen))
					}
					want[i] = seen[k]
				}
				bound := uint64(0)
				if shift == 0 {
					bound = kinds
				}
				got, err := number(context.Background(), keys, bound, dst)
				if err != nil || got != len(seen) || !slices.Equal(dst, want) {
					t.Errorf("%d of %d kinds: %d numbers, expected %d, error %v", n, kinds, got, len(seen), err)
				}
			}
		}
	}
}

// TestWideKeys has columns whose codes take more than 64 bits together, of records that differ in the first and the
// last only.
func TestWideKeys(t *testing.T) {
	const rows = 9
	var cols []table.Column
	for j := range 12 {
		v := make([]float64, rows)
		for i := range v {
			v[i] = 60_000 * float64(i/(rows-1)) // the last record is far
			if j == 0 || j == 11 {
				v[i] += float64(i % 2)
			}
		}
		cols = append(cols, table.NumColumn(fmt.Sprint(j), 1, v))
	}
	tab := tabletest.Of(t, cols...)
	c := must.Get(Of(context.Background(), Exactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), false, tab))(t)
	if d := cmp.Diff([]int32{4, 4, 1}, c.Sizes[0]); d != "" {
		t.Error(d)
	}
}

// TestManyPatterns has patterns of missing columns of many and of few classes, and compares every class with all.
func TestManyPatterns(t *testing.T) {
	tab := people(t, long.Of(1000, 3000), 4)
	c, err := Of(context.Background(), Exactly(0, 1, 2, 5, 8), true, tab)
	must.NoError(t, err)
	visits := make([]int32, c.Len())
	must.NoError(t, c.Each(context.Background(), func() func(int32, []int32) {
		return func(class int32, near []int32) {
			visits[class]++
			slices.Sort(near)
			for other := range int32(c.Len()) {
				if _, found := slices.BinarySearch(near, other); found != c.Alike(class, other) {
					t.Errorf("classes %d and %d: found %v", class, other, found)
				}
			}
			if len(slices.Compact(near)) != len(near) {
				t.Errorf("class %d has a neighbour twice", class)
			}
		}
	}))
	if slices.ContainsFunc(visits, func(n int32) bool { return n != 1 }) {
		t.Error("a class is not visited once")
	}
}

// TestCores has enough records for all of the work to be shared, with missing values.
func TestCores(t *testing.T) {
	tab := people(t, block+17, long.Of(1000, 50))
	take := func() any {
		c := must.Get(Of(context.Background(), Exactly(0, 1, 4), true, tab))(t)
		candidates := must.Get(c.Candidates(context.Background()))(t)
		return []any{c.Of, c.Sizes, candidates}
	}
	all := take()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if !cmp.Equal(all, take()) {
		t.Error("one core gives other classes than all")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, known := range [][]intruder.Known{nil, Exactly(0)} {
		if _, err := Of(ctx, known, false, people(t, 10, 0)); !errors.Is(err, context.Canceled) {
			t.Errorf("with an ended context the error is %v", err)
		}
	}
}
