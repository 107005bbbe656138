package attackers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearesttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
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
	view := must.Get(who.On(was.Attrs()))(t)
	places := measure.Drawn(n, n)
	slices.Sort(places)
	team := must.Get(NewTeam(t.Context(), &measure.Release{Original: was, Released: was.WithNum(1, pay), Paired: true},
		view, places, Options{}))(t)
	kept := must.Get(team.Select(t.Context(), places, 0.01, &Budget{Comparisons: 1e12}))(t)
	c := kept.Choices[0]
	first := &Choice{By: team.Attackers[0], clues: team.clues(team.Attackers[0], false, team.orders[0])}
	early := must.Get(team.Credits(t.Context(), first, places[:untouched], &Budget{}))(t)
	if slices.Min(early) < 1 {
		t.Fatal("the first attack is not right for everybody at first, so nothing is tested")
	}
	if c.By == first.By {
		t.Errorf("the choice is %q, which is wrong later", c.By.Name)
	}
}

// TestRanked: the line with the best subset is first, of equals the earlier one; and of equal subsets the largest is
// taken.
func TestRanked(t *testing.T) {
	of := func(people ...[]float64) *line { return &line{order: make([]int, len(people[0])), credits: people} }
	a, b := of([]float64{0, 1, 1}, []float64{1, 1, 1}), of([]float64{0, 1}, []float64{0, 1})
	c, d := of([]float64{1, 0}, []float64{1, 0.5}), of([]float64{1}, []float64{0.5})
	for k, want := range []*line{a, b, c, d} {
		if got := ranked([]*line{d, a, b, c})[k]; got != want {
			t.Errorf("place %d: %v", k, got.credits)
		}
	}
	for _, want := range []struct {
		*line
		share float64
		clues int
	}{{a, 1, 3}, {b, 1, 2}, {c, 1, 1}, {d, 0.75, 1}} {
		if share, clues := want.best(); share != want.share || clues != want.clues {
			t.Errorf("%v: %v by %d clues", want.credits, share, clues)
		}
	}
}

// TestMayBeat: of n people whom only one of two attacks finds all are the leader's. That has the chance 1/2^n where
// they are equally good, and people whom both find say nothing.
func TestMayBeat(t *testing.T) {
	leader, other := &line{order: []int{0}}, &line{order: []int{0, 1}}
	find := func(n int, leads float64, others ...float64) {
		for range n {
			leader.credits, other.credits = append(leader.credits, []float64{leads}), append(other.credits, others)
		}
	}
	find(500, 1, 1, 1)
	find(500, 0, 0, 0)
	for n := 1; n <= 20; n++ {
		find(1, 1, 0, 0)
		if got, want := other.mayBeat(leader, 0.001), n < 10; got != want { // 1/2^10 < 0.001
			t.Errorf("after %d people: %v", n, got)
		}
	}
	find(20, 0, 0, 1)
	if !other.mayBeat(leader, 0.001) {
		t.Error("one subset could still be the best")
	}
}

// TestTheBestIsKept: of two attacks that are equally good, of people whom each finds by chance, none is given up. At
// the doubt 0.001 over 64 looks one of 2,000 would be in fewer than one of 500 runs of this test; seeds are fixed.
func TestTheBestIsKept(t *testing.T) {
	long.Only(t, "2,000 races")
	r := rand.New(rand.NewPCG(1, 2))
	given := 0
	for range 2000 {
		a, b := &line{order: []int{0}}, &line{order: []int{0}}
		for look := range 6 {
			for range 16 << look {
				a.credits = append(a.credits, []float64{float64(r.IntN(2))})
				b.credits = append(b.credits, []float64{float64(r.IntN(2))})
			}
			if !a.mayBeat(b, 0.001/64) || !b.mayBeat(a, 0.001/64) {
				given++
				break
			}
		}
	}
	if given > 3 {
		t.Errorf("the best was given up in %d of 2000 races", given)
	}
}

// TestCrowds: somebody who is one of many equals passes for not found where attacks are selected.
func TestCrowds(t *testing.T) {
	const n = 300
	was := nearesttest.People(t, n)
	rel := &measure.Release{Original: was, Released: was, Paired: true}
	who := &intruder.Intruder{Name: "x"}
	for _, a := range was.Attrs() {
		who.Knows = append(who.Knows, a.Name)
	}
	view := must.Get(who.On(was.Attrs()))(t)
	places := measure.Drawn(n, n)
	team := must.Get(NewTeam(t.Context(), rel, view, places, Options{}))(t)
	lost := 0
	for _, a := range team.Attackers {
		for _, order := range team.orders {
			all := &line{a: a, order: team.clues(a, false, order)}
			some := &line{a: a, order: all.order}
			for l, most := range map[*line]float64{all: math.Inf(1), some: 20} {
				must.NoError(t, team.try(t.Context(), []*line{l}, places, most, &Budget{}))
			}
			for i, person := range all.credits {
				for k, want := range person {
					if want > 0 && want <= 1.0/20 {
						want, lost = 0, lost+1
					}
					if got := some.credits[i][k]; math.Abs(got-want) > 1e-9 {
						t.Fatalf("%s: person %d gets %v by %d clues, expected %v", a.Name, i, got, k+1, want)
					}
				}
			}
		}
	}
	if lost < 100 {
		t.Errorf("%d credits are of a crowd: the test shows nothing", lost)
	}
}

// TestLookingUpEqualsGoingThrough: who goes through the records by their likeliest value finds the people whom one
// finds who goes through all, in a table in which more records show a value than are taken at a time.
func TestLookingUpEqualsGoingThrough(t *testing.T) {
	const n = 5 * block
	r := rand.New(rand.NewPCG(3, 4))
	var was, is []table.Column
	for j, values := range []float64{2, 30, 400} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i] = math.Floor(values * r.Float64())
			if y[i] = x[i]; r.IntN(10) == 0 {
				y[i] = math.Floor(values * r.Float64())
			}
			if r.IntN(50) == 0 {
				x[i] = math.NaN()
			}
		}
		name := string(rune('a' + j))
		was, is = append(was, table.NumColumn(name, 1, x)), append(is, table.NumColumn(name, 1, y))
	}
	rel := &measure.Release{Original: tabletest.Of(t, was...), Released: tabletest.Of(t, is...), Paired: true}
	who := &intruder.Intruder{Name: "x", Knows: []string{"a", "b", "c"}}
	view := must.Get(who.On(rel.Original.Attrs()))(t)
	places := measure.Drawn(60, 60)
	team := must.Get(NewTeam(t.Context(), rel, view, measure.Drawn(n, 60), Options{}))(t)
	shared := 0
	for _, a := range team.Attackers {
		through := &Attacker{Name: a.Name, strict: a.strict, clues: slices.Clone(a.clues)}
		for k := range through.clues {
			through.clues[k].index = nil
		}
		for _, order := range [][]int{{0, 1, 2}, {1, 0}, {2, 1, 0}} {
			l, plain := &line{a: a, order: order}, &line{a: through, order: order}
			for _, l := range []*line{l, plain} {
				must.NoError(t, team.try(t.Context(), []*line{l}, places, math.Inf(1), &Budget{}))
			}
			for i, person := range plain.credits {
				same(t, a.Name, l.credits[i], person)
				if last := person[len(person)-1]; last > 0 && last < 1 {
					shared++
				}
			}
		}
	}
	if shared < 100 {
		t.Errorf("%d people share their credit: the test shows nothing", shared)
	}
}
