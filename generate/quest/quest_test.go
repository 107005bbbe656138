package quest

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/transactions"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var seed = rng.New([32]byte{5})

// made returns the transactions that a generator makes.
func made(t testing.TB, q *Quest, rows int) *table.Lists {
	t.Helper()
	tab := must.Get(q.Make(t.Context(), rows, seed))(t)
	if name := tab.Attr(0).Name; name != transactions.Column || tab.Rows() != rows {
		t.Fatalf("column %q, %d rows", name, tab.Rows())
	}
	return &tab.Sets(0).Present
}

func with(set func(q *Quest)) *Quest {
	q := New()
	set(q)
	return q
}

// A twin with one word at a time, a map for each transaction, and no sharing of anything: the transactions are the
// same.
func TestTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		q := New()
		q.T = rapid.Float64Range(1, 12).Draw(rt, "T")
		q.I = rapid.Float64Range(1, 10).Draw(rt, "I")
		q.L = rapid.IntRange(1, 20).Draw(rt, "L")
		q.N = rapid.IntRange(1, 40).Draw(rt, "N")
		q.Conf, q.Spread = rapid.Float64Range(0.3, 1).Draw(rt, "conf"), 0.03
		rows := rapid.SampledFrom([]int{0, 1, 100, block, block + 77}).Draw(rt, "rows")
		got := made(t, q, rows)
		for i, want := range twin(t, q, rows) {
			if !slices.Equal(got.Row(i), want) {
				rt.Fatalf("transaction %d is %v, expected %v", i+1, got.Row(i), want)
			}
		}
	})
}

func twin(t *testing.T, q *Quest, rows int) (out [][]int32) {
	p := must.Get(q.patterns(t.Context(), seed.Fork("patterns").Rand()))(t)
	length, stream := poisson(q.T-1), seed.Fork("transactions").Stream()
	var used uint64
	word := func() uint64 {
		b := stream.At(uint64(len(out)/block)<<32 + used/2)
		used++
		return []uint64{b.A, b.B}[(used-1)%2]
	}
	held := -1
	for len(out) < rows {
		has := map[int32]bool{}
		room := 1 + length.draw(word())
		for idle := 0; len(has) < room && idle < 100; idle++ {
			i := held
			if i < 0 {
				i = p.choice.draw(word())
			}
			held = -1
			left := slices.Clone(p.items.Row(i))
			keep := len(left)
			for keep > 0 && float64(word()) > p.confidence[i]*0x1p64 {
				keep--
			}
			if len(has)+keep > room && word() < 1<<63 {
				held = i
				break
			}
			before := len(has)
			for ; keep > 0; left = left[1:] {
				if keep == len(left) || rng.Below(word(), len(left)) < keep {
					has[left[0]] = true
					keep--
				}
			}
			if len(has) > before {
				idle = -1
			}
		}
		if len(has) == 0 {
			continue
		}
		var row []int32
		for v := range has {
			row = append(row, v)
		}
		slices.Sort(row)
		if out = append(out, row); len(out)%block == 0 {
			used, held = 0, -1
		}
	}
	return out
}

// TestLengths: transactions are about as long as T says, and none is empty. Of 100,000 the mean is off by 0.02 as a
// standard error at most.
func TestLengths(t *testing.T) {
	rows := long.Of(10_000, 100_000)
	for _, c := range []struct{ t, i, corr, conf float64 }{{5, 2, 0.25, 0.75}, {10, 4, 0.25, 0.75}, {20, 6, 0.25, 0.75},
		{10, 4, 0, 0.5}, {10, 2, 0.5, 0.9}, {2, 1, 0.25, 0.75}} {
		q := with(func(q *Quest) { q.T, q.I, q.Corr, q.Conf = c.t, c.i, c.corr, c.conf })
		l := made(t, q, rows)
		if mean := float64(len(l.All())) / float64(rows); math.Abs(mean-c.t) > 0.05*c.t {
			t.Errorf("%+v: mean length %.3f", c, mean)
		}
		for i := range rows {
			if row := l.Row(i); len(row) == 0 || !slices.IsSorted(row) || row[len(row)-1] >= 1000 {
				t.Fatalf("%+v: transaction %d is %v", c, i+1, row)
			}
		}
	}
}

// TestPatternsComeBack: the strongest patterns are among the frequent itemsets, each in about as many transactions as
// its weight and its confidence say: those whose draws leave it whole. Some are in more, for they are in other
// patterns, too.
func TestPatternsComeBack(t *testing.T) {
	const rows = 100_000
	q := New()
	p := must.Get(q.patterns(t.Context(), seed.Fork("patterns").Rand()))(t)
	kept, weights := 0.0, 0.0 // items of a pattern that stay
	for i, w := range p.weight {
		c := p.confidence[i]
		stay := float64(len(p.items.Row(i)))
		if c < 1 {
			stay -= (1 - c) / c * (1 - math.Pow(1-c, stay))
		}
		kept, weights = kept+w*stay, weights+w
	}
	perRow := q.T / (kept / weights)
	l := made(t, q, rows)
	trans := &itemset.Transactions{Start: l.Start, Items: l.Codes, Labels: q.N}
	found := map[string]int{}
	must.Get(itemset.LCM(t.Context(), trans,
		itemset.Query{Least: rows / 400, Visit: func(items []int32, count int) bool {
			found[fmt.Sprint(items)] = count
			return true
		}}))(t)
	order := make([]int, q.L)
	for i := range order {
		order[i] = i
	}
	strength := func(i int) float64 { return p.weight[i] / weights * p.confidence[i] * perRow }
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, strength(b)-strength(a))) })
	var ratios []float64
	for _, i := range order[:60] {
		set := slices.Clone(p.items.Row(i))
		slices.Sort(set)
		if set = slices.Compact(set); len(set) < 3 {
			continue // single items and pairs come from other patterns, too
		}
		ratios = append(ratios, float64(found[fmt.Sprint(set)])/rows/strength(i))
		if got := ratios[len(ratios)-1]; got < 0.75 {
			t.Errorf("pattern %v is in %d transactions, %.2f of what was expected", set, found[fmt.Sprint(set)], got)
		}
	}
	slices.Sort(ratios)
	if n := len(ratios); n < 30 || ratios[n/2] < 0.9 || ratios[n/2] > 1.2 {
		t.Errorf("%d patterns, in %.2f of the transactions that were expected", n, ratios[n/2])
	}
}

// TestCorrelation: a pattern shares with the one before it what the exponential law says. Of 20,000 patterns the share
// has a standard error of 0.002.
func TestCorrelation(t *testing.T) {
	long.Only(t, "20,000 patterns of each kind")
	for _, corr := range []float64{0, 0.25, 0.5} {
		q := with(func(q *Quest) { q.I, q.L, q.N, q.Corr = 20, 20_000, 1_000_000, corr })
		p := must.Get(q.patterns(t.Context(), seed.Rand()))(t)
		same, all, want := 0.0, 0.0, 0.0
		for i := 1; i < q.L; i++ {
			row, last := p.items.Row(i), p.items.Row(i-1)
			for _, v := range row {
				if all++; slices.Contains(last, v) {
					same++
				}
			}
			for k := 1; corr > 0 && k <= min(len(row), len(last)); k++ { // at least k are taken
				want += math.Exp(-(float64(k) - 0.5) / (float64(len(row)) * corr))
			}
		}
		if got := same / all; math.Abs(got-want/all) > 0.01 {
			t.Errorf("corr %v: %.3f of the items are those of the pattern before, expected %.3f", corr, got, want/all)
		}
	}
}

// TestAlias: the cells hold the weights exactly, to rounding.
func TestAlias(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		w := rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 50).Draw(rt, "weights")
		w[0] += 0.1
		sum := 0.0
		for _, v := range w {
			sum += v
		}
		a := newAlias(w)
		got := make([]float64, len(w))
		for k, s := range a {
			own := float64(s.limit) * 0x1p-64
			got[k] += own / float64(len(w))
			got[s.other] += (1 - own) / float64(len(w))
		}
		for k := range w {
			if math.Abs(got[k]-w[k]/sum) > 1e-12 {
				rt.Fatalf("%d has %v, expected %v", k, got[k], w[k]/sum)
			}
		}
	})
}

// TestPoisson: the numbers that are drawn have the mean and the variance of the law.
func TestPoisson(t *testing.T) {
	for _, mean := range []float64{0, 0.5, 9, 1000, 9999} {
		a := poisson(mean)
		var sum, square float64
		for k, s := range a {
			own := float64(s.limit) * 0x1p-64
			at, other, cell := float64(k), float64(s.other), 1/float64(len(a))
			sum += cell * (own*at + (1-own)*other)
			square += cell * (own*at*at + (1-own)*other*other)
		}
		if variance := square - sum*sum; math.Abs(sum-mean) > 1e-8*(1+mean) || math.Abs(variance-mean) > 1e-6*(1+mean) {
			t.Errorf("mean %v: it is %v, the variance %v", mean, sum, variance)
		}
	}
}

// TestHopeless: parameters by which a transaction cannot be filled are refused, or it ends shorter; nothing hangs.
func TestHopeless(t *testing.T) {
	q := with(func(q *Quest) { q.Conf, q.Spread = 0, 0.001 })
	if _, err := q.Make(t.Context(), 10, seed); err == nil || !strings.Contains(err.Error(), `parameter "conf"`) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("no confidence: %v", err)
	}
	few := made(t, with(func(q *Quest) { q.N, q.T = 3, 1000 }), 10)
	for i := range 10 {
		if len(few.Row(i)) != 3 {
			t.Errorf("of three items, transaction %d has %d", i+1, len(few.Row(i)))
		}
	}
	if one := made(t, with(func(q *Quest) { q.T, q.I, q.L, q.N, q.Conf, q.Spread = 1, 1, 1, 1, 1, 0 }), 5); len(
		one.All(),
	) != 5 {
		t.Errorf("five transactions of the only item have %d", len(one.All()))
	}
}

// TestMemory: what is made takes 12 bytes an item at most besides 8 a transaction, and what the patterns need.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l := made(t, New(), 500_000)
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(12*len(l.All())+8*500_000+4<<20); got > most {
		t.Errorf("%d bytes were allocated, %d are promised", got, most)
	}
}

// BenchmarkT20I6D1M makes 1,000,000 transactions of 20 items: 7 times the time of sorting a million random numbers, on
// two cores that were busy with other work, too.
func BenchmarkT20I6D1M(b *testing.B) {
	q := with(func(q *Quest) { q.T, q.I = 20, 6 })
	for b.Loop() {
		made(b, q, 1_000_000)
	}
	yardstick.Report(b)
}
