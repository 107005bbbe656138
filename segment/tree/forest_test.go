package tree

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// drawForest draws one to four trees of one schema.
func drawForest(t *rapid.T) *Forest {
	f := One(drawTree(t))
	f.Voting = rapid.SampledFrom(append([]string{""}, Votings...)).Draw(t, "voting")
	for range rapid.IntRange(0, 3).Draw(t, "more trees") {
		f.Trees = append(f.Trees, drawTreeOn(t, f.Attrs()))
	}
	return f
}

// holdsRecord reports whether record r is inside the segment in all columns that it constrains.
func holdsRecord(s *segment.Segment, tab *table.Table, r int, attrs []table.Attribute) bool {
	for j, iv := range s.Num {
		if v := tab.Num(j)[r]; !iv.Contains(v) && attrs[j].Domain.Contains(v) {
			return false
		}
	}
	for j, codes := range s.Cat {
		if !slices.Contains(codes, tab.Cat(j)[r]) {
			return false
		}
	}
	return true
}

// Two records have the same key just when they share every leaf; the key tells the leaves; a record without missing
// or unseen values is in the segment of its key.
func TestKeys(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		f := drawForest(t)
		tab := drawTable(t, f.Attrs())
		keys := make([]uint64, tab.Rows())
		for i := range keys {
			keys[i] = 99 // what was there does not matter
		}
		must.NoError(t, f.Route(tab, keys))
		tuples := must.Get(f.Count())(t)
		leaf := make([][]int32, len(f.Trees))
		for i, tr := range f.Trees {
			leaf[i] = make([]int32, tab.Rows())
			tr.Route(tab, leaf[i])
		}
		segments := f.Segments(keys...)
		for r, key := range keys {
			if key >= tuples {
				t.Fatalf("record %d has key %d of %d", r, key, tuples)
			}
			sure := true
			for i, l := range f.Leaves(key) {
				if l != leaf[i][r] {
					t.Fatalf("record %d: key %d tells leaf %d of tree %d, expected %d", r, key, l, i, leaf[i][r])
				}
				sure = sure && f.Trees[i].Reaches(tab, r) >= 0
			}
			if sure && !holdsRecord(&segments[r], tab, r, f.Attrs()) {
				t.Fatalf("record %d is outside its segment %+v", r, segments[r])
			}
			if len(f.Trees) == 1 && key != uint64(leaf[0][r]) {
				t.Fatalf("record %d of a single tree has key %d, expected its leaf %d", r, key, leaf[0][r])
			}
		}
	})
}

// stump is a tree of so many leaves in a row.
func stump(leaves int) *Tree {
	t := &Tree{Class: 1, Attrs: []table.Attribute{
		{Name: "x", Domain: table.Everything()},
		{Name: "class", Kind: table.Categorical, Labels: []string{"no", "yes"}},
	}}
	for k := range leaves {
		if k < leaves-1 {
			at := int32(len(t.Nodes))
			t.Nodes = append(t.Nodes, Node{Attr: 0, Cut: float64(k), Kids: []int32{at + 1, at + 2}, Counts: make([]float64, 2)})
		}
		t.Nodes = append(t.Nodes, Node{Attr: -1, Counts: make([]float64, 2)})
	}
	return t
}

// Keys end at 2^63 tuples of leaves, not before and not behind.
func TestTooManyTuples(t *testing.T) {
	f := &Forest{}
	for range 63 {
		f.Trees = append(f.Trees, stump(2))
	}
	top := []float64{100, -1}
	tab := tabletest.Of(t, table.Column{Attribute: f.Attrs()[0], Num: top},
		table.Column{Attribute: f.Attrs()[1], Cat: make([]int32, 2)})
	keys := make([]uint64, 2)
	if err := f.Route(tab, keys); err != nil || keys[0] != 1<<63-1 || keys[1] != 0 {
		t.Errorf("keys %v, error %v, expected 2^63-1 and 0", keys, err)
	}
	if leaves := f.Leaves(keys[0]); slices.Contains(leaves, 0) {
		t.Errorf("leaves %v of the last key, expected all 1", leaves)
	}
	for _, more := range []int{2, 3, 5} {
		f.Trees[62] = stump(2 * more)
		if err := f.Route(tab, keys); err == nil || !strings.Contains(err.Error(), "63 of 63 trees have more than 2^63") {
			t.Errorf("%d times 2^63 tuples: error %v", more, err)
		}
	}
}

type goldenBox struct {
	Tested bool
	Lo, Hi float64
	LoOpen bool     `json:"lo_open"`
	IntLo  *float64 `json:"int_lo"`
	IntHi  *float64 `json:"int_hi"`
	Values []string
}

// The intersections of Fletcher & Islam 2015, section 3 and figure 1.
func TestGoldenIntersections(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/forest_intersections.json"))(t)
	var raw []json.RawMessage
	must.NoError(t, json.Unmarshal(data, &raw))
	for _, doc := range raw {
		var c structureCase
		var x struct {
			Input struct {
				Forest []json.RawMessage
			}
			Expected struct {
				Intersections []struct {
					Leaves []string
					Box    map[string]goldenBox
				}
				Members map[string][]int
			}
		}
		must.NoError(t, json.Unmarshal(doc, &c))
		must.NoError(t, json.Unmarshal(doc, &x))
		t.Run(c.Name, func(t *testing.T) {
			c.withClass(x.Input.Forest)
			f := &Forest{}
			var tab *table.Table
			for _, root := range x.Input.Forest {
				c.Input.Tree = root
				var tr *Tree
				tr, tab = c.build(t)
				f.Trees = append(f.Trees, tr)
			}
			keys := make([]uint64, tab.Rows())
			must.NoError(t, f.Route(tab, keys))
			members := map[string][]int{}
			for r, key := range keys {
				members[f.name(key)] = append(members[f.name(key)], r)
			}
			if !maps.EqualFunc(members, x.Expected.Members, slices.Equal[[]int]) {
				t.Errorf("members %v, expected %v", members, x.Expected.Members)
			}
			occupied := map[string]uint64{}
			tuples := must.Get(f.Count())(t)
			for key := range tuples {
				if s := f.Segment(key); !empty(&s, f.Attrs()) {
					occupied[f.name(key)] = key
				}
			}
			if len(occupied) != len(x.Expected.Intersections) {
				t.Errorf("%d intersections hold values, expected %d", len(occupied), len(x.Expected.Intersections))
			}
			for _, want := range x.Expected.Intersections {
				key, ok := occupied[strings.Join(want.Leaves, "+")]
				if !ok {
					t.Errorf("intersection %v is empty", want.Leaves)
					continue
				}
				s := f.Segment(key)
				for name, box := range want.Box {
					j := slices.IndexFunc(f.Attrs(), func(a table.Attribute) bool { return a.Name == name })
					checkBox(t, &f.Attrs()[j], &s, j, box)
				}
			}
		})
	}
}

// withClass gives a case without class the labels of its leaves as classes.
func (c *structureCase) withClass(trees []json.RawMessage) {
	if c.Input.Class.Name == "" {
		c.Input.Class.Name = "class of the leaf"
	}
	for _, doc := range trees {
		for _, part := range strings.Split(string(doc), `"class": "`)[1:] {
			label, _, _ := strings.Cut(part, `"`)
			if !slices.Contains(c.Input.Class.Values, label) {
				c.Input.Class.Values = append(c.Input.Class.Values, label)
			}
		}
	}
	for _, r := range c.Input.Records {
		if _, ok := r[c.Input.Class.Name]; !ok {
			r[c.Input.Class.Name] = c.Input.Class.Values[0]
		}
	}
}

// name returns the leaves of a key as the cases write them.
func (f *Forest) name(key uint64) string {
	var s []string
	for _, l := range f.Leaves(key) {
		s = append(s, id(int(l)))
	}
	return strings.Join(s, "+")
}

func empty(s *segment.Segment, attrs []table.Attribute) bool {
	for j, iv := range s.Num {
		if iv.OnGrid(attrs[j].Step).Empty() {
			return true
		}
	}
	for _, codes := range s.Cat {
		if len(codes) == 0 {
			return true
		}
	}
	return false
}

func checkBox(t *testing.T, a *table.Attribute, s *segment.Segment, j int, want goldenBox) {
	t.Helper()
	if s.Influential(j) != want.Tested {
		t.Errorf("%s is influential: %v", a.Name, !want.Tested)
	}
	if a.Kind == table.Categorical {
		got := slices.Clone(a.Labels)
		if codes, ok := s.Cat[j]; ok {
			got = nil
			for _, c := range codes {
				got = append(got, a.Labels[c])
			}
		}
		if !slices.Equal(got, want.Values) {
			t.Errorf("%s is one of %v, expected %v", a.Name, got, want.Values)
		}
		return
	}
	iv, ok := s.Num[j]
	if !ok {
		iv = a.Domain
	}
	if (iv != table.Interval{Lo: want.Lo, Hi: want.Hi, OpenLo: want.LoOpen}) {
		t.Errorf("%s is in %v, expected %+v", a.Name, iv, want)
	}
	if g := iv.OnGrid(1); want.IntLo != nil && (g.Lo != *want.IntLo || g.Hi != *want.IntHi) {
		t.Errorf("%s has integers in %v, expected %v to %v", a.Name, g, *want.IntLo, *want.IntHi)
	}
}
