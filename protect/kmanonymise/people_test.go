package kmanonymise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// subsets returns the sets of 1 to m items of a row.
func subsets(row []int32, m int) (out []string) {
	var choose func(rest, chosen []int32)
	choose = func(rest, chosen []int32) {
		if len(chosen) > 0 {
			out = append(out, fmt.Sprint(chosen))
		}
		if len(chosen) == m {
			return
		}
		for k, v := range rest {
			choose(rest[k+1:], append(chosen[:len(chosen):len(chosen)], v))
		}
	}
	choose(row, nil)
	return out
}

// having returns the rows with every set of up to m items that a record has and, for every set that somebody's records
// have together, the rows of those whose have.
func having(p protect.Plan, original, release *table.Table) (groups [][]int) {
	q, whose := p.(*Plan), original.Owners()
	for _, j := range q.Columns {
		records, people, own := map[string][]int{}, map[string][]int{}, map[int32][]int{}
		for i := range release.Rows() {
			for _, set := range subsets(release.Sets(j).Present.Row(i), q.M) {
				records[set] = append(records[set], i)
			}
			if whose != nil {
				own[whose[i]] = append(own[whose[i]], i)
			}
		}
		for _, rows := range own {
			var all []int32
			for _, i := range rows {
				all = append(all, release.Sets(j).Present.Row(i)...)
			}
			slices.Sort(all)
			for _, set := range subsets(slices.Compact(all), q.M) {
				people[set] = append(people[set], rows...)
			}
		}
		for _, by := range []map[string][]int{records, people} {
			for _, rows := range by {
				groups = append(groups, rows)
			}
		}
	}
	return groups
}

// TestAgain: what is deleted for the sake of all that a person has makes a set of single records rare, which is looked
// at again. The first of four people has a with c and with d, as nobody else, so a goes from all of that one's records;
// then only the second has a and b in one record, though the third has both.
func TestAgain(t *testing.T) {
	sets := [][]int32{{0, 1}, {2}, {3}, {0, 1}, {0}, {1}, {1}, {2}, {3}}
	whose := []int32{0, 0, 0, 1, 2, 2, 3, 3, 3}
	tab := tabletest.Of(t, table.SetColumn("bought", []string{"a", "b", "c", "d"}, table.SetsOf(sets, nil))).Owned(whose)
	p, out := release(t, tab, map[string]string{"k": "2", "m": "2"}, nil)
	if got := written(out, 0); !strings.HasPrefix(got, "b, c, d, ") {
		t.Errorf("the first person has %q", got)
	}
	for _, rows := range having(p, tab, out) {
		if headcount.Count(whose, narrow(rows)) < 2 {
			t.Errorf("records %v have a set of one person: %s", rows, written(out, 0))
		}
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "at least 2 people have all, "+
		"or nobody has") || strings.Contains(notes, "records are counted") {
		t.Errorf("notes %q", notes)
	}
}

func narrow(rows []int) []int32 {
	out := make([]int32, len(rows))
	for k, i := range rows {
		out[k] = int32(i)
	}
	return out
}

// TestSetsOfPeople: whatever the settings, with a hierarchy and without, every set of up to m items that a record of a
// person has, or all of them together, is one of k people or of nobody, as somebody counts who tries every set; and an
// item that is deleted breaks some set that was rare.
func TestSetsOfPeople(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := bought(r)
		whose := make([]int32, tab.Rows())
		for i := range whose {
			whose[i] = int32(rapid.IntRange(0, 2+tab.Rows()/2).Draw(r, "whose"))
		}
		tab = tab.Owned(whose)
		k, m := rapid.IntRange(2, 4).Draw(r, "k"), rapid.IntRange(1, 3).Draw(r, "m")
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
		for _, rows := range having(p, tab, out) {
			who := map[int32]bool{}
			for _, i := range rows {
				who[whose[i]] = true
			}
			if len(who) < k {
				r.Fatalf("%d records have a set, of %d people, expected %d", len(rows), len(who), k)
			}
		}
		lost, rare := 0, false
		for i := range tab.Rows() {
			lost += len(tab.Sets(1).Present.Row(i)) - len(out.Sets(1).Present.Row(i))
		}
		for _, rows := range having(p, tab, tab) {
			who := map[int32]bool{}
			for _, i := range rows {
				who[whose[i]] = true
			}
			rare = rare || len(who) < k
		}
		if !rare && lost > 0 {
			r.Fatalf("%d occurrences are lost, and no set was rare", lost)
		}
	})
}
