package table

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// drawKinds returns a column of every kind.
func drawKinds(t *rapid.T, rows int) []Column {
	num, cat := make([]float64, rows), make([]int32, rows)
	for i := range rows {
		num[i], cat[i] = float64(rapid.IntRange(0, 3).Draw(t, "number")), int32(rapid.IntRange(-1, 1).Draw(t, "code"))
		if num[i] == 3 {
			num[i] = math.NaN()
		}
	}
	return []Column{NumColumn("n", 1, num), CatColumn("c", []string{"x", "y"}, cat), drawSets(t, rows)}
}

// Columns are equal when no row differs. A blank column lacks the rows that were named, differs from the column in
// those of them that had a value and leaves the column as it was.
func TestEqualAndBlank(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(r, "rows")
		rows := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, n).Draw(r, "blank")
		lo := rapid.IntRange(0, n).Draw(r, "lo")
		other := drawKinds(r, n)
		for k, c := range drawKinds(r, n) {
			whole := c.Gather(upTo(n))
			if !c.Equal(&whole) || c.Equal(&other[k]) != (c.Differ(&other[k]) == 0) {
				r.Fatalf("%s: equal to itself %v, to one that differs in %d rows %v", c.Kind, c.Equal(&whole),
					c.Differ(&other[k]), c.Equal(&other[k]))
			}
			b := c.Blank(rows)
			if err := b.check(n); err != nil {
				r.Fatalf("%s: %v", c.Kind, err)
			}
			for i := range n {
				if gone := slices.Contains(rows, i); b.MissingAt(i) != (gone || c.MissingAt(i)) || !gone && !b.Same(i, &c, i) {
					r.Fatalf("%s: row %d is missing: %v; named: %v", c.Kind, i, b.MissingAt(i), gone)
				}
			}
			part := c.Slice(lo, n)
			if end := part.Blank(upTo(n - lo)); end.Len() != n-lo ||
				slices.ContainsFunc(upTo(n-lo), func(i int) bool { return !end.MissingAt(i) }) {
				r.Fatalf("%s: a slice without its values has some", c.Kind)
			}
			if !c.Equal(&whole) {
				r.Fatalf("%s: the column itself is changed", c.Kind)
			}
		}
	})
}

func TestNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		column Column
		want   []float64
	}{
		"numbers":    {NumColumn("n", 0.5, []float64{2.5, math.NaN(), 1}), []float64{2.5, math.NaN(), 1}},
		"categories": {CatColumn("c", []string{"x", "y"}, []int32{1, -1, 0}), []float64{1, math.NaN(), 0}},
		"sets":       {SetColumn("s", items, SetsOf([][]int32{{1}, nil, {}}, nil)), nil},
	} {
		if got := c.column.Numbers(); !slices.EqualFunc(got, c.want,
			func(x, y float64) bool { return x == y || x != x && y != y }) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
