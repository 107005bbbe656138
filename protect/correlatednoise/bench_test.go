package correlatednoise

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Fit and release of six columns: 1M records take 0.7 of the yardstick, 30k records 0.035.
func BenchmarkRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		whole := protecttest.AdultLike(b, size.rows)
		var numeric []int
		for j := range whole.Width() {
			if whole.Attr(j).Kind == table.Numeric {
				numeric = append(numeric, j)
			}
		}
		t := whole.Select(numeric...)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				p, err := New().Fit(context.Background(), t, rng.New([32]byte{1}))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := executor.Run(context.Background(), p, t, rng.New([32]byte{2}), protect.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			yardstick.Report(b)
		})
	}
}
