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
	_ mine.Clusterer = (*AMOEBAModel)(nil)
	_ mine.Described = (*AMOEBAModel)(nil)
)

func amoebaFit(t testing.TB, l *AMOEBALearner, tab *table.Table) *AMOEBAModel {
	t.Helper()
	m := must.Get(mine.Fit(context.Background(), l, tab, rng.Source{}))(t)
	return m.(*AMOEBAModel)
}

// amoebaTwin takes out the long edges level by level, by the definition: every mean is taken by going through all
// edges.
func amoebaTwin(g *Graph, levels int) []bool {
	kept := make([]bool, len(g.Edges))
	for k := range kept {
		kept[k] = true
	}
	for range levels {
		of, _ := g.Components(kept)
		after := slices.Clone(kept)
		for k, e := range g.Edges {
			if !kept[k] {
				continue
			}
			global, n := 0.0, 0.0
			for j, f := range g.Edges {
				if kept[j] && of[f[0]] == of[e[0]] {
					global, n = global+g.Length[j], n+1
				}
			}
			global /= n
			for _, p := range e {
				local, n := 0.0, 0.0
				for j, f := range g.Edges {
					if kept[j] && (f[0] == p || f[1] == p) {
						local, n = local+g.Length[j], n+1
					}
				}
				if local /= n; g.Length[k] >= global*global/local*(1+1e-12) {
					after[k] = false
				}
			}
		}
		kept = after
	}
	return kept
}

func TestAMOEBATwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(rt, "records")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x { // coordinates of which no two mean lengths are nearly equal by chance
			x[i], y[i] = math.Sqrt(
				float64(rapid.IntRange(0, 400).Draw(rt, "x")),
			), math.Cbrt(float64(rapid.IntRange(0, 400).Draw(rt, "y")))
		}
		tab := tabletest.Of(rt, tabletest.Numbers(0, x, y)...)
		l := NewAMOEBA()
		l.Levels, l.Smallest = rapid.IntRange(1, 3).Draw(rt, "levels"), 1
		g := New(tab, []int{0, 1})
		want := g.Model(tab, amoebaTwin(g, l.Levels), 1, 0)
		if got := amoebaFit(t, l, tab); !slices.Equal(got.Labels(), want.Label) {
			rt.Fatalf("labels %v, expected %v", got.Labels(), want.Label)
		}
	})
}

// Three towns, one of them a ring that no centre describes, are found, and who lives alone is an outlier.
func TestAMOEBAPlanted(t *testing.T) {
	m := amoebaFit(t, NewAMOEBA(), minetest.Towns(1500))
	minetest.FindsTowns(t, m)
	if text := m.Text(); !strings.HasPrefix(text, "AMOEBA: ") || !strings.Contains(text, "records, a ") {
		t.Error(text)
	}
}

// 30,000 points take 0.7 of the yardstick, 300,000 6 times it.
func BenchmarkAMOEBAFit(b *testing.B) {
	for _, rows := range []int{30_000, 300_000} {
		tab := minetest.Towns(rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				amoebaFit(b, NewAMOEBA(), tab)
			}
			yardstick.Report(b)
		})
	}
}
