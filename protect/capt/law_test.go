package capt

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/rng"
	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

// bruteLaw is the dumb twin of Law, read off section 6.5 of Islam 2007 sentence by sentence.
func bruteLaw(c *detective.Clusters, p float64, proportional bool, leaf int, old int32) []float64 {
	out := make([]float64, len(c.Labels))
	l := &c.Leaves[leaf]
	if len(c.Leaves) == 1 && l.Parent < 0 { // "totally unrelated to all other attributes"
		for v := range out {
			if len(out) > 1 && int32(v) != old {
				out[v] = p / float64(len(out)-1)
			}
		}
		out[old] += 1 - sum(out)
		return out
	}
	var siblings []*detective.Leaf
	records := 0.0
	for k := range c.Leaves {
		s := &c.Leaves[k]
		if k != leaf && s.Parent == l.Parent && len(s.Values) > 0 {
			siblings = append(siblings, s)
			records += s.Weight()
		}
	}
	rest := 1.0
	for _, s := range siblings { // "the above mentioned probability p is equally distributed among the siblings"
		share := 1 / float64(len(siblings))
		if proportional {
			share = s.Weight() / records
		}
		out[s.Majority] += p * share
		rest -= p * share
	}
	if len(l.Values) < 2 { // "it leaves the class value of the record unchanged"
		out[old] += rest
		return out
	}
	for _, v := range l.Values {
		out[v.Code] += rest * v.Count / l.Weight()
	}
	return out
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// randomClusters draws leaves, some empty, of a few families.
func randomClusters(r *rapid.T) *detective.Clusters {
	values := rapid.IntRange(1, 5).Draw(r, "values")
	c := &detective.Clusters{Labels: make([]string, values)}
	for range rapid.IntRange(2, 7).Draw(r, "leaves") {
		l := detective.Leaf{Parent: int32(rapid.IntRange(0, 2).Draw(r, "parent")), Majority: -1}
		most := 0.0
		for v := range values {
			n := float64(rapid.IntRange(-3, 5).Draw(r, "count"))
			if n <= 0 {
				continue
			}
			l.Values = append(l.Values, detective.Value{Code: int32(v), Count: n})
			if n > most {
				most, l.Majority = n, int32(v)
			}
		}
		c.Leaves = append(c.Leaves, l)
	}
	return c
}

func TestLawAgainstTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		c := randomClusters(r)
		p, proportional := rapid.SampledFrom([]float64{0, 0.1, 0.5, 1}).Draw(r, "p"), rapid.Bool().Draw(r, "proportional")
		for leaf := range c.Leaves {
			for old := range c.Labels {
				got, want := Law(c, p, proportional, leaf, int32(old)), bruteLaw(c, p, proportional, leaf, int32(old))
				for v := range want {
					if math.Abs(got[v]-want[v]) > 1e-12 {
						t.Fatalf("leaf %d of %+v, p %v, old %d: %v, expected %v", leaf, c, p, old, got, want)
					}
				}
			}
		}
	})
}

// TestDraw compares draws with the exact law, each of the at most 7*5*5*2*60 = 21,000 cells at the level 1e-6/21,000: a
// right program fails once in a million. The draws are fixed by their seed, the cases by rapid's.
func TestDraw(t *testing.T) {
	const runs, cells = 2000, 7 * 5 * 5 * 2 * 60
	stream := rng.New([32]byte{3}).Stream()
	gen := rapid.Custom(randomClusters)
	for k := range 60 {
		c := gen.Example(k)
		for _, proportional := range []bool{false, true} {
			w := newLaw(c, 0.3, proportional)
			for leaf := range c.Leaves {
				for old := range c.Labels {
					count := make([]float64, len(c.Labels))
					for i := range runs {
						count[w.draw(int32(leaf), int32(old), stream.At(uint64(i)))]++
					}
					for v, q := range Law(c, 0.3, proportional, leaf, int32(old)) {
						if far(count[v], runs, q, 1e-6/cells) {
							t.Fatalf("leaf %d of %+v, old %d -> %d: %v of %d, probability %v", leaf, c, old, v, count[v], runs, q)
						}
					}
				}
			}
		}
	}
}

// far reports whether count of n draws is too high or too low for the probability q: each with probability below
// alpha/2 by the binomial law.
func far(count, n, q, alpha float64) bool {
	atLeast := func(k, p float64) float64 { // k successes of n
		switch {
		case k <= 0:
			return 1
		case p <= 0:
			return 0
		case p >= 1:
			return 1
		}
		return mathext.RegIncBeta(k, n-k+1, p)
	}
	return atLeast(count, q) < alpha/2 || atLeast(n-count, 1-q) < alpha/2
}

// TestEdges checks draws at the ends of the unit interval and a leaf that no record of the fit reached.
func TestEdges(t *testing.T) {
	c := &detective.Clusters{Labels: []string{"a", "b", "c"}, Leaves: []detective.Leaf{
		{Parent: 0, Values: []detective.Value{{Code: 0, Count: 0.1}, {Code: 1, Count: 0.2}}, Majority: 1},
		{Parent: 0, Values: []detective.Value{{Code: 2, Count: 0.7}}, Majority: 2},
		{Parent: 0, Majority: -1},
		{Parent: 5, Majority: -1},
	}}
	for _, proportional := range []bool{false, true} {
		w := newLaw(c, 0.5, proportional)
		for leaf := range c.Leaves {
			for _, a := range []uint64{0, 1 << 62, 1 << 63, math.MaxUint64} {
				for _, b := range []uint64{0, 1 << 62, 1 << 63, math.MaxUint64} {
					v := w.draw(int32(leaf), 0, rng.Block{A: a, B: b})
					if bruteLaw(c, 0.5, proportional, leaf, 0)[v] == 0 {
						t.Errorf("leaf %d, words %x %x: value %d has probability 0", leaf, a, b, v)
					}
				}
			}
		}
	}
}
