package posterior

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
)

// TestPrefixes: what becomes known one by one is studied as by one matcher for each number of attributes, for all kinds
// of releases and intruders.
func TestPrefixes(t *testing.T) {
	studied, left := 0, 0
	long.Check(t, func(t *rapid.T) {
		r := drawRelease(t)
		view := drawIntruder(t, r.Original.Attrs(), !r.Paired || rapid.IntRange(0, 4).Draw(t, "unaware") > 0)
		o := *param.Default(&Options{})
		o.MinLeaf, o.Membership = 2, 0.3
		o.ClassFrom = rapid.SampledFrom([]string{FromLeaf, FromRecord}).Draw(t, "class from")
		trees := must.Get(Grow(context.Background(), r, view, o))(t)
		rows := upTo(r.Original.Rows())
		got, err := Prefixes(context.Background(), r, view, trees, o, measure.Targets{Rows: rows})
		if err != nil || len(got) != len(view.Known) {
			t.Fatalf("%d studies of %d attributes: %v", len(got), len(view.Known), err)
		}
		for k, s := range got {
			some := *view
			some.Known = view.Known[:k]
			m, err := Match(r, &some, trees, o)
			must.NoError(t, err)
			var unfit atomic.Bool
			one := &Study{H: make([]float64, len(rows)), Class: make([]float64, len(rows)*m.classes)}
			must.NoError(t, m.Each(context.Background(), rows, func(k int, b *Belief) {
				one.H[k] = b.Entropy()
				if b.Unfit {
					unfit.Store(true)
				}
				b.Classes(one.Class[k*m.classes : (k+1)*m.classes])
			}))
			if s == nil {
				left++
				continue
			}
			studied++
			if len(s.Class) != len(one.Class) || unfit.Load() {
				t.Fatalf("%d classes, expected %d", s.Classes, m.classes)
			}
			for i := range rows {
				if math.Abs(s.H[i]-one.H[i]) > 1e-8 {
					t.Fatalf("with %d known target %d has %v bits, expected %v", k, i, s.H[i], one.H[i])
				}
			}
			for i := range one.Class {
				if math.Abs(s.Class[i]-one.Class[i]) > 1e-8 {
					t.Fatalf("with %d known class %d has %v, expected %v", k, i, s.Class[i], one.Class[i])
				}
			}
		}
	})
	// Of 400 runs none had fewer than 2.3 studies for every one left.
	long.Drawn(t, studied >= left, "%d studies, and %d left to matchers", studied, left)
}
