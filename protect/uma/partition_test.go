package uma

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

func sorted(v []float64) []float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}

// within is the weighted sum of squares of values around their weighted mean, by the definition.
func within(v, w []float64) float64 {
	m, s := stat.Mean(v, w), 0.0
	for i, x := range v {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		s += weight * (x - m) * (x - m)
	}
	return s
}

// distances is the sum of distances of values from their lower median.
func distances(v []float64) float64 {
	v = sorted(v)
	s := 0.0
	for _, x := range v {
		s += math.Abs(x - v[(len(v)-1)/2])
	}
	return s
}

func part(w []float64, lo, hi int) []float64 {
	if w == nil {
		return nil
	}
	return w[lo:hi]
}

// cost adds up groups.
func cost(v, w []float64, ends []int) float64 {
	s, lo := 0.0, 0
	for _, hi := range ends {
		s += within(v[lo:hi], part(w, lo, hi))
		lo = hi
	}
	return s
}

// cheapest tries all divisions of sorted values into runs of k or more.
func cheapest(n, k int, group func(lo, hi int) float64) float64 {
	best := math.Inf(1)
	for cuts := range 1 << (n - 1) {
		total, lo := 0.0, 0
		for hi := 1; hi <= n && total < best; hi++ {
			if hi < n && cuts>>(hi-1)&1 == 0 {
				continue
			}
			if hi-lo < k {
				total = math.Inf(1)
				break
			}
			total += group(lo, hi)
			lo = hi
		}
		best = min(best, total)
	}
	return best
}

// cheapestSets tries all partitions into sets of k or more, neighbours or not.
func cheapestSets(v []float64, k int) float64 {
	memo := make(map[uint32]float64)
	var solve func(left uint32) float64
	solve = func(left uint32) float64 {
		if left == 0 {
			return 0
		}
		if c, ok := memo[left]; ok {
			return c
		}
		best := math.Inf(1)
		first := left & -left
		rest := left &^ first
		for s := rest; ; s = (s - 1) & rest {
			if set := s | first; bits.OnesCount32(set) >= k {
				var group []float64
				for i, x := range v {
					if set>>i&1 == 1 {
						group = append(group, x)
					}
				}
				best = min(best, within(group, nil)+solve(left&^set))
			}
			if s == 0 {
				break
			}
		}
		memo[left] = best
		return best
	}
	return solve(1<<len(v) - 1)
}

// checkSizes fails unless groups have k to 2k-1 values and cover all.
func checkSizes(t interface{ Fatalf(string, ...any) }, n, k int, ends []int) {
	lo := 0
	for _, hi := range ends {
		if hi-lo < k || hi-lo > 2*k-1 {
			t.Fatalf("groups of n = %d values, k = %d, end at %v", n, k, ends)
		}
		lo = hi
	}
	if lo != n {
		t.Fatalf("groups of n = %d values end at %v", n, ends)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// The dynamic program finds what trying everything finds, for the three kinds of cost, with ties; with equal weights it
// is that of squares. No partition into sets that are no neighbours is cheaper in squares.
func TestOptimalIsCheapest(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 4).Draw(t, "k")
		n := rapid.IntRange(k, 11).Draw(t, "n")
		v, w := make([]float64, n), make([]float64, n)
		wide := rapid.SampledFrom([]int{3, 40}).Draw(t, "wide") // few values tie
		for i := range v {
			v[i], w[i] = float64(rapid.IntRange(-wide, wide).Draw(t, "value")), float64(rapid.IntRange(1, 9).Draw(t, "weight"))/9
		}
		v = sorted(v)
		_, ends := Partition(v, k, Optimal)
		checkSizes(t, n, k, ends)
		want := cheapest(n, k, func(lo, hi int) float64 { return within(v[lo:hi], nil) })
		if got := cost(v, nil, ends); !near(got, want) {
			t.Fatalf("%v, k = %d: groups end at %v and cost %v; the cheapest cost %v", v, k, ends, got, want)
		}
		if n <= 9 {
			if sets := cheapestSets(v, k); !near(want, sets) {
				t.Fatalf("%v, k = %d: sets cost %v, runs %v", v, k, sets, want)
			}
		}
		ends = optimal(n, records(k), weighted{v, w})
		checkSizes(t, n, k, ends)
		want = cheapest(n, k, func(lo, hi int) float64 { return within(v[lo:hi], w[lo:hi]) })
		if got := cost(v, w, ends); !near(got, want) {
			t.Fatalf("%v, weights %v, k = %d: groups end at %v and cost %v; the cheapest cost %v", v, w, k, ends, got, want)
		}
		ends, got, lo := optimal(n, records(k), newAbsolute(v)), 0.0, 0
		checkSizes(t, n, k, ends)
		for _, hi := range ends {
			got += distances(v[lo:hi])
			lo = hi
		}
		if want = cheapest(n, k, func(lo, hi int) float64 { return distances(v[lo:hi]) }); got != want {
			t.Fatalf("%v, k = %d: groups end at %v and have distances %v; the least is %v", v, k, ends, got, want)
		}
	})
}

// Where people have several values, the dynamic program finds what trying every cut between different values finds: of
// all divisions into groups of k people the one that costs least. Classic groups end with the value of the k-th person,
// and anyone who is left joins the last.
func TestGroupsOfPeople(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 4).Draw(t, "k"), rapid.IntRange(4, 14).Draw(t, "n")
		v, who := make([]float64, n), make([]int32, n)
		for i := range v {
			if v[i], who[i] = float64(rapid.IntRange(0, 12).Draw(t, "value")), int32(i); i >= k {
				who[i] = int32(rapid.IntRange(0, 5).Draw(t, "whose"))
			}
		}
		v = sorted(v)
		of := func(lo, hi int) int {
			in := map[int32]bool{}
			for _, p := range who[lo:hi] {
				in[p] = true
			}
			return len(in)
		}
		least := slices.Repeat([]float64{math.Inf(1)}, n+1) // by end
		least[0] = 0
		for hi := 1; hi <= n; hi++ {
			for lo := range hi {
				if (hi == n || v[hi] != v[hi-1]) && of(lo, hi) >= k {
					least[hi] = min(least[hi], least[lo]+within(v[lo:hi], nil))
				}
			}
		}
		ends := optimal(n, peopled(v, who, k), squares(v))
		short := classic(n, peopled(v, who, k))
		for name, ends := range map[string][]int{Optimal: ends, Classic: short} {
			lo := 0
			for g, hi := range ends {
				if of(lo, hi) < k || hi < n && v[hi] == v[hi-1] {
					t.Fatalf("%s: of %v, of people %v, groups end at %v", name, v, who, ends)
				}
				if name == Classic && g < len(ends)-1 {
					for at := lo + 1; at < hi; at++ {
						if v[at] != v[at-1] && of(lo, at) >= k {
							t.Fatalf("%s: of %v, of people %v, groups end at %v, and not at %d", name, v, who, ends, at)
						}
					}
				}
				lo = hi
			}
			if lo != n {
				t.Fatalf("%s: of %d values groups end at %v", name, n, ends)
			}
		}
		if got := cost(v, nil, ends); !near(got, least[n]) {
			t.Fatalf("%v, of people %v, k = %d: groups end at %v and cost %v; the cheapest cost %v", v, who, k, ends, got,
				least[n])
		}
	})
}

// Groups of classic have k values, the last k to 2k-1.
func TestClassicSizes(t *testing.T) {
	for k := 2; k < 6; k++ {
		for n := k; n < 30; n++ {
			ends := classic(n, records(k))
			checkSizes(t, n, k, ends)
			for g, hi := range ends[:len(ends)-1] {
				if hi != (g+1)*k {
					t.Fatalf("n = %d, k = %d: groups end at %v", n, k, ends)
				}
			}
		}
	}
}

// Neither a large offset, nor an outlier that costs 10^30 times as much as all others, nor a range whose square
// overflows changes the groups.
func TestOptimalIsNumericallySafe(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := make([]float64, 300)
	for i := range v {
		v[i] = float64(r.IntN(4000))
	}
	v = sorted(v)
	_, want := Partition(v, 3, Optimal)
	for name, f := range map[string]func(x float64) float64{
		"offset":  func(x float64) float64 { return x + 1e12 },
		"large":   func(x float64) float64 { return x * 0x1p1000 },
		"small":   func(x float64) float64 { return x * 0x1p-1060 },
		"shifted": func(x float64) float64 { return x - 1<<50 },
	} {
		u := make([]float64, len(v))
		for i, x := range v {
			u[i] = f(x)
		}
		if _, got := Partition(u, 3, Optimal); !slices.Equal(got, want) {
			t.Errorf("%s: groups end at %v, expected %v", name, got, want)
		}
	}
	// The three smallest are a group of their own before the others, whatever lies in it; so the others keep their groups.
	far := append([]float64{-3e15 - 1, -3e15, -1e15}, v...)
	_, got := Partition(far, 3, Optimal)
	if got[0] != 3 {
		t.Fatalf("the outliers' group ends at %d", got[0])
	}
	for g, hi := range got[1:] {
		if hi-3 != want[g] {
			t.Fatalf("beside outliers the other groups end at %v, expected %v and 3 more", got[1:], want)
		}
	}
}

// A sum remembers what rounding takes: 10^30 + 1 is more than 10^30.
func TestSum(t *testing.T) {
	big := sum{}.plus(1e30)
	if !big.less(big.plus(1)) || big.plus(1).less(big) || big.less(big) || !(sum{}).less(sum{hi: math.Inf(1)}) ||
		(sum{hi: math.Inf(1)}).less(big) {
		t.Error("sums compare wrongly")
	}
}
