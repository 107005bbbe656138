package delaunay

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestColumns(t *testing.T) {
	id := table.NumColumn("id", 1, []float64{1})
	id.Role = table.Identifier
	tab := tabletest.Of(t, id, table.NumColumn("x", 1, []float64{1}), table.CatColumn("c", []string{"a"}, []int32{0}),
		table.NumColumn("y", 1, []float64{1}))
	for _, c := range []struct {
		names, want []string
	}{{nil, []string{"x", "y"}}, {[]string{"y", "x"}, []string{"y", "x"}}, {[]string{"x"}, nil}, {[]string{"x", "x"}, nil},
		{[]string{"x", "c"}, nil}, {[]string{"x", "z"}, nil},
		{[]string{"x", "y", "id"}, nil}} {
		cols, err := Columns(tab, c.names)
		var got []string
		for _, j := range cols {
			got = append(got, tab.Attr(j).Name)
		}
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%q: %q, error %v", c.names, got, err)
		}
	}
}

// Components are what a search along the kept edges reaches, and records keep the component of their point.
func TestComponents(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 15).Draw(rt, "records")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(rapid.IntRange(-1, 4).Draw(rt, "x")), float64(rapid.IntRange(0, 4).Draw(rt, "y"))
			if x[i] < 0 {
				x[i] = math.NaN()
			}
		}
		tab := tabletest.Of(rt, tabletest.Numbers(1, x, y)...)
		g := New(tab, []int{0, 1})
		for i, p := range g.Of {
			if (p < 0) != (x[i] != x[i]) || p >= 0 && (g.X[p] != x[i] || g.Y[p] != y[i]) {
				rt.Fatalf("record %d is point %d", i, p)
			}
		}
		kept := make([]bool, len(g.Edges))
		for k := range kept {
			kept[k] = rapid.Bool().Draw(rt, "kept")
		}
		of, components := g.Components(kept)
		for p := range of {
			reached := map[int32]bool{int32(p): true}
			for range of {
				for k, e := range g.Edges {
					if kept[k] && (reached[e[0]] || reached[e[1]]) {
						reached[e[0]], reached[e[1]] = true, true
					}
				}
			}
			for q := range of {
				if reached[int32(q)] != (of[p] == of[q]) {
					rt.Fatalf("points %d and %d are in components %d and %d", p, q, of[p], of[q])
				}
			}
		}
		smallest := rapid.IntRange(1, 3).Draw(rt, "smallest")
		m := g.Model(tab, kept, smallest, 1)
		size, left := make([]int, components), 0
		for _, p := range g.Of {
			if p >= 0 {
				size[of[p]]++
			}
		}
		for _, s := range size {
			if s >= smallest {
				left++
			}
		}
		if m.K != left {
			rt.Fatalf("%d clusters, expected %d", m.K, left)
		}
		for i, p := range g.Of {
			if (m.Label[i] >= 0) != (p >= 0 && size[of[p]] >= smallest) {
				rt.Fatalf("record %d has label %d", i, m.Label[i])
			}
		}
		again := make([]int32, n)
		m.Assign(tab, again)
		if !slices.Equal(again, m.Label) {
			rt.Fatalf("assigned %v, labels %v", again, m.Label)
		}
	})
}
