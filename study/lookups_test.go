package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// small is a random table of few values with gaps, and a release in which some values are others.
func small(t *testing.T, r *rand.Rand, rows int) (original, released *table.Table) {
	t.Helper()
	labels := []string{"a", "b", "c"}
	columns := func(num []float64, x, y []int32) *table.Table {
		a, b, n := table.CatColumn("x", labels, x), table.CatColumn("y", labels, y), table.NumColumn("n", 1, num)
		for _, c := range []*table.Column{&a, &b, &n} {
			c.Role = table.Quasi
		}
		return must.Get(table.New(a, b, n))(t)
	}
	num, x, y := make([]float64, rows), make([]int32, rows), make([]int32, rows)
	other, u, v := make([]float64, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		num[i], x[i], y[i] = float64(r.IntN(5)), int32(r.IntN(4))-1, int32(r.IntN(3))
		other[i], u[i], v[i] = num[i], x[i], y[i]
		if r.IntN(2) == 0 {
			other[i] = float64(r.IntN(5))
		}
		if r.IntN(3) == 0 {
			u[i] = int32(r.IntN(4)) - 1
		}
		if r.IntN(4) == 0 {
			v[i] = int32(r.IntN(3))
		}
		if r.IntN(9) == 0 {
			num[i] = math.NaN()
		}
	}
	return columns(num, x, y), columns(other, u, v)
}

// plainly finds those who can be looked up as the definition says, word by word: over all subsets of the unchanged
// values.
func plainly(a, b *table.Table, gaps bool) []bool {
	n, w := a.Rows(), a.Width()
	value := func(t *table.Table, i, j int) string {
		if t.MissingAt(i, j) {
			if gaps {
				return "gap"
			}
			return "" // unknown
		}
		if t.Attr(j).Kind == table.Numeric {
			return fmt.Sprint(t.Num(j)[i])
		}
		return fmt.Sprint("c", t.Cat(j)[i])
	}
	out := make([]bool, n)
	for i := range n {
		agrees := make([]float64, n)
		for o := range n {
			for j := range w {
				if v := value(a, i, j); v != "" && v == value(b, o, j) {
					have := 0.0
					for k := range n {
						if value(b, k, j) == v {
							have++
						}
					}
					agrees[o] += math.Log(float64(n) / have)
				}
			}
		}
		best := true
		for o := range n {
			best = best && (o == i || agrees[o] < agrees[i])
		}
		for set := 1; set < 1<<w; set++ {
			alone := best
			for j := range w {
				v := value(a, i, j)
				alone = alone && (set>>j&1 == 0 || v != "" && v == value(b, i, j))
			}
			for o := range n {
				for _, t := range []*table.Table{a, b} {
					same := o != i
					for j := range w {
						same = same && (set>>j&1 == 0 || value(t, o, j) == value(a, i, j))
					}
					alone = alone && !same
				}
			}
			out[i] = out[i] || alone
		}
	}
	return out
}

// known are two intruders, without and with gaps.
var known = []intruder.Intruder{
	{Name: "values", Knows: []string{"role:quasi-identifier"}},
	{Name: "gaps", Knows: []string{"role:quasi-identifier"}, Gaps: true},
}

// TestLookUp compares with the definition on 300 random tables.
func TestLookUp(t *testing.T) {
	r, all := rand.New(rand.NewPCG(1, 2)), 0
	tables := long.Of(60, 300)
	for range tables {
		a, b := small(t, r, 2+r.IntN(14))
		for k := range known {
			want := plainlyRelied(a, b, k == 1)
			got, err := LookUp(context.Background(), &measure.Release{Original: a, Released: b, Paired: true}, &known[k],
				rng.New([32]byte{}))
			if err != nil || got.Found != want || got.Tried != a.Rows() || got.Lo != got.Share() || got.Hi != got.Share() {
				t.Fatalf("%+v, %v, want %d", got, err, want)
			}
			all += want
		}
	}
	if all < tables {
		t.Errorf("only %d people were found in all: the tables test nothing", all)
	}
	a, b := small(t, r, 5)
	if l, err := LookUp(context.Background(), &measure.Release{Original: a, Released: b}, &known[0],
		rng.New([32]byte{})); l != nil || err != nil {
		t.Errorf("people of a release without pairs are found: %+v, %v", l, err)
	}
}

// TestBlankLookups: afterwards nobody is found, on 200 random tables; and where one cell ends it for all, which is
// tried, no more is blanked.
func TestBlankLookups(t *testing.T) {
	r, single := rand.New(rand.NewPCG(3, 4)), 0
	one := known[:1]
	tables := long.Of(15, 200)
	if testing.Short() {
		tables = 20
	}
	for range tables {
		a, b := small(t, r, 2+r.IntN(10))
		blanks := must.Get(BlankLookups(context.Background(), a, b, nil, one))(t)
		cells := 0
		after := b
		for j, rows := range blanks {
			cells += len(rows)
			if !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) < len(rows) {
				t.Fatalf("rows %v", rows)
			}
			after = must.Get(after.WithColumn(j, after.Column(j).Blank(rows)))(t)
		}
		if slices.Contains(plainly(a, after, false), true) {
			t.Fatalf("somebody is still found after %v", blanks)
		}
		before := plainly(a, b, false)
		switch found := slices.Contains(before, true); {
		case !found && cells > 0:
			t.Fatalf("%d cells are blanked for nobody", cells)
		case found && endsByOne(t, a, b):
			if single++; cells != 1 && count(before) == 1 {
				t.Fatalf("%d cells are blanked where one is enough", cells)
			}
		}
	}
	if single < tables/10 {
		t.Errorf("only %d tables need one cell", single)
	}
}

func count(found []bool) (n int) {
	for _, f := range found {
		if f {
			n++
		}
	}
	return n
}

// endsByOne tries to blank each cell alone.
func endsByOne(t *testing.T, a, b *table.Table) bool {
	for j := range b.Width() {
		for i := range b.Rows() {
			if !slices.Contains(plainly(a, must.Get(b.WithColumn(j, b.Column(j).Blank([]int{i})))(t), false), true) {
				return true
			}
		}
	}
	return false
}

// TestLookUpPeople: where everybody has two equal records, as many people are found as where they have one, and as many
// are blanked.
func TestLookUpPeople(t *testing.T) {
	r, all := rand.New(rand.NewPCG(5, 6)), 0
	for range 100 {
		a, b := small(t, r, 2+r.IntN(10))
		one := &measure.Release{Original: a, Released: b, Paired: true}
		two := measuretest.Repeated(one, 2)
		for k := range known {
			want := must.Get(LookUp(context.Background(), one, &known[k], rng.New([32]byte{})))(t)
			got, err := LookUp(context.Background(), two, &known[k], rng.New([32]byte{}))
			if err != nil || got.Found != want.Found || got.Tried != want.Tried || got.People != want.People {
				t.Fatalf("%+v, %v, want %+v", got, err, want)
			}
			all += want.Found
		}
		of, _ := two.People()
		blanks := must.Get(BlankLookups(context.Background(), two.Original, two.Released, [][]int32{of}, known))(t)
		for j, rows := range blanks {
			two.Released = must.Get(two.Released.WithColumn(j, two.Released.Column(j).Blank(rows)))(t)
		}
		if got := must.Get(LookUp(context.Background(), two, &known[0], rng.New([32]byte{})))(t); got.Found > 0 {
			t.Fatalf("%d are found after blanking", got.Found)
		}
	}
	if all < 100 {
		t.Errorf("only %d people were found in all: the tables test nothing", all)
	}
}
