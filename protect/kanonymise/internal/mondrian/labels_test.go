package mondrian

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// Labels are intervals, single values, runs, groups of a hierarchy and sets; the shares are those of what they name.
func TestLabels(t *testing.T) {
	n := math.Inf(1)
	age := table.Attribute{Name: "age", Step: 1}
	size := table.Attribute{Name: "size", Kind: table.Categorical, Labels: []string{"S", "M", "L", "XL"}, Ordered: true}
	city := table.Attribute{Name: "city", Kind: table.Categorical, Labels: []string{"Ulm", "Kiel", "Bonn", "Rome"}}
	h := must.Get(hierarchy.Parse("city", strings.NewReader("Ulm;South;DE;*\nKiel;North;DE;*\nBonn;North;DE;*\n"+
		"Rome;Lazio;IT;*\n")))(t)
	numbers, four, cities := Axis{
		Domain: table.Interval{Lo: 10, Hi: 50},
	}, []int32{0, 1, 2, 3}, Axis{Order: []int32{0, 1, 2, 3}, Hierarchy: h}
	for _, c := range []struct {
		axis  Axis
		attr  table.Attribute
		span  span
		want  string
		share float64
	}{
		{numbers, age, span{-n, n}, "*", 1}, {numbers, age, span{-n, 20}, "< 20", 0.25},
		{numbers, age, span{20, n}, ">= 20", 0.75},
		{numbers, age, span{20, 30}, "[20, 30)", 0.25}, {numbers, age, span{20, 21}, "20", 0.025},
		{Axis{Order: four}, size, span{1, 3}, "M .. L", 1.0 / 3},
		{Axis{Order: four}, size, span{1, 2}, "M", 0}, {Axis{Order: four}, size, span{0, 4}, "*", 1},
		{Axis{Order: four}, city, span{0, 2}, "{Ulm, Kiel}", 1.0 / 3},
		{cities, city, span{0, 3}, "DE", 2.0 / 3}, {cities, city, span{1, 3}, "North", 1.0 / 3},
		{cities, city, span{2, 4}, "{Bonn, Rome}", 1.0 / 3}, {cities, city, span{3, 4}, "Rome", 0},
		{cities, city, span{2, 3}, "Bonn", 0},
	} {
		if got := c.axis.label(&c.attr, c.span); got != c.want {
			t.Errorf("%v of %q is %q, expected %q", c.span, c.attr.Name, got, c.want)
		}
		if got := c.axis.share(c.span); math.Abs(got-c.share) > 1e-12 {
			t.Errorf("%v of %q covers %v, expected %v", c.span, c.attr.Name, got, c.share)
		}
	}
}

// A run of categories is named by groups of the hierarchy that hold its categories and no others, and no naming takes
// fewer.
func TestCoverIsShortest(t *testing.T) {
	letters := []string{"a", "b", "c", "d", "e", "f"}
	a := table.Attribute{Name: "city", Kind: table.Categorical, Labels: letters}
	long.Check(t, func(t *rapid.T) {
		c := table.CatColumn("city", letters, nil)
		h := drawHierarchy(t, letters[:rapid.IntRange(4, 6).Draw(t, "listed")])
		x := &Axis{Order: []int32{0, 1, 2, 3, 4, 5}}
		must.NoError(t, x.arrange(&c, h))
		lo := rapid.IntRange(0, 4).Draw(t, "lo")
		hi := rapid.IntRange(lo+1, 6).Draw(t, "hi")
		if lo == 0 && hi == 6 {
			return // all of them are "*"
		}
		want := []string{}
		for _, code := range x.Order[lo:hi] {
			want = append(want, letters[code])
		}
		slices.Sort(want)
		members := func(name string) []string {
			if slices.Contains(letters, name) {
				return []string{name}
			}
			return strings.Split(strings.Trim(name, "<>"), "+")
		}
		var got []string
		names := x.cover(&a, lo, hi)
		for _, n := range names {
			got = append(got, members(n)...)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v name %v, expected %v", names, got, want)
		}
		if least := fewest(h, want); len(names) > least {
			t.Fatalf("%v are named %v, %d names are enough", want, names, least)
		}
	})
}

// drawHierarchy draws a hierarchy whose groups above the first level are named by what they hold.
func drawHierarchy(t *rapid.T, values []string) *hierarchy.Hierarchy {
	h := &hierarchy.Hierarchy{Attribute: "city", Names: [][]string{values}}
	held := make([][]string, len(values))
	for k, v := range values {
		held[k] = []string{v}
	}
	for range rapid.IntRange(1, 3).Draw(t, "height") {
		up, next := make([]int32, len(held)), [][]string{}
		at := map[int]int32{}
		for k, of := range held {
			g := rapid.IntRange(0, len(held)/2).Draw(t, "group")
			n, ok := at[g]
			if !ok {
				n = int32(len(next))
				at[g] = n
				next = append(next, nil)
			}
			up[k] = n
			next[n] = append(next[n], of...)
		}
		names := make([]string, len(next))
		for k, of := range next {
			slices.Sort(of)
			names[k] = "<" + strings.Join(of, "+") + ">"
		}
		h.Up, h.Names, held = append(h.Up, up), append(h.Names, names), next
	}
	return h
}

// fewest returns the least number of groups of any level that hold the values and no others, trying all sets of groups.
func fewest(h *hierarchy.Hierarchy, values []string) int {
	var groups []string
	for l := 1; l <= h.Height(); l++ {
		groups = append(groups, h.Names[l]...)
	}
	groups = append(groups, values...)
	best := len(values)
	var try func(left []string, used int)
	try = func(left []string, used int) {
		if used >= best {
			return
		}
		if len(left) == 0 {
			best = used
			return
		}
		for _, g := range groups {
			held := strings.Split(strings.Trim(g, "<>"), "+")
			if !slices.Contains(held, left[0]) ||
				slices.ContainsFunc(held, func(v string) bool { return !slices.Contains(values, v) }) {
				continue
			}
			try(slices.DeleteFunc(slices.Clone(left), func(v string) bool { return slices.Contains(held, v) }), used+1)
		}
	}
	try(values, 0)
	return best
}

// Leaves with one label share it, and it covers as much as the widest of them; the label of all is there though no leaf
// is whole.
func TestFace(t *testing.T) {
	a := table.Attribute{Name: "age", Step: 1}
	p := &Partition{Axes: []Axis{{Domain: table.Interval{Lo: 0, Hi: 10}}}, Roots: []Root{{Node: 0}},
		Nodes: []Region{
			{Axis: 0, Cut: 4, Kids: [2]int{1, 2}},
			{Axis: -1},
			{Axis: 0, Cut: 5, Kids: [2]int{3, 4}},
			{Axis: -1},
			{Axis: -1},
		}}
	f := p.Face(0, &a)
	if want := []string{"< 4", "*", "4", ">= 5"}; !slices.Equal(f.Attr.Labels, want) {
		t.Fatalf("labels %q, expected %q in the order of what they cover", f.Attr.Labels, want)
	}
	for k, label := range f.Attr.Labels {
		want := map[string]float64{"*": 1, "< 4": 0.4, "4": 0.1, ">= 5": 0.5}[label]
		if math.Abs(f.Spans[k]-want) > 1e-12 {
			t.Errorf("%q covers %v, expected %v", label, f.Spans[k], want)
		}
	}
	shown := p.Recode([]table.Column{table.NumColumn("age", 1, []float64{3, 4, 9, math.NaN(), 5})})[0]
	var got []string
	for _, c := range shown.Cat {
		if c < 0 {
			got = append(got, "?")
		} else {
			got = append(got, shown.Labels[c])
		}
	}
	if want := "[< 4 4 >= 5 ? >= 5]"; fmt.Sprint(got) != want {
		t.Errorf("records are shown as %v, expected %s", got, want)
	}
}
