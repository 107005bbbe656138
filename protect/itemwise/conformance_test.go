package itemwise

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// trials are tried on the tables of the suite with a column of sets.
var trials = protecttest.Trials{
	"mask":        {"all": with(), "named": with("columns", "purchases", "p", "0.7")},
	"emask":       {"all": with(), "named": with("columns", "purchases", "p", "0.7")},
	"cutandpaste": {"all": with(), "named": with("columns", "purchases", "most", "1", "rho", "0.05")},
	"selectasize": {"all": with(), "named": with("columns", "purchases", "gamma", "5", "operators", "2=0.1/0.2/0.3/0.5")},
}

// with returns options with pairs of a parameter and its value.
func with(pairs ...string) protecttest.Options {
	set := map[string]string{}
	for k := 0; k < len(pairs); k += 2 {
		set[pairs[k]] = pairs[k+1]
	}
	return protecttest.Options{Set: set, Baskets: true}
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }

// baskets returns records of which 3 in 10 have items 0, 1 and 2, the others one of all.
func baskets(t testing.TB, rows, labels int) *table.Table {
	sets, names := make([][]int32, rows), make([]string, labels)
	for i := range sets {
		sets[i] = []int32{int32(i * 7 % labels)}
		if i%10 < 3 {
			sets[i] = []int32{0, 1, 2}
		}
	}
	for k := range names {
		names[k] = fmt.Sprint("item ", k)
	}
	return tabletest.Of(t, table.SetColumn("bought", names, table.SetsOf(sets, nil)))
}

// size returns how many items a set has, items as bits.
func size(set int) int { return bits.OnesCount(uint(set)) }

// Baskets of 1.6 of 100 items: of 30k records and 1M mask takes 0.10 and 3.1 of the yardstick (they get ten items),
// emask 0.05 and 2.0 (four), cutandpaste 0.19 and 6.8 (21), selectasize 0.10 and 2.8 (7).
func BenchmarkRelease(b *testing.B) {
	protecttest.BenchFamily(b, Methods, func(b *testing.B, m protect.Method, rows int) {
		tab := baskets(b, rows, 100)
		p := must.Get(m.New().Fit(b.Context(), tab, protecttest.Seed(1)))(b)
		for b.Loop() {
			must.Get(executor.Run(b.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(b)
		}
		yardstick.Report(b)
	}, 30_000, 1_000_000)
}
