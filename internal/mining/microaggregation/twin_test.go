package microaggregation

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// twin follows the definitions record by record.
type twin struct {
	points []float64
	kinds  []Kind
	rest   []int // the records that are in no group, ascending
	group  []int32
	made   int32
}

func newTwin(points []float64, kinds []Kind) *twin {
	w := &twin{points: points, kinds: kinds, group: make([]int32, len(points)/len(kinds))}
	for i := range w.group {
		w.rest = append(w.rest, i)
	}
	return w
}

func (w *twin) row(i int) []float64 { return w.points[i*len(w.kinds):][:len(w.kinds)] }

func (w *twin) distance(a, b []float64) float64 {
	s := 0.0
	for d, kind := range w.kinds {
		switch {
		case kind == Nominal && a[d] != b[d]:
			s++
		case kind != Nominal:
			s += float64((a[d] - b[d]) * (a[d] - b[d]))
		}
	}
	return s
}

// centre returns that of the records left, with sums in 400 bits.
func (w *twin) centre() []float64 {
	var c []float64
	for d, kind := range w.kinds {
		var values []float64
		for _, i := range w.rest {
			values = append(values, w.row(i)[d])
		}
		c = append(c, middle(kind, values))
	}
	return c
}

func middle(kind Kind, values []float64) float64 {
	if kind == Number {
		sum := new(big.Float).SetPrec(400)
		for _, v := range values {
			sum.Add(sum, big.NewFloat(v))
		}
		s, _ := sum.Float64()
		return s / float64(len(values))
	}
	slices.Sort(values)
	if kind == Ordinal {
		return values[(len(values)-1)/2]
	}
	often := map[float64]int{}
	for _, v := range values {
		often[v]++
	}
	best := values[0]
	for _, v := range values {
		if often[v] > often[best] {
			best = v
		}
	}
	return best
}

// far returns the record left that is farthest from a point.
func (w *twin) far(point []float64) int {
	best, most := -1, -1.0
	for _, i := range w.rest {
		if d := w.distance(w.row(i), point); d > most {
			best, most = i, d
		}
	}
	return best
}

// near returns the record left, of those given, that is nearest to a record, without itself; -1 where there is none.
func (w *twin) near(record int, among []int) int {
	best, least := -1, math.Inf(1)
	for _, i := range among {
		if d := w.distance(w.row(i), w.row(record)); i != record && d < least {
			best, least = i, d
		}
	}
	return best
}

func (w *twin) join(record int) {
	w.group[record] = w.made
	w.rest = slices.DeleteFunc(w.rest, func(i int) bool { return i == record })
}

func (w *twin) gather(record, k int) []int {
	members := []int{record}
	w.join(record)
	for range k - 1 {
		i := w.near(record, w.rest)
		members = append(members, i)
		w.join(i)
	}
	return members
}

func (w *twin) mdav(k int) {
	for len(w.rest) >= 2*k {
		r, two := w.far(w.centre()), len(w.rest) >= 3*k
		w.gather(r, k)
		w.made++
		if two {
			w.gather(w.far(w.row(r)), k)
			w.made++
		}
	}
	for len(w.rest) > 0 {
		w.join(w.rest[0])
	}
	w.made++
}

func (w *twin) vmdav(k int, gamma float64) {
	centre := w.centre()
	for len(w.rest) >= k {
		members := w.gather(w.far(centre), k)
		for len(members) < 2*k-1 && len(w.rest) > 0 {
			best, in := -1, 0.0
			for _, i := range w.rest {
				for _, m := range members {
					if d := w.distance(w.row(i), w.row(m)); best < 0 || d < in {
						best, in = i, d
					}
				}
			}
			if o := w.near(best, w.rest); gamma == 0 || o >= 0 && !(in < gamma*gamma*w.distance(w.row(best), w.row(o))) {
				break
			}
			members = append(members, best)
			w.join(best)
		}
		w.made++
	}
	var in []int
	for i := range w.group {
		if !slices.Contains(w.rest, i) {
			in = append(in, i)
		}
	}
	for _, i := range w.rest {
		w.group[i] = w.group[w.near(i, in)]
	}
}

// small draws records whose values repeat; one of their attributes may be far from 0.
func small(r *rapid.T, mixed bool) (points []float64, kinds []Kind) {
	dims, n := rapid.IntRange(1, 4).Draw(r, "dims"), rapid.IntRange(1, 90).Draw(r, "n")
	values := rapid.IntRange(1, 40).Draw(r, "values")
	for range dims {
		kind := Number
		if mixed {
			kind = Kind(rapid.IntRange(0, 2).Draw(r, "kind"))
		}
		kinds = append(kinds, kind)
	}
	offset := rapid.SampledFrom([]float64{0, 0, 1e6, -1e15}).Draw(r, "offset")
	for range n {
		for d, kind := range kinds {
			v := float64(rapid.IntRange(0, values).Draw(r, "v"))
			if kind == Number {
				v /= 3
			}
			if d == 0 && kind == Number {
				v += offset
			}
			points = append(points, v)
		}
	}
	return points, kinds
}

// Every group is that of the definition.
func TestTwin(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		long.Check(t, func(r *rapid.T) {
			points, kinds := small(r, mixed)
			k := rapid.IntRange(1, min(7, len(points)/len(kinds))).Draw(r, "k")
			kept := slices.Clone(points)
			group, groups, err := MixedMDAV(context.Background(), points, kinds, nil, k)
			w := newTwin(points, kinds)
			w.mdav(k)
			if err != nil || groups != int(w.made) || !slices.Equal(group, w.group) {
				r.Fatalf("MDAV: %d groups %v, expected %d %v (%v)", groups, group, w.made, w.group, err)
			}
			gamma := rapid.SampledFrom([]float64{0, 0.2, 1.1, 3}).Draw(r, "gamma")
			group, groups, err = MixedVMDAV(context.Background(), points, kinds, nil, k, gamma)
			w = newTwin(points, kinds)
			w.vmdav(k, gamma)
			if err != nil || groups != int(w.made) || !slices.Equal(group, w.group) {
				r.Fatalf("V-MDAV: %d groups %v, expected %d %v (%v)", groups, group, w.made, w.group, err)
			}
			if !slices.Equal(points, kept) {
				r.Fatal("the points are written to")
			}
		})
	}
}

// On more records than a rim holds the groups are those of the definition: normal records, skewed ones, and some on a
// grid of which many are identical, as many are at one distance.
func TestTwinLarge(t *testing.T) {
	const n = 800
	r := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func(d int) float64{
		"normal": func(int) float64 { return r.NormFloat64() },
		"skewed": func(int) float64 { return math.Exp(2 * r.NormFloat64()) },
		"grid":   func(d int) float64 { return float64(r.IntN(3 + d)) },
	} {
		for _, c := range []struct{ dims, k int }{{1, 3}, {3, 5}, {6, 3}}[:long.Of(2, 3)] {
			var points []float64
			for i := range n * c.dims {
				points = append(points, draw(i%c.dims))
			}
			kinds := make([]Kind, c.dims)
			w := newTwin(points, kinds)
			w.mdav(c.k)
			group, _, err := MDAV(context.Background(), points, c.dims, c.k)
			if err != nil || !slices.Equal(group, w.group) {
				t.Errorf("%s, %d attributes, k = %d: other groups than those of the definition (%v)", name, c.dims, c.k, err)
			}
		}
	}
}

// Loss and blocks are what a sum over groups, and partitions of the blocks, give.
func TestLossTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		points, kinds := small(r, true)
		n := len(points) / len(kinds)
		groups := rapid.IntRange(1, n).Draw(r, "groups")
		w := newTwin(points, kinds)
		for i := range w.group {
			w.group[i] = int32(rapid.IntRange(0, groups-1).Draw(r, "group"))
		}
		within := func(in func(i int) bool) *big.Float {
			s := new(big.Float).SetPrec(400)
			w.rest = nil
			for i := range w.group {
				if in(i) {
					w.rest = append(w.rest, i)
				}
			}
			if len(w.rest) == 0 {
				return s
			}
			c := w.centre()
			for _, i := range w.rest {
				s.Add(s, big.NewFloat(w.distance(w.row(i), c)))
			}
			return s
		}
		wantT, _ := within(func(int) bool { return true }).Float64()
		all := new(big.Float).SetPrec(400)
		for g := range groups {
			all.Add(all, within(func(i int) bool { return w.group[i] == int32(g) }))
		}
		wantE, _ := all.Float64()
		if sse, sst := Loss(points, kinds, w.group, groups); sse != wantE || sst != wantT {
			r.Fatalf("SSE %v, SST %v, expected %v and %v", sse, sst, wantE, wantT)
		}
	})
}
