package populationrisk

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestDeclaredHousehold: a household that is declared is one although the release lacks its column, and people with several records count once.
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
		if err := m.Params().Apply(map[string]string{"household": household, "model": "prosecutor"}); err != nil {
			t.Fatal(err)
		}
		v, err := m.Measure(context.Background(), r.Against(&intruder.Intruder{Name: "x", Knows: []string{"town"}, Secret: []string{}}), rng.Source{})
		if err != nil {
			t.Fatal(err)
		}
		return v.Detail.(Detail)
	}
	without := with.Select(0)
	want := take(&measure.Release{Original: with, Released: with, Paired: true}, "household")
	r := &measure.Release{Original: without, Released: without, Paired: true, Persons: map[string]map[table.RecordID]int32{"household": at, "patient": who}, Household: "household"}
	got := take(r, "")
	if got.Household == nil || *got.Household != *want.Household || got.Households != want.Households || got.Households != 4 {
		t.Errorf("%+v, want %+v", got, want)
	}
	who[1], who[2], who[3] = 0, 0, 0
	r = &measure.Release{Original: without, Released: without, Paired: true, Persons: r.Persons, Person: "patient"}
	if d := take(r, ""); d.Prosecutor.Highest != 1 || math.Abs(d.Prosecutor.Expected-5) > 1e-12 || d.Household != nil {
		t.Errorf("%+v, want the four records of one person to be found, and a third of each of three", d.Prosecutor)
	}
}
