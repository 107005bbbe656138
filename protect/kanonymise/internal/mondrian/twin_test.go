package mondrian

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// small draws numbers, categories with a hierarchy, and ordered ones; all may be missing.
func small(t *rapid.T) ([]table.Column, []*hierarchy.Hierarchy) {
	rows := rapid.IntRange(1, 40).Draw(t, "rows")
	codes := func(name string, labels int) []int32 {
		return rapid.SliceOfN(rapid.Int32Range(-1, int32(labels-1)), rows, rows).Draw(t, name)
	}
	age := make([]float64, rows)
	for i, c := range codes("age", 9) {
		if age[i] = 20 + 3*float64(c); c < 0 {
			age[i] = math.NaN()
		}
	}
	letters := []string{"a", "b", "c", "d", "e"}
	cols := []table.Column{
		table.NumColumn("age", 1, age),
		table.CatColumn("city", letters, codes("city", 5)),
		table.CatColumn("size", letters[:4], codes("size", 4)),
	}
	cols[2].Ordered = true
	return cols, []*hierarchy.Hierarchy{nil, drawHierarchy(t, letters), hierarchy.Flat("size", letters[:4])}
}

// number returns a cell as a number, categories by their place in an order; NaN where missing.
func number(c *table.Column, order []int32, i int) float64 {
	switch {
	case c.MissingAt(i):
		return math.NaN()
	case c.Kind == table.Numeric:
		return c.Num[i]
	}
	return float64(slices.Index(order, c.Cat[i]))
}

// twin is Mondrian by its definition.
type twin struct {
	columns []table.Column
	axes    []Axis
	good    func(rows []int) bool
}

func (w *twin) value(i, k int) float64 { return number(&w.columns[k], w.axes[k].Order, i) }

// widths returns the columns in which records differ, the widest first, by their share of the whole.
func (w *twin) widths(rows []int) []int {
	width := make([]float64, len(w.columns))
	var wide []int
	for k := range w.columns {
		from, to, lo, hi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for i := range w.columns[k].Len() {
			if v := w.value(i, k); v == v {
				from, to = min(from, v), max(to, v)
			}
		}
		if n := len(w.axes[k].Order); n > 0 {
			from, to = 0, float64(n-1)
		}
		for _, i := range rows {
			lo, hi = min(lo, w.value(i, k)), max(hi, w.value(i, k))
		}
		if hi > lo {
			wide, width[k] = append(wide, k), (hi-lo)/(to-from)
		}
	}
	slices.SortStableFunc(wide, func(a, b int) int {
		switch {
		case width[a] > width[b]:
			return -1
		case width[a] < width[b]:
			return 1
		}
		return 0
	})
	return wide
}

// regions returns the records of all regions.
func (w *twin) regions(rows []int) [][]int {
	for _, k := range w.widths(rows) {
		v := make([]float64, 0, len(rows))
		for _, i := range rows {
			v = append(v, w.value(i, k))
		}
		slices.Sort(v)
		distinct := slices.Compact(slices.Clone(v))
		middle := v[len(v)/2]
		far := func(c float64) int { n, _ := slices.BinarySearch(v, c); return max(len(v)-2*n, 2*n-len(v)) }
		cuts := []float64{middle}
		if next := slices.Index(distinct, middle) + 1; next < len(distinct) {
			if cuts = append(cuts, distinct[next]); far(cuts[1]) < far(middle) {
				slices.Reverse(cuts)
			}
		}
		for _, c := range cuts {
			var low, high []int
			for _, i := range rows {
				if w.value(i, k) < c {
					low = append(low, i)
				} else {
					high = append(high, i)
				}
			}
			if w.good(low) && w.good(high) {
				return append(w.regions(low), w.regions(high)...)
			}
		}
	}
	return [][]int{rows}
}

// The partition is that of the definition, for any least size and rule; what is stored of it is the same; and every
// record's region holds its values.
func TestPartitionEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		cols, hs := small(t)
		k := rapid.IntRange(1, 5).Draw(t, "k")
		most := rapid.IntRange(0, 6).Draw(t, "largest difference of row numbers, 0 for any")
		close := func(lo, hi int) bool { return most == 0 || hi-lo >= most }
		rule := func(rows []int32) bool { return close(int(slices.Min(rows)), int(slices.Max(rows))) }
		got := must.Get(Grow(context.Background(), cols, hs, Goal{K: k, Rule: func() func([]int32) bool { return rule }}))(t)
		attrs := []table.Attribute{cols[0].Attribute, cols[1].Attribute, cols[2].Attribute}
		must.NoError(t, got.Check(attrs))
		text := must.Get(json.Marshal(got))(t)
		stored := &Partition{}
		must.NoError(t, json.Unmarshal(text, stored))
		leaf := got.Leaves(cols)
		if !slices.Equal(stored.Leaves(cols), leaf) || fmt.Sprint(stored.Recode(cols)) != fmt.Sprint(got.Recode(cols)) {
			t.Fatalf("the stored partition %s is another one", text)
		}
		w := &twin{
			cols,
			got.Axes,
			func(rows []int) bool { return len(rows) >= k && close(slices.Min(rows), slices.Max(rows)) },
		}
		inside(t, got, w, leaf)
		var want []string
		for _, rows := range patterns(w) {
			for _, part := range w.regions(rows) {
				slices.Sort(part)
				want = append(want, fmt.Sprint(part))
			}
		}
		have := byLeaf(leaf)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Fatalf("regions %v, expected %v", have, want)
		}
	})
}

// patterns returns the records that lack the same values.
func patterns(w *twin) map[string][]int {
	out := map[string][]int{}
	for i := range w.columns[0].Len() {
		key := ""
		for k := range w.columns {
			key += fmt.Sprint(w.columns[k].MissingAt(i))
		}
		out[key] = append(out[key], i)
	}
	return out
}

func byLeaf(leaf []int32) []string {
	of := map[int32][]int{}
	for i, n := range leaf {
		of[n] = append(of[n], i)
	}
	var out []string
	for _, rows := range of {
		out = append(out, fmt.Sprint(rows))
	}
	slices.Sort(out)
	return out
}

// inside checks that records are in leaves whose limits hold them.
func inside(t *rapid.T, p *Partition, w *twin, leaf []int32) {
	for k := range w.columns {
		limits := p.extents(k)
		for i, n := range leaf {
			if p.Nodes[n].Axis >= 0 {
				t.Fatalf("record %d ends in node %d, which is divided", i, n)
			}
			if v, s := w.value(i, k), limits[n]; v < s.lo || v >= s.hi {
				t.Fatalf("%v is outside its region %v", v, s)
			}
		}
	}
}

// Groups of a hierarchy are next to each other on every level, whatever the order of the codes, and what it does not
// list comes last.
func TestArrange(t *testing.T) {
	letters := []string{"f", "b", "e", "a", "c", "d"}
	long.Check(t, func(t *rapid.T) {
		listed := rapid.IntRange(1, 6).Draw(t, "listed")
		h := drawHierarchy(t, letters[:listed])
		c := table.CatColumn("city", letters, []int32{-1, 0})
		x := &Axis{Order: []int32{0, 1, 2, 3, 4, 5}}
		must.NoError(t, x.arrange(&c, h))
		for at, code := range x.Order {
			if (at >= listed) != (int(code) >= listed) {
				t.Fatalf("the order is %v, %d are listed", x.Order, listed)
			}
		}
		for l := range h.Height() + 1 {
			seen := map[int32]int{}
			for at, g := range x.groups(&c.Attribute, l) {
				if last, ok := seen[g]; ok && last != at-1 {
					t.Fatalf("group %d of level %d is torn apart: order %v", g, l, x.Order)
				}
				seen[g] = at
			}
		}
	})
}
