package capt

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/mine/detective"
)

// slowP is the plain twin of P: it fills the law of all values for one of them.
func slowP(k kernel, x, y float64) float64 {
	old, v := int32(x), int32(y)
	law := k.part.law.of(int(k.leaf), old)
	switch {
	case k.class < 0:
		return law[v]
	case v != old && !k.part.allows(k.class, v):
		return 0
	case v != old:
		return law[v]
	}
	stays := law[old]
	for c, p := range law {
		if int32(c) != old && !k.part.allows(k.class, int32(c)) {
			stays += p
		}
	}
	return stays
}

// TestKernelEqualsTwin: to the bit, with draws turned away and without.
func TestKernelEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		c := randomClusters(r)
		values := len(c.Labels)
		part := &part{law: newLaw(c, rapid.Float64Range(0, 1).Draw(r, "p"), rapid.Bool().Draw(r, "proportional"))}
		if rapid.IntRange(0, 4).Draw(r, "no tree") == 0 {
			part.law = unrelated(values, 0.4)
		}
		allowed := []int32{}
		for v := range values {
			if rapid.Bool().Draw(r, "allowed") {
				allowed = append(allowed, int32(v))
			}
		}
		part.allowed = [][]int32{allowed, nil}
		for leaf := range c.Leaves {
			for class := int32(-1); class < 2; class++ {
				k := kernel{part: part, leaf: int32(leaf), class: class}
				for x := range values {
					for y := range values {
						if got, want := k.P(float64(x), float64(y)), slowP(k, float64(x), float64(y)); got != want {
							r.Fatalf("leaf %d of %+v, class leaf %d: %d as %d has probability %v, want %v", leaf, c, class, x, y, got, want)
						}
					}
				}
			}
		}
	})
}

// BenchmarkKernel asks for 1,300 probabilities of a value, of a column of 1,300 values and of one of 30,000: 65 and 15
// microseconds, where filling the law for each took 36,000 and 288,000.
func BenchmarkKernel(b *testing.B) {
	for _, values := range []int{1300, 30_000} {
		c := wide(values)
		k := kernel{part: &part{law: newLaw(c, 0.3, true)}, class: -1}
		for name, p := range map[string]func(x, y float64) float64{"": k.P,
			" twin": func(x, y float64) float64 { return slowP(k, x, y) }} {
			b.Run(fmt.Sprint(values, name), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				for b.Loop() {
					x := float64(r.IntN(values))
					for y := range 1300 {
						p(x, float64(y))
					}
				}
			})
		}
	}
}

// wide returns clusters of many values, in forty leaves of one family.
func wide(values int) *detective.Clusters {
	c := &detective.Clusters{Labels: make([]string, values)}
	for l := range 40 {
		leaf := detective.Leaf{Parent: 0, Majority: int32(l)}
		for v := l; v < values; v += 40 {
			leaf.Values = append(leaf.Values, detective.Value{Code: int32(v), Count: float64(1 + v%7)})
		}
		c.Leaves = append(c.Leaves, leaf)
	}
	return c
}
