package rulepreservation

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestEqualsTwin compares with the definition, which walks down every tree with every record and narrows the domains on
// the way.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		before, after := drawForest(t, "original"), drawForest(t, "released")
		records := edudsDrawTable(t, rapid.IntRange(0, 30).Draw(t, "rows"))
		for _, categories := range []string{Printed, Jaccard} {
			c := must.Get(EDUDSCompare(context.Background(), before, after, records, categories))(t)
			sum := 0.0
			for i, got := range c.Records() {
				want := edudsTwin(before, after, records, i, categories == Jaccard)
				sum += want
				if math.Abs(got-want) > 1e-12 {
					t.Fatalf("record %d: %v, expected %v", i, got, want)
				}
			}
			if n := records.Rows(); n > 0 && math.Abs(c.Mean()-sum/float64(n)) > 1e-12 {
				t.Fatalf("mean %v, expected %v", c.Mean(), sum/float64(n))
			}
			if same, err := EDUDSCompare(context.Background(), before, before, records, categories); err != nil ||
				same.Mean() != 1 {
				t.Fatalf("a forest has similarity %v with itself, %v", same.Mean(), err)
			}
		}
	})
}

// box is what the rules leave a record: limits by numeric, categories by categorical attribute.
type box struct {
	tested map[int]bool
	lo, hi map[int]float64
	codes  map[int]map[int32]bool
}

func boxOf(f *tree.Forest, records *table.Table, i int, attrs []table.Attribute) box {
	b := box{map[int]bool{}, map[int]float64{}, map[int]float64{}, map[int]map[int32]bool{}}
	for j, a := range attrs {
		b.lo[j], b.hi[j] = a.Domain.Lo, a.Domain.Hi
		b.codes[j] = map[int32]bool{}
		for c := range a.Labels {
			b.codes[j][int32(c)] = true
		}
	}
	for _, t := range f.Trees {
		for n := &t.Nodes[0]; !n.Leaf(); {
			b.tested[n.Attr] = true
			kid := n.Heavy
			if n.Branch == nil {
				if v := records.Num(n.Attr)[i]; v <= n.Cut {
					kid = 0
				} else if v > n.Cut {
					kid = 1
				}
				if kid == 0 {
					b.hi[n.Attr] = min(b.hi[n.Attr], n.Cut)
				} else {
					b.lo[n.Attr] = max(b.lo[n.Attr], n.Cut)
				}
			} else {
				if c := records.Cat(n.Attr)[i]; c >= 0 && n.Branch[c] >= 0 {
					kid = n.Branch[c]
				}
				for c, k := range n.Branch {
					if k != kid {
						delete(b.codes[n.Attr], int32(c))
					}
				}
			}
			n = &t.Nodes[n.Kids[kid]]
		}
	}
	return b
}

func edudsTwin(before, after *tree.Forest, records *table.Table, i int, jaccard bool) float64 {
	attrs := before.Attrs()
	x, y := boxOf(before, records, i, attrs), boxOf(after, records, i, attrs)
	k, sum := 0.0, 0.0
	for j, a := range attrs {
		size := a.Domain.Hi - a.Domain.Lo
		if !x.tested[j] && !y.tested[j] || a.Kind == table.Numeric && size == 0 {
			continue
		}
		k++
		switch {
		case a.Kind == table.Numeric:
			sum += min(1, (math.Abs(x.lo[j]-y.lo[j])+math.Abs(x.hi[j]-y.hi[j]))/size)
		case x.tested[j] != y.tested[j]:
			sum++
		case jaccard:
			both, either := 0.0, 0.0
			for c := range a.Labels {
				if x.codes[j][int32(c)] && y.codes[j][int32(c)] {
					both++
				}
				if x.codes[j][int32(c)] || y.codes[j][int32(c)] {
					either++
				}
			}
			if either > 0 {
				sum += 1 - both/either
			}
		}
	}
	if k == 0 {
		return 1
	}
	return 1 - sum/k
}

// edudsDrawTable returns two numeric and two categorical attributes and a class, some values missing.
func edudsDrawTable(t *rapid.T, n int) *table.Table {
	r := rng.New(
		[32]byte{byte(rapid.IntRange(0, 255).Draw(t, "seed")), byte(rapid.IntRange(0, 255).Draw(t, "seed"))},
	).Rand()
	missing := rapid.IntRange(0, 6).Draw(t, "missing")
	var x, y []float64
	var u, v, class []int32
	for range n {
		x, y = append(x, float64(r.IntN(8))), append(y, r.Float64())
		u, v, class = append(u, int32(r.IntN(2))), append(v, int32(r.IntN(4))), append(class, int32(r.IntN(3)))
		if i := len(x) - 1; r.IntN(20) < missing {
			x[i], v[i] = math.NaN(), -1
		}
	}
	cols := []table.Column{
		table.NumColumn("x", 1, x),
		table.NumColumn("y", 0, y),
		table.CatColumn("u", []string{"a", "b"}, u),
		table.CatColumn("v", []string{"a", "b", "c", "d"}, v),
		table.CatColumn("class", []string{"p", "q", "r"}, class),
	}
	cols[4].Role = table.Class
	return tabletest.Of(t, cols...)
}

// drawForest grows unpruned trees on random tables; their domains are those of the first.
func drawForest(t *rapid.T, name string) *tree.Forest {
	l := c45.New()
	l.NoPrune = true
	f := &tree.Forest{}
	for range rapid.IntRange(1, 3).Draw(t, name) {
		one := must.Get(l.Grow(context.Background(), edudsDrawTable(t, rapid.IntRange(4, 30).Draw(t, "records")), 4))(t)
		if len(f.Trees) > 0 {
			one.Attrs = f.Attrs()
		}
		f.Trees = append(f.Trees, one)
	}
	return f
}
