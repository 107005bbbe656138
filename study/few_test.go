package study

import (
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A number that fewer people have than a limit on k asks for is released between its neighbours, by every technique
// that takes numbers from the original; what is set by hand stays, and without a limit 5 people are enough.
func TestFewByTheLimit(t *testing.T) {
	const each = 7
	x, y, own := make([]float64, 100*each), make([]float64, 100*each), map[float64]bool{}
	for i := range x {
		x[i], y[i] = float64(i/each*1000), float64(i%100*1000)
		own[x[i]] = true
	}
	tab := tabletest.Must(table.NumColumn("x", 1, x), table.NumColumn("y", 1, y))
	for _, name := range []string{"shuffle", "rankswap", "cgadp", "rankswap-then-shuffle"} {
		m := must.Get(catalog.Method(name))(t)
		for _, try := range []struct {
			few    int
			common string
			moves  bool
		}{{0, "", false}, {each, "", false}, {each + 1, "", true}, {1000, "", true}, {each + 1, "5", false}} {
			q := Request{Table: tab, Method: m, Few: try.few, Seed: rng.SeedOf([32]byte{1}), Set: map[string]string{}}
			for _, p := range m.New().Params() {
				if _, own := stages.Split(p.Name); try.common != "" && own == "common" {
					q.Set[p.Name] = try.common
				}
			}
			p := must.Get(Protect(t.Context(), q))(t)
			moved := 0
			for _, v := range p.Released.Num(0) {
				if !own[v] {
					moved++
				}
			}
			if (moved > 100) != try.moves || !try.moves && moved > 0 {
				t.Errorf("%s, few %d, common %q: %d numbers are nobody's", name, try.few, try.common, moved)
			}
		}
	}
}
