package framework

import (
	"testing"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// TestKernelOfNoise: a number in a leaf without moments gets noise, and its law is the noise's, not that nothing
// passes; the records with this law are those that the plan counts as noised or sparse, and those with shared moments
// where a column has too few values. A column that is not regenerated has no law.
func TestKernelOfNoise(t *testing.T) {
	tab := protecttest.Mixed(300)
	noised := 0
	for _, set := range []map[string]string{{"minLeaf": "2"}, {"minLeaf": "5"}, {"minLeaf": "60"}} {
		p := extFrameworkFit(t, tab, set)
		s := p.numbers()
		segment := &segment.Segment{}
		alone := map[int]bool{}
		for _, j := range s.columns {
			for row := range tab.Rows() {
				switch k, ok := noisemodel.At(s, j, segment, tab, row); k.(type) {
				case wrap.NoiseKernel:
					alone[row] = true
					if want, _ := noisemodel.At(s.noise(), j, segment, tab, row); k != want {
						t.Fatalf("%v: the law is %+v, expected %+v", set, k, want)
					}
				case noisemodel.Anew:
				default:
					t.Fatalf("%v: the law of a regenerated column is %T, %v", set, k, ok)
				}
			}
		}
		if least := p.Facts.Noised.Records + p.Facts.Sparse.Records; len(alone) < least ||
			len(alone) > least+p.Facts.Pooled.Records {
			t.Errorf("%v: %d records have noise for a law, expected %d, and %d at most that share moments", set, len(alone),
				least, p.Facts.Pooled.Records)
		}
		noised += len(alone)
		if k, ok := noisemodel.At(s, tab.Find("city"), segment, tab, 0); ok {
			t.Errorf("a category has the law %T", k)
		}
	}
	if noised == 0 {
		t.Error("no leaf gets noise, so nothing is tested")
	}
	few := extFrameworkFit(t, tab.Slice(0, 9), map[string]string{"minLeaf": "2"})
	s := few.numbers()
	if k, _ := noisemodel.At(s, s.columns[0], &segment.Segment{}, tab.Slice(0, 9), 0); k == (noisemodel.Anew{}) {
		t.Error("nine records have moments")
	}
	if k, ok := noisemodel.At(s, s.columns[0], &segment.Segment{}, new(table.Table), 0); !ok || k != (noisemodel.Anew{}) {
		t.Errorf("a table that does not fit: %T, %v", k, ok)
	}
}
