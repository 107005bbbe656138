package informationloss

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// cmOf measures a release of two quasi-identifiers and a class.
func cmOf(t rapid.TB, a, b, class []int32) (measure.Value, error) {
	labels := []string{"x", "y", "z"}
	cols := []table.Column{table.CatColumn("a", labels, a), table.CatColumn("b", labels, b),
		table.CatColumn("class", labels, class)}
	cols[0].Role, cols[1].Role, cols[2].Role = table.Quasi, table.Quasi, table.Class
	tab := tabletest.Of(t, cols...)
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	return CM.New().Measure(context.Background(), r, rng.Source{})
}

// Of ten records two are suppressed; the groups are {x, x, y}, {x, y}, {z, -} and {y}: 2 + 1 + 1 + 1 + 0 errors
// (Iyengar 2002, section 3).
func TestCMWorkedOut(t *testing.T) {
	v, err := cmOf(t, []int32{0, 0, 0, 1, 1, 2, 2, -1, -1, 0}, []int32{0, 0, 0, 1, 1, 2, 2, -1, -1, -1},
		[]int32{0, 0, 1, 0, 1, 2, -1, 0, 0, 1})
	if err != nil || math.Abs(v.Score-0.5) > 1e-12 || v.Parts[0].Score != 0.2 || math.Abs(v.Parts[1].Score-0.3) > 1e-12 {
		t.Errorf("%+v, error %v, expected 0.2 + 0.3", v, err)
	}
}

// TestCMEqualsTwin counts the errors record by record.
func TestCMEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(1, 30).Draw(r, "rows")
		codes := func(name string) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(-1, 2), rows, rows).Draw(r, name)
		}
		a, b, class := codes("a"), codes("b"), codes("class")
		v := must.Get(cmOf(r, a, b, class))(r)
		votes := map[string]float64{}
		for i := range rows {
			votes[fmt.Sprint(a[i], b[i], class[i])]++
		}
		right := 0.0
		for x := int32(-1); x < 3; x++ {
			for y := int32(-1); y < 3; y++ {
				if x >= 0 || y >= 0 {
					right += max(votes[fmt.Sprint(x, y, 0)], votes[fmt.Sprint(x, y, 1)], votes[fmt.Sprint(x, y, 2)])
				}
			}
		}
		if want := 1 - right/float64(rows); math.Abs(v.Score-want) > 1e-12 {
			r.Fatalf("%v, expected %v", v.Score, want)
		}
	})
}

// Without a class there is nothing to part.
func TestCMNeedsAClass(t *testing.T) {
	r := discernibilityRelease(t, []int32{0, 1}, []int32{0, 1})
	if _, err := CM.New().Measure(t.Context(), r, rng.Source{}); err == nil || !strings.Contains(err.Error(), "class") {
		t.Errorf("error %v", err)
	}
}
