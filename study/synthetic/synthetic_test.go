package synthetic

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// people is a table with a person's number, two numbers that go together, a category that goes with them, a rare
// category, a set, gaps, and a class that one of the numbers decides.
func people(n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	age, cost := make([]float64, n), make([]float64, n)
	sex, rare, class, number := make([]int32, n), make([]int32, n), make([]int32, n), make([]float64, n)
	for i := range n {
		a := r.NormFloat64()
		age[i], cost[i], number[i] = math.Round(40+12*a), math.Exp(a+0.6*r.NormFloat64()), float64(i/2)
		if a+r.NormFloat64() > 0 {
			sex[i] = 1
		}
		if i%50 == 0 {
			rare[i] = 1
		}
		if age[i] > 45 != (r.IntN(10) == 0) {
			class[i] = 1
		}
		if i%7 == 0 {
			cost[i] = math.NaN()
		}
		if i%11 == 0 {
			sex[i] = -1
		}
	}
	who := table.NumColumn("who", 1, number)
	who.Role = table.Person | table.Identifier
	y := table.CatColumn("y", []string{"no", "yes"}, class)
	y.Role = table.Class
	t, err := table.New(who, table.NumColumn("age", 1, age), table.NumColumn("cost", 0, cost),
		table.CatColumn("sex", []string{"f", "m"}, sex), table.CatColumn("rare", []string{"no", "yes"}, rare), y)
	if err != nil {
		panic(err)
	}
	return t
}

func drawn(t *testing.T, from *table.Table) *table.Table {
	t.Helper()
	return must.Get(Draw(context.Background(), from, rng.New([32]byte{5})))(t)
}

// correlation of the ranks of two columns of numbers or codes, where both are known.
func correlation(t *table.Table, a, b int) float64 {
	x, y := numbers(t, a), numbers(t, b)
	for i := range x {
		if x[i] != x[i] || y[i] != y[i] {
			x[i], y[i] = math.NaN(), math.NaN()
		}
	}
	return rank.Spearman(rank.OfAll([][]float64{x, y})).At(0, 1)
}

// TestKept: what the package says is kept, is kept: gaps, distributions in all and in every leaf, relations, what a
// tree finds. Standard errors are below 0.016 of a share or correlation for 4,000 records; five of them are allowed, so
// a right program fails once in more than 10,000 seeds, and this seed is fixed.
func TestKept(t *testing.T) {
	from := people(4000)
	to := drawn(t, from)
	if to.Rows() != from.Rows() || to.Width() != from.Width() {
		t.Fatalf("%d records, %d columns", to.Rows(), to.Width())
	}
	changed := 0
	for i := range from.Rows() {
		if from.Num(0)[i] != to.Num(0)[i] {
			t.Fatal("records belong to other people")
		}
		for j := range from.Width() {
			if from.MissingAt(i, j) != to.MissingAt(i, j) {
				t.Fatalf("record %d of column %d: gaps differ", i, j)
			}
		}
		if from.Num(1)[i] != to.Num(1)[i] && !(from.Num(2)[i] == to.Num(2)[i]) {
			changed++
		}
	}
	if share := float64(changed) / float64(from.Rows()); share < 0.9 {
		t.Errorf("only %.2f of the records have another age and another cost", share)
	}
	for j := 1; j < from.Width(); j++ {
		a, b := rank.MarginalOf(numbers(from, j)), rank.MarginalOf(numbers(to, j))
		if d := stat.KolmogorovSmirnov(a, nil, b, nil); d > 0.04 {
			t.Errorf("%s: distributions are %.3f apart", from.Attr(j).Name, d)
		}
		if j == 1 && slices.ContainsFunc(b, func(v float64) bool { return v != math.Round(v) }) {
			t.Error("ages leave their grid")
		}
	}
	for a := 1; a < from.Width(); a++ {
		for b := a + 1; b < from.Width(); b++ {
			if was, is := correlation(from, a, b), correlation(to, a, b); math.Abs(was-is) > 0.08 {
				t.Errorf("%s and %s: correlation %.3f, drawn %.3f", from.Attr(a).Name, from.Attr(b).Name, was, is)
			}
		}
	}
	tr := must.Get(c45.New().Grow(t.Context(), to, 5))(t)
	got, right := make([]int32, from.Rows()), 0
	tr.Predict(from, got)
	for i, c := range got {
		if c == from.Cat(5)[i] {
			right++
		}
	}
	if share := float64(right) / float64(from.Rows()); share < 0.87 { // nine of ten follow the rule
		t.Errorf("a tree of what is drawn is right on %.3f of the originals", share)
	}
}

// TestNotKept: within a segment, three columns of which each two are independent and the third is the other two's
// exclusive or come out independent, as the package says.
func TestNotKept(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 4000
	var cols [3][]int32
	for i := range n {
		a, b := int32(r.IntN(2)), int32(r.IntN(2))
		for k, v := range []int32{a, b, a ^ b} {
			cols[k] = append(cols[k], v)
		}
		_ = i
	}
	var all []table.Column
	for k, name := range []string{"a", "b", "c"} {
		all = append(all, table.CatColumn(name, []string{"no", "yes"}, cols[k]))
	}
	from := must.Get(table.New(all...))(t)
	to, fit := drawn(t, from), 0
	for i := range n {
		if to.Cat(0)[i]^to.Cat(1)[i] == to.Cat(2)[i] {
			fit++
		}
	}
	if share := float64(fit) / n; math.Abs(share-0.5) > 0.04 {
		t.Errorf("the third is the other two's exclusive or in %.3f", share)
	}
}

// TestAnyCores: the same draws on one core and on all; other seeds, other draws; nothing of the table is touched.
func TestAnyCores(t *testing.T) {
	from := people(700)
	before := slices.Clone(from.Num(1))
	all := drawn(t, from)
	procs := runtime.GOMAXPROCS(1)
	one := drawn(t, from)
	runtime.GOMAXPROCS(procs)
	other := must.Get(Draw(context.Background(), from, rng.New([32]byte{6})))(t)
	for j := range from.Width() {
		a, b, c := all.Column(j), one.Column(j), other.Column(j)
		if !a.Equal(&b) {
			t.Errorf("%s depends on the cores", a.Name)
		}
		if j > 0 && j != 4 && a.Equal(&c) {
			t.Errorf("%s is the same by another seed", a.Name)
		}
	}
	if !slices.Equal(before, from.Num(1)) {
		t.Error("the table was changed")
	}
}

// TestSmall: tables of no, one and two records, without a class, and of one value.
func TestSmall(t *testing.T) {
	for _, n := range []int{0, 1, 2, 9} {
		from := people(n)
		if got := drawn(t, from); got.Rows() != n {
			t.Errorf("%d records of %d", got.Rows(), n)
		}
		if got := drawn(t, from.Select(1, 2, 3)); got.Rows() != n || got.Width() != 3 {
			t.Errorf("without a class: %d records of %d", got.Rows(), n)
		}
	}
}

// TestSets: a record's set is that of another record of its segment, so that every set is there as often as before.
func TestSets(t *testing.T) {
	const n = 300
	var present [][]int32
	group := make([]int32, n)
	for i := range n {
		present = append(present, []int32{int32(i % 5)})
		group[i] = int32(i % 2)
	}
	from := must.Get(table.New(table.SetColumn("items", []string{"a", "b", "c", "d", "e"}, table.SetsOf(present, nil)),
		table.CatColumn("g", []string{"no", "yes"}, group)))(t)
	was, is := from.Column(0), drawn(t, from).Column(0)
	before, after, moved := map[string]int{}, map[string]int{}, 0
	for i := range n {
		a, b := string(was.AppendKey(nil, i)), string(is.AppendKey(nil, i))
		before[a]++
		after[b]++
		if a != b {
			moved++
		}
	}
	if !maps.Equal(before, after) || len(before) != 5 || moved < n/2 {
		t.Errorf("sets before %v, after %v; %d of %d records have another", before, after, moved, n)
	}
}
