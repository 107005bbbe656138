package boosting_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure/internal/boosting"
)

// Two classes of 16,000 rows and 14 columns, as the trees that attack Adult: some 0.6 sorts of a million numbers.
func BenchmarkClasses(b *testing.B) {
	const n = 16_000
	r := rand.New(rand.NewPCG(1, 1))
	c := &boosting.Columns{}
	for j := range 14 {
		count, bins := []int{65, 8, 3, 41, 16, 5}[j%6], make([]uint8, n)
		for i := range bins {
			bins[i] = uint8(r.IntN(count))
		}
		c.Bins, c.Count, c.Nominal = append(c.Bins, bins), append(c.Count, count), append(c.Nominal, j%2 == 1)
	}
	y := make([]int32, n)
	for i := range y {
		if c.Bins[0][i] > 40 != (c.Bins[1][i] < 2) || r.IntN(4) == 0 {
			y[i] = 1
		}
	}
	for b.Loop() {
		must.Get(boosting.Classes(context.Background(), c, all(n), y, 2, boosting.Defaults))(b)
	}
	yardstick.Report(b)
}
