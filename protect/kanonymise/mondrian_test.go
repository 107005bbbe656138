package kanonymise

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// value returns a cell of the first three columns as a number; NaN where missing.
func value(t *table.Table, i, j int) float64 {
	if t.Attr(j).Kind == table.Numeric {
		return t.Num(j)[i]
	}
	if c := t.Cat(j)[i]; c >= 0 {
		return float64(c)
	}
	return math.NaN()
}

// halves is Mondrian by its definition: the records of all regions.
func halves(g *Goals, t *table.Table, rows []int) [][]int {
	type dimension struct {
		j     int
		width float64
	}
	var all []dimension
	for j := range 3 {
		lo, hi, from, to := math.Inf(1), math.Inf(-1), 0.0, float64(len(t.Attr(j).Labels)-1)
		if j == 0 {
			from, to = table.Range(t.Num(0))
		}
		for _, i := range rows {
			lo, hi = min(lo, value(t, i, j)), max(hi, value(t, i, j))
		}
		if hi > lo {
			all = append(all, dimension{j, (hi - lo) / (to - from)})
		}
	}
	slices.SortStableFunc(all, func(a, b dimension) int {
		switch {
		case a.width > b.width:
			return -1
		case a.width < b.width:
			return 1
		}
		return 0
	})
	for _, d := range all {
		v := make([]float64, 0, len(rows))
		for _, i := range rows {
			v = append(v, value(t, i, d.j))
		}
		slices.Sort(v)
		distinct := slices.Compact(slices.Clone(v))
		middle := v[len(v)/2]
		near := func(c float64) int { n, _ := slices.BinarySearch(v, c); return max(len(v)-2*n, 2*n-len(v)) }
		cuts := []float64{middle}
		if k := slices.Index(distinct, middle) + 1; k < len(distinct) {
			if cuts = append(cuts, distinct[k]); near(cuts[1]) < near(middle) {
				slices.Reverse(cuts)
			}
		}
		for _, c := range cuts {
			var low, high []int
			for _, i := range rows {
				if value(t, i, d.j) < c {
					low = append(low, i)
				} else {
					high = append(high, i)
				}
			}
			if good(g, t, low) && good(g, t, high) {
				return append(halves(g, t, low), halves(g, t, high)...)
			}
		}
	}
	return [][]int{rows}
}

// The partition is that of the definition, and every record's region holds its values.
func TestPartitionEqualsTwin(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tab, hs := small(r)
		g := Goals{K: rapid.IntRange(1, 5).Draw(r, "k"), L: rapid.SampledFrom([]float64{1, 2}).Draw(r, "l"), Diversity: "distinct", C: 2,
			T: rapid.SampledFrom([]float64{1, 0.5}).Draw(r, "t")}
		p := &Plan{Recoding: hierarchy.Recoding{Attrs: tab.Attrs()}, Goals: g, Quasi: []int{0, 1, 2}, Secret: []int{3}}
		regions, err := newRegions(context.Background(), p, tab, hierarchy.Set{"city": hs[1]})
		if err != nil {
			r.Fatal(err)
		}
		if p.Regions = regions; p.Check() != nil {
			r.Fatal(p.Check())
		}
		leaf, err := regions.leaves(p, tab)
		if err != nil {
			r.Fatal(err)
		}
		var got, want []string
		byLeaf := map[int32][]int{}
		starts := map[string][]int{}
		var extents [3][]span
		for k := range extents {
			extents[k] = regions.extents(k)
		}
		for i, n := range leaf {
			byLeaf[n] = append(byLeaf[n], i)
			key := ""
			for j := range 3 {
				v, s := value(tab, i, j), extents[j][n]
				key += fmt.Sprint(v != v)
				if v < s.lo || v >= s.hi {
					r.Fatalf("%v is outside its region %v", v, s)
				}
			}
			starts[key] = append(starts[key], i)
		}
		for _, rows := range byLeaf {
			got = append(got, fmt.Sprint(rows))
		}
		for _, rows := range starts {
			for _, part := range halves(&g, tab, rows) {
				slices.Sort(part)
				want = append(want, fmt.Sprint(part))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			r.Fatalf("regions %v, expected %v", got, want)
		}
	})
}

// Labels are intervals, single values, runs, groups of a hierarchy and sets; the shares are those of what they name.
func TestLabels(t *testing.T) {
	n := math.Inf(1)
	age := table.Attribute{Name: "age", Step: 1}
	size := table.Attribute{Name: "size", Kind: table.Categorical, Labels: []string{"S", "M", "L", "XL"}, Ordered: true}
	city := table.Attribute{Name: "city", Kind: table.Categorical, Labels: []string{"Ulm", "Kiel", "Bonn", "Rome"}}
	h, err := hierarchy.Parse("city", strings.NewReader("Ulm;South;DE;*\nKiel;North;DE;*\nBonn;North;DE;*\nRome;Lazio;IT;*\n"))
	if err != nil {
		t.Fatal(err)
	}
	numbers, four, cities := Axis{Domain: table.Interval{Lo: 10, Hi: 50}}, []int32{0, 1, 2, 3}, Axis{Order: []int32{0, 1, 2, 3}, Hierarchy: h}
	for _, c := range []struct {
		axis  Axis
		attr  table.Attribute
		span  span
		want  string
		share float64
	}{
		{numbers, age, span{-n, n}, "*", 1}, {numbers, age, span{-n, 20}, "< 20", 0.25}, {numbers, age, span{20, n}, ">= 20", 0.75},
		{numbers, age, span{20, 30}, "[20, 30)", 0.25}, {numbers, age, span{20, 21}, "20", 0.025},
		{Axis{Order: four}, size, span{1, 3}, "M .. L", 1.0 / 3},
		{Axis{Order: four}, size, span{1, 2}, "M", 0}, {Axis{Order: four}, size, span{0, 4}, "*", 1},
		{Axis{Order: four}, city, span{0, 2}, "{Ulm, Kiel}", 1.0 / 3},
		{cities, city, span{0, 3}, "DE", 2.0 / 3}, {cities, city, span{1, 3}, "North", 1.0 / 3},
		{cities, city, span{2, 4}, "{Bonn, Rome}", 1.0 / 3}, {cities, city, span{3, 4}, "Rome", 0}, {cities, city, span{2, 3}, "Bonn", 0},
	} {
		if got := c.axis.label(&c.attr, c.span); got != c.want {
			t.Errorf("%v of %q is %q, expected %q", c.span, c.attr.Name, got, c.want)
		}
		protecttest.Near(t, "share of "+c.want, c.axis.share(c.span), c.share, 1e-12)
	}
}

// A constant column, one value all over, and duplicates leave one region; records that lack everything are released as they are.
func TestRegionsOfPoorTables(t *testing.T) {
	void := []float64{math.NaN(), math.NaN(), math.NaN(), 7, 7, 7, 7}
	tab := tabletest.Of(t, table.NumColumn("a", 1, void), table.NumColumn("b", 1, void))
	for _, search := range []string{"lattice", "mondrian"} {
		p, err := fitted(tab, nil, map[string]string{"k": "3", "search": search})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil || suppressed(p, tab, out) != 0 || p.Found.Classes != 1 {
			t.Errorf("%s: %+v, error %v", search, p.Found, err)
		}
		text, err := json.Marshal(p)
		if err != nil || strings.Contains(string(text), "NaN") {
			t.Errorf("%s: %s, error %v", search, text, err)
		}
	}
}
