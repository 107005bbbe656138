package table

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/rng"
	"pgregory.net/rapid"
)

// source is one that differs from k to k.
func source(k int) rng.Source { return rng.New([32]byte{byte(k), byte(k >> 8), byte(k >> 16), 1}) }

// rowsOf returns the rows of 0..n-1 after a shuffle of so many buckets.
func rowsOf(t testing.TB, n, buckets int, src rng.Source) []int {
	d := deal(n, buckets, src, nil)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	rows = scatter(d, rows, nil)
	if err := d.each(t.Context(), func(lo int, order []int) { permute(rows[lo:lo+len(order)], order, nil) }); err != nil {
		t.Fatal(err)
	}
	return rows
}

// Every order of four records is alike in one, two and three buckets: chi-square with 23 degrees of freedom is above 90
// once in ten million runs.
func TestShuffleIsUniform(t *testing.T) {
	const runs = 24_000
	for buckets := 1; buckets <= 3; buckets++ {
		seen := map[[4]int]int{}
		for k := range runs {
			seen[[4]int(rowsOf(t, 4, buckets, source(k)))]++
		}
		chi := 0.0
		for _, n := range seen {
			d := float64(n) - runs/24
			chi += d * d / (runs / 24)
		}
		if len(seen) != 24 || chi > 90 {
			t.Errorf("%d buckets: %d orders, chi-square %.1f", buckets, len(seen), chi)
		}
	}
}

// A table in a space is shuffled as one on the heap, whole records move, and every record is there once. A table of
// sets, which is gathered, has the same order.
func TestShuffled(t *testing.T) {
	n := 3*shuffled + 17
	num, cat, ids := make([]float64, n), make([]int32, n), make([]RecordID, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i, p := range r.Perm(n) {
		num[i], cat[i], ids[i] = float64(p), int32(p%7), RecordID(p)
	}
	tab, err := New(NumColumn("x", 1, num), CatColumn("y", []string{"a", "b", "c", "d", "e", "f", "g"}, cat))
	if err != nil {
		t.Fatal(err)
	}
	tab = tab.Identified(ids)
	want, err := tab.Shuffled(t.Context(), source(5))
	if err != nil {
		t.Fatal(err)
	}
	s := room(t)
	got, err := tab.In(s).Shuffled(t.Context(), source(5))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Astray()) > 0 {
		t.Errorf("columns %v left the space", got.Astray())
	}
	order := rowsOf(t, n, buckets(n), source(5))
	seen := make([]bool, n)
	for i := range n {
		x := int(want.Num(0)[i])
		if seen[x] || int32(x%7) != want.Cat(1)[i] || RecordID(x) != want.ID(i) || want.Num(0)[i] != tab.Num(0)[order[i]] {
			t.Fatalf("row %d is torn, or there twice", i)
		}
		seen[x] = true
		if got.Num(0)[i] != want.Num(0)[i] || got.Cat(1)[i] != want.Cat(1)[i] || got.ID(i) != want.ID(i) {
			t.Fatalf("row %d differs in a space", i)
		}
	}
	some := tab.Slice(0, 100)
	sets, err := some.WithColumns(
		append(some.Columns(), SetColumn("z", []string{"item"}, SetsOf(make([][]int32, 100), nil))),
	)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := some.Shuffled(t.Context(), source(6))
	b, _ := sets.Shuffled(t.Context(), source(6))
	if !slices.Equal(a.Num(0), b.Num(0)) {
		t.Error("a table of sets has another order")
	}
}

// room is a space that gives pages back whenever it looks.
func room(t testing.TB) *mmap.Space {
	s, err := mmap.New(t.TempDir(), 0, func(err error) { t.Error(err) })
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The columns that are made of a table in a space are those of a table on the heap, and are there.
func TestInSpace(t *testing.T) {
	s := room(t)
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1<<14, 1<<15).Draw(r, "rows")
		codes, num := make([]int32, n), make([]float64, n)
		few := rapid.IntRange(1, 4).Draw(r, "labels")
		for i := range codes {
			codes[i], num[i] = int32(i%few), float64(i%5)
		}
		tab, err := New(CatColumn("c", []string{"d", "a", "c", "b", "e"}, codes), NumColumn("x", 1, num))
		if err != nil {
			r.Fatal(err)
		}
		in := tab.In(s)
		var made [2]*Table
		for k, of := range []*Table{tab, in} {
			c := of.Compact(0)
			if of, err = of.WithColumn(0, c); err == nil {
				of, err = of.AsCategorical(1, 0)
			}
			if err == nil {
				of, err = of.Conform(
					[]Attribute{{Name: "c", Kind: Categorical, Labels: []string{"e", "b", "a", "c", "d"}}, *of.Attr(1)},
					false,
				)
			}
			if err != nil {
				r.Fatal(err)
			}
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
