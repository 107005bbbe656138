package attackers

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearesttest"
)

// TestGoesOnAmongPerfect: an attack that is right for all who are asked first, and wrong later, is told from one that
// is right for everybody.
func TestGoesOnAmongPerfect(t *testing.T) {
	const n, untouched = 400, 100
	was := nearesttest.People(t, n)
	pay := slices.Clone(was.Num(1))
	for i := untouched; i < n; i++ {
		pay[i] += 0.02
	}
	who := &intruder.Intruder{Name: "x"}
	for _, a := range was.Attrs() {
		who.Knows = append(who.Knows, a.Name)
	}
	view, err := who.On(was.Attrs())
	if err != nil {
		t.Fatal(err)
	}
	places := measure.Drawn(n, n)
	slices.Sort(places)
	team, err := NewTeam(
		t.Context(),
		&measure.Release{Original: was, Released: was.WithNum(1, pay), Paired: true},
		view,
		places,
		Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	c, err := team.Choose(t.Context(), places, &Budget{Comparisons: 1e12})
	if err != nil {
		t.Fatal(err)
	}
	first := &Choice{By: team.Attackers[0], clues: team.clues(team.Attackers[0], false, team.orders[0])}
	early, err := team.Credits(t.Context(), first, places[:untouched], &Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(early) < 1 {
		t.Fatal("the first attack is not right for everybody at first, so nothing is tested")
	}
	if c.By == first.By {
		t.Errorf("the choice is %q, which is wrong later", c.By.Name)
	}
}
