package relation_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestRecurringPairs: where people recur, what is drawn anew for pairs that never come together is the same for a
// person whatever the other records of a release are, and whatever was drawn for the columns that change from release
// to release. No release has such a pair.
func TestRecurringPairs(t *testing.T) {
	const n = 3000
	labels := [3][]string{{"a", "b", "c", "d"}, {"p", "q", "r", "s"}, {"no", "yes"}}
	r := rand.New(rand.NewPCG(3, 4))
	draw := func(c, rows int) table.Column {
		codes := make([]int32, rows)
		for i := range codes {
			codes[i] = int32(r.IntN(len(labels[c])))
		}
		return table.CatColumn("abc"[c:c+1], labels[c], codes)
	}
	never := func(a, b, of, other string) relation.Relation {
		return relation.Relation{Kind: relation.NeverTogether, Columns: []string{a, b}, Other: of, Value: other}
	}
	tab := tabletest.Of(t, draw(0, n), draw(1, n), draw(2, n))
	by, left, err := relation.Restate(tab, []relation.Relation{
		never("a", "b", "a", "p"), never("a", "b", "a", "q"), never("b", "c", "r", "yes"), never("a", "c", "d", "yes"),
	}, relation.RestateOptions{Fixed: func(name string) bool { return name == "c" }})
	if err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
	first := tabletest.Of(t, draw(0, n), draw(1, n), draw(2, n))
	rows := []int{}
	for i := range n {
		if i > 700 && (first.Cat(1)[i] != 3 || i%4 == 0) {
			rows = append(rows, i)
		}
	}
	later := must.Get(first.Gather(rows).WithColumn(2, draw(2, len(rows))))(t)
	release := func(tab *table.Table, whose func(i int) int) *table.Table {
		who := make([]rng.Block, tab.Rows())
		for i := range who {
			who[i] = rng.Block{A: uint64(whose(i))}
		}
		out, did, err := by.Restore(tab, tab, relation.Draws{
			Source: rng.New([32]byte{1}), Persons: who, Alike: []string{"a", "b"},
		})
		if err != nil || did.Redrawn < tab.Rows()/5 {
			t.Fatalf("%d records drawn anew, %v", did.Redrawn, err)
		}
		for _, rel := range by.Relations() {
			b := must.Get(rel.Bind(out))(t)
			if _, broken := b.Count(out); broken > 0 {
				t.Errorf("%d records break %s", broken, rel.String())
			}
		}
		return out
	}
	was, is := release(first, func(i int) int { return i }), release(later, func(i int) int { return rows[i] })
	for i := range is.Rows() {
		for j := range 2 {
			if k := rows[i]; is.Cat(j)[i] != was.Cat(j)[k] {
				t.Fatalf("person %d has %d in column %d, and had %d", k, is.Cat(j)[i], j, was.Cat(j)[k])
			}
		}
	}
}
