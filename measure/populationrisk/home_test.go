package populationrisk

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestDeclaredHousehold: a household that is declared is one although the release lacks its column, and people with
// several records count once.
func TestDeclaredHousehold(t *testing.T) {
	town, home := []int32{0, 0, 0, 0, 1, 1, 1}, []float64{1, 1, 2, nan, 3, 3, 1}
	with := tabletest.Must(table.CatColumn("town", []string{"x", "y"}, town), table.NumColumn("household", 1, home))
	at, who := map[table.RecordID]int32{}, map[table.RecordID]int32{}
	for i, h := range home {
		if h == h {
			at[table.RecordID(i)] = int32(h)
		}
		who[table.RecordID(i)] = int32(i)
	}
	take := func(r *measure.Release, household string) Detail {
		m := Measure.New()
		must.NoError(t, m.Params().Apply(map[string]string{"household": household, "model": "prosecutor"}))
		v := must.Get(m.Measure(context.Background(),
			r.Against(&intruder.Intruder{Name: "x", Knows: []string{"town"}, Secret: []string{}}), rng.Source{}))(t)
		return v.Detail.(Detail)
	}
	without := with.Select(0)
	want := take(&measure.Release{Original: with, Released: with, Paired: true}, "household")
	r := &measure.Release{
		Original: without,
		Released: without,
		Paired:   true,
		Owners: measure.Owners{
			Persons:   map[string]map[table.RecordID]int32{"household": at, "patient": who},
			Household: "household",
			Declared:  &measure.Owners{},
		},
	}
	got := take(r, "")
	if got.Household == nil || *got.Household != *want.Household || got.Households != want.Households ||
		got.Households != 4 {
		t.Errorf("%+v, want %+v", got, want)
	}
	who[1], who[2], who[3] = 0, 0, 0
	r = &measure.Release{
		Original: without,
		Released: without,
		Paired:   true,
		Owners:   measure.Owners{Persons: r.Persons, Person: "patient"},
	}
	if d := take(r, ""); d.Prosecutor.Highest != 1 || math.Abs(d.Prosecutor.Expected-2) > 1e-12 || d.People != 4 ||
		d.Household != nil {
		t.Errorf("%+v, want the person of four records to be found, and a third of each of three", d.Prosecutor)
	}
}

// TestHouseholdOfPeople: who has several records is one member of a household, at the largest risk of theirs: 1 - (1 -
// 1/2)(1 - 1/4), not 1 - (1 - 1/2)²(1 - 1/4).
func TestHouseholdOfPeople(t *testing.T) {
	town := []int32{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	who := []int32{0, 0, 0, 1, 0, 2, 3, 4, 4, 4} // person 0 hides among two in town x, among four in town y
	home := map[int32]int32{0: 0, 2: 0}
	tab := tabletest.Must(table.CatColumn("town", []string{"x", "y"}, town))
	of, at := map[table.RecordID]int32{}, map[table.RecordID]int32{}
	for i, p := range who {
		of[table.RecordID(i)] = p
		if h, ok := home[p]; ok {
			at[table.RecordID(i)] = h
		}
	}
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Owners: measure.Owners{
			Household: "household",
			Declared:  &measure.Owners{Person: "patient", Persons: map[string]map[table.RecordID]int32{"patient": of}},
			Person:    "patient",
			Persons:   map[string]map[table.RecordID]int32{"household": at, "patient": of},
		},
	}
	m := Measure.New()
	must.NoError(t, m.Params().Apply(map[string]string{"model": "prosecutor"}))
	v := must.Get(m.Measure(context.Background(),
		r.Against(&intruder.Intruder{Name: "x", Knows: []string{"town"}, Secret: []string{}}), rng.Source{}))(t)
	d := v.Detail.(Detail)
	if h := 1 - 0.5*0.75; math.Abs(d.Records()[0]-h) > 1e-12 || math.Abs(d.Records()[5]-h) > 1e-12 ||
		math.Abs(d.Household.Expected-(h+0.5+h+0.25+0.25)) > 1e-12 {
		t.Errorf("records at %v, %+v", d.Records(), *d.Household)
	}
}

// TestWeightsOfPeople: a person stands for as many people as the weight says, however many records there are.
func TestWeightsOfPeople(t *testing.T) {
	weight := table.NumColumn("weight", 1, []float64{10, 10, 30, 5})
	weight.Role = table.Weight
	tab := tabletest.Must(table.CatColumn("town", []string{"x"}, []int32{0, 0, 0, 0}), weight)
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Owners: measure.Owners{
			Person:  "patient",
			Persons: map[string]map[table.RecordID]int32{"patient": {0: 0, 1: 0, 2: 1, 3: 2}},
		},
	}
	v := must.Get(Measure.New().Measure(context.Background(),
		r.Against(&intruder.Intruder{Name: "x", Knows: []string{"town"}, Secret: []string{}}), rng.Source{}))(t)
	if d := v.Detail.(Detail); *d.Population != 45 || math.Abs(d.Journalist.Mean-1./45) > 1e-15 {
		t.Errorf("population %v, journalist %+v, want 45 people", *d.Population, *d.Journalist)
	}
}

// TestHouseholdAlone: a household that is alone in its class is found for certain, of however many members: the risk is
// 1, by persons too, where each of its three records is one of three, and 1 - (2/3)³ would be 0.704.
func TestHouseholdAlone(t *testing.T) {
	tab := tabletest.Must(table.CatColumn("town", []string{"x", "y"}, []int32{0, 0, 0, 1, 1, 1, 1}))
	at := map[table.RecordID]int32{0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 3}
	r := &measure.Release{Original: tab, Released: tab, Paired: true, Owners: measure.Owners{
		Household: "household", Persons: map[string]map[table.RecordID]int32{"household": at}}}
	for reading, r := range map[string]*measure.Release{"households": r, "persons": r.ByPerson()} {
		m := Measure.New()
		must.NoError(t, m.Params().Apply(map[string]string{"model": "prosecutor"}))
		v := must.Get(m.Measure(context.Background(),
			r.Against(&intruder.Intruder{Name: "x", Knows: []string{"town"}, Secret: []string{}}), rng.Source{}))(t)
		d := v.Detail.(Detail)
		both := 1 - 0.75*0.75 // two members of one household, each one of four
		want := []float64{1, 1, 1, both, both, 1. / 3, 1. / 3}
		for i, p := range d.Records() {
			if math.Abs(p-want[i]) > 1e-12 {
				t.Errorf("by %s: %v, expected %v", reading, d.Records(), want)
				break
			}
		}
		if d.Household.Highest != 1 {
			t.Errorf("by %s: %+v", reading, *d.Household)
		}
	}
}
