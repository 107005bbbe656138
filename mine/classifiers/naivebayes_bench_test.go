package classifiers

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// On 1,000,000 records of 14 attributes like Adult's and two cores, fitting takes 0.7 times the yardstick, with bins
// 1.2 times it, and predicting two classes 0.3 times it.
func BenchmarkFit30k(b *testing.B)              { benchFit(b, 30_162, Gaussian) }
func BenchmarkFit1M(b *testing.B)               { benchFit(b, 1_000_000, Gaussian) }
func BenchmarkFitBins1M(b *testing.B)           { benchFit(b, 1_000_000, Bins) }
func BenchmarkPredict30k(b *testing.B)          { benchPredict(b, 30_162) }
func BenchmarkNaiveBayesPredict1M(b *testing.B) { benchPredict(b, 1_000_000) }

func benchFit(b *testing.B, rows int, numeric string) {
	t := protecttest.AdultLike(b, rows)
	l := NaiveBayesNew()
	l.Numeric = numeric
	for b.Loop() {
		must.Get(l.Fit(context.Background(), t, rng.Source{}))(b)
	}
	yardstick.Report(b)
}

func benchPredict(b *testing.B, rows int) {
	t := protecttest.AdultLike(b, rows)
	m, dst := bayesFit(b, NaiveBayesNew(), t), make([]int32, rows)
	for b.Loop() {
		m.Predict(t, dst)
	}
	yardstick.Report(b)
}
