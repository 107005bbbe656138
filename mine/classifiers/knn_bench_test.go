package classifiers

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
)

// BenchmarkLeaveOneOut30k predicts each of 30,162 records of Adult, 14 attributes, from all others: 2 times the
// yardstick on two cores.
func BenchmarkLeaveOneOut30k(b *testing.B) {
	t := protecttest.AdultLike(b, 30_162)
	for b.Loop() {
		must.Get(KNNNew().LeaveOneOut(context.Background(), t))(b)
	}
	yardstick.Report(b)
}

// BenchmarkLeaveOneOutOverlap30k does by the number of differing attributes, numbers in ten bins: 15 times
// the yardstick, as many records are at one distance.
func BenchmarkLeaveOneOutOverlap30k(b *testing.B) {
	t := protecttest.AdultLike(b, 30_162)
	l := KNNNew()
	l.Distance = Overlap
	for b.Loop() {
		must.Get(l.LeaveOneOut(context.Background(), t))(b)
	}
	yardstick.Report(b)
}

// BenchmarkPredict30kOf1M predicts 30,162 records by 1,000,000: 1.8 times the yardstick.
func BenchmarkPredict30kOf1M(b *testing.B) {
	t := protecttest.AdultLike(b, 1_000_000)
	m := must.Get(KNNNew().Fit(context.Background(), t, rng.Source{}))(b)
	asked := t.Slice(0, 30_162)
	dst := make([]int32, asked.Rows())
	m.(*KNNModel).Predict(asked, dst) // the index
	for b.Loop() {
		m.(*KNNModel).Predict(asked, dst)
	}
	yardstick.Report(b)
}
