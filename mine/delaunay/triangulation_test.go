package delaunay

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// distinct sorts points and drops repeated ones.
func distinct(p []Point) []Point {
	slices.SortFunc(p, func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	return slices.Compact(p)
}

// check holds a triangulation of points with small whole coordinates, for which all sums are exact, against its
// definition: no two edges cross, no point lies on an edge, every edge has a circle through its ends that holds no
// point, and there are as many edges as a full triangulation has.
func check(t *rapid.T, p []Point, edges [][2]int32) {
	cross := func(a, b, c Point) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }
	hull := 0 // boundary edges: all points on one side or on it
	line := true
	for i := range p {
		line = line && (i < 2 || cross(p[0], p[1], p[i]) == 0)
	}
	for k, e := range edges {
		a, b := p[e[0]], p[e[1]]
		lo, hi := math.Inf(-1), math.Inf(1)
		left, right := false, false
		for i, c := range p {
			if int32(i) == e[0] || int32(i) == e[1] {
				continue
			}
			side := cross(a, b, c)
			left, right = left || side > 0, right || side < 0
			// The circle through a and b with its centre at the middle plus s times the normal holds c where s is beyond a
			// bound.
			mx, my := (a.X+b.X)/2, (a.Y+b.Y)/2
			rest := (c.X-mx)*(c.X-mx) + (c.Y-my)*(c.Y-my) - ((b.X-a.X)*(b.X-a.X)+(b.Y-a.Y)*(b.Y-a.Y))/4
			switch bound := rest / (2 * side); {
			case side > 0:
				hi = min(hi, bound)
			case side < 0:
				lo = max(lo, bound)
			case rest < 0:
				t.Fatalf("%v lies on the edge from %v to %v", c, a, b)
			}
		}
		if lo > hi+1e-9 {
			t.Fatalf("no circle through %v and %v is empty", a, b)
		}
		if !left || !right {
			hull++
		}
		for _, f := range edges[:k] {
			c, d := p[f[0]], p[f[1]]
			if cross(a, b, c)*cross(a, b, d) < 0 && cross(c, d, a)*cross(c, d, b) < 0 {
				t.Fatalf("edges %v-%v and %v-%v cross", a, b, c, d)
			}
		}
	}
	want := len(p) - 1
	if !line {
		want = 3*len(p) - 3 - hull // of n points, h of them on the hull
	}
	if len(edges) != want {
		t.Fatalf("%d edges for %d points, expected %d", len(edges), len(p), want)
	}
}

func TestDefinition(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		size := rapid.SampledFrom([]int{2, 4, 50}).Draw(rt, "size")
		var p []Point
		for range rapid.IntRange(2, 25).Draw(rt, "points") {
			p = append(p, Point{float64(rapid.IntRange(0, size).Draw(rt, "x")), float64(rapid.IntRange(0, size).Draw(rt, "y"))})
		}
		if p = distinct(p); len(p) > 1 {
			check(rt, p, Edges(p))
		}
	})
}

// Grids, lines, circles and coordinates that differ in their last digit or are huge have many signs that rounding
// leaves open.
func TestDegenerate(t *testing.T) {
	for name, point := range map[string]func(i int) Point{
		"grid":   func(i int) Point { return Point{float64(i % 20), float64(i / 20)} },
		"line":   func(i int) Point { return Point{float64(i) * 0.1, float64(i) * 0.3} },
		"circle": func(i int) Point { return Point{math.Cos(float64(i)), math.Sin(float64(i))} },
		"close":  func(i int) Point { return Point{1 + float64(i%20)*0x1p-52, 1 + float64(i/20)*0x1p-52} },
		"huge":   func(i int) Point { return Point{float64(i%20) * 1e200, float64(i/20) * 1e200} },
	} {
		var p []Point
		for i := range 400 {
			p = append(p, point(i))
		}
		p = distinct(p)
		edges := Edges(p)
		degree := make([]int, len(p))
		for _, e := range edges {
			degree[e[0]]++
			degree[e[1]]++
		}
		if slices.Contains(degree, 0) || len(edges) > 3*len(p)-6 || len(edges) < len(p)-1 {
			t.Errorf("%s: %d edges for %d points", name, len(edges), len(p))
		}
		if want := 2*20*19 + 19*19; (name == "grid" || name == "close" || name == "huge") && len(edges) != want {
			t.Errorf("%s: %d edges, a grid of 20 x 20 has %d", name, len(edges), want)
		}
	}
}

// 30,000 points take 0.2 of the yardstick, a million 20 times it.
func BenchmarkEdges(b *testing.B) {
	for _, n := range []int{30_000, 1_000_000} {
		r := rand.New(rand.NewPCG(1, 2))
		p := make([]Point, n)
		for i := range p {
			p[i] = Point{r.Float64(), r.Float64()}
		}
		p = distinct(p)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Edges(p)
			}
			yardstick.Report(b)
		})
	}
}
