package itemset

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/yardstick"
)

// BenchmarkLCM counts all, closed and maximal itemsets, without reading. In yardsticks, on two cores, by the wall: T10I4D100K at 100 0.64, 0.82, 0.95; retail at
// 18 0.66, 1.26, 1.20; mushroom at 813 0.034, 0.040, 0.047, at 407 0.052, 0.060, 0.11; chess at 1,598 0.11, 0.17, 0.12.
func BenchmarkLCM(b *testing.B) {
	for _, c := range []struct {
		file  string
		least int
	}{{"t10i4d100k/t10i4d100k.dat", 100}, {"retail/retail.dat", 18}, {"mushroom-transactions/mushroom.dat", 813}, {"mushroom-transactions/mushroom.dat", 407}, {"chess/chess.dat", 1598}} {
		tr := fimi(b, c.file)
		for kind, name := range []string{"all", "closed", "maximal"} {
			b.Run(fmt.Sprintf("%s/%d/%s", c.file, c.least, name), func(b *testing.B) {
				for b.Loop() {
					if _, err := LCM(context.Background(), tr, Query{Least: c.least, Kind: Kind(kind)}); err != nil {
						b.Fatal(err)
					}
				}
				yardstick.Report(b)
			})
		}
	}
}
