package learned

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// What is looked up of stretches is what the axes lose one by one, whatever the steps, the number of values and what is
// missing.
func TestStretches(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		const records = 60
		g := &game{Meter: New()}
		value := func(most int) float64 {
			if rapid.IntRange(0, 9).Draw(rt, "missing") == 0 {
				return math.NaN()
			}
			return float64(rapid.IntRange(0, most).Draw(rt, "value")) / 2
		}
		axes := rapid.IntRange(1, 9).Draw(rt, "axes")
		p := &people{rows: []int{0}}
		for range axes {
			a := axis{nominal: rapid.Bool().Draw(rt, "nominal"), differ: rapid.Float64Range(0, 9).Draw(rt, "differ"), absent: 1}
			most := rapid.SampledFrom([]int{1, 4, 40, 1000}).Draw(rt, "most")
			for range records {
				a.records = append(a.records, value(most))
			}
			g.axes = append(g.axes, a)
			lo := value(most)
			p.lo, p.hi = append(p.lo, lo), append(p.hi, lo+float64(rapid.IntRange(0, 1).Draw(rt, "wide")))
		}
		g.steps = []int{rapid.IntRange(1, axes).Draw(rt, "step"), axes}
		g.setStretches()
		tables, nears := map[metric][][]float64{}, make([]near, 1)
		for _, m := range metrics {
			for _, step := range g.steps {
				tables[m] = g.tables(tables[m], p, 0, m, step) // over those of the step before
				d := make([]float64, records)
				nears[0].again(farthest)
				g.compare(p, 0, []probe{{m, step}}, tables, d, 0, nears)
				for i, got := range d {
					want := 0.0
					for k := range step {
						want += g.axes[k].loss(m, g.axes[k].records[i], p.lo[k], p.hi[k])
					}
					if math.Abs(got-want) > 1e-9 {
						rt.Fatalf("record %d loses %v by %s on %d axes, expected %v", i, got, m, step, want)
					}
				}
			}
		}
	})
}
