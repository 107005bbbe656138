package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestAlone: the share of the units with several records that all show one value which nobody else shows.
func TestAlone(t *testing.T) {
	of := []int32{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5}
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6}, 1},
		{[]float64{1, 1, 1, 1, 3, 3, 4, 4, 5, 5, 6}, 0.6},         // shared by two units
		{[]float64{1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6}, 0.6},         // one unit has two values, one of them another's
		{[]float64{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5}, 0.8},         // a unit of one record hides another
		{[]float64{nan, nan, nan, 2, 3, 3, 4, 4, 5, 5, nan}, 0.6}, // what is missing is no key
		{[]float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, 0},
	} {
		col := table.NumColumn("w", 1, c.values)
		codes, _ := coded(&col)
		if got, _ := alone(of, codes); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, expected %v", c.values, got, c.want)
		}
	}
}

// TestUnitKey: a weight withholds a release that keeps it, whatever was done to it; a column that the technique changes
// does not, nor one of a unit that the release tells by a pseudonym.
func TestUnitKey(t *testing.T) {
	of := []int32{0, 0, 1, 1, 2, 2}
	weight := table.NumColumn("w", 1, []float64{1, 1, 2, 2, 3, 3})
	weight.Role = table.Weight
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{1, 1, 2, 2, 3, 3}), weight)
	for name, c := range map[string]struct {
		x, w  float64 // shares of the values changed
		homes []int32
		doing Doing
		want  string
	}{
		"nothing is told":       {0, 0, nil, Dropped, ""},
		"both are kept":         {0, 0, of, Dropped, "x"},
		"x is changed":          {0.9, 0, of, Dropped, "w"},
		"the weight is changed": {0.9, 0.9, of, Dropped, "w"},
		"nearly kept":           {0.05, 0.9, of, Dropped, "x"},
		"a pseudonym":           {0, 0, of, Pseudonymous, ""},
	} {
		o := &Outcome{Original: tab, Released: tab, Homes: c.homes, Changes: []Change{
			{Column: "hid", Role: "household", Action: Action{Kind: c.doing}, Changed: math.NaN()},
			{Column: "x", Changed: c.x}, {Column: "w", Changed: c.w}}}
		v := Judge(o, Evidence{Limits: &limit.Set{Name: "some"}, Telling: []Identifying{}})
		got := ""
		for _, d := range v.Demands {
			if d.Measure == limit.UnitKey && d.Standing == Broke && *d.Value == 1 {
				got = d.column
			}
		}
		if got != c.want {
			t.Errorf("%s: column %q withholds the release, expected %q", name, got, c.want)
		}
		if c.want != "" && v.Gate.Failed == 0 {
			t.Errorf("%s: %+v", name, v.Gate)
		}
	}
}

// TestPairAlone: two kept columns that are one for each unit put its records together where hardly another unit has
// both values, although many have each; not where one of them differs inside units, is changed, or tells units that are
// only taken for such.
func TestPairAlone(t *testing.T) {
	var of []int32
	var x, y, z []float64
	for u := range 30 {
		for i := range 2 {
			of = append(of, int32(u))
			x, y, z = append(x, float64(u%6)), append(y, float64(u/6)), append(z, float64((u+i)%5))
		}
	}
	tab := tabletest.Must(table.NumColumn("x", 1, x), table.NumColumn("y", 1, y), table.NumColumn("z", 1, z))
	for name, c := range map[string]struct {
		y    float64 // share of its values changed
		by   []string
		want float64
		said string
	}{
		"both are kept":           {0, nil, 1, "columns x and y are kept"},
		"one is changed":          {0.9, nil, 0, "column"},
		"by another column":       {0, []string{"of"}, 1, "columns x and y are kept"},
		"by one of the two":       {0, []string{"y", "of"}, 0, "column"},
		"by what they have alike": {0, []string{"x", "y", "z"}, -1, ""},
	} {
		o := &Outcome{Original: tab, Released: tab,
			Changes: []Change{{Column: "x"}, {Column: "y", Changed: c.y}, {Column: "z"}}}
		if c.by == nil {
			o.People = of
		} else {
			o.Besides = []Owned{{of, c.by}}
		}
		v := Judge(o, Evidence{Limits: &limit.Set{Name: "some"}, Telling: []Identifying{}})
		got, said := -1., ""
		for _, d := range v.Demands {
			if d.Measure == limit.UnitKey {
				got, said = *d.Value, d.said.String()
			}
		}
		if got != c.want || !strings.HasPrefix(said, c.said) {
			t.Errorf("%s: %v, %q; expected %v, %q", name, got, said, c.want, c.said)
		}
	}
}
