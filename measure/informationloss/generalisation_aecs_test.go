package informationloss

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// aecsRelease returns a table of two quasi-identifiers and another column.
func aecsRelease(t rapid.TB, a, b []int32) *measure.Release {
	other := make([]float64, len(a))
	for i := range other {
		other[i] = float64(i)
	}
	cols := []table.Column{
		table.CatColumn("a", []string{"x", "y", "z"}, a),
		table.CatColumn("b", []string{"x", "y", "z"}, b),
		table.NumColumn("c", 1, other),
	}
	cols[0].Role, cols[1].Role = table.Quasi, table.Quasi
	tab := tabletest.Of(t, cols...)
	return &measure.Release{Original: tab, Released: tab, Paired: true}
}

func aecsScore(t rapid.TB, r *measure.Release) float64 {
	v := must.Get(AECS.New().Measure(context.Background(), r, rng.New([32]byte{1})))(t)
	return v.Score
}

// Classes of 3, 2 and 1, and two suppressed records (LeFevre, DeWitt & Ramakrishnan 2006, section 2.3).
func TestAECSWorkedOut(t *testing.T) {
	r := aecsRelease(t, []int32{0, 0, 0, 1, 1, -1, -1, 2}, []int32{0, 0, 0, 1, 1, -1, -1, -1})
	if got, want := aecsScore(t, r), 6.0/3/5; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, expected %v", got, want)
	}
	if got, want := aecsScore(t, aecsRelease(t, []int32{-1, -1}, []int32{-1, -1})), 2.0/5; got != want {
		t.Errorf("all suppressed: %v, expected %v", got, want)
	}
}

func TestAECSEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n)
		a, b := codes.Draw(t, "a"), codes.Draw(t, "b")
		sizes, void := map[[2]int32]float64{}, 0.0
		for i := range a {
			if k := [2]int32{a[i], b[i]}; k == [2]int32{-1, -1} {
				void++
			} else {
				sizes[k]++
			}
		}
		want := float64(n) / 5
		if len(sizes) > 0 {
			want = (float64(n) - void) / float64(len(sizes)) / 5
		}
		if got := aecsScore(t, aecsRelease(t, a, b)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, expected %v", got, want)
		}
	})
}
