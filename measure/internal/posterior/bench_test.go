package posterior

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// released returns a release of a table by a technique, as study.WithPlan does.
func released(t testing.TB, tab *table.Table, m protect.Method, set map[string]string) *measure.Release {
	t.Helper()
	q := m.New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{1})))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{2}), protect.Options{}))(t)
	return planned(&measure.Release{Original: tab, Released: out, Paired: true}, p)
}

func planned(r *measure.Release, p protect.Plan) *measure.Release {
	r.Mechanisms = []noisemodel.Mechanism{p}
	if c, ok := p.(protect.Composite); ok {
		for _, s := range c.Steps() {
			r.Mechanisms = append(r.Mechanisms, s)
		}
	}
	if s, ok := p.(protect.Segmented); ok {
		r.Segments = s.Segmentation()
	}
	return r
}

// BenchmarkMatch prepares a release by the Framework: 0.24 of the yardstick on 30,162 records like Adult's,
// and 25 times it on a million.
func BenchmarkMatch(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			r, view, trees := prepared(b, rows)
			b.ReportAllocs()
			for b.Loop() {
				must.Get(Match(r, view, trees, options()))(b)
			}
			yardstick.Report(b)
		})
	}
}

// BenchmarkStudy looks for 1,000 of 30,162 persons, or 100 of a million, by 14 attributes: 2.8 times the yardstick on
// two cores, 8 ns a pair, and 22 times it.
func BenchmarkStudy(b *testing.B) {
	for _, c := range [][2]int{{30_162, 1000}, {1_000_000, 100}} {
		b.Run(fmt.Sprint(c[0]), func(b *testing.B) {
			r, view, trees := prepared(b, c[0])
			m := must.Get(Match(r, view, trees, options()))(b)
			rows := measure.Targets{Rows: measure.Drawn(c[0], c[1])}
			for b.Loop() {
				must.Get(m.Study(context.Background(), rows))(b)
			}
			yardstick.Report(b)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c[0]*c[1]), "ns/pair")
		})
	}
}

// BenchmarkExact looks for all of 30,162 persons among all: 75 times the yardstick on two cores.
func BenchmarkExact(b *testing.B) {
	r, view, trees := prepared(b, 30_162)
	for b.Loop() {
		m := must.Get(Match(r, view, trees, options()))(b)
		must.Get(m.Study(context.Background(), measure.Targets{Rows: upTo(30_162)}))(b)
	}
	yardstick.Report(b)
}

// prepared returns a release of records like Adult's by the Framework, with the trees of an intruder who knows
// everything but the class.
func prepared(b *testing.B, rows int) (*measure.Release, *intruder.View, Trees) {
	r := released(b, protecttest.AdultLike(b, rows), framework.Framework, nil)
	view := must.Get(r.View())(b)
	trees := must.Get(Grow(context.Background(), r, view, options()))(b)
	return r, view, trees
}
