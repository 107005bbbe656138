package itemset

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

var miners = map[string]Miner{"apriori": Apriori, "eclat": Eclat, "fpgrowth": FPGrowth, "lcm": LCM}

// of returns transactions; an item that is listed twice counts once.
func of(labels int, rows ...[]int32) *Transactions {
	t := &Transactions{Start: []int{0}, Labels: labels}
	for _, r := range rows {
		r = slices.Clone(r)
		slices.Sort(r)
		t.Items = append(t.Items, slices.Compact(r)...)
		t.Start = append(t.Start, len(t.Items))
	}
	return t
}

// twin looks at every frequent set, and counts every item over its transactions.
func twin(t *Transactions, least int, kind Kind) (out []string) {
	var grow func(set []int32, rows []int)
	grow = func(set []int32, rows []int) {
		with := make([][]int, t.Labels)
		for _, i := range rows {
			for _, c := range t.Row(i) {
				with[c] = append(with[c], i)
			}
		}
		ok := len(set) > 0
		for c := range int32(t.Labels) {
			outside := !slices.Contains(set, c)
			ok = ok && !(outside && (kind == Closed && len(with[c]) == len(rows) || kind == Maximal && len(with[c]) >= least))
			if (len(set) == 0 || c > set[len(set)-1]) && len(with[c]) >= least {
				grow(append(slices.Clone(set), c), with[c])
			}
		}
		if ok {
			out = append(out, fmt.Sprint(set, len(rows)))
		}
	}
	all := make([]int, t.Len())
	for i := range all {
		all[i] = i
	}
	grow(nil, all)
	slices.Sort(out)
	return out
}

// found returns what a miner finds, in the order in which it does.
func found(t testing.TB, mine Miner, tr *Transactions, least int, kind Kind) (out []string) {
	t.Helper()
	n, err := mine(context.Background(), tr, Query{Least: least, Kind: kind, Visit: func(items []int32, count int) bool {
		out = append(out, fmt.Sprint(items, count))
		return true
	}})
	must.NoError(t, err)
	if only, err := mine(context.Background(), tr, Query{Least: least, Kind: kind}); err != nil || only != n ||
		n != Tally(len(out)) {
		t.Fatalf("found %d, says %d, counts %d, %v", len(out), n, only, err)
	}
	return out
}

// drawn returns random transactions: few or many items, sparse or dense, with items that are in all, lines that are
// empty and lines that repeat.
func drawn(seed uint64) (tr *Transactions, least int) {
	r := rand.New(rand.NewPCG(seed, 1))
	labels := 1 + r.IntN(12)
	share := r.Float64()
	if seed%3 == 0 {
		labels = 60 + r.IntN(120) // more than a word has bits, at the root or below
		share = 0.02 + 0.04*r.Float64()
	}
	n := r.IntN(80)
	// more than a word has bits below an item, and upright: most pairs are frequent, and few sets of three
	pairs := seed%50 == 5
	if pairs {
		labels, share, n = 90+r.IntN(35), 0.3, 80
	}
	rows := make([][]int32, n)
	for i := range rows {
		if i > 0 && r.IntN(4) == 0 && !pairs {
			rows[i] = rows[r.IntN(i)]
			continue
		}
		for c := range int32(labels) {
			if r.Float64() < share || c == 3 && seed%2 == 0 {
				rows[i] = append(rows[i], c)
			}
		}
	}
	if least = 1 + r.IntN(6); labels > 20 {
		least += 2
	}
	if pairs {
		least = 6
	}
	return of(labels, rows...), least
}

func TestTwin(t *testing.T) {
	seeds := long.Of[uint64](2, 80)
	if long.Every() {
		seeds = 300
	}
	for seed := range seeds {
		tr, least := drawn(seed)
		for kind := All; kind <= Maximal; kind++ {
			want := twin(tr, least, kind)
			for name, mine := range miners {
				got := found(t, mine, tr, least, kind)
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Fatalf("%s, seed %d, kind %d, at least %d:\n%s\nexpected\n%s", name, seed, kind, least,
						strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	}
}

// The sets come in one order on any number of cores, and a visitor that has enough gets no more.
func TestOrder(t *testing.T) {
	for _, seed := range []uint64{3, 9, 16, 40} {
		tr, _ := drawn(seed)
		for name, mine := range miners {
			var want []string
			for _, cores := range []int{1, 2, 7} {
				was := runtime.GOMAXPROCS(cores)
				got := found(t, mine, tr, 2, All)
				few := 0
				if _, err := mine(context.Background(), tr,
					Query{Least: 2, Visit: func([]int32, int) bool { few++; return few < 3 }}); err != nil || few > 3 {
					t.Errorf("%s: %d visits after the third was enough, %v", name, few, err)
				}
				runtime.GOMAXPROCS(was)
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, seed %d: another order on %d cores", name, seed, cores)
				}
			}
		}
	}
}

// A search without an end ends with its context: 60 items that go together have 2^60 sets.
func TestCancel(t *testing.T) {
	row := make([]int32, 60)
	for i := range row {
		row[i] = int32(i)
	}
	tr := of(100, row, row, []int32{70, 71})
	for name, mine := range miners {
		if name == "apriori" {
			continue // it holds the sets of a length
		}
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		_, err := mine(ctx, tr, Query{Least: 2, Visit: func([]int32, int) bool {
			if n++; n == 1000 {
				cancel()
			}
			return true
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after %d sets", name, err, n)
		}
	}
	if n, err := LCM(context.Background(), tr, Query{Least: 2}); err != nil || n != 1<<60-1 {
		t.Errorf("%d sets, %v, expected %d", n, err, 1<<60-1)
	}
}

// More sets than can be counted are Endless.
func TestEndless(t *testing.T) {
	row := make([]int32, 200)
	for i := range row {
		row[i] = int32(i)
	}
	if n, err := LCM(context.Background(), of(200, row, row), Query{Least: 1}); err != nil || n != Endless {
		t.Errorf("%d sets, %v", n, err)
	}
}
