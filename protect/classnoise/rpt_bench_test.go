package classnoise

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
)

// 1,000,000 records in four leaves take 0.12 of the yardstick, in one leaf 0.12, in scattered order 0.33.
func BenchmarkRPTApply(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows)
		p := &RPTPlan{}
		p.Tree = protecttest.Tree(t)
		leaf := must.Get(p.Route(t))(b)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(p.ApplyLeaves(t, leaf, protecttest.Seed(1)))(b)
			}
			yardstick.Report(b)
		})
	}
}

// One leaf holds all records: the worst case of a permutation.
func BenchmarkOneLeaf(b *testing.B) {
	t := protecttest.Mixed(1_000_000)
	p := &RPTPlan{}
	p.Tree = protecttest.Tree(t)
	leaf := make([]int32, t.Rows())
	for b.Loop() {
		must.Get(p.ApplyLeaves(t, leaf, protecttest.Seed(1)))(b)
	}
	yardstick.Report(b)
}

// Records in another order, as after a shuffle: every key costs an AES call of its own.
func BenchmarkScattered(b *testing.B) {
	t := protecttest.Mixed(1_000_000)
	t = t.Gather(rand.New(rand.NewPCG(1, 2)).Perm(t.Rows()))
	p := &RPTPlan{}
	p.Tree = protecttest.Tree(t)
	leaf, _ := p.Route(t)
	for b.Loop() {
		must.Get(p.ApplyLeaves(t, leaf, protecttest.Seed(1)))(b)
	}
	yardstick.Report(b)
}
