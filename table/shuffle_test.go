package table

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"pgregory.net/rapid"
)

// source is one that differs from k to k.
func source(k int) rng.Source { return rng.New([32]byte{byte(k), byte(k >> 8), byte(k >> 16), 1}) }

// identified is a table of the numbers of records, in a column of numbers and a smaller one of categories.
func identified(t rapid.TB, ids []RecordID) *Table {
	num, cat := make([]float64, len(ids)), make([]int32, len(ids))
	for i, id := range ids {
		num[i], cat[i] = float64(id), int32(id%7)
	}
	tab := must.Get(New(NumColumn("x", 1, num), CatColumn("y", []string{"a", "b", "c", "d", "e", "f", "g"}, cat)))(t)
	return tab.Identified(ids)
}

// A table in a space is shuffled as one on the heap, whole records move, and every record is there once. A table of
// sets, which is gathered, has the same order.
func TestShuffled(t *testing.T) {
	n := 3*shuffled + 17
	ids := make([]RecordID, n)
	for i, p := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		ids[i] = RecordID(p)
	}
	tab := identified(t, ids)
	want := must.Get(tab.Shuffled(t.Context(), source(5)))(t)
	s := room(t)
	got := must.Get(tab.In(s).Shuffled(t.Context(), source(5)))(t)
	if len(got.Astray()) > 0 {
		t.Errorf("columns %v left the space", got.Astray())
	}
	order := tab.Order(source(5))
	seen := make([]bool, n)
	for i := range n {
		x := int(want.Num(0)[i])
		if seen[x] || int32(x%7) != want.Cat(1)[i] || RecordID(x) != want.ID(i) || want.Num(0)[i] != tab.Num(0)[order[i]] {
			t.Fatalf("row %d is torn, there twice, or elsewhere", i)
		}
		seen[x] = true
		if got.Num(0)[i] != want.Num(0)[i] || got.Cat(1)[i] != want.Cat(1)[i] || got.ID(i) != want.ID(i) {
			t.Fatalf("row %d differs in a space", i)
		}
	}
	some := tab.Slice(0, 100)
	sets := must.Get(some.WithColumns(
		append(some.Columns(), SetColumn("z", []string{"item"}, SetsOf(make([][]int32, 100), nil))),
	))(t)
	a, _ := some.Shuffled(t.Context(), source(6))
	b, _ := sets.Shuffled(t.Context(), source(6))
	if !slices.Equal(a.Num(0), b.Num(0)) {
		t.Error("a table of sets has another order")
	}
}

// The order and the sample are those of the records, in whichever order these come and in however many parts: a part
// has the order of all, and what is drawn of all is drawn of the part they are in.
func TestOrderIsOfRecords(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 130).Draw(r, "records")
		isOfRecords(r, n, rapid.IntRange(0, n).Draw(r, "drawn"), rapid.Uint64().Draw(r, "order"))
	})
	isOfRecords(t, shuffled+1000, 3000, 5)
}

func isOfRecords(t rapid.TB, n, k int, order uint64) {
	ids := make([]RecordID, n)
	for i := range ids {
		ids[i] = RecordID(i)
	}
	inOrder := identified(t, ids)
	plain := *inOrder // a run of numbers, which are not listed
	plain.ids = nil
	other := inOrder.Gather(rand.New(rand.NewPCG(7, order)).Perm(n))
	of := func(t *Table, rows []int) (ids []RecordID) {
		for _, row := range rows {
			ids = append(ids, t.ID(row))
		}
		return ids
	}
	want := of(inOrder, inOrder.Order(source(4)))
	first := map[RecordID]bool{}
	for _, id := range want[:k] {
		first[id] = true
	}
	for i, tab := range []*Table{inOrder, &plain, other, other.Slice(0, n/2)} {
		all := map[RecordID]bool{}
		for row := range tab.Rows() {
			all[tab.ID(row)] = true
		}
		want := slices.DeleteFunc(slices.Clone(want), func(id RecordID) bool { return !all[id] })
		shuffled := must.Get(tab.Shuffled(context.Background(), source(4)))(t)
		for row, id := range want {
			if shuffled.ID(row) != id {
				t.Fatalf("table %d is shuffled into another order", i)
			}
		}
		some := min(k, tab.Rows())
		if !slices.Equal(of(tab, tab.Order(source(4))), want) ||
			!slices.Equal(of(tab, tab.First(k, source(4))), slices.Clip(want[:some])) {
			t.Fatalf("table %d has another order", i)
		}
		rows := tab.Drawn(k, source(4))
		drawn := 0
		for _, id := range of(tab, rows) {
			if first[id] {
				drawn++
			}
		}
		if !slices.IsSorted(rows) || len(rows) != some || tab.Rows() == n && drawn != k {
			t.Fatalf("of table %d %d are drawn, %d of them of all", i, len(rows), drawn)
		}
		for id := range all {
			if first[id] {
				drawn--
			}
		}
		if drawn != 0 {
			t.Fatalf("%d who are drawn of all are not drawn of table %d", -drawn, i)
		}
	}
}

// Every order of four records is alike, and every pair of the four is drawn alike, whatever the numbers of the records:
// chi-square with 23 degrees of freedom is above 90, and with 5 above 50, once in ten million seeds.
func TestOrderIsUniform(t *testing.T) {
	const runs = 24_000
	for _, ids := range [][]RecordID{{0, 1, 2, 3}, {1 << 40, 3, 1<<40 + 1, 1<<63 + 5}} {
		tab := identified(t, ids)
		orders, pairs := map[[4]int]int{}, map[[2]int]int{}
		for k := range runs {
			orders[[4]int(tab.Order(source(k)))]++
			pairs[[2]int(tab.Drawn(2, source(k)))]++
		}
		if chi := alike(orders, 24); len(orders) != 24 || chi > 90 {
			t.Errorf("%d orders, chi-square %.1f", len(orders), chi)
		}
		if chi := alike(pairs, 6); len(pairs) != 6 || chi > 50 {
			t.Errorf("%d pairs, chi-square %.1f", len(pairs), chi)
		}
	}
}

// alike returns the chi-square of so many outcomes that have one chance.
func alike[K comparable](seen map[K]int, outcomes int) (chi float64) {
	runs := 0
	for _, n := range seen {
		runs += n
	}
	each := float64(runs) / float64(outcomes)
	for _, n := range seen {
		d := float64(n) - each
		chi += d * d / each
	}
	return chi
}

// room is a space that gives pages back whenever it looks.
func room(t testing.TB) *mmap.Space {
	s, err := mmap.New(t.TempDir(), 0, func(err error) { t.Error(err) })
	if err != nil && (runtime.GOOS == "linux" || os.Getenv("CI") == "true") {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The columns that are made of a table in a space are those of a table on the heap, and are there.
func TestInSpace(t *testing.T) {
	s := room(t)
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1<<14, 1<<15).Draw(r, "rows")
		codes, num := make([]int32, n), make([]float64, n)
		few := rapid.IntRange(1, 4).Draw(r, "labels")
		for i := range codes {
			codes[i], num[i] = int32(i%few), float64(i%5)
		}
		tab, err := New(CatColumn("c", []string{"d", "a", "c", "b", "e"}, codes), NumColumn("x", 1, num))
		must.NoError(r, err)
		in := tab.In(s)
		var made [2]*Table
		for k, of := range []*Table{tab, in} {
			c := of.Compact(0)
			if of, err = of.WithColumn(0, c); err == nil {
				of, err = of.AsCategorical(1, 0)
			}
			if err == nil {
				of, err = of.Conform(
					[]Attribute{{Name: "c", Kind: Categorical, Labels: []string{"e", "b", "a", "c", "d"}}, *of.Attr(1)}, false)
			}
			must.NoError(r, err)
			made[k] = of
		}
		if lost := made[1].Astray(); len(lost) > 0 {
			r.Fatalf("columns %v left the space", lost)
		}
		for j := range made[0].Width() {
			a, b := made[0].Column(j), made[1].Column(j)
			if !a.Equal(&b) || !slices.Equal(a.Labels, b.Labels) {
				r.Fatalf("column %d differs in a space", j)
			}
			mmap.Free(s, b.Cat)
		}
	})
}
