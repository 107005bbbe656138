package table_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Units are households where these are told, a person in two of them makes one unit, and numbers come in turn. The
// slow twin links records one by one until nothing changes.
func TestUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 200 {
		n := 1 + r.IntN(30)
		person, home := make([]int32, n), make([]int32, n)
		for i := range n {
			person[i], home[i] = int32(r.IntN(20)), int32(5*r.IntN(12))
		}
		want := make([]int32, n)
		for i := range want {
			want[i] = int32(i)
		}
		for changed := true; changed; {
			changed = false
			for i := range n {
				for k := range n {
					if (person[i] == person[k] || home[i] == home[k]) && want[k] > want[i] {
						want[k], changed = want[i], true
					}
				}
			}
		}
		of, units := table.Units(n, person, home)
		if of == nil {
			of = make([]int32, n)
			for i := range of {
				of[i] = int32(i)
			}
		}
		for i := range n {
			for k := range n {
				if (of[i] == of[k]) != (want[i] == want[k]) {
					t.Fatalf("persons %v, households %v: %v; expected %v", person, home, of, want)
				}
			}
		}
		if int(slices.Max(of))+1 != units || of[0] != 0 {
			t.Fatalf("%d units numbered %v", units, of)
		}
	}
}

// Whose the records are goes with them, at both levels.
func TestWhoseTravels(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{1, 2, 3, 4})).
		Owned([]int32{0, 0, 1, 2}).Housed([]int32{7, 7, 7, 8})
	check := func(what string, of *table.Table) {
		t.Helper()
		for i := range of.Rows() {
			id := of.ID(i)
			if of.Owners()[i] != []int32{0, 0, 1, 2}[id] || of.Households()[i] != []int32{7, 7, 7, 8}[id] {
				t.Errorf("%s: %v, %v", what, of.Owners(), of.Households())
			}
		}
	}
	check("gathered", tab.Gather([]int{3, 1}))
	check("sliced", tab.Slice(1, 3))
	check("selected", tab.Select(0))
	both := must.Get(table.Concat(tab.Slice(2, 4), tab.Slice(0, 2)))(t)
	check("one after the other", both)
	shuffled := must.Get(tab.Shuffled(context.Background(), rng.New([32]byte{1})))(t)
	check("shuffled", shuffled)
	other := must.Get(tab.WithColumns([]table.Column{table.NumColumn("y", 1, []float64{1, 2, 3, 4})}))(t)
	check("with other columns", other)
	if _, n := tab.People(); n != 2 {
		t.Errorf("%d units, expected the 2 households", n)
	}
	untold := must.Get(table.Concat(tab.Slice(0, 2), tab.Slice(2, 4).Housed(nil)))(t)
	if untold.Households() != nil || untold.Owners() == nil {
		t.Errorf("households %v, persons %v", untold.Households(), untold.Owners())
	}
}

// A column belongs to the largest unit that it is constant in: missing values, and one unit in a hundred, do not count.
func TestLevelOf(t *testing.T) {
	const homes = 200
	var person, home []int32
	cols := make([][]float64, 5)
	for h := range homes {
		for p := range 2 {
			for v := range 2 {
				person, home = append(person, int32(2*h+p)), append(home, int32(h))
				odd, missing := float64(h), float64(h)
				if h < 2 && p == 0 { // two households, one in a hundred
					odd++
				}
				if v == 0 {
					missing = math.NaN()
				}
				often := float64(h)
				if h < 6 && p == 0 {
					often++
				}
				for k, x := range []float64{odd, missing, often, float64(p), float64(v)} {
					cols[k] = append(cols[k], x)
				}
			}
		}
	}
	tab := tabletest.Must(table.NumColumn("odd", 1, cols[0]), table.NumColumn("missing", 1, cols[1]),
		table.NumColumn("often", 1, cols[2]), table.NumColumn("p", 1, cols[3]), table.NumColumn("v", 1, cols[4]))
	told := tab.Owned(person).Housed(home)
	for j, want := range []table.Level{table.OfHousehold, table.OfHousehold, table.OfPerson, table.OfPerson,
		table.OfRecord} {
		if got := told.LevelOf(j); got != want {
			t.Errorf("%s is of level %d, expected %d", tab.Attr(j).Name, got, want)
		}
		if got := tab.LevelOf(j); got != table.OfRecord {
			t.Errorf("%s is of level %d where nothing is told", tab.Attr(j).Name, got)
		}
	}
}
