package attackers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/measure/internal/nearesttest"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// released returns people, and the same with moved numbers, other towns for some and gaps that are kept, and a few that
// are made or filled.
func released(t *testing.T, n int) *measure.Release {
	t.Helper()
	was := nearesttest.People(t, n)
	is, r := nearesttest.Moved(was), rand.New(rand.NewPCG(5, 6))
	for j := range is.Width() {
		num, cat := slices.Clone(is.Num(j)), slices.Clone(is.Cat(j))
		for i := range n {
			switch {
			case r.IntN(25) > 0:
			case num != nil:
				num[i] = math.NaN()
			default:
				cat[i] = int32(r.IntN(6) - 1)
			}
		}
		if num != nil {
			is = is.WithNum(j, num)
		} else {
			is = is.WithCat(j, cat)
		}
	}
	return &measure.Release{Original: was, Released: is, Paired: true}
}

// subsets are what the twins are compared on.
var subsets = [][]int{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}

// credits returns what an attacker gets for everybody with some columns.
func credits(t *testing.T, r *measure.Release, name string, columns []int, gaps bool) []float64 {
	t.Helper()
	who := &intruder.Intruder{Name: "x", Gaps: gaps}
	for _, j := range columns {
		who.Knows = append(who.Knows, r.Original.Attr(j).Name)
	}
	view := must.Get(who.On(r.Original.Attrs()))(t)
	rows := measure.Drawn(r.Original.Rows(), r.Original.Rows())
	team := must.Get(NewTeam(t.Context(), r, view, rows, Options{}))(t)
	a := team.Attackers[slices.IndexFunc(team.Attackers, func(a *Attacker) bool { return a.Name == name })]
	var b Budget
	c := &Choice{a, gaps, team.clues(a, gaps, team.orders[0])}
	out := must.Get(team.Credits(t.Context(), c, rows, &b))(t)
	claims := must.Get(team.Claims(t.Context(), c, rows, &b))(t)
	same(t, name+": claims and credits", claims.Credits(), out)
	l := &line{a: a, gaps: gaps, order: c.clues}
	must.NoError(t, team.try(t.Context(), []*line{l}, rows, math.Inf(1), &b))
	last := make([]float64, len(out))
	for i, person := range l.credits {
		last[i] = person[len(person)-1]
	}
	same(t, name+": the last subset of the order and that alone", last, out)
	return out
}

func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// same fails where credits differ.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Errorf("%s: person %d gets %v, expected %v", what, i, got[i], want[i])
			return
		}
	}
}

// TestDistanceEqualsTheIndex: without the pattern of gaps the attacker by distance links as the index of package
// nearest does.
func TestDistanceEqualsTheIndex(t *testing.T) {
	r := released(t, 150)
	for _, columns := range subsets {
		var known []intruder.Known
		for _, j := range columns {
			known = append(known, intruder.Known{Column: j})
		}
		l := must.Get(nearest.Distance{Pairs: math.MaxInt}.Link(t.Context(), r.Original, r.Released, known, nil))(t)
		same(t, "distance", credits(t, r, "nearest", columns, false), l.First)
	}
}

// TestPosteriorEqualsTheMatcher: the attacker by the posterior takes whom package posterior finds the likeliest, where
// nothing is ruled out.
func TestPosteriorEqualsTheMatcher(t *testing.T) {
	r := released(t, 150)
	for _, columns := range subsets {
		view := &intruder.View{Name: "x", InFile: true}
		for _, j := range columns {
			view.Known = append(view.Known, intruder.Known{Column: j})
		}
		m := must.Get(posterior.NewMatcher(t.Context(), r, view, posterior.Options{}))(t)
		s := must.Get(m.Study(t.Context(), measure.Targets{Rows: measure.Drawn(150, 150)}))(t)
		got, differ := credits(t, r, unaware, columns, false), 0
		for i := range got {
			if math.Abs(got[i]-s.Hit[i]) > 1e-9 {
				differ++
			}
		}
		if differ > 3 { // ties of long products differ by rounding, and a probability of 1e-7 is no 0
			t.Errorf("columns %v: %d of 150 people are found by one and not by the other", columns, differ)
		}
	}
}

// plain compares everybody with everybody by a score of two rows.
func plain(n int, score func(person, record int) float64, strict bool) []float64 {
	out := make([]float64, n)
	for i := range n {
		best, ties := math.Inf(-1), 0.0
		for k := range n {
			switch s := score(i, k); {
			case s > best+1e-9:
				best, ties = s, 1
			case s > best-1e-9:
				ties++
			}
		}
		if own := score(i, i); own > best-1e-9 && !(strict && own < 0) {
			out[i] = 1 / ties
		}
	}
	return out
}

// cell returns a value as text, "" for a missing one.
func cell(t *table.Table, i, j int) (v float64, missing bool) {
	c := t.Column(j)
	return c.Numbers()[i], t.MissingAt(i, j)
}

// TestLookUpEqualsLookingUp compares with looking everybody up among all records.
func TestLookUpEqualsLookingUp(t *testing.T) {
	r := released(t, 150)
	for _, gaps := range []bool{false, true} {
		for _, columns := range subsets {
			shows := func(person, record int) float64 {
				for j := range 3 {
					x, gone := cell(r.Original, person, j)
					y, lost := cell(r.Released, record, j)
					switch known := slices.Contains(columns, j); {
					case gaps && gone && !lost:
						return -1
					case known && !gone && !lost && x != y:
						return -1
					}
				}
				return 0
			}
			same(t, "look-up", credits(t, r, "look-up", columns, gaps), plain(150, shows, true))
		}
	}
}

// TestGapsByDistance: with the pattern, a column in which one value is missing and the other is not is at distance 1,
// one in which both are at 0.
func TestGapsByDistance(t *testing.T) {
	r := released(t, 150)
	for _, columns := range subsets[:long.Of(2, len(subsets))] {
		sd := [3]float64{}
		for j := range 2 {
			var v []float64
			for _, x := range r.Original.Num(j) {
				if x == x {
					v = append(v, x)
				}
			}
			mean, ss := sumOf(v)/float64(len(v)), 0.0
			for _, x := range v {
				ss += (x - mean) * (x - mean)
			}
			sd[j] = math.Sqrt(ss / float64(len(v)-1))
		}
		near := func(person, record int) float64 {
			d := 0.0
			for j := range 3 {
				x, gone := cell(r.Original, person, j)
				y, lost := cell(r.Released, record, j)
				switch known := slices.Contains(columns, j); {
				case gone != lost:
					d++
				case gone || !known:
				case j == 2 && x != y:
					d++
				case j < 2:
					d += (x - y) * (x - y) / (2 * sd[j] * sd[j])
				}
			}
			return -d
		}
		same(t, "gaps by distance", credits(t, r, "nearest", columns, true), plain(150, near, false))
	}
}

// TestTiesInLargeTables: in a table of many blocks of records everybody is found with the credit of all who look alike.
func TestTiesInLargeTables(t *testing.T) {
	n := block + 600
	v, count := make([]float64, n), map[float64]float64{}
	for i := range v {
		v[i] = float64(i % 1001)
		count[v[i]]++
	}
	tab := tabletest.Of(t, table.NumColumn("x", 1, v))
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	want := make([]float64, n)
	for i := range v {
		want[i] = 1 / count[v[i]]
	}
	for _, name := range []string{"look-up", "nearest", unaware} {
		same(t, name, credits(t, r, name, []int{0}, false), want)
	}
}

// TestMemory: scores that are kept for who asks again are those that are worked out anew, of everybody and with the
// pattern of gaps and without.
func TestMemory(t *testing.T) {
	r := released(t, 300)
	who := &intruder.Intruder{Name: "x", Knows: []string{"all"}, Gaps: true}
	view := must.Get(who.On(r.Original.Attrs()))(t)
	rows := measure.Drawn(300, 300)
	team := func(room int64) *Team {
		out := must.Get(NewTeam(t.Context(), r, view, rows, Options{}))(t)
		out.room.Store(room)
		return out
	}
	none, some, all := team(0), team(2000), team(mostRemembered)
	at := slices.IndexFunc(all.Attackers, func(a *Attacker) bool { return a.Name == unaware })
	for round := range 2 {
		for _, gaps := range []bool{true, false} {
			var want []float64
			for _, x := range []*Team{none, some, all} {
				c := &Choice{x.Attackers[at], gaps, x.clues(x.Attackers[at], gaps, x.orders[0])}
				got := must.Get(x.Credits(t.Context(), c, rows, &Budget{}))(t)
				if x == none {
					want = got
				}
				same(t, fmt.Sprintf("round %d, gaps %t", round, gaps), got, want)
			}
		}
	}
	if left := all.room.Load(); left == mostRemembered || left < 0 {
		t.Errorf("there is room for %d scores: none were kept", left)
	}
}
