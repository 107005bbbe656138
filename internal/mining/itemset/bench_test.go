package itemset

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// BenchmarkLCM counts all, closed and maximal itemsets, without reading. In yardsticks, on two cores, by the wall:
// T10I4D100K at 100 0.62, 0.86, 1.01; retail at 18 0.76, 1.13, 1.09; mushroom at 813 0.016, 0.017, 0.033, at 407 0.042,
// 0.054, 0.081; chess at 1,598 0.078, 0.12, 0.10; while others used the machine.
func BenchmarkLCM(b *testing.B) {
	for _, c := range []struct {
		file  string
		least int
	}{{"t10i4d100k/t10i4d100k.dat", 100}, {"retail/retail.dat", 18}, {"mushroom-transactions/mushroom.dat", 813},
		{"mushroom-transactions/mushroom.dat", 407}, {"chess/chess.dat", 1598}} {
		tr := fimi(b, c.file)
		for kind, name := range []string{"all", "closed", "maximal"} {
			b.Run(fmt.Sprintf("%s/%d/%s", c.file, c.least, name), func(b *testing.B) {
				for b.Loop() {
					must.Get(LCM(context.Background(), tr, Query{Least: c.least, Kind: Kind(kind)}))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
