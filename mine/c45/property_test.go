package c45

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// drawTable draws a small table with ties, missing values, empty categories and a class in the last column.
func drawTable(t *rapid.T) *table.Table {
	rows := rapid.IntRange(1, 60).Draw(t, "rows")
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	gaps := rapid.SampledFrom([]float64{0, 0, 0.1, 0.4}).Draw(t, "missing")
	unit := func() float64 { return rapid.Float64Range(0, 1).Draw(t, "u") }
	var cols []table.Column
	for j := range rapid.IntRange(0, 5).Draw(t, "attributes") {
		name := "a" + strconv.Itoa(j)
		if rapid.Bool().Draw(t, "numeric") {
			scale := rapid.SampledFrom([]float64{1, 0.5, 1e-5, 0.7e-5, 1 / 3.0}).Draw(t, "scale")
			top := rapid.IntRange(0, 80).Draw(t, "top")
			v := make([]float64, rows)
			for i := range v {
				v[i] = float64(rapid.IntRange(-3, top).Draw(t, "v")) * scale
				if unit() < gaps {
					v[i] = math.NaN()
				}
			}
			cols = append(cols, table.NumColumn(name, rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "step"), v))
			continue
		}
		labels := rapid.SampledFrom([]int{1, 2, 3, 7, 300, 1500}).Draw(t, "labels")
		c := make([]int32, rows)
		for i := range c {
			c[i] = int32(rapid.IntRange(0, min(labels, 9)-1).Draw(t, "c")) * int32(labels/min(labels, 9))
			if unit() < gaps {
				c[i] = -1
			}
		}
		cols = append(cols, table.CatColumn(name, names(labels), c))
	}
	class := make([]int32, rows)
	for i := range class {
		class[i] = int32(rapid.IntRange(0, classes-1).Draw(t, "class"))
		if i > 0 && unit() < gaps/4 {
			class[i] = -1
		}
	}
	c := table.CatColumn("class", names(classes), class)
	c.Role = table.Class
	return tabletest.Of(t, append(cols, c)...)
}

func names(n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = strconv.Itoa(i)
	}
	return s
}

func drawLearner(t *rapid.T) *Learner {
	l := New()
	l.MinLeaf = rapid.IntRange(0, 5).Draw(t, "minLeaf")
	l.CF = rapid.SampledFrom([]float64{0.001, 5, 25, 60, 100}).Draw(t, "cf")
	l.MinGainRule = rapid.SampledFrom([]string{"avg", "c50"}).Draw(t, "rule")
	l.NoPrune = rapid.Bool().Draw(t, "noPrune")
	l.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
	return l
}

// The learner and its twin agree in every node, to the last bit of the counts.
func TestLikeTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, l := drawTable(t), drawLearner(t)
		class := tab.Width() - 1
		got := must.Get(l.Grow(context.Background(), tab, class))(t)
		want := growTwin(l, tab, class)
		if diff := cmp.Diff(want.Nodes, got.Nodes); diff != "" {
			t.Fatalf("twin -, learner +\n%s", diff)
		}
	})
}

// TestRaisedLikeTwin: where rules hold with exceptions and nothing is missing, branches take their parent's place, with
// few cases or with many besides their own; the learner and its twin agree on which do.
func TestRaisedLikeTwin(t *testing.T) {
	for k := range long.Of(150, 1000) {
		r := rand.New(rand.NewPCG(uint64(k), 7))
		rows := 20 + r.IntN(100)
		cols := make([]table.Column, 0, 5)
		codes := make([][]int32, 4)
		for j := range codes {
			n := 2 + r.IntN(3)
			codes[j] = make([]int32, rows)
			for i := range codes[j] {
				codes[j][i] = int32(float64(n) * math.Pow(r.Float64(), 2))
			}
			cols = append(cols, table.CatColumn("a"+strconv.Itoa(j), names(n), codes[j]))
		}
		class := make([]int32, rows)
		for i := range class {
			class[i] = min(codes[0][i]+codes[1][i]*codes[2][i], 1)
			if r.Float64() < 0.15 {
				class[i] = 1 - class[i]
			}
		}
		c := table.CatColumn("class", names(2), class)
		c.Role = table.Class
		tab, l := tabletest.Of(t, append(cols, c)...), New()
		l.MinLeaf, l.CF = 1+r.IntN(2), []float64{5, 25, 60}[r.IntN(3)]
		got := must.Get(l.Grow(t.Context(), tab, 4))(t)
		if diff := cmp.Diff(growTwin(l, tab, 4).Nodes, got.Nodes); diff != "" {
			t.Fatalf("table %d: twin -, learner +\n%s", k, diff)
		}
	}
}
