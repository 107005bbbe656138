package prediction_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The margins of random small releases are those of the definition, value by value.
func TestTwin(t *testing.T) {
	told := 0
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		rows := rapid.SliceOfN(rapid.IntRange(0, original.Rows()-1), 1, 60).Draw(r, "released records")
		released := original.Gather(rows)
		m := prediction.GroupWorth.New().(*prediction.GroupWorthMeter)
		m.Least = 3
		for j := range original.Width() {
			if a := original.Attr(j); a.Kind == table.Categorical && a.Role&table.Class == 0 {
				m.Columns = []string{a.Name}
				break
			}
		}
		if m.Columns == nil {
			return
		}
		v, err := m.Measure(t.Context(), &measure.Release{Original: original, Released: released}, rng.Source{})
		if err != nil {
			return // not two groups
		}
		at := original.Find(m.Columns[0])
		for _, g := range v.Detail.(*prediction.GroupWorthDetail).Groups {
			if g.Others > 0 {
				continue
			}
			told++
			in := func(tab *table.Table) (out []int) {
				for i, c := range tab.Cat(at) {
					if c >= 0 && tab.Attr(at).Labels[c] == g.Group {
						out = append(out, i)
					}
				}
				return out
			}
			was, is := in(original), in(released)
			var one, two []float64
			for a := range original.Width() {
				for b := range a + 1 {
					if a == at || b == at {
						continue
					}
					e := distance(original, released, was, is, a, b)
					if a == b {
						one = append(one, e)
					} else {
						two = append(two, e)
					}
				}
			}
			protecttest.Near(t, "one-way", *g.OneWay, average(one), 1e-9)
			if two != nil {
				protecttest.Near(t, "two-way", *g.TwoWay, average(two), 1e-9)
			}
		}
	})
	long.Drawn(t, told > 0, "no table has groups, so the test shows nothing")
}

func average(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// distance is half the sum of the differences of the shares of all pairs of values.
func distance(original, released *table.Table, was, is []int, a, b int) float64 {
	if len(is) == 0 {
		return 1
	}
	shares := map[string]float64{}
	for _, i := range was {
		shares[value(original, original, i, a)+value(original, original, i, b)] += 1 / float64(len(was))
	}
	for _, i := range is {
		shares[value(original, released, i, a)+value(original, released, i, b)] -= 1 / float64(len(is))
	}
	sum := 0.0
	for _, x := range shares {
		sum += math.Abs(x) / 2
	}
	return sum
}

// value is a category, or the interval of a number: how many of the eighths of the original end below it.
func value(original, t *table.Table, i, j int) string {
	if t.MissingAt(i, j) {
		return "missing;"
	}
	if t.Attr(j).Kind == table.Categorical {
		return t.Attr(j).Labels[t.Cat(j)[i]] + ";"
	}
	var known []float64
	for _, v := range original.Num(j) {
		if v == v {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	ends := map[float64]bool{}
	for q := 1; q < 8; q++ {
		if k := int(math.Ceil(float64(q*len(known)) / 8)); k > 0 {
			if end := known[k-1]; end < known[len(known)-1] && end < t.Num(j)[i] {
				ends[end] = true
			}
		}
	}
	return fmt.Sprint(len(ends), ";")
}

// A table in which nobody is in a group has nothing to compare.
func TestNoGroups(t *testing.T) {
	tab := origins("sex", 40)
	_, err := prediction.GroupWorth.New().
		Measure(t.Context(), &measure.Release{Original: tab, Released: tab}, rng.Source{})
	if !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("one group only: %v", err)
	}
}
