package relation_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// amounts is a table with the sum total = p0 + p1 + ..., in which some totals are 0 and some parts are missing, and the
// sum. The grids are those of the parts.
func amounts(t *testing.T, r *rand.Rand, n int, grids []float64) (*table.Table, relation.Relation) {
	t.Helper()
	text := "total ="
	cols := make([]table.Column, 0, len(grids)+1)
	total := make([]float64, n)
	for k, grid := range grids {
		v := make([]float64, n)
		for i := range v {
			if i%9 > 0 && r.IntN(4) > 0 {
				v[i] = math.Round(r.ExpFloat64()*40/max(grid, 0.01)) * grid
			}
			if grid == 0 {
				v[i] = r.Float64() * float64(i%9)
			}
			total[i] += v[i]
			if i%17 == 3 && k == 1 {
				v[i] = math.NaN()
			}
		}
		name := fmt.Sprint("p", k)
		cols = append(cols, table.NumColumn(name, grid, v))
		text += " + " + name
	}
	least := slices.Min(grids)
	for i, v := range total {
		if total[i] = v; least > 0 {
			total[i] = math.Round(v/least) * least
		}
		if i%51 == 7 {
			total[i] = math.NaN()
		}
	}
	cols = append(cols, table.NumColumn("total", least, total))
	sum := must.Get(relation.Parse(strings.Replace(text, "= +", "=", 1)))(t)
	return tabletest.Of(t, cols...), sum
}

// byShares restates a table for sums by total and shares.
func byShares(t *testing.T, tab *table.Table, sums ...relation.Relation) (*relation.Restatement, *table.Table) {
	t.Helper()
	r, left, err := relation.Restate(tab, sums, relation.RestateOptions{Shares: true})
	if err != nil || len(left) > 0 || len(r.ByParts) > 0 {
		t.Fatalf("left %v, by parts %v, %v", left, r.ByParts, err)
	}
	reduced := must.Get(r.Reduce(tab))(t)
	return r, reduced
}

// TestSharesKeepSums: whatever a technique does to totals and shares, parts add up in every record that has them all,
// on their grids, none is negative, and none appears. What the technique leaves alone comes back.
func TestSharesKeepSums(t *testing.T) {
	for seed, grids := range [][]float64{
		{0.01, 0.01}, {1, 1, 1}, {1, 0.01, 10}, {100, 100, 10, 0.5}, {0, 0, 0}, {0.1, 0.1, 0.1, 0.1, 0.1},
	} {
		tab, sum := amounts(t, rand.New(rand.NewPCG(uint64(seed), 30)), 400, grids)
		r, reduced := byShares(t, tab, sum)
		for j := range reduced.Width() - 1 {
			if d := reduced.Attr(j).Domain; d.Lo < 0 || d.Hi > 1 || d.Hi < 0.5 {
				t.Errorf("%v: shares of column %d are from %v to %v", grids, j, d.Lo, d.Hi)
			}
		}
		same, _, err := r.Restore(tab, reduced, relation.Draws{})
		must.NoError(t, err)
		for j := range grids {
			for i, v := range tab.Num(j) {
				gone := v != v || tab.MissingAt(i, len(grids))
				if got := same.Num(j)[i]; gone != (got != got) || !gone && math.Abs(got-v) > 1e-12*math.Abs(v) {
					t.Fatalf("%v: part %d of record %d was %v and is %v", grids, j, i, v, got)
				}
			}
		}
		out, _, err := r.Restore(tab, scrambled(reduced, uint64(seed)), relation.Draws{})
		must.NoError(t, err)
		b := must.Get(sum.Bind(tab))(t)
		count, zero := [3]int{}, 0
		for i, s := range b.States(out) {
			count[s]++
			for j, grid := range grids {
				v := out.Num(j)[i]
				if tab.MissingAt(i, j) && !out.MissingAt(i, j) {
					t.Fatalf("%v: part %d of record %d was missing and is %v", grids, j, i, v)
				}
				if v < 0 && out.Num(len(grids))[i] >= 0 || grid > 0 && math.Abs(v/grid-math.Round(v/grid)) > 1e-6 {
					t.Fatalf("%v: part %d is %v of %v", grids, j, v, out.Num(len(grids))[i])
				}
			}
			if out.Num(len(grids))[i] == 0 {
				zero++
			}
		}
		if count[relation.Broken] > 0 || count[relation.Holds] < 250 || zero == 0 {
			t.Errorf("%v: unknown, holds, broken in %v records, %d of them with a total of 0", grids, count, zero)
		}
	}
}

// TestLargestRemainder: parts on one grid are those of Hamilton's method in exact arithmetic, ties to the first.
func TestLargestRemainder(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 1))
	for range 300 {
		n, units := 2+r.IntN(5), int64(r.IntN(400))
		weights := make([]float64, n)
		for k := range weights {
			weights[k] = float64(r.IntN(8)) / 8
		}
		if slices.Max(weights) == 0 {
			weights[0] = 1
		}
		if got, want := relation.Apportion(float64(units), weights), hamilton(units, weights); !slices.Equal(got, want) {
			t.Fatalf("%d by %v are %v, expected %v", units, weights, got, want)
		}
	}
}

// hamilton is the plain twin of apportionment.
func hamilton(units int64, weights []float64) []float64 {
	sum := new(big.Rat)
	for _, w := range weights {
		sum.Add(sum, new(big.Rat).SetFloat64(w))
	}
	out, rest, left := make([]float64, len(weights)), make([]*big.Rat, len(weights)), units
	for k, w := range weights {
		q := new(big.Rat).Mul(new(big.Rat).SetInt64(units), new(big.Rat).SetFloat64(w))
		q.Quo(q, sum)
		whole := new(big.Int).Quo(q.Num(), q.Denom())
		out[k] = float64(whole.Int64())
		rest[k] = q.Sub(q, new(big.Rat).SetInt(whole))
		left -= whole.Int64()
	}
	for ; left > 0; left-- {
		best := 0
		for k := range rest {
			if rest[k].Cmp(rest[best]) > 0 {
				best = k
			}
		}
		out[best]++
		rest[best].SetInt64(-1)
	}
	return out
}

// TestSharesInShares: a part that is a total itself is divided after the total that it is a part of, whatever comes
// first, and that a part is at most the total needs no distance.
func TestSharesInShares(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 30))
	v := [5][]float64{}
	for range 300 {
		a, b, c := float64(r.IntN(50)), float64(r.IntN(50)), float64(r.IntN(9))
		for k, x := range []float64{a, b, a + b, c, a + b + c} {
			v[k] = append(v[k], x)
		}
	}
	var cols []table.Column
	for k, name := range []string{"a", "b", "ab", "c", "all"} {
		cols = append(cols, table.NumColumn(name, 1, v[k]))
	}
	tab, sums := tabletest.Of(t, cols...), []relation.Relation{}
	for _, text := range []string{"a = ab - b", "all = ab + c", "a <= all"} {
		s := must.Get(relation.Parse(text))(t)
		sums = append(sums, s)
	}
	by, reduced := byShares(t, tab, sums...)
	out, _, err := by.Restore(tab, scrambled(reduced, 4), relation.Draws{Source: rng.New([32]byte{1})})
	must.NoError(t, err)
	moved := false
	for i := range out.Rows() {
		if out.Num(0)[i]+out.Num(1)[i] != out.Num(2)[i] || out.Num(2)[i]+out.Num(3)[i] != out.Num(4)[i] {
			t.Fatalf("record %d does not add up", i)
		}
		moved = moved || out.Num(2)[i] != tab.Num(2)[i]
	}
	if !moved {
		t.Error("nothing was changed")
	}
}

// TestSharesTakenAway: where the release lacks a share or the total that the original has, no other part stands there:
// it would tell what was taken away.
func TestSharesTakenAway(t *testing.T) {
	gone := math.NaN()
	a, b := numbers("a", 0, 9, 1, 2, 3, 4), numbers("b", 0, 9, 3, 2, 1, 0)
	tab := tabletest.Of(t, a, b, numbers("total", 0, 18, 4, 4, 4, 4))
	sum := must.Get(relation.Parse("total = a + b"))(t)
	by, _ := byShares(t, tab, sum)
	out := released(t, tab, by, numbers("a", 0, 1, gone, 0.5, 0.75, 1), numbers("total", 0, 18, 4, gone, 8, 8))
	for j, want := range [][]float64{{gone, gone, 6, 8}, {gone, gone, 2, 0}} {
		got := out.Num(j)
		for i := range want {
			if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
				t.Errorf("part %d is %v, expected %v", j, got, want)
				break
			}
		}
	}
}

// TestWhyNoShares: a sum that cannot keep its total and shares keeps its parts, and the reason is said by name.
func TestWhyNoShares(t *testing.T) {
	const n = 240
	r := rand.New(rand.NewPCG(2, 30))
	of := func(name string, step float64, f func(i int) float64) table.Column {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return table.NumColumn(name, step, v)
	}
	some := func(int) float64 { return float64(r.IntN(20)) }
	for says, c := range map[string]struct {
		sum    string
		change func(a, b *table.Column)
		opt    relation.RestateOptions
	}{
		"a may be below 0":       {"", func(a, _ *table.Column) { a.Num[5] = -3 }, relation.RestateOptions{}},
		"not a plain sum":        {"total = 2 * a + b", nil, relation.RestateOptions{}},
		"generalises or suppr":   {"", nil, relation.RestateOptions{Suppresses: true}},
		"the step of total":      {"", func(a, b *table.Column) { a.Step, b.Step = 2, 2 }, relation.RestateOptions{}},
		"b is kept":              {"", nil, relation.RestateOptions{Fixed: func(s string) bool { return s == "b" }}},
		"the domain declared":    {"", func(a, _ *table.Column) { a.Declared = true }, relation.RestateOptions{}},
		"a is constant within a": {"", func(a, _ *table.Column) { byPerson(a.Num) }, relation.RestateOptions{}},
		"have parts and lack":    {"", func(a, _ *table.Column) { a.Name = "lacking a" }, relation.RestateOptions{}},
		"below 0, and shares ar": {"", nil, relation.RestateOptions{Public: true}},
	} {
		a, b := of("a", 1, some), of("b", 1, some)
		if c.change != nil {
			c.change(&a, &b)
		}
		lacking := strings.HasPrefix(a.Name, "lacking")
		a.Name = "a"
		total := of("total", 1, func(i int) float64 {
			if lacking && i%9 == 0 {
				return math.NaN()
			}
			return a.Num[i] + b.Num[i]
		})
		if c.sum != "" {
			total = of("total", 1, func(i int) float64 { return 2*a.Num[i] + b.Num[i] })
		} else {
			c.sum = "total = a + b"
		}
		tab := tabletest.Of(t, a, b, total).Owned(persons(n))
		sum := must.Get(relation.Parse(c.sum))(t)
		c.opt.Shares = true
		by, left, err := relation.Restate(tab, []relation.Relation{sum}, c.opt)
		if err != nil || len(left) > 0 || len(by.ByParts) != 1 || !strings.Contains(by.ByParts[0].Why.String(), says) {
			t.Errorf("%s: left %v, %v, %v", says, left, by, err)
			continue
		}
		if got := by.Computed(); len(got) != 1 {
			t.Errorf("%s: %v are computed", says, got)
		}
	}
}

// byPerson gives both records of every person one value.
func byPerson(v []float64) {
	for i := range v {
		v[i] = v[i/2*2]
	}
}

func persons(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i / 2)
	}
	return out
}

// TestUsualSharesInAnyOrder: the shares for totals of 0 are the same, bit by bit, whatever the order of the records.
func TestUsualSharesInAnyOrder(t *testing.T) {
	tab, sum := amounts(t, rand.New(rand.NewPCG(30, 11)), 1000, []float64{0.01, 0.01, 0.01})
	first, _ := byShares(t, tab, sum)
	for seed := range uint64(5) {
		again, _ := byShares(t, tab.Gather(rand.New(rand.NewPCG(seed, 2)).Perm(tab.Rows())), sum)
		if !slices.Equal(first.Steps[0].Usual, again.Steps[0].Usual) {
			t.Errorf("shares %v, in another order %v", first.Steps[0].Usual, again.Steps[0].Usual)
		}
	}
}
