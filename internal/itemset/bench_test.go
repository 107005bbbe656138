package itemset

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/yardstick"
)

// BenchmarkLCM counts all, closed and maximal itemsets, without reading. The best of seven, of processor time on a busy machine, in yardsticks of it: T10I4D100K at
// 100 1.3, 2.0, 2.3; retail at 18 1.7, 2.9, 3.0; mushroom at 407 0.16, 0.37, 0.50; chess at 1,598 0.28, 0.47, 0.33.
func BenchmarkLCM(b *testing.B) {
	for _, c := range []struct {
		file  string
		least int
	}{{"t10i4d100k/t10i4d100k.dat", 100}, {"retail/retail.dat", 18}, {"mushroom-transactions/mushroom.dat", 813}, {"mushroom-transactions/mushroom.dat", 407}, {"chess/chess.dat", 1598}} {
		tr := fimi(b, c.file)
		for kind, name := range []string{"all", "closed", "maximal"} {
			b.Run(fmt.Sprintf("%s/%d/%s", c.file, c.least, name), func(b *testing.B) {
				for b.Loop() {
					if _, err := LCM(context.Background(), tr, c.least, Kind(kind), nil); err != nil {
						b.Fatal(err)
					}
				}
				yardstick.Report(b)
			})
		}
	}
}
