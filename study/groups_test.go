package study

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// found is a detail that knows whom it finds.
type found []float64

func (f found) Hits() []float64    { return f }
func (f found) Records() []float64 { return f }

// crowd is 400 people of two sexes, four of whom live apart, with an age and a class.
func crowd(t *testing.T) *table.Table {
	sex, town, age := make([]int32, 400), make([]int32, 400), make([]float64, 400)
	for i := range sex {
		sex[i], age[i] = int32(i%2), float64(i)
		if i < 4 {
			town[i] = 1
		}
	}
	cols := []table.Column{
		table.CatColumn("sex", []string{"f", "m"}, sex),
		table.CatColumn("town", []string{"ur", "uruk"}, town),
		table.NumColumn("age", 1, age),
	}
	for k := range cols {
		cols[k].Role = table.Quasi
	}
	return tabletest.Of(t, cols...)
}

// TestGroups: of 400 people those of one sex are found in half of the cases, the others never. That group is named with
// bounds, for all groups together, that hold it; a town of four people is not, nor is the other town, which has nothing
// to be compared with.
func TestGroups(t *testing.T) {
	o := &Outcome{Original: crowd(t), Measures: []Measured{}}
	hits := make(found, 400)
	for i := range hits {
		if i%2 == 1 && i%4 == 1 {
			hits[i] = 1
		}
	}
	o.Measures = append(o.Measures, risky("linkage", "x", hits))
	a := Attacks(o, 1)[0]
	if len(a.Groups) != 6 || a.GroupsBy != "linkage" {
		t.Fatalf("%d groups by %s: %+v", len(a.Groups), a.GroupsBy, a.Groups)
	}
	g := a.Groups[0]
	if g.Column != "sex" || g.Group.String() != "m" || g.People != 200 || g.Tried != 200 || g.Share != 0.5 || !g.More ||
		g.Lo > 0.5 ||
		g.Hi < 0.5 {
		t.Errorf("the worst group is %+v", g)
	}
	one := 1 - 0.025/6
	if lo := 0.5 - 2.9*math.Sqrt(0.25/200); g.Lo > lo+0.02 || one < 0.99 {
		t.Errorf("the bounds %v to %v are those of one group alone", g.Lo, g.Hi)
	}
	for _, g := range a.Groups {
		if g.Column == "town" ||
			g.Column == "age" && (g.People != 100 || g.More || g.Quarter == 0) || g.Group.String() == "f" && g.Hi > 0.1 {
			t.Errorf("%+v", g)
		}
	}
	text := a.Sentences[len(a.Sentences)-1].Says.String()
	if !strings.Contains(text, "that with m in sex is found most often: 50 % of 200") ||
		!strings.Contains(text, "25 % of all") {
		t.Error(text)
	}
}

// TestGroupsOfPeople: everybody's records are doubled, of which one is found where the person is; the groups are those
// of the people.
func TestGroupsOfPeople(t *testing.T) {
	one := crowd(t)
	hits, both, rows, of := make(found, 400), make(found, 800), make([]int, 800), make([]int32, 800)
	for i := range both {
		rows[i], of[i] = i/2, int32(i/2)
		if i%8 == 2 { // records of the person i/2 = 1, 5, 9, ...
			both[i], hits[i/2] = 1, 1
		}
	}
	for i := range hits {
		if i%5 == 0 { // nobody tried them, or one of their records
			hits[i], both[2*i] = math.NaN(), math.NaN()
			if i%10 == 0 {
				both[2*i+1] = math.NaN()
			} else {
				hits[i] = 0
			}
		}
	}
	want := Attacks(&Outcome{Original: one, Measures: []Measured{risky("linkage", "x", hits)}}, 1)[0]
	got := Attacks(&Outcome{Original: one.Gather(rows), People: of, Measures: []Measured{risky("linkage", "x", both)}},
		1)[0]
	if len(want.Groups) < 2 || !reflect.DeepEqual(got.Groups, want.Groups) {
		t.Errorf("groups %+v\nwant %+v", got.Groups, want.Groups)
	}
	if g, w := got.Sentences[len(got.Sentences)-1].Says.String(),
		want.Sentences[len(want.Sentences)-1].Says.String(); g != w {
		t.Errorf("%s\nwant %s", g, w)
	}
}

// TestGroupsByChance: people found at random make a group stand out in at most 5 % of 400 trials. The true rate is at
// most 0.05, so more than 40 (0.1) has a chance of 2e-5; trials are seeded.
func TestGroupsByChance(t *testing.T) {
	tab, r, out := crowd(t), rand.New(rand.NewPCG(1, 7)), 0
	for range 400 {
		hits := make(found, 400)
		for i := range hits {
			if r.Float64() < 0.2 {
				hits[i] = 1
			}
		}
		a := Attack{Measures: []int{0}}
		a.group(&Outcome{Original: tab, Measures: []Measured{risky("linkage", "x", hits)}})
		if slices.ContainsFunc(a.Groups, func(g GroupRisk) bool { return g.More }) {
			out++
		}
		if a.Groups[0].More != (len(a.Sentences) == 1) {
			t.Fatalf("%+v: %q", a.Groups[0], a.Sentences)
		}
	}
	if out > 40 {
		t.Errorf("a group stands out by chance in %d of 400 trials", out)
	}
}

// TestQuarters: equal numbers are in one quarter, missing ones in none.
func TestQuarters(t *testing.T) {
	if got := quarters([]float64{1, 2, 3, 4, math.NaN(), 4, 4, 4}); !slices.Equal(got, []int32{0, 1, 1, 3, -1, 3, 3, 3}) {
		t.Errorf("%v", got)
	}
	if got := quarters([]float64{math.NaN()}); got[0] != -1 {
		t.Errorf("%v", got)
	}
}
