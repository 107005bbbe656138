package additivenoise

import (
	"maps"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// trials are tried with everything that can become of values outside their domain.
var trials = protecttest.Trials{
	"sadp":            outside(protecttest.Options{}),
	"traub":           outside(protecttest.Options{Set: bound}),
	"correlatednoise": outside(protecttest.Options{Joint: true}),
	"kim":             outside(protecttest.Options{Joint: true}),
	"tendickmatloff":  outside(protecttest.Options{Joint: true}),
}

// bound allows noise of a quarter of the variance.
var bound = map[string]string{"records": "4", "error": "0.5", "chance": "0.25"}

func outside(opt protecttest.Options) map[string]protecttest.Options {
	out := map[string]protecttest.Options{}
	for _, to := range []string{fence.OutsideAllow, fence.OutsideClip, fence.OutsideRedraw} {
		one := opt
		one.Set = map[string]string{"outside": to}
		maps.Copy(one.Set, opt.Set)
		out[to] = one
	}
	return out
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }

// Fit and release of six columns: 1M records take 0.7 to 0.9 of the yardstick, 30k records 0.035.
func BenchmarkRelease(b *testing.B) {
	protecttest.BenchFamily(b, Methods, func(b *testing.B, m protect.Method, rows int) {
		t := protecttest.AdultLike(b, rows)
		for b.Loop() {
			p := must.Get(m.New().Fit(b.Context(), t, rng.New([32]byte{1})))(b)
			must.Get(executor.Run(b.Context(), p, t, rng.New([32]byte{2}), protect.Options{}))(b)
		}
		yardstick.Report(b)
	}, 30_000, 1_000_000)
}
