package bore_test

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
)

// BenchmarkFit ranks the values of records like Adult's, 14 attributes, six of them numbers in ten bins: a million take
// 1.0 times the yardstick.
func BenchmarkFit(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.AdultLike(b, rows)
			for b.Loop() {
				fit(b, t, 10)
			}
			yardstick.Report(b)
		})
	}
}

// BenchmarkStrongest finds the strongest 20 %: 6 times the yardstick.
func BenchmarkStrongest(b *testing.B) {
	t := protecttest.AdultLike(b, 1_000_000)
	m := fit(b, t, 10)
	for b.Loop() {
		m.Strongest(t, 20, protecttest.Seed(1))
	}
	yardstick.Report(b)
}
