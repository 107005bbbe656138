package c45

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/table"
)

// adultLike resamples the records of Adult, the complete ones or all, with jitter on the numeric columns: fnlwgt,
// capital gain and capital loss take many values.
func adultLike(t testing.TB, rows int, complete bool) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	from := load(t, "adult/adult.csv", "income", complete)
	pick := make([]int, rows)
	for i := range pick {
		pick[i] = r.IntN(from.Rows())
	}
	to := from.Gather(pick)
	for j := range to.Width() {
		v := slices.Clone(to.Num(j))
		if v == nil {
			continue
		}
		spread := map[string]float64{"fnlwgt": 20000, "capital_gain": 300, "capital_loss": 100, "age": 3,
			"hours_per_week": 2}[to.Attr(j).Name]
		for i := range v {
			if v[i] != 0 {
				v[i] = max(0, float64(int(v[i]+spread*(2*r.Float64()-1)+0.5)))
			}
		}
		to = to.WithNum(j, v)
	}
	return to
}

func benchmarkGrow(b *testing.B, rows, minLeaf int, class string, complete bool) {
	t := adultLike(b, rows, complete)
	l := New()
	l.MinLeaf = minLeaf
	b.ReportAllocs()
	for b.Loop() {
		tr := must.Get(l.Grow(context.Background(), t, t.Find(class)))(b)
		b.ReportMetric(float64(len(tr.Nodes)), "nodes")
	}
	yardstick.Report(b)
}

// BenchmarkGrow30k: 0.08 times the yardstick on two cores.
func BenchmarkGrow30k(b *testing.B) { benchmarkGrow(b, 30_162, 200, "income", true) }

// BenchmarkGrow1M: 4 times the yardstick, 2,674 nodes.
func BenchmarkGrow1M(b *testing.B) { benchmarkGrow(b, 1_000_000, 200, "income", true) }

// BenchmarkGrow1MMissing, with values of three columns missing as in Adult: 10 times the yardstick.
func BenchmarkGrow1MMissing(b *testing.B) { benchmarkGrow(b, 1_000_000, 200, "income", false) }

// BenchmarkGrow1MClasses, 41 classes: 3.5 times the yardstick.
func BenchmarkGrow1MClasses(b *testing.B) { benchmarkGrow(b, 1_000_000, 200, "native_country", true) }

func benchmarkRoute(b *testing.B, minLeaf int) {
	t := adultLike(b, 1_000_000, true)
	l := New()
	l.MinLeaf = minLeaf
	tr := must.Get(l.Grow(context.Background(), t, t.Find("income")))(b)
	dst := make([]int32, t.Rows())
	for b.Loop() {
		tr.Route(t, dst)
	}
	yardstick.Report(b)
	b.ReportMetric(float64(len(tr.Leaves())), "leaves")
}

// BenchmarkRoute1M: 0.12 times the yardstick on one core; BenchmarkRoute1MDeep: 0.35 times.
func BenchmarkRoute1M(b *testing.B)     { benchmarkRoute(b, 6667) }
func BenchmarkRoute1MDeep(b *testing.B) { benchmarkRoute(b, 200) }
