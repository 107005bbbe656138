package clusterings

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func misNear(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// misTwin compares two clusterings by trying every way to rename the clusters after, and by looking at every pair of
// records.
func misTwin(before, after []int32, k int) (points, sizes, matched, rand float64) {
	n := float64(len(before))
	sum := func(name []int) (stayed, differ int) {
		size := make([]int, k)
		for i, g := range before {
			switch {
			case g < 0 && after[i] < 0 || g >= 0 && after[i] >= 0 && name[after[i]] == int(g):
				stayed++
			}
			if g >= 0 {
				size[g]++
			}
			if after[i] >= 0 {
				size[name[after[i]]]--
			}
		}
		for _, s := range size {
			differ += max(s, -s)
		}
		return stayed, differ
	}
	same := make([]int, k)
	for g := range same {
		same[g] = g
	}
	_, d := sum(same)
	sizes = float64(d) / n
	most, least := -1, 0
	permutations(slices.Clone(same), 0, func(name []int) {
		if stayed, differ := sum(name); stayed > most || stayed == most && differ < least {
			most, least = stayed, differ
		}
	})
	return 1 - float64(most)/n, sizes, float64(least) / n, pairwise(before, after)
}

// pairwise is the adjusted Rand index by counting pairs.
func pairwise(before, after []int32) float64 {
	var a, b, c, d float64
	for i := range before {
		for j := range i {
			switch x, y := before[i] == before[j], after[i] == after[j]; {
			case x && y:
				a++
			case x:
				b++
			case y:
				c++
			default:
				d++
			}
		}
	}
	if b == 0 && c == 0 {
		return 1
	}
	return 2 * (a*d - b*c) / ((a+b)*(b+d) + (a+c)*(c+d))
}

func permutations(p []int, from int, visit func([]int)) {
	if from == len(p) {
		visit(p)
		return
	}
	for i := from; i < len(p); i++ {
		p[from], p[i] = p[i], p[from]
		permutations(p, from+1, visit)
		p[from], p[i] = p[i], p[from]
	}
}

func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		k, n := rapid.IntRange(1, 5).Draw(r, "k"), rapid.IntRange(1, 14).Draw(r, "n")
		label := rapid.Int32Range(-1, int32(k-1))
		before := rapid.SliceOfN(label, n, n).Draw(r, "before")
		after := rapid.SliceOfN(label, n, n).Draw(r, "after")
		c := must.Get(Compare(before, after, k))(r)
		points, sizes, matched, rand := misTwin(before, after, k)
		if !misNear(c.Points, points) || !misNear(c.Sizes, sizes) || !misNear(c.Matched, matched) || !misNear(c.Rand, rand) {
			r.Fatalf("%+v; the twin has points %v, sizes %v, matched %v, rand %v", c, points, sizes, matched, rand)
		}
	})
}

// TestNumbersAreArbitrary: renaming clusters changes no figure but M_E as printed, and the other way round every figure
// is the same.
func TestNumbersAreArbitrary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	const n, k = 500, 7
	before, after, renamed := make([]int32, n), make([]int32, n), make([]int32, n)
	for trial := range 50 {
		name := r.Perm(k)
		for i := range n {
			before[i] = int32(r.IntN(k))
			if after[i] = before[i]; r.IntN(3) == 0 {
				after[i] = int32(r.IntN(k+1)) - 1
			}
			if renamed[i] = -1; after[i] >= 0 {
				renamed[i] = int32(name[after[i]])
			}
		}
		a, _ := Compare(before, after, k)
		b, _ := Compare(before, renamed, k)
		c, _ := Compare(after, before, k)
		for _, o := range []*Comparison{b, c} {
			if a.Points != o.Points || a.Matched != o.Matched || !misNear(a.Rand, o.Rand) {
				t.Fatalf("trial %d: %v, %v, %v became %v, %v, %v", trial, a.Points, a.Matched, a.Rand, o.Points, o.Matched, o.Rand)
			}
		}
		if c.Sizes != a.Sizes {
			t.Fatalf("M_E %v, backwards %v", a.Sizes, c.Sizes)
		}
	}
}

// TestFewerClusters: a cluster that dissolves takes its records with it, and outliers are no cluster to be matched
// with.
func TestFewerClusters(t *testing.T) {
	for _, c := range []struct {
		before, after          []int32
		points, sizes, matched float64
	}{
		{[]int32{0, 0, 1, 1, 2}, []int32{0, 0, 1, 1, 1}, 0.2, 0.4, 0.4},
		{[]int32{0, 1, 2, 3}, []int32{3, 3, 3, 3}, 0.75, 1.5, 1.5},
		{[]int32{0, 0, 1, 1}, []int32{-1, -1, 0, 0}, 0.5, 0.5, 0.5},
		{[]int32{-1, -1, -1, 1}, []int32{-1, -1, 2, -1}, 0.5, 0.5, 0},
		{[]int32{-1, -1}, []int32{-1, -1}, 0, 0, 0},
	} {
		got, err := Compare(c.before, c.after, 4)
		if err != nil || got.Points != c.points || got.Sizes != c.sizes || got.Matched != c.matched {
			t.Errorf("%v and %v: %+v, error %v", c.before, c.after, got, err)
		}
	}
}

func TestContingency(t *testing.T) {
	c := must.Get(Compare([]int32{0, 0, 1, 1, 1, -1}, []int32{1, 1, 0, 0, -1, -1}, 2))(t)
	want := [][]int{{0, 2, 0}, {2, 0, 1}, {0, 0, 1}}
	if !slices.EqualFunc(c.Together, want, slices.Equal) || !slices.Equal(c.Before, []int{2, 3, 1}) ||
		!slices.Equal(c.After, []int{2, 2, 2}) ||
		!slices.Equal(c.Match, []int{1, 0}) {
		t.Errorf("%+v", c)
	}
}

func TestCompareErrors(t *testing.T) {
	for _, c := range []struct {
		before, after []int32
		k             int
	}{{nil, nil, 2}, {[]int32{0}, []int32{0, 1}, 2}, {[]int32{0, 2}, []int32{0, 1}, 2}, {[]int32{0, 1}, []int32{0, 2}, 2},
		{[]int32{0}, []int32{0}, 0}} {
		if got, err := Compare(c.before, c.after, c.k); err == nil {
			t.Errorf("%v and %v in %d clusters: %+v", c.before, c.after, c.k, got)
		}
	}
}
