package localsuppression

import (
	"context"
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func release(t testing.TB, tab *table.Table, set map[string]string) (*Plan, *table.Table) {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	return p.(*Plan), out
}

// agree is the definition: what two values have in common.
func agree(t *table.Table, i, k, j int, missing string) bool {
	a, b := t.MissingAt(i, j), t.MissingAt(k, j)
	switch {
	case a || b:
		return missing == Anything || a && b
	case t.Attr(j).Kind == table.Numeric:
		return t.Num(j)[i] == t.Num(j)[k]
	}
	return t.Cat(j)[i] == t.Cat(j)[k]
}

// agreeing counts by the definition, for pairs of records, those that agree with record i.
func agreeing(t *table.Table, i int, missing string) (n int) {
	for k := range t.Rows() {
		all := true
		for j := range t.Width() {
			all = all && agree(t, i, k, j, missing)
		}
		if all {
			n++
		}
	}
	return n
}

func anonymous(t *table.Table, k int, missing string) bool {
	for i := range t.Rows() {
		if agreeing(t, i, missing) < k {
			return false
		}
	}
	return true
}

// Every release is k-anonymous by the definition, whatever is missing; nothing is suppressed where nothing has to be,
// and with missing=any no suppressed cell can be given back.
func TestCrowdsByPairs(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		tab = tab.Select(indices(tab.Width() - 1)...) // without the class
		k := rapid.IntRange(2, min(6, tab.Rows())).Draw(r, "k")
		missing := rapid.SampledFrom([]string{Value, Anything}).Draw(r, "missing")
		q := New()
		q.K, q.Missing = k, missing
		fitted := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(r)
		out := must.Get(fitted.Apply(tab, protecttest.Seed(1)))(r)
		if !anonymous(out, k, missing) {
			r.Fatal("the release is not k-anonymous")
		}
		cells := 0
		for j := range tab.Width() {
			for i := range tab.Rows() {
				if out.MissingAt(i, j) && !tab.MissingAt(i, j) {
					cells++
					if missing == Anything && anonymous(with(out, i, j, tab), k, missing) {
						r.Fatalf("row %d of column %d can be given back", i, j)
					}
				}
			}
		}
		if cells > 0 && anonymous(tab, k, missing) {
			r.Fatal("cells are suppressed for nothing")
		}
		sum := 0
		for _, n := range fitted.(*Plan).Cells {
			sum += n
		}
		if sum != cells {
			r.Fatalf("%d cells are suppressed, the plan says %d", cells, sum)
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for k := range out {
		out[k] = k
	}
	return out
}

// with returns a release with one value of the original.
func with(out *table.Table, i, j int, tab *table.Table) *table.Table {
	if tab.Attr(j).Kind == table.Numeric {
		v := append([]float64(nil), out.Num(j)...)
		v[i] = tab.Num(j)[i]
		return out.WithNum(j, v)
	}
	v := append([]int32(nil), out.Cat(j)...)
	v[i] = tab.Cat(j)[i]
	return out.WithCat(j, v)
}

// On every table of five records with two keys of three values, up to the order of records (1287 tables), the search is
// compared with the fewest cells that any choice suppresses. This is a census: the figures hold exactly.
func TestAllTablesOfFiveRecords(t *testing.T) {
	for _, c := range []struct {
		missing string
		k       int
		worst   float64 // largest ratio of the cells suppressed to the fewest
		excess  float64 // of all cells suppressed, over the fewest
	}{{Value, 2, 1.75, 0.082}, {Value, 3, 1, 0}, {Anything, 2, 1.5, 0.059}, {Anything, 3, 2, 0.235}}[:long.Of(1, 4)] {
		sum, fewest, worst, equal, tables := 0, 0, 1.0, 0, 0
		multisets(9, 5, nil, func(rows []int) {
			a, b := make([]int32, 5), make([]int32, 5)
			for i, v := range rows {
				a[i], b[i] = int32(v/3), int32(v%3)
			}
			got, want := suppressed(t, a, b, c.k, c.missing), best(a, b, c.k, c.missing)
			if got < want {
				t.Fatalf("%v suppresses %d cells, fewer than the fewest, %d", rows, got, want)
			}
			sum, fewest, tables = sum+got, fewest+want, tables+1
			if got == want {
				equal++
			} else {
				worst = max(worst, float64(got)/float64(want))
			}
		})
		t.Logf("missing=%s, k = %d: %d cells of %d tables where %d are needed; the fewest in %d, at worst %.3g times",
			c.missing, c.k, sum, tables, fewest, equal, worst)
		if excess := float64(sum)/float64(fewest) - 1; worst > c.worst || excess > c.excess {
			t.Errorf("missing=%s, k = %d: %.3g times the fewest at worst, %.3g more in all", c.missing, c.k, worst, excess)
		}
	}
}

// multisets calls f for every ascending list of n numbers below m.
func multisets(m, n int, head []int, f func([]int)) {
	if len(head) == n {
		f(head)
		return
	}
	from := 0
	if len(head) > 0 {
		from = head[len(head)-1]
	}
	for v := from; v < m; v++ {
		multisets(m, n, append(head[:len(head):len(head)], v), f)
	}
}

// suppressed returns how many cells the technique suppresses.
func suppressed(t *testing.T, a, b []int32, k int, missing string) (cells int) {
	labels := []string{"x", "y", "z"}
	tab := tabletest.Of(t, table.CatColumn("a", labels, a), table.CatColumn("b", labels, b))
	p := &Plan{Attrs: tab.Attrs(), Columns: []int{0, 1}, Weights: []float64{1, 1}, K: k, Missing: missing}
	lost := must.Get(p.suppress(context.Background(), tab))(t)
	for _, s := range lost {
		cells += bits.OnesCount32(uint32(s))
	}
	return cells
}

// best tries all 4^5 choices of cells.
func best(a, b []int32, k int, missing string) int {
	fewest := math.MaxInt
	for choice := range 1 << 10 {
		cells := bits.OnesCount(uint(choice))
		if cells >= fewest {
			continue
		}
		ok := true
		for i := range a {
			n := 0
			for j := range a {
				if fits(a, i, j, choice, missing) && fits(b, i, j, choice>>5, missing) {
					n++
				}
			}
			ok = ok && n >= k
		}
		if ok {
			fewest = cells
		}
	}
	return fewest
}

// fits reports whether records i and j agree in a column without the cells chosen.
func fits(v []int32, i, j, choice int, missing string) bool {
	x, y := choice>>i&1 == 1, choice>>j&1 == 1
	if x || y {
		return missing == Anything || x && y
	}
	return v[i] == v[j]
}
