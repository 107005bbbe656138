package noisekey_test

import (
	"crypto/sha256"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// The parts of a table, one after the other, have the hash of the whole; a value, a label or a name more has another.
func TestParts(t *testing.T) {
	whole := sample(t, "a", "x", 3)
	want := must.Get(noisekey.Of("plan", whole))(t)
	sums := make([][noisekey.Size]byte, whole.Width())
	for j := range sums {
		h := sha256.New()
		must.NoError(t, noisekey.Head(h, whole.Attr(j)))
		for _, cut := range [][2]int{{0, 1}, {1, 1}, {1, 5}} {
			c := whole.Slice(cut[0], cut[1]).Column(j)
			c.Hash(h)
		}
		h.Sum(sums[j][:0])
	}
	if got, err := noisekey.Join("plan", sums); got != want || err != nil {
		t.Errorf("the parts have the hash %s, the whole %s (%v)", got, want, err)
	}
	if got, _ := noisekey.Join("other", sums); got == want {
		t.Error("another plan has the same hash")
	}
	for _, other := range []*table.Table{sample(t, "b", "x", 3), sample(t, "a", "y", 3), sample(t, "a", "x", 4)} {
		if got, _ := noisekey.Of("plan", other); got == want {
			t.Error("another table has the same hash")
		}
	}
}

func sample(t *testing.T, name, label string, v float64) *table.Table {
	t.Helper()
	out := must.Get(table.New(table.NumColumn(name, 1, []float64{1, 2, v, math.NaN(), 5}),
		table.CatColumn("c", []string{label, "z"}, []int32{0, 1, -1, 0, 1})))(t)
	return out
}
