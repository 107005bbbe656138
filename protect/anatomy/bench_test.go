package anatomy

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// Records like Adult's with occupation as the sensitive column, l = 7; a fit only counts.
func BenchmarkApply(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			t := protecttest.AdultLike(b, rows)
			q := New()
			q.L, q.Column = 7, []string{"occupation"}
			p := must.Get(q.Fit(b.Context(), t, protecttest.Seed(1)))(b)
			b.ReportAllocs()
			for b.Loop() {
				must.Get(executor.Run(context.Background(), p, t, protecttest.Seed(2), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
