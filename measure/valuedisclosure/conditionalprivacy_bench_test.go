package valuedisclosure

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkConditionalPrivacyMeasure looks at the 15 attributes of Adult, released by the Framework, by the plan's laws
// and by the pairs alone. With 30,162 rows it takes 9 and 0.6 of the yardstick on two cores, most of the former for the
// laws of CAPT, with 1,000,000 38 and 27.
func BenchmarkConditionalPrivacyMeasure(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		tab := protecttest.AdultLike(b, rows)
		plan := must.Get(framework.NewFramework().Fit(context.Background(), tab, rng.New([32]byte{1})))(b)
		released := must.Get(executor.Run(context.Background(), plan, tab, rng.New([32]byte{2}), protect.Options{}))(b)
		with, without := paired(tab, released), paired(tab, released)
		with.Segments = plan.(protect.Segmented).Segmentation()
		with.Mechanisms = []noisemodel.Mechanism{plan}
		for _, s := range plan.(protect.Composite).Steps() {
			with.Mechanisms = append(with.Mechanisms, s)
		}
		for name, r := range map[string]*measure.Release{"laws": with, "pairs": without} {
			b.Run(fmt.Sprint(rows, " ", name), func(b *testing.B) {
				for b.Loop() {
					v := must.Get(param.Default(&ConditionalPrivacyMeter{}).Measure(context.Background(), r, rng.Source{}))(b)
					_ = v
				}
				yardstick.Report(b)
			})
		}
	}
}
