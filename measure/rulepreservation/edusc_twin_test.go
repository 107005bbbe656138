package rulepreservation

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// TestSegmentsEqualTwin compares with the definition, node by node and attribute by attribute, with missing values.
func TestSegmentsEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		train, tab := eduscDrawTable(t, 30), eduscDrawTable(t, rapid.IntRange(0, 40).Draw(t, "rows"))
		train = train.WithCat(4, append([]int32{0}, train.Cat(4)[1:]...)) // a tree needs a record with a class
		l := c45.New()
		l.MinLeaf, l.NoPrune = 1, true
		grown := must.Get(l.Grow(context.Background(), train, 4))(t)
		o := Options{Criterion: rapid.SampledFrom([]string{GainRatio, Gain, Gini}).Draw(t, "criterion"), MinSide: 1}
		got := must.Get(Segments(context.Background(), tree.One(grown), tab, o))(t)
		for node, rows := range members(grown, tab) {
			if s := got[0][node]; s.Records != len(rows) {
				t.Fatalf("node %d has %d records, expected %d", node, s.Records, len(rows))
			}
			for a := range 4 {
				if g, want := got[0][node].Strength[a], eduscTwin(tab, a, rows, o.Criterion); math.Abs(g-want) > 1e-9 {
					t.Fatalf("node %d, attribute %d: %v, expected %v", node, a, g, want)
				}
			}
		}
	})
}

// eduscDrawTable returns two numeric and two categorical attributes and a class of three values, a tenth of all
// missing.
func eduscDrawTable(t *rapid.T, n int) *table.Table {
	num := rapid.Custom(func(t *rapid.T) float64 {
		if rapid.IntRange(0, 9).Draw(t, "missing") == 9 {
			return math.NaN()
		}
		return float64(rapid.IntRange(0, 7).Draw(t, "value"))
	})
	cat := func(labels int32) []int32 {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int32 {
			if rapid.IntRange(0, 9).Draw(t, "missing") == 9 {
				return -1
			}
			return rapid.Int32Range(0, labels-1).Draw(t, "code")
		}), n, n).Draw(t, "codes")
	}
	tab := must.Get(table.New(table.NumColumn("x", 1, rapid.SliceOfN(num, n, n).Draw(t, "x")),
		table.NumColumn("y", 1, rapid.SliceOfN(num, n, n).Draw(t, "y")), table.CatColumn("u", []string{"a", "b"}, cat(2)),
		table.CatColumn("v", []string{"a", "b", "c", "d"}, cat(4)),
		table.CatColumn("class", []string{"p", "q", "r"}, cat(3))))(t)
	return tab.WithAttr(4,
		table.Attribute{Name: "class", Kind: table.Categorical, Role: table.Class, Labels: []string{"p", "q", "r"}})
}

// members lists, by node, the records with a class that reach it.
func members(t *tree.Tree, tab *table.Table) [][]int {
	out := make([][]int, len(t.Nodes))
	for i := range tab.Rows() {
		if tab.Cat(t.Class)[i] < 0 {
			continue
		}
		at := int32(0)
		for {
			out[at] = append(out[at], i)
			n := &t.Nodes[at]
			if n.Leaf() {
				break
			}
			kid := n.Heavy
			if n.Branch == nil {
				if v := tab.Num(n.Attr)[i]; v <= n.Cut {
					kid = 0
				} else if v > n.Cut {
					kid = 1
				}
			} else if c := tab.Cat(n.Attr)[i]; c >= 0 && n.Branch[c] >= 0 {
				kid = n.Branch[c]
			}
			at = n.Kids[kid]
		}
	}
	return out
}

// eduscTwin measures one attribute among some records.
func eduscTwin(tab *table.Table, a int, rows []int, by string) float64 {
	var values []float64
	var classes []int32
	for _, i := range rows {
		if !tab.MissingAt(i, a) {
			v := 0.0
			if tab.Attr(a).Kind == table.Numeric {
				v = tab.Num(a)[i]
			} else {
				v = float64(tab.Cat(a)[i])
			}
			values, classes = append(values, v), append(classes, tab.Cat(4)[i])
		}
	}
	var best [][]float64
	if tab.Attr(a).Kind == table.Categorical {
		best = branches(values, classes, func(v float64) int { return int(v) })
	} else {
		most := math.Inf(-1)
		for cut := 0.5; cut < 7; cut++ {
			b := branches(values, classes, func(v float64) int {
				if v <= cut {
					return 0
				}
				return 1
			})
			if len(b) < 2 {
				continue
			}
			gain := criterion.Of(b).Gain
			if by == Gini {
				gain = giniOf(b)
			}
			if gain > most+1e-12 {
				most, best = gain, b
			}
		}
	}
	if len(best) < 2 {
		return 0
	}
	share := float64(len(values)) / float64(len(rows))
	s := criterion.Of(best)
	switch by {
	case Gini:
		return share * giniOf(best) / (1 - 1./3)
	case Gain:
		return share * s.Gain / math.Log2(3)
	}
	sizes := []float64{float64(len(rows) - len(values))}
	for _, b := range best {
		sizes = append(sizes, b[0]+b[1]+b[2])
	}
	return share * s.Gain / criterion.Entropy(sizes)
}

// branches counts classes by branch, without the empty ones.
func branches(values []float64, classes []int32, branch func(float64) int) [][]float64 {
	var all [4][]float64
	for i, v := range values {
		b := branch(v)
		if all[b] == nil {
			all[b] = make([]float64, 3)
		}
		all[b][classes[i]]++
	}
	var out [][]float64
	for _, b := range all {
		if b != nil {
			out = append(out, b)
		}
	}
	return out
}

// giniOf is the Gini index of the whole minus the mean one of the branches.
func giniOf(b [][]float64) float64 {
	gini := func(p []float64) float64 {
		n := p[0] + p[1] + p[2]
		return 1 - (p[0]*p[0]+p[1]*p[1]+p[2]*p[2])/(n*n)
	}
	all, n, within := make([]float64, 3), 0.0, 0.0
	for _, p := range b {
		m := p[0] + p[1] + p[2]
		n += m
		within += m * gini(p)
		for c := range p {
			all[c] += p[c]
		}
	}
	return gini(all) - within/n
}
