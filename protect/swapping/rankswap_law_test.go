package swapping

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func release(t testing.TB, tab *table.Table, set map[string]string, seed byte) (*RankPlan, *table.Table) {
	t.Helper()
	q := NewRank()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(seed)))(t)
	return p.(*RankPlan), out
}

// The twin lists who is left at every step; with the same draws it makes the same swaps.
func rankTwin(v []float64, reach int, random *rand.Rand) []float64 {
	order, known := rank.Order(v)
	out, left := slices.Clone(v), map[int]bool{}
	for a := range known {
		left[a] = true
	}
	for a := range max(0, known-1) {
		if !left[a] {
			continue
		}
		window := make([]bool, min(reach, known-1-a))
		any := false
		for b := range window {
			window[b] = !left[a+1+b]
			any = any || left[a+1+b]
		}
		if b := partner(window, random); any {
			i, j := order[a], order[a+1+b]
			out[i], out[j] = v[j], v[i]
			delete(left, a)
			delete(left, a+1+b)
		}
	}
	return out
}

// Values are exchanged in pairs within the reach, none is swapped twice, and no two neighbours stay that could have
// been swapped.
func TestSwapsAreWithinReach(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		v := rapid.SliceOfN(rapid.SampledFrom([]float64{math.NaN(), 1, 2, 2.5, 3, 4, 5, 7, 8, 9}), 0, 40).Draw(r, "values")
		p := rapid.SampledFrom([]float64{0.5, 5, 10, 50, 100}).Draw(r, "p")
		seed := rapid.Byte().Draw(r, "seed")
		x := newRanked(slices.Clone(v), p)
		x.swap(protecttest.Seed(seed).Rand())
		want := rankTwin(v, x.reach, protecttest.Seed(seed).Rand())
		for i := range v {
			if x.v[i] != want[i] && want[i] == want[i] || (x.v[i] != x.v[i]) != (v[i] != v[i]) {
				r.Fatalf("%v becomes %v, expected %v", v, x.v, want)
			}
		}
		original := newRanked(v, p)
		for rank, i := range original.order {
			lo := v[original.order[max(0, rank-x.reach)]]
			hi := v[original.order[min(len(original.order)-1, rank+x.reach)]]
			if x.v[i] < lo || x.v[i] > hi {
				r.Fatalf("%v of rank %d becomes %v, outside %v to %v", v[i], rank, x.v[i], lo, hi)
			}
		}
	})
}

// A partner is each of those left with the same probability. At a chi-square probability of 1e-9 a right program fails
// once in 10^9.
func TestRankPartnersAreUniform(t *testing.T) {
	window := make([]bool, 40)
	for b := range window {
		window[b] = b%4 == 1 || b > 33
	}
	for _, left := range []int{25, 2} { // drawn mostly, and mostly listed
		for b, k := 0, 0; b < len(window); b++ {
			if !window[b] {
				if k++; k > left {
					window[b] = true
				}
			}
		}
		seen, random := make([]float64, len(window)), protecttest.Seed(3).Rand()
		const n = 60_000
		for range n {
			seen[partner(window, random)]++
		}
		chi := 0.0
		for b, done := range window {
			expected := float64(n) / float64(left)
			switch {
			case done && seen[b] > 0:
				t.Fatal("a partner was swapped before")
			case !done:
				chi += (seen[b] - expected) * (seen[b] - expected) / expected
			}
		}
		if (distuv.ChiSquared{K: float64(left - 1)}).Survival(chi) < 1e-9 {
			t.Errorf("%d left: chi-square %v", left, chi)
		}
	}
	if partner([]bool{true, true}, protecttest.Seed(1).Rand()) != -1 {
		t.Error("a partner is found where there is none")
	}
}

// On ranks 1..n nearly all values move. Places wait for the front to arrive while partners are drawn among those left,
// so at the share s of the window the share 2^(s-1) is left, 1/2 at the front, and a partner is drawn in proportion to
// it: the average distance is 2 - 1/ln 2 = 0.557 windows. The tolerance is 6 standard errors of the mean of 50,000
// pairs, which a right program exceeds once in 5 * 10^8, and 2 % for the ends, where windows are shorter. The
// correlation of the released with the original ranks is 1 - 6 E(d²)/n².
func TestDistanceOfSwaps(t *testing.T) {
	const n, p = 100_000, 5.0
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i)
	}
	r := newRanked(slices.Clone(v), p)
	r.swap(protecttest.Seed(5).Rand())
	moved, sum, squares := 0, 0.0, 0.0
	for i := range v {
		if d := math.Abs(r.v[i] - v[i]); d > 0 {
			moved, sum, squares = moved+1, sum+d, squares+d*d
		}
	}
	w := p / 100 * n
	mean := 2 - 1/math.Ln2 // of s 2^s ln 2 over [0, 1]
	sd := math.Sqrt(2*(1-mean/math.Ln2) - mean*mean)
	tolerance := 6*sd/math.Sqrt(n/2.) + 0.02
	protecttest.Near(t, "the average distance in windows", sum/float64(moved)/w, mean, tolerance)
	if moved < n-int(w/10) {
		t.Errorf("%d of %d values moved", moved, n)
	}
	protecttest.Near(t, "the rank correlation", stat.Correlation(v, r.v, nil), 1-6*squares/n/n/n, 1e-6)
}

// The values of a table of all kinds stay, but for their places; codes of plain categories do not move.
func TestMarginalsAreKept(t *testing.T) {
	tab := protecttest.Mixed(500)
	p, out := release(t, tab, nil, 1)
	if got := p.Columns; !slices.Equal(got, []int{0, 1, 2, 3, 5, 6, 9}) {
		t.Fatalf("columns %v are swapped", got)
	}
	for _, j := range p.Columns {
		was, is := numbers(tab, j), numbers(out, j)
		slices.Sort(was)
		slices.Sort(is)
		if !slices.EqualFunc(was, is, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("column %q has other values", tab.Attr(j).Name)
		}
	}
}

// The ends are released as their means, which keep the sum.
func TestEnds(t *testing.T) {
	v := make([]float64, 100)
	for i := range v {
		v[i] = float64((i * 37) % 100)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0.5, v))
	_, out := release(t, tab, map[string]string{"bottom": "4", "top": "10"}, 1)
	got := slices.Clone(out.Num(0))
	slices.Sort(got)
	for i, x := range got {
		want := float64(i)
		switch {
		case i < 4:
			want = 1.5
		case i >= 90:
			want = 94.5
		}
		if x != want {
			t.Fatalf("the %d-th value is %v, expected %v", i, x, want)
		}
	}
}

// Values too frequent to be swapped are noted, and illegal ones are put into the domain.
func TestFrequentAndDirtyValues(t *testing.T) {
	v := make([]float64, 100)
	v[3], v[4] = 7, 8
	tab := tabletest.Of(t, table.NumColumn("x", 1, v), table.NumColumn("y", 1, v[:100]))
	p, _ := release(t, tab, map[string]string{"except": "y"}, 1)
	if notes := p.Notes(); len(notes) != 1 || p.Kept[0] != 93 {
		t.Errorf("notes %q, kept %v", notes, p.Kept)
	}
	c := table.NumColumn("x", 1, []float64{1, 2, 3, 99, -5})
	c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 9}, true
	tab = tabletest.Of(t, c)
	_, out := release(t, tab, nil, 1)
	got := slices.Clone(out.Num(0))
	slices.Sort(got)
	if !slices.Equal(got, []float64{0, 1, 2, 3, 9}) {
		t.Errorf("the values %v are released", got)
	}
}

// All pairs of seeds and columns draw apart: equal columns are swapped differently.
func TestColumnsDrawApart(t *testing.T) {
	v := make([]float64, 200)
	for i := range v {
		v[i] = float64(i)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 1, v), table.NumColumn("y", 1, v))
	if _, out := release(t, tab, nil, 1); slices.Equal(out.Num(0), out.Num(1)) {
		t.Error("two columns are swapped alike")
	}
	var _ protect.Grouper = &RankPlan{}
}
