package attackers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// homes is a release of so many units of one to four records. A weight is one for each unit, but for a share of the
// records, and two units in five share it; of two known columns the one is changed by noise.
func homes(units int, astray float64) (*measure.Release, []int32) { return homesOf(units, astray, 50) }

// homesOf is homes with so many values of the column that is changed.
func homesOf(units int, astray float64, values int) (*measure.Release, []int32) {
	r := rand.New(rand.NewPCG(1, 2))
	var of []int32
	var weight, a, b, moved []float64
	for u := range units {
		for range 1 + r.IntN(4) {
			of = append(of, int32(u))
			w := float64(u)
			if u%5 == 1 {
				w--
			}
			if r.Float64() < astray {
				w = float64(r.IntN(units))
			}
			weight, a = append(weight, w), append(a, float64(r.IntN(4)))
			b = append(b, float64(r.IntN(values)))
			moved = append(moved, b[len(b)-1]+math.Round(3*r.NormFloat64()))
		}
	}
	tab := tabletest.Must(table.NumColumn("w", 1, weight), table.NumColumn("a", 1, a), table.NumColumn("b", 1, b))
	ids := map[table.RecordID]int32{}
	for i, u := range of {
		ids[tab.ID(i)] = u
	}
	return &measure.Release{Original: tab, Released: tab.WithNum(2, moved), Paired: true,
		Intruder: &intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{}},
		Owners:   measure.Owners{Persons: map[string]map[table.RecordID]int32{"home": ids}, Person: "home"}}, of
}

// TestGroups: records are put together by the column that is one in all records of a unit, or nearly, and by no other;
// who finds a group finds what share of it is the unit's.
func TestGroups(t *testing.T) {
	for _, astray := range []float64{0, 0.02, 0.5} {
		r, of := homes(200, astray)
		g, err := GroupsOf(r, -1)
		if err != nil || (g == nil) != (astray == 0.5) {
			t.Fatalf("%v astray: %v, %v", astray, g, err)
		}
		if g == nil {
			continue
		}
		if len(g.Columns) != 1 || g.Columns[0] != 0 {
			t.Errorf("%v astray: grouped by columns %v", astray, g.Columns)
		}
		weight, pure := r.Released.Num(0), 0.0
		for u := range int32(200) {
			most := 0.0
			for i := range of {
				mine, all := 0.0, 0.0
				for k := range of {
					if weight[k] == weight[i] {
						all++
						if of[k] == u {
							mine++
						}
					}
				}
				most = max(most, mine/all)
			}
			pure += most / 200
		}
		if math.Abs(pure-g.Pure) > 1e-9 {
			t.Errorf("%v astray: pure %v, want %v", astray, g.Pure, pure)
		}
		if none, _ := GroupsOf(r, 0); none != nil {
			t.Errorf("%v astray: without the weight by columns %v", astray, none.Columns)
		}
	}
}

// TestPseudonym: a pseudonym that the release shows puts the records of each unit together, whatever its columns do,
// and one of other units does not.
func TestPseudonym(t *testing.T) {
	r, of := homes(200, 0.5)
	r.Shown = []string{"home"}
	g, err := GroupsOf(r, 0)
	if err != nil || g == nil || g.Pure != 1 || len(g.Columns) != 0 || !slices.Equal(g.Keys, []string{"home"}) {
		t.Fatalf("%+v, %v", g, err)
	}
	for i := range of {
		for k := range of {
			if (of[i] == of[k]) != (g.of[i] == g.of[k]) {
				t.Fatalf("records %d and %d are in the groups %d and %d", i, k, g.of[i], g.of[k])
			}
		}
	}
	other, _ := homes(200, 0.5)
	other.Persons["street"] = map[table.RecordID]int32{}
	for i := range of {
		other.Persons["street"][other.Original.ID(i)] = int32(i % 7)
	}
	other.Shown = []string{"street"}
	if g, _ := GroupsOf(other, 0); g != nil {
		t.Errorf("records of other streets are put together by %v", g.Keys)
	}
}

// household makes a team that tries all records of a release, with the groups of records and n units of those of its
// original.
func household(t *testing.T, r *measure.Release, of []int32, n int) (*Team, *Groups, []Unit) {
	t.Helper()
	g := must.Get(GroupsOf(r, -1))(t)
	view := must.Get(r.View())(t)
	rows, units := make([]int, len(of)), make([]Unit, n)
	for i, u := range of {
		rows[i] = i
		units[u].Places, units[u].Size = append(units[u].Places, i), units[u].Size+1
	}
	team := must.Get(NewTeam(t.Context(), r, view, rows, Options{Each: true}))(t)
	return team, g, units
}

// TestWhole holds the search for whole units against a plain one that compares each unit with every group, and each
// record known with every record left; and far more are found than by one record.
func TestWhole(t *testing.T) {
	for _, astray := range []float64{0.02, 0}[:long.Of(1, 2)] {
		n := long.Of(40, 80)
		r, of := homes(n, astray)
		team, g, units := household(t, r, of, n)
		for _, c := range team.Choices(nil) {
			var sums [2]float64
			for k, sure := range []bool{false, true} {
				claims := must.Get(team.Whole(context.Background(), c, g, units, sure, &Budget{}))(t)
				for u, v := range claims.Credits() {
					want := plainly(team, c, g, of, int32(u))
					if math.Abs(v-want) > 1e-9 {
						t.Errorf("%v astray, %s, unit %d: credit %v, want %v", astray, c.By.Name, u, v, want)
					}
					sums[k] += v / float64(n)
				}
			}
			if c.By.Name == "nearest" && sums[0] < 0.4 {
				t.Errorf("%v astray: nearest finds %v of the units", astray, sums[0])
			}
		}
	}
}

// TestWholeInALargeTable: where more records than are looked up may be the first of a unit, those of the groups that
// have its size are gone through as they lie, and the credits are the same.
func TestWholeInALargeTable(t *testing.T) {
	long.Only(t, "7,000 records")
	r, of := homesOf(7000, 0, 12)
	team, g, units := household(t, r, of, 7000)
	c, through, right := team.Choices(nil)[1], 0, 0.0 // by distance
	if c.By.Name != "nearest" {
		t.Fatal(c.By.Name)
	}
	laid := must.Get(team.laid(t.Context(), c.By, team.quick(c), g.rows.Codes))(t)
	m := team.matcher(c, g, laid, team.quick(c))
	for u, n := int32(0), 0; n < 10; u++ {
		if units[u].Size < 3 { // many are equal to a single record
			continue
		}
		n++
		for _, sure := range []bool{false, true} {
			want := plainly(team, c, g, of, u)
			if got := m.claim(&units[u], sure); math.Abs(got.credit-want) > 1e-9 {
				t.Errorf("unit %d of %d records, sure %v: credit %v, want %v", u, units[u].Size, sure, got.credit, want)
			}
			right += want
		}
		m.unit++ // as if no group had been tried
		if !m.lookedUp(func() float64 { return m.best - distant }, func(int32) bool { return false }) {
			through++
		}
	}
	if through < 8 || right == 0 {
		t.Errorf("of 10 units %d are in too many records to look up, and %v found: the test shows nothing", through, right)
	}
}

// plainly is the credit for a unit.
func plainly(t *Team, c *Choice, g *Groups, of []int32, u int32) float64 {
	known := []int{}
	for i, v := range of {
		if v == u {
			known = append(known, i)
		}
	}
	score := func(i, k int) (sum float64) {
		for _, at := range t.quick(c) {
			cl := &c.By.clues[at]
			s, to := cl.scorer(), []float64{0}
			if _, ok := s.person(i, c.Gaps); ok {
				s.add(to, []int32{int32(cl.code(k))})
				sum += to[0]
			}
		}
		return sum
	}
	best, ties, right, own := math.Inf(-1), 0.0, 0.0, math.Inf(-1)
	for k := range len(g.rows.Start) - 1 {
		rows := g.rows.Row(k)
		if len(rows) < len(known) || len(rows) > mostTimes*len(known) {
			continue
		}
		usedI, usedK, v, mine := map[int]bool{}, map[int32]bool{}, 0.0, 0.0
		for range known {
			at, of, most := -1, int32(-1), math.Inf(-1)
			for _, i := range known {
				for _, r := range rows {
					if s := score(i, int(r)); !usedI[i] && !usedK[r] && s > most {
						at, of, most = i, r, s
					}
				}
			}
			usedI[at], usedK[of], v = true, true, v+most
		}
		for _, r := range rows {
			if of[r] == u {
				mine += 1 / float64(len(rows))
			}
		}
		v -= g.wrong * math.Abs(float64(len(rows)-len(known)))
		if mine > 0 {
			own = max(own, v)
		}
		switch {
		case v > best+1e-9:
			best, ties, right = v, 1, mine
		case v >= best-1e-9:
			ties, right = ties+1, right+mine
		}
	}
	if ties == 0 || own < best-1e-9 {
		return 0
	}
	return right / ties
}
