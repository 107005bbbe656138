package kmanonymise

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// counts counts all sets of 1 to m items by brute force.
func counts(s *table.Sets, m int) map[string]int {
	out := map[string]int{}
	for i := range s.Rows() {
		row := s.Present.Row(i)
		for chosen := 1; chosen < 1<<len(row); chosen++ {
			var set []int32
			for k, v := range row {
				if chosen>>k&1 == 1 {
					set = append(set, v)
				}
			}
			if len(set) <= m {
				out[fmt.Sprint(set)]++
			}
		}
	}
	return out
}

var items = []string{"beer", "wine", "milk", "tea", "bread", "jam", "soap", "salt"}

// tree is a hierarchy of the items.
func tree(t tabletest.T) *hierarchy.Hierarchy {
	h := must.Get(hierarchy.Parse("bought", strings.NewReader("beer;alcohol;drinks;*\nwine;alcohol;drinks;*\n"+
		"milk;soft;drinks;*\ntea;soft;drinks;*\nbread;food;solid;*\njam;food;solid;*\nsoap;other;solid;*\n"+
		"salt;other;solid;*\n")))(t)
	return h
}

// bought draws baskets.
func bought(r *rapid.T) *table.Table {
	rows := rapid.IntRange(0, 25).Draw(r, "rows")
	present, unknown := make([][]int32, rows), make([][]int32, rows)
	for i := range present {
		if rapid.IntRange(0, 9).Draw(r, "missing") == 0 {
			continue
		}
		all := rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(len(items)-1)), 0, 6, rapid.ID[int32]).Draw(r, "row")
		at := len(all) - rapid.IntRange(0, len(all)/4).Draw(r, "doubtful")
		present[i], unknown[i] = append([]int32{}, all[:at]...), all[at:]
	}
	return tabletest.Of(r, table.NumColumn("age", 1, make([]float64, rows)),
		table.SetColumn("bought", items, table.SetsOf(present, unknown)))
}

// release fits and applies, through JSON too.
func release(t tabletest.T, tab *table.Table, set map[string]string, h hierarchy.Set) (*Plan, *table.Table) {
	q := New()
	must.NoError(t, q.Params().Apply(set))
	q.UseHierarchies(h)
	fitted := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(fitted.Apply(tab, protecttest.Seed(2)))(t)
	text, err := json.Marshal(fitted)
	again := &Plan{}
	if err == nil {
		err = json.Unmarshal(text, again)
	}
	if err == nil {
		err = again.Check()
	}
	must.NoError(t, err)
	other, err := again.Apply(tab, protecttest.Seed(3))
	if err != nil ||
		fmt.Sprint(other.Sets(out.Width()-1).Present.All()) != fmt.Sprint(out.Sets(out.Width()-1).Present.All()) {
		t.Fatal("a plan that was read gives another release, or fails: ", err)
	}
	return fitted.(*Plan), out
}

// Whatever the settings, with a hierarchy and without: every set of up to m items is in k records or in none, a
// released item is one that the record had or a group of one, and what the plan says of losses is true.
func TestPromise(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := bought(r)
		k, m := rapid.IntRange(2, 6).Draw(r, "k"), rapid.IntRange(1, 4).Draw(r, "m")
		set := map[string]string{
			"k":        fmt.Sprint(k),
			"m":        fmt.Sprint(m),
			"suppress": rapid.SampledFrom([]string{Local, Global}).Draw(r, "suppress"),
		}
		var h hierarchy.Set
		if rapid.Bool().Draw(r, "hierarchy") {
			h = hierarchy.Set{"bought": tree(r)}
		}
		p, out := release(r, tab, set, h)
		must.NoError(r, promised(p, tab, out))
		was, is, labels := tab.Sets(1), out.Sets(1), out.Attr(1).Labels
		deleted := 0
		for i := range tab.Rows() {
			if was.MissingAt(i) != is.MissingAt(i) {
				r.Fatalf("record %d: missing %v, then %v", i, was.MissingAt(i), is.MissingAt(i))
			}
			held := map[string]bool{}
			for _, v := range was.Present.Row(i) {
				shown := false
				for _, name := range above(h["bought"], items[v]) {
					held[name] = true
					at := slices.Index(labels, name)
					shown = shown ||
						at >= 0 && slices.Contains(is.Present.Row(i), int32(at)) && (p.Groups[0] == nil || p.Groups[0].Of[v] == int32(at))
				}
				if !shown {
					deleted++
				}
			}
			for _, v := range is.Present.Row(i) {
				if !held[labels[v]] {
					r.Fatalf("record %d has %s, which it had not", i, labels[v])
				}
			}
		}
		if deleted != p.Found[0].Deleted {
			r.Fatalf("%d occurrences are deleted, the plan says %d", deleted, p.Found[0].Deleted)
		}
		if set["suppress"] == Global && h != nil {
			whole := must.Get(p.Recode(tab))(r)
			if fmt.Sprint(whole.Sets(1).Present.All()) != fmt.Sprint(is.Present.All()) {
				r.Fatal("generalising leaves rare sets to suppress")
			}
		}
	})
}

// above returns an item and the groups that it is in but the root.
func above(h *hierarchy.Hierarchy, item string) (out []string) {
	if h == nil {
		return []string{item}
	}
	at := int32(slices.Index(h.Names[0], item))
	for l := range h.Height() {
		out = append(out, h.Names[l][at])
		at = h.Up[l][at]
	}
	return out
}
