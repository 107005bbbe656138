package learned

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestOwnRecordsLeftOut: what a person's other records tell is no part of what anybody could guess: where a secret is
// one in all records of a person, and the release shows it, all of it is learned, by votes, by trees and by segments.
func TestOwnRecordsLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const everybody, each = 150, 3
	persons := map[table.RecordID]int32{}
	var known []float64
	var who, secret []int32
	labels := make([]string, everybody)
	for p := range everybody {
		s := int32(r.IntN(2))
		labels[p] = fmt.Sprint("p", p)
		for range each {
			persons[table.RecordID(len(known))] = int32(p)
			known, who, secret = append(known, float64(p)), append(who, int32(p)), append(secret, s)
		}
	}
	tab := tabletest.Must(table.NumColumn("x", 1, known), table.CatColumn("s", []string{"a", "b"}, secret),
		table.CatColumn("w", labels, who))
	knows := &intruder.Intruder{Name: "i", Knows: []string{"x", "w"}, Secret: []string{"s"}}
	for _, person := range []string{"", "p"} {
		rel := (&measure.Release{Original: tab, Released: tab, Paired: true,
			Making: measure.Making{Segments: &segment.ByValues{Schema: tab.Attrs(), Columns: []int{2}}},
			Owners: measure.Owners{Person: person, Persons: map[string]map[table.RecordID]int32{"p": persons}}}).Against(knows)
		view := must.Get(rel.SecretView())(t)
		g := must.Get(New().newGame(t.Context(), rel, view))(t)
		out := [][]*tally{make([]*tally, len(g.attacks))}
		for a := range g.attacks {
			out[0][a] = newTally(g.count)
		}
		for _, play := range []func(context.Context, *people, bool, [][]*tally) error{g.lookAll, g.growAll, g.divideAll} {
			must.NoError(t, play(t.Context(), g.count.inside, true, out))
		}
		for a, usual := range map[int]float64{0: 0.95, len(g.attacks) - 2: 0.68, len(g.attacks) - 1: 0.95} {
			if c := out[0][a].figure(true).control; (c > usual) != (person == "") {
				t.Errorf("by %q: without the own record an attack (%s) is right of %v", person, g.attacks[a].kind, c)
			}
		}
		v, err := New().Measure(t.Context(), rel, rng.New([32]byte{}))
		if err != nil || (v.Score > 0.9) != (person != "") {
			t.Errorf("by %q: %v, %v", person, v.Score, err)
		}
	}
}
