package hidingeffects

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestReadings: one item gone, one added, one exchanged between two records, and one that may be there.
func TestDissimilarityReadings(t *testing.T) {
	labels := []string{"a", "b", "c"}
	before := tabletest.Of(t, table.SetColumn("s", labels, table.SetsOf([][]int32{{0, 1}, {0}, {1}, {2}}, nil)))
	for _, c := range []struct {
		what                     string
		present, unknown         [][]int32
		histogram, size, content float64
	}{
		{"same", [][]int32{{0, 1}, {0}, {1}, {2}}, nil, 0, 0, 0},
		{"gone", [][]int32{{0}, {0}, {1}, {2}}, nil, 1. / 5, 1. / 5, 1. / 12},
		{"added", [][]int32{{0, 1}, {0}, {1}, {1, 2}}, nil, 1. / 5, -1. / 5, 1. / 12},
		{"exchanged", [][]int32{{0, 1}, {1}, {0}, {2}}, nil, 0, 0, 4. / 12},
		{"may be there", [][]int32{{0}, {0}, {1}, {2}}, [][]int32{{1}, {}, {}, {}}, 0.5 / 5, 0.5 / 5, 1. / 12},
		{"may be there besides", [][]int32{{0, 1}, {0}, {1}, {2}}, [][]int32{{}, {}, {}, {0}}, 0.5 / 5, -0.5 / 5, 1. / 12},
	} {
		after := tabletest.Of(t, table.SetColumn("s", labels, table.SetsOf(c.present, c.unknown)))
		v := must.Get(Dissimilarity.New().Measure(context.Background(),
			&measure.Release{Original: before, Released: after, Paired: true}, rng.Source{}))(t)
		for k, want := range []float64{c.histogram, c.size, c.content} {
			if got := v.Parts[k]; math.Abs(got.Score-want) > 1e-12 {
				t.Errorf("%s: %s is %v, expected %v", c.what, got.Name, got.Score, want)
			}
		}
		if v.Score != v.Parts[0].Score {
			t.Errorf("%s: the score is %v", c.what, v.Score)
		}
	}
}
