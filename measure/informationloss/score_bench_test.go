package informationloss

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// On 30,162 records like Adult's with 7 attributes known, numbers moved by a little, it takes 2.8 times the yardstick,
// on a million 53 times.
func BenchmarkAdult30k(b *testing.B) { bench(b, 30_162) }
func BenchmarkAdult1M(b *testing.B)  { bench(b, 1_000_000) }
func bench(b *testing.B, rows int) {
	t := protecttest.AdultLike(b, rows)
	released := t
	for j := range t.Width() {
		if t.Num(j) != nil {
			released = released.WithNum(j, moved(t.Select(j), 5).Num(0))
		}
	}
	r := &measure.Release{Original: t, Released: released, Paired: true}
	for b.Loop() {
		must.Get(Score.New().Measure(context.Background(), r, rng.Source{}))(b)
	}
	yardstick.Report(b)
}
