package segments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) {
	segmented := func(by func(*tree.Tree) segment.Segmentation) measuretest.Option {
		return measuretest.Larger(func(r *measure.Release) map[string]string {
			few := r.Original.Slice(0, 500)
			grown := must.Get(trees.Original(context.Background(), &measure.Release{Original: few, Released: few},
				*param.Default(&trees.Learner{})))(t)
			r.Segments = by(grown)
			return nil
		})
	}
	measuretest.Run(t, Measure, segmented(func(t *tree.Tree) segment.Segmentation { return tree.One(t) }))
	t.Run("other segmentations", func(t *testing.T) {
		measuretest.Run(t, Measure, segmented(func(t *tree.Tree) segment.Segmentation { return other{tree.One(t)} }))
	})
}

// other is a forest that passes for another segmentation.
type other struct{ segment.Segmentation }

// thesisTree is the tree of the five rules of Islam 2007, section 7.3.
func thesisTree() *tree.Tree {
	attrs := []table.Attribute{
		{Name: "P", Step: 1, Domain: table.Interval{Lo: 1, Hi: 10}},
		{Name: "Q", Step: 1, Domain: table.Interval{Lo: 1, Hi: 10}},
		{Name: "S", Kind: table.Categorical, Labels: []string{"s1", "s2", "s3"}},
		{Name: "C", Kind: table.Categorical, Labels: []string{"c1", "c2"}, Role: table.Class},
	}
	return &tree.Tree{Attrs: attrs, Class: 3, Nodes: []tree.Node{
		{Attr: 0, Cut: 5, Kids: []int32{1, 2}, Heavy: 1},
		{Attr: -1, Label: 1},
		{Attr: 1, Cut: 2, Kids: []int32{3, 7}, Heavy: 1},
		{Attr: 2, Branch: []int32{0, 1, 2}, Kids: []int32{4, 5, 6}},
		{Attr: -1, Label: 0}, {Attr: -1, Label: 1}, {Attr: -1, Label: 0},
		{Attr: -1, Label: 1},
	}}
}

func records(t testing.TB, p, q []float64, s []int32) *table.Table {
	t.Helper()
	attrs := thesisTree().Attrs
	tab := must.Get(table.New(table.Column{Attribute: attrs[0], Num: p}, table.Column{Attribute: attrs[1], Num: q},
		table.Column{Attribute: attrs[2], Cat: s}, table.Column{Attribute: attrs[3], Cat: make([]int32, len(p))}))(t)
	return tab
}

func TestCertificate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		p, q   [2]float64 // original, released
		s      [2]int32
		stayed bool
		leftBy map[string]int
		off    int
		out    int
		lost   int // or invented
	}{
		{name: "unchanged", p: [2]float64{3, 3}, q: [2]float64{1, 1}, stayed: true},
		{name: "innocent attributes move", p: [2]float64{3, 5}, q: [2]float64{1, 9}, s: [2]int32{0, 2}, stayed: true},
		{name: "over the cut", p: [2]float64{5, 6}, q: [2]float64{1, 1}, leftBy: map[string]int{"P": 1}},
		{name: "to another category", p: [2]float64{6, 6}, q: [2]float64{1, 1}, s: [2]int32{0, 1},
			leftBy: map[string]int{"S": 1}},
		{name: "two attributes take it out", p: [2]float64{6, 5}, q: [2]float64{3, 2},
			leftBy: map[string]int{"P": 1, "Q": 1}},
		{name: "class of the new leaf is the same", p: [2]float64{6, 5}, q: [2]float64{3, 3}, leftBy: map[string]int{"P": 1}},
		{name: "off the grid", p: [2]float64{3, 3.5}, q: [2]float64{1, 1}, stayed: true, off: 1},
		{name: "outside the domain", p: [2]float64{3, 0}, q: [2]float64{1, 11}, stayed: true, out: 2},
		{name: "missing stays missing", p: [2]float64{nan, nan}, q: [2]float64{nan, nan}, s: [2]int32{-1, -1}, stayed: true},
		{name: "suppressed on the heavy side", p: [2]float64{7, nan}, q: [2]float64{8, nan}, stayed: true, lost: 2},
		{name: "suppressed on the light side", p: [2]float64{2, nan}, q: [2]float64{1, 1}, leftBy: map[string]int{"P": 1},
			lost: 1},
		{name: "invented on the heavy side", p: [2]float64{nan, 7}, q: [2]float64{8, 8}, stayed: true, lost: 1},
		{name: "a category lost and a number invented", p: [2]float64{3, 3}, q: [2]float64{nan, 1}, s: [2]int32{2, -1},
			stayed: true, lost: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := func(k int) *table.Table { return records(t, c.p[k:k+1], c.q[k:k+1], c.s[k:k+1]) }
			got := must.Get(Certify(context.Background(), tree.One(thesisTree()), rec(0), rec(1)))(t)
			want := Detail{Records: 1, OffGrid: c.off, Outside: c.out, Missing: c.lost, Segments: 1, LeftBy: c.leftBy}
			if c.stayed {
				want.Stayed = 1
			}
			if want.LeftBy == nil {
				want.LeftBy = map[string]int{}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if got.Certified() != (c.stayed && c.off+c.out+c.lost == 0) {
				t.Errorf("certified: %v", got.Certified())
			}
		})
	}
}

// second is a tree that cuts Q, and P where the first tree does not.
func second() *tree.Tree {
	return &tree.Tree{Attrs: thesisTree().Attrs, Class: 3, Nodes: []tree.Node{
		{Attr: 1, Cut: 6, Kids: []int32{1, 4}},
		{Attr: 0, Cut: 2, Kids: []int32{2, 3}, Heavy: 1},
		{Attr: -1}, {Attr: -1}, {Attr: -1},
	}}
}

// TestStayedEqualsSegments compares with the definition: the released values lie in the sub-domains of the original's
// leaf of every tree. Values are inside their domains, and none is missing.
func TestStayedEqualsSegments(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		f := rapid.SampledFrom([]*tree.Forest{tree.One(thesisTree()), tree.One(second()),
			{
				Trees: []*tree.Tree{thesisTree(), second()},
			}, {Trees: []*tree.Tree{second(), thesisTree(), second()}}}).Draw(rt, "forest")
		n := rapid.IntRange(1, 20).Draw(rt, "n")
		num := func(name string) []float64 {
			v := make([]float64, n)
			for i, k := range rapid.SliceOfN(rapid.IntRange(1, 10), n, n).Draw(rt, name) {
				v[i] = float64(k)
			}
			return v
		}
		draw := func(name string) *table.Table {
			return records(t, num(name+" P"), num(name+" Q"), rapid.SliceOfN(rapid.Int32Range(0, 2), n, n).Draw(rt, name+" S"))
		}
		before, after := draw("original"), draw("released")
		got := must.Get(Certify(context.Background(), f, before, after))(rt)
		stayed, seen := 0, map[string]bool{}
		for i := range n {
			was := leaves(f, before, i)
			seen[was] = true
			if leaves(f, after, i) == was {
				stayed++
			}
		}
		if got.Stayed != stayed || got.Segments != len(seen) {
			rt.Fatalf("%d stayed in %d segments, expected %d in %d", got.Stayed, got.Segments, stayed, len(seen))
		}
	})
}

// leaves names the leaves whose sub-domains hold record i: one of every tree.
func leaves(f *tree.Forest, tab *table.Table, i int) string {
	var at []int
	for _, t := range f.Trees {
		for leaf, s := range t.Segments() {
			if inside(&s, tab, i) {
				at = append(at, leaf)
			}
		}
	}
	return fmt.Sprint(at)
}

func inside(s *segment.Segment, tab *table.Table, i int) bool {
	for j, iv := range s.Num {
		if !iv.Contains(tab.Num(j)[i]) {
			return false
		}
	}
	for j, codes := range s.Cat {
		if !slices.Contains(codes, tab.Cat(j)[i]) {
			return false
		}
	}
	return true
}

func TestMeasure(t *testing.T) {
	before := records(t, []float64{1, 2, 6, 7}, []float64{1, 2, 3, 1}, []int32{0, 0, 0, 0})
	after := records(t, []float64{5, 6, 9, 7}, []float64{9, 2, 10, 2}, []int32{0, 0, 0, 1})
	v, err := Measure.New().Measure(context.Background(), &measure.Release{Original: before, Released: after, Paired: true,
		Making: measure.Making{Segments: tree.One(thesisTree())}}, rng.Source{})
	must.NoError(t, err)
	if v.Score != 0.5 || len(v.Notes) != 0 {
		t.Errorf("score %v with notes %q, expected 0.5 without", v.Score, v.Notes)
	}
	want := []measure.Part{
		{Key: "segments", Name: message.Say("measure.segments.part.segments"), Score: 3},
		{Key: "left", Name: message.Say("measure.segments.part.left"), Score: 2},
		{Key: "off-grid", Name: message.Say("measure.segments.part.off-grid")},
		{Key: "outside", Name: message.Say("measure.segments.part.outside")},
		{Key: "missing", Name: message.Say("measure.segments.part.missing")},
		{Key: "taken-out", Of: "P", Name: message.Say("measure.segments.part.taken-out").Name("column", "P"), Score: 1},
		{Key: "taken-out", Of: "S", Name: message.Say("measure.segments.part.taken-out").Name("column", "S"), Score: 1},
	}
	if d := cmp.Diff(want, v.Parts); d != "" {
		t.Error(d)
	}
}

func TestRefusals(t *testing.T) {
	tab := records(t, []float64{1}, []float64{1}, []int32{0})
	for name, r := range map[string]*measure.Release{
		"unpaired": {Original: tab, Released: tab, Making: measure.Making{Segments: tree.One(thesisTree())}},
		"wrong schema": {Original: tab.Select(0, 3), Released: tab.Select(0, 3), Paired: true,
			Making: measure.Making{Segments: tree.One(thesisTree())}},
		"too many tuples": {Original: tab, Released: tab, Paired: true,
			Making: measure.Making{Segments: &tree.Forest{Trees: slices.Repeat([]*tree.Tree{thesisTree()}, 64)}}},
		"no records": {Original: tab.Slice(0, 0), Released: tab.Slice(0, 0), Paired: true,
			Making: measure.Making{Segments: tree.One(thesisTree())}},
	} {
		if _, err := Measure.New().Measure(context.Background(), r, rng.Source{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestColumnOrder certifies tables whose columns and categories stand in another order than in the tree's schema.
func TestColumnOrder(t *testing.T) {
	tab := records(t, []float64{7, 7, 7}, []float64{1, 1, 1}, []int32{0, 1, 2})
	s := tab.Column(2)
	s.Labels, s.Cat = []string{"s3", "s2", "s1"}, []int32{2, 1, 0}
	turned := tabletest.Of(t, tab.Column(3), s, tab.Column(1), tab.Column(0))
	d, err := Certify(context.Background(), tree.One(thesisTree()), tab, turned)
	if err != nil || d.Stayed != 3 {
		t.Errorf("%d of 3 stayed, error %v", d.Stayed, err)
	}
}

// TestUnknownCategory has a released category that the original's schema lacks: it is outside the domain and leaves S,
// whose heaviest branch is that of s1.
func TestUnknownCategory(t *testing.T) {
	before := records(t, []float64{7, 7}, []float64{1, 1}, []int32{0, 1})
	s := before.Column(2)
	s.Labels, s.Cat = []string{"s1", "s2", "s3", "s9"}, []int32{3, 3}
	after := must.Get(before.WithColumn(2, s))(t)
	got := must.Get(Certify(context.Background(), tree.One(thesisTree()), before, after))(t)
	want := Detail{Records: 2, Stayed: 1, Outside: 2, Segments: 2, LeftBy: map[string]int{"S": 1}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
