package linkage

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// incomes returns people with an income, sorted by it if asked, and a town that has nothing to do with it.
func incomes(n int, sorted bool) *table.Table {
	r := rand.New(rand.NewPCG(11, 2))
	pay, town := make([]float64, n), make([]int32, n)
	for i := range pay {
		pay[i], town[i] = math.Round(20_000+60_000*r.Float64()), int32(r.IntN(4))
	}
	if sorted {
		slices.Sort(pay)
	}
	return tabletest.Must(table.NumColumn("pay", 1, pay), table.CatColumn("town", []string{"a", "b", "c", "d"}, town))
}

// orderNoisy adds normal noise to the incomes and draws half of the towns anew.
func orderNoisy(t *table.Table, sd float64, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 3))
	pay, town := slices.Clone(t.Num(0)), slices.Clone(t.Cat(1))
	for i := range pay {
		pay[i] = math.Round(pay[i] + sd*r.NormFloat64())
		if r.IntN(2) == 0 {
			town[i] = int32(r.IntN(4))
		}
	}
	return t.WithNum(0, pay).WithCat(1, town)
}

func orderTake(t testing.TB, r *measure.Release, seed byte) (measure.Value, *RowOrderDetail) {
	t.Helper()
	v := must.Get(RowOrder.New().Measure(context.Background(), r, rng.New([32]byte{seed})))(t)
	return v, v.Detail.(*RowOrderDetail)
}

// A sorted income with noise of a fifth of its range is told by the place for nearly all; the released value itself
// tells it for a fifth.
func TestRowOrderPlanted(t *testing.T) {
	tab := incomes(2000, true)
	v, d := orderTake(t, &measure.Release{Original: tab, Released: orderNoisy(tab, 12_000, 1), Paired: true}, 1)
	if d.Best.Column != "pay" || d.Best.With < 0.95 || d.Best.Without > 0.2 || v.Lo < 0.75 ||
		!(v.Lo <= v.Score && v.Score <= v.Hi) {
		t.Errorf("%v to %v, %+v", v.Lo, v.Hi, *d.Best)
	}
	// Written in a random order, it tells nothing.
	places := make([]int32, 2000)
	for i, p := range rand.New(rand.NewPCG(1, 1)).Perm(2000) {
		places[i] = int32(p)
	}
	v, d = orderTake(t,
		&measure.Release{Original: tab, Released: orderNoisy(tab, 12_000, 1), Paired: true, Places: places}, 1)
	if v.Lo > 0 || v.Hi > 0.08 {
		t.Errorf("in a random order %v to %v, %+v", v.Lo, v.Hi, *d.Best)
	}
}

// Groups that stand together are told by their neighbours.
func TestGroupsStandTogether(t *testing.T) {
	tab := incomes(2000, false)
	ward := slices.Clone(tab.Cat(1))
	for i := range ward {
		ward[i] = int32(i / 40 % 4)
	}
	tab = tab.WithCat(1, ward)
	v, d := orderTake(t, &measure.Release{Original: tab, Released: orderNoisy(tab, 12_000, 2), Paired: true}, 1)
	if d.Best.Column != "town" || d.Best.With < 0.85 || v.Lo < 0.5 {
		t.Errorf("%v to %v, %+v", v.Lo, v.Hi, *d.Best)
	}
}

// A random order has a lower bound of 0: at most 5 of 100 releases have another, but for chance; more than 13 have a
// probability below 0.001.
func TestRowOrderFalseAlarms(t *testing.T) {
	alarms := 0
	for seed := range byte(100) {
		tab := incomes(300, false)
		released := orderNoisy(tab, 12_000, uint64(seed))
		if v, _ := orderTake(t, &measure.Release{Original: tab, Released: released, Paired: true}, seed); v.Lo > 0 {
			alarms++
		}
	}
	if alarms > 13 {
		t.Errorf("%d of 100 random orders seem to tell something", alarms)
	}
}

// Who knows the order of the original finds everybody in a release that keeps it, and one in n on average in a random
// order.
func TestKnownOrder(t *testing.T) {
	tab := incomes(400, false)
	who := &intruder.Intruder{Name: "clerk", Order: true}
	r := &measure.Release{Original: tab, Released: orderNoisy(tab, 12_000, 1), Paired: true}
	if v, d := orderTake(t, r.Against(who), 1); v.Score != 1 || v.Lo < 0.99 || *d.Linked != 1 {
		t.Errorf("%v from %v", v.Score, v.Lo)
	}
	r = &measure.Release{Original: tab, Released: r.Released, Paired: true, Places: make([]int32, 400)}
	for i, p := range rand.New(rand.NewPCG(1, 7)).Perm(400) {
		r.Places[i] = int32(p)
	}
	if v, d := orderTake(t, r.Against(who), 1); v.Lo > 0.02 || v.Hi > 0.2 || *d.Linked > 0.03 {
		t.Errorf("in a random order %v to %v", v.Lo, v.Hi)
	}
	if _, d := orderTake(t, r.Against(&intruder.Intruder{Name: "stranger"}), 1); d.Linked != nil {
		t.Error("a stranger knows the order")
	}
}

// What neighbours tell is what a plain count of them gives.
func TestRowOrderTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "n")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n).Draw(rt, "codes")
		numbers := make([]float64, n)
		for i, c := range codes {
			if numbers[i] = float64(c); c < 0 {
				numbers[i] = math.NaN()
			}
		}
		row := make([]int32, n)
		for p, i := range rapid.Permutation(seq(n)).Draw(rt, "order") {
			row[p] = int32(i)
		}
		place, reach := rapid.IntRange(0, n-1).Draw(rt, "place"), rapid.SampledFrom(reaches).Draw(rt, "reach")
		var beside []float64
		count := map[int32]int{}
		for p := range n {
			if i := row[p]; p != place && p >= place-reach && p <= place+reach && codes[i] >= 0 {
				beside = append(beside, numbers[i])
				count[codes[i]]++
			}
		}
		slices.Sort(beside)
		var near neighbours
		got := near.median(numbers, row, place, reach)
		if k := len(beside); k == 0 != (got != got) || k > 0 && got != (beside[(k-1)/2]+beside[k/2])/2 {
			rt.Fatalf("median %v of %v", got, beside)
		}
		for truth := range int32(3) {
			most, ties := 0, 0.0
			for _, c := range count {
				most = max(most, c)
			}
			for _, c := range count {
				if c == most {
					ties++
				}
			}
			want := 0.0
			if most > 0 && count[truth] == most {
				want = 1 / ties
			}
			if got := near.commonest(codes, row, place, reach, truth); got != want {
				rt.Fatalf("category %d of %v: %v, expected %v", truth, count, got, want)
			}
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// A million records like Adult's take 7 times the yardstick.
func BenchmarkRowOrderAdult1M(b *testing.B) {
	tab := protecttest.AdultLike(b, 1_000_000)
	for b.Loop() {
		orderTake(b, &measure.Release{Original: tab, Released: tab, Paired: true}, 1)
	}
	yardstick.Report(b)
}
