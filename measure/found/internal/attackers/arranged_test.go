package attackers

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Records that are laid out in the order in which they are looked up give everybody the same credit, and the same
// count of comparisons, as records where they are: of a person's one record and of several, of values that are
// missing, and of numbers that every record has for itself.
func TestArranged(t *testing.T) {
	const n = leastArranged
	r := rand.New(rand.NewPCG(8, 8))
	was, is := []table.Column{}, []table.Column{}
	for j, values := range []float64{40, 9, 1 << 40} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i] = math.Floor(values * r.Float64())
			if y[i] = x[i]; r.IntN(4) == 0 {
				y[i] += float64(r.IntN(3))
			}
			if r.IntN(50) == 0 {
				x[i] = math.NaN()
			}
			if i%6 == 1 { // somebody has a record twice
				x[i], y[i] = x[i-1], y[i-1]
			}
		}
		name := string(rune('a' + j))
		was, is = append(was, table.NumColumn(name, 1, x)), append(is, table.NumColumn(name, 1, y))
	}
	who := &intruder.Intruder{Name: "x", Knows: []string{"a", "b", "c"}}
	for _, owned := range []bool{false, true} {
		rel := &measure.Release{Original: tabletest.Of(t, was...), Released: tabletest.Of(t, is...), Paired: true}
		if owned {
			rel.Owners = measure.Owners{Person: "who", Persons: map[string]map[table.RecordID]int32{"who": {}}}
			for i := range n {
				rel.Persons["who"][rel.Original.ID(i)] = int32(i / 3)
			}
		}
		view := must.Get(who.On(rel.Original.Attrs()))(t)
		team := must.Get(NewTeam(t.Context(), rel, view, measure.Drawn(n, leastLookedFor), Options{}))(t)
		found := 0.0
		for _, a := range team.Attackers {
			c := &Choice{a, team.gaps != nil, team.clues(a, team.gaps != nil, team.orders[0])}
			places := measure.Drawn(leastLookedFor, leastLookedFor)
			var laid, plain Budget
			got := must.Get(team.Credits(t.Context(), c, places, &laid))(t)
			first := must.Get(team.Credits(t.Context(), c, places[:1], &plain))(t)
			rest := must.Get(team.Credits(t.Context(), c, places[1:], &plain))(t)
			same(t, a.Name, got, append(first, rest...))
			if laid.spent != plain.spent {
				t.Errorf("owned %v, %s: %v comparisons, expected %v", owned, a.Name, laid.spent, plain.spent)
			}
			for _, v := range got {
				found += v
			}
		}
		if found < 10 || (team.of != nil) != owned {
			t.Errorf("owned %v: %v found: the test shows nothing", owned, found)
		}
	}
}
