package delaunay

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ mine.Clusterer = (*AUTOCLUSTModel)(nil)
	_ mine.Described = (*AUTOCLUSTModel)(nil)
)

func autoclustFit(t testing.TB, l *AUTOCLUSTLearner, tab *table.Table) *AUTOCLUSTModel {
	t.Helper()
	m := must.Get(mine.Fit(context.Background(), l, tab, rng.Source{}))(t)
	return m.(*AUTOCLUSTModel)
}

// autoclustTwin follows the three phases word by word; every mean is taken by going through all edges.
func autoclustTwin(g *Graph) []bool {
	ends := func(k int, p int32) bool { return g.Edges[k][0] == p || g.Edges[k][1] == p }
	moments := func(in func(k int) bool) (mean, sd float64) {
		n := 0.0
		for k := range g.Edges {
			if in(k) {
				mean, n = mean+g.Length[k], n+1
			}
		}
		mean /= n
		for k := range g.Edges {
			if in(k) {
				sd += (g.Length[k] - mean) * (g.Length[k] - mean) / n
			}
		}
		return mean, math.Sqrt(sd)
	}
	points := len(g.X)
	mean, usual := make([]float64, points), 0.0
	for p := range mean {
		m, sd := moments(func(k int) bool { return ends(k, int32(p)) })
		if mean[p] = m; sd == sd {
			usual += sd / float64(points)
		}
	}
	kept := make([]bool, len(g.Edges))
	for k, e := range g.Edges {
		a, b := g.Length[k]-mean[e[0]], g.Length[k]-mean[e[1]]
		kept[k] = math.Abs(a) <= usual+rounding*mean[e[0]] && math.Abs(b) <= usual+rounding*mean[e[1]]
	}
	of, _ := g.Components(kept)
	size := map[int32]int{}
	for _, p := range g.Of {
		if p >= 0 {
			size[of[p]]++
		}
	}
	second := slices.Clone(kept)
	for p := range int32(points) {
		best := int32(-1)
		for pass := range 2 {
			for k, e := range g.Edges {
				if !ends(k, p) || g.Length[k]-mean[p] >= -usual-rounding*mean[p] {
					continue
				}
				c := of[e[0]+e[1]-p]
				if pass == 0 && (best < 0 || size[c] > size[best] || size[c] == size[best] && c < best) {
					best = c
				}
				if pass == 1 && c == best {
					second[k] = true
				}
			}
		}
	}
	last := slices.Clone(second)
	for p := range int32(points) {
		near := map[int32]bool{p: true}
		for k, e := range g.Edges {
			if second[k] && ends(k, p) {
				near[e[0]], near[e[1]] = true, true
			}
		}
		m, _ := moments(func(k int) bool { return second[k] && (near[g.Edges[k][0]] || near[g.Edges[k][1]]) })
		for k := range g.Edges {
			if second[k] && ends(k, p) && g.Length[k] > m*(1+rounding)+usual {
				last[k] = false
			}
		}
	}
	return last
}

func TestAUTOCLUSTTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(rt, "records")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x { // coordinates of which no two mean lengths are nearly equal by chance
			x[i], y[i] = math.Sqrt(
				float64(rapid.IntRange(0, 400).Draw(rt, "x")),
			), math.Cbrt(float64(rapid.IntRange(0, 400).Draw(rt, "y")))
		}
		tab := tabletest.Of(rt, tabletest.Numbers(0, x, y)...)
		l := NewAUTOCLUST()
		l.Smallest = 1
		g := New(tab, []int{0, 1})
		want := g.Model(tab, autoclustTwin(g), 1, 0)
		if got := autoclustFit(t, l, tab); !slices.Equal(got.Labels(), want.Label) {
			rt.Fatalf("labels %v, expected %v", got.Labels(), want.Label)
		}
	})
}

// Three towns, one of them a ring that no centre describes, are found, and who lives alone is an outlier.
func TestAUTOCLUSTPlanted(t *testing.T) {
	m := autoclustFit(t, NewAUTOCLUST(), minetest.Towns(1500))
	minetest.FindsTowns(t, m)
	if text := m.Text(); !strings.HasPrefix(text, "AUTOCLUST: ") || !strings.Contains(text, "records, a ") {
		t.Error(text)
	}
}

// On a line of equal steps, and on a grid, no edge is long or short but for the diagonals: one cluster.
func TestEqualSteps(t *testing.T) {
	x, y := make([]float64, 400), make([]float64, 400)
	for i := range x {
		x[i] = 0.1 * float64(i)
	}
	if m := autoclustFit(t, NewAUTOCLUST(), tabletest.Of(t, tabletest.Numbers(0, x, y)...)); m.Clusters() != 1 ||
		slices.Contains(m.Labels(), -1) {
		t.Errorf("a line is %d clusters", m.Clusters())
	}
}

// 30,000 points take 0.7 of the yardstick, 300,000 8 times it.
func BenchmarkAUTOCLUSTFit(b *testing.B) {
	for _, rows := range []int{30_000, 300_000} {
		tab := minetest.Towns(rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				autoclustFit(b, NewAUTOCLUST(), tab)
			}
			yardstick.Report(b)
		})
	}
}
