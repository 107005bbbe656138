package rulepreservation

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCriteria takes the measure by every criterion: identical tables give 1, others less.
func TestCriteria(t *testing.T) {
	for _, c := range []string{GainRatio, Gain, Gini} {
		for _, m := range []measure.Measure{EDUSC, EDUSCNorm} {
			meter := m.New()
			must.NoError(t, meter.Params().Apply(map[string]string{"criterion": c}))
			r := measuretest.Release(false)
			v, err := meter.Measure(context.Background(), r, rng.Source{})
			if err != nil || v.Score >= 1 || v.Score < 0.3 {
				t.Errorf("%s by %s: %v, %v", m.Name, c, v.Score, err)
			}
			r.Released = r.Original
			if v, err = meter.Measure(context.Background(), r, rng.Source{}); err != nil || v.Score != 1 {
				t.Errorf("%s by %s of identical tables: %v, %v", m.Name, c, v.Score, err)
			}
		}
	}
}

// TestMinSide has one record whose value alone would be the best cut.
func TestMinSide(t *testing.T) {
	tab := numbers(t, []float64{1, 2, 3, 4, 5, 6}, []int32{0, 1, 1, 1, 0, 1})
	leaf := tree.One(&tree.Tree{Attrs: tab.Attrs(), Class: 1, Nodes: []tree.Node{{Attr: -1, Counts: []float64{2, 4}}}})
	for side, want := range map[int]float64{
		1: 0.31668908831502096 / 0.6500224216483541, // cut at 1.5: 1:0 against 1:4
		3: 0,                                        // cut at 3.5: 1:2 against 1:2
		4: 0,                                        // no cut
	} {
		s := must.Get(Segments(context.Background(), leaf, tab, Options{Criterion: GainRatio, MinSide: side}))(t)
		if got := s[0][0].Strength[0]; math.Abs(got-want) > 1e-12 {
			t.Errorf("minSide %d: %v, expected %v", side, got, want)
		}
	}
}

func numbers(t testing.TB, x []float64, class []int32) *table.Table {
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	return tabletest.Of(t, table.NumColumn("x", 1, x), c)
}

// TestEmptyRelease forces a tree on no records: every strength is 0 there.
func TestEmptyRelease(t *testing.T) {
	r := measuretest.Release(false)
	r.Released, r.Paired = r.Released.Slice(0, 0), false
	v := must.Get(EDUSCNorm.New().Measure(context.Background(), r, rng.Source{}))(t)
	for _, a := range v.Detail.(EDUSCDetail).Attributes {
		if a.Released != 0 || math.Abs(a.Change-a.Original) > 1e-12 {
			t.Errorf("%+v", a)
		}
	}
}

// TestOrderIsFree gives the records in another order.
func TestOrderIsFree(t *testing.T) {
	r := measuretest.Release(true)
	first := must.Get(EDUSC.New().Measure(context.Background(), r, rng.Source{}))(t)
	back := make([]int, r.Released.Rows())
	for i := range back {
		back[i] = len(back) - 1 - i
	}
	turned := &measure.Release{Original: r.Original, Released: r.Released.Gather(back)}
	second, err := EDUSC.New().Measure(context.Background(), turned, rng.Source{})
	if err != nil || fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("%v and, in another order, %v, %v", first, second, err)
	}
}
