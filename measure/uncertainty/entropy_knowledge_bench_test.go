package uncertainty

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkAdult takes the curve of 100 persons and 14 attributes on a release by the Framework: with 30,162 records
// 2.7 times the yardstick (half of the processor time on two cores); it was 8 times it with a product for each number
// of attributes. With a million it takes 70 times.
func BenchmarkAdult(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			kept := protected(b, protecttest.AdultLike(b, rows))
			for b.Loop() {
				r := *kept // a release of its own, for it remembers
				must.Get(Knowledge.New().Measure(context.Background(), &r, rng.New([32]byte{3})))(b)
			}
			yardstick.Report(b)
		})
	}
}
