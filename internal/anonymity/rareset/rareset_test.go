package rareset_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/anonymity/rareset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func sets(rows [][]int32, labels int) *rareset.Data { return owned(rows, labels, nil) }

func owned(rows [][]int32, labels int, whose []int32) *rareset.Data {
	d, err := rareset.New(len(rows), labels, whose, func(i int) []int32 { return rows[i] })
	if err != nil {
		panic(err)
	}
	return d
}

// drawn draws small records, of few or of many items.
func drawn(r *rapid.T) (rows [][]int32, labels int) {
	labels = rapid.IntRange(1, 9).Draw(r, "labels")
	rows = make([][]int32, rapid.IntRange(0, 14).Draw(r, "rows"))
	for i := range rows {
		rows[i] = rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(labels-1)), 0, labels, rapid.ID[int32]).Draw(r, "row")
		slices.Sort(rows[i])
	}
	return rows, labels
}

// counts counts all sets of 1 to m items by brute force, as the bits of their items: the records or, where it is told
// whose they are, the people who have one with it.
func counts(rows [][]int32, m int, whose []int32) map[uint]int {
	out := map[uint]int{}
	type held struct {
		set uint
		who int32
	}
	met := map[held]bool{}
	for i, row := range rows {
		for chosen := uint(1); chosen < 1<<len(row); chosen++ {
			set, n := uint(0), 0
			for k, v := range row {
				if chosen>>k&1 == 1 {
					set |= 1 << v
					n++
				}
			}
			who := int32(i)
			if whose != nil {
				who = whose[i]
			}
			if h := (held{set, who}); n <= m && !met[h] {
				met[h] = true
				out[set]++
			}
		}
	}
	return out
}

func bits(row []int32) (set uint) {
	for _, v := range row {
		set |= 1 << v
	}
	return set
}

func left(d *rareset.Data, rows int) [][]int32 {
	out := make([][]int32, rows)
	for i := range out {
		out[i] = d.Row(i, []int32{})
	}
	return out
}

func size(set uint) (n int) {
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// TestStandingEqualsTwin counts every set.
func TestStandingEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows, labels := drawn(r)
		k, m := rapid.IntRange(1, 5).Draw(r, "k"), rapid.IntRange(1, 4).Draw(r, "m")
		got := must.Get(sets(rows, labels).Standing(t.Context(), k, m))(r)
		want := rareset.Standing{make([]int, m), make([]int, m)}
		for n := 1; n <= m; n++ {
			in := map[int]bool{}
			for set, c := range counts(rows, n, nil) {
				if want.Least[n-1] == 0 || c < want.Least[n-1] {
					want.Least[n-1] = c
				}
				for i, row := range rows {
					in[i] = in[i] || c < k && bits(row)&set == set
				}
			}
			for _, rare := range in {
				if rare {
					want.In[n-1]++
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			r.Fatalf("%v, expected %v", got, want)
		}
	})
}

// TestNoRareSetIsLeft counts every set of what is left; nothing is deleted of records without a rare set by Thin, and
// nothing added by either.
func TestNoRareSetIsLeft(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows, labels := drawn(r)
		k, m := rapid.IntRange(1, 5).Draw(r, "k"), rapid.IntRange(1, 4).Draw(r, "m")
		var whose []int32
		if rapid.Bool().Draw(r, "people") {
			whose = rapid.SliceOfN(rapid.Int32Range(0, 6), len(rows), len(rows)).Draw(r, "whose")
		}
		before, rareBefore := counts(rows, m, whose), false
		for _, c := range before {
			rareBefore = rareBefore || c < k
		}
		d, e := owned(rows, labels, whose), owned(rows, labels, whose)
		deleted := must.Get(d.Thin(t.Context(), k, m))(r)
		dropped := must.Get(e.Drop(t.Context(), k, m))(r)
		thin, drop, sum := left(d, len(rows)), left(e, len(rows)), 0
		for i, row := range rows {
			sum += len(row) - len(thin[i])
			if want := slices.DeleteFunc(slices.Clone(row),
				func(v int32) bool { return slices.Contains(dropped, v) }); !slices.Equal(drop[i], want) {
				r.Fatalf("record %d is %v after %v are dropped, expected %v", i, drop[i], dropped, want)
			}
			if bits(thin[i])&^bits(row) != 0 {
				r.Fatalf("record %d has %v, of %v", i, thin[i], row)
			}
		}
		if sum != deleted || !rareBefore && deleted+len(dropped) > 0 {
			r.Fatalf("%d deleted, expected %d; %d dropped; rare sets before: %v", deleted, sum, len(dropped), rareBefore)
		}
		for name, rows := range map[string][][]int32{"thin": thin, "drop": drop} {
			for set, c := range counts(rows, m, whose) {
				if c < k {
					r.Fatalf("%s: %d records or people have a set of %d items", name, c, size(set))
				}
			}
		}
	})
}

// TestByHand: of six records, two have a pair of their own. Thin takes one item of these two, the rarer one of equally
// bad ones; Drop takes two items from everybody.
func TestByHand(t *testing.T) {
	rows := [][]int32{{0, 1}, {0, 1}, {0, 1}, {0, 3}, {1, 3}, {3}, {3}, {3}}
	d := sets(rows, 4)
	if n, err := d.Thin(t.Context(), 3, 2); n != 2 || err != nil || fmt.Sprint(left(d, 8)) != "[[0 1] [0 1] [0 1] [3] "+
		"[3] [3] [3] [3]]" {
		t.Errorf("%d, %v: %v", n, err, left(d, 8))
	}
	d = sets(rows, 4)
	if gone, err := d.Drop(t.Context(), 3, 2); err != nil || fmt.Sprint(gone, left(d, 8)) != "[1 0] [[] [] [] [3] [3] "+
		"[3] [3] [3]]" {
		t.Errorf("%v, %v: %v", gone, err, left(d, 8))
	}
	if w := d.Work(2); w != 18 {
		t.Errorf("%v sets, expected 5 of two items, 13 of one", w)
	}
}

// TestOfPeople: three records of two people have a pair, whose items three people have each: it is rare among three
// people, and not among three records. Broken, it leaves an item to one.
func TestOfPeople(t *testing.T) {
	rows := [][]int32{{0, 1}, {0, 1}, {0, 1}, {0}, {1}}
	whose := []int32{0, 0, 1, 2, 3}
	for _, c := range []struct {
		whose   []int32
		deleted int
	}{{nil, 0}, {whose, 4}} {
		if n, err := owned(rows, 2, c.whose).Thin(t.Context(), 3, 2); err != nil || n != c.deleted {
			t.Errorf("of %v, %d items are deleted, expected %d; %v", c.whose, n, c.deleted, err)
		}
	}
}

// TestEnds: a context that is done ends the work, and too much of it is refused before.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := sets([][]int32{{0, 1}, {1, 2}}, 3)
	if _, err := d.Thin(ctx, 2, 2); err == nil {
		t.Error("Thin goes on")
	}
	if _, err := d.Drop(ctx, 2, 2); err == nil {
		t.Error("Drop goes on")
	}
	if _, err := d.Standing(ctx, 2, 2); err == nil {
		t.Error("Standing goes on")
	}
	row := make([]int32, 20_000)
	for v := range row {
		row[v] = int32(v)
	}
	if err := sets([][]int32{row}, len(row)).Check(3); err == nil || !strings.Contains(err.Error(), "expected a smaller "+
		"m") {
		t.Error(err)
	}
	if err := sets([][]int32{row}, len(row)).Check(2); err != nil {
		t.Error(err)
	}
}
