package forests

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/table"
)

// adultLike resamples the records of Adult with jitter on the numeric columns: fnlwgt, capital gain and capital loss
// take many values.
func adultLike(b *testing.B, rows int) *table.Table {
	from, _, err := format.Read(context.Background(), dataset.File(b, "adult/adult.csv"), format.Options{})
	must.NoError(b, err)
	var whole []int
	for i := range from.Rows() {
		if complete(from, i) {
			whole = append(whole, i)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	pick := make([]int, rows)
	for i := range pick {
		pick[i] = whole[r.IntN(len(whole))]
	}
	to := from.Gather(pick)
	spread := map[string]float64{"fnlwgt": 20000, "capital_gain": 300, "capital_loss": 100, "age": 3, "hours_per_week": 2}
	for j := range to.Width() {
		v := slices.Clone(to.Num(j))
		for i := range v {
			if v[i] != 0 {
				v[i] = max(0, float64(int(v[i]+spread[to.Attr(j).Name]*(2*r.Float64()-1)+0.5)))
			}
		}
		if v != nil {
			to = to.WithNum(j, v)
		}
	}
	return to
}

func complete(t *table.Table, i int) bool {
	for j := range t.Width() {
		if t.MissingAt(i, j) {
			return false
		}
	}
	return true
}

func benchmarkForest(b *testing.B, trees int) {
	t := adultLike(b, 1_000_000)
	class := t.Find("income")
	l := SysForNew()
	l.Trees, l.MinLeaf = trees, 200
	for b.Loop() {
		f := must.Get(l.Grow(context.Background(), t, class))(b)
		b.ReportMetric(float64(len(f.Trees)), "trees")
	}
	yardstick.Report(b)
}

// BenchmarkSysForForest1M grows 3 trees on 1,000,000 x 14: 2.7 times BenchmarkTree1M, on one core and on two.
func BenchmarkSysForForest1M(b *testing.B) { benchmarkForest(b, 3) }

// BenchmarkSecondLevel1M grows 30 trees, most of them of the second level: 24 times BenchmarkTree1M.
func BenchmarkSecondLevel1M(b *testing.B) { benchmarkForest(b, 30) }

// BenchmarkTree1M is the yardstick: one tree of C4.5 on the same table.
func BenchmarkTree1M(b *testing.B) {
	t := adultLike(b, 1_000_000)
	l := c45.New()
	l.MinLeaf = 200
	for b.Loop() {
		must.Get(l.Grow(context.Background(), t, t.Find("income")))(b)
	}
	yardstick.Report(b)
}
