package execute_test

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/protecttest"
)

// BenchmarkPlan is a release of a million records by LINNAPT, and what it is made of: the plan applied by itself, and
// the hash that its noise is keyed by.
func BenchmarkPlan(b *testing.B) {
	ctx, t := context.Background(), protecttest.Mixed(1_000_000)
	p := must.Get(protect.Fit(ctx, leafnoise.Innocent.New(), t, protecttest.Seed(1)))(b)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"apply", func() error { _, err := executor.Run(ctx, p, t, protecttest.Seed(2), protect.Options{}); return err }},
		{"key", func() error { _, err := noisekey.Of(p, t); return err }},
		{"kept", func() error {
			_, err := execute.Plan(ctx, p, t, protecttest.Seed(2), execute.Options{KeepOrder: true})
			return err
		}},
		{"shuffled", func() error { _, err := execute.Plan(ctx, p, t, protecttest.Seed(2), execute.Options{}); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				must.NoError(b, c.run())
			}
		})
	}
}
