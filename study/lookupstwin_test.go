package study

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// bestTwin weighs how every record agrees with what is known of a person.
func bestTwin(c *catalogue, i int) bool {
	agrees := make([]float64, len(c.own[0]))
	for k := range c.columns {
		for other, shown := range c.shown[k] {
			if v := c.own[k][i]; v >= 0 && shown == v {
				agrees[other] += c.weight[k][v]
			}
		}
	}
	for other, a := range agrees {
		if other != i && a >= agrees[i] {
			return false
		}
	}
	return true
}

// aloneTwin looks at every other record of the release as it is shown now.
func aloneTwin(c *catalogue, i int, kept []int) bool {
	for other := range c.shown[0] {
		same := other != i
		for _, k := range kept {
			same = same && c.shown[k][other] == c.own[k][i]
		}
		if same {
			return false
		}
	}
	return true
}

// TestBestTwin: anyone who is alone, or agrees best, is so as well once cells are blanked that the catalogue was made
// before.
func TestBestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n, width := rapid.IntRange(1, 12).Draw(r, "n"), rapid.IntRange(1, 4).Draw(r, "columns")
		draw := func(name string) *table.Table {
			var cols [][]float64
			for range width {
				value := rapid.SampledFrom([]float64{0, 1, 2, 3, math.NaN()})
				cols = append(cols, rapid.SliceOfN(value, n, n).Draw(r, name))
			}
			return tabletest.Of(r, tabletest.Numbers(0, cols...)...)
		}
		x, y := draw("original"), draw("released")
		for j := range width { // most values are kept
			v := append([]float64{}, y.Num(j)...)
			for i := range v {
				if rapid.IntRange(0, 3).Draw(r, "kept") > 0 {
					v[i] = x.Num(j)[i]
				}
			}
			y = y.WithNum(j, v)
		}
		who := intruder.Intruder{Name: "twin", Knows: []string{intruder.All}, Gaps: rapid.Bool().Draw(r, "gaps")}
		c := must.Get(newCatalogue(x, y, nil, &who))(r)
		for range 1 + rapid.IntRange(0, 2).Draw(r, "blanks") {
			for i := range n {
				kept := c.unchanged(i)
				if len(kept) == 0 {
					continue
				}
				if got, want := c.alone(i, kept, c.shown, c.ofShown, c.blanked), aloneTwin(c, i, kept); got != want {
					r.Fatalf("record %d is alone: %v, expected %v", i, got, want)
				}
				if got, want := c.best(i), bestTwin(c, i); got != want {
					r.Fatalf("record %d is the best: %v, expected %v", i, got, want)
				}
			}
			i := rapid.IntRange(0, n-1).Draw(r, "blanked")
			if kept := c.unchanged(i); len(kept) > 0 {
				c.show(kept[0], i, c.gap[kept[0]])
			}
		}
	})
}
