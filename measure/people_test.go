package measure_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// crowd is a release of so many people, person p with p%width + 1 records, in turns.
func crowd(n, width int) (*measure.Release, []int32) {
	var of []int32
	for round := range width {
		for p := range n {
			if p%width >= round {
				of = append(of, int32(p))
			}
		}
	}
	ids := map[table.RecordID]int32{}
	for i, p := range of {
		ids[table.RecordID(i)] = 7 - p // any numbers do
	}
	t := tabletest.Must(table.NumColumn("x", 1, make([]float64, len(of))))
	return &measure.Release{
		Original: t,
		Released: t,
		Paired:   true,
		Owners:   measure.Owners{Persons: map[string]map[table.RecordID]int32{"who": ids}, Person: "who"},
	}, of
}

// TestTargets: people are drawn, each with all records but for somebody who has very many, and the worst of their
// figures is theirs.
func TestTargets(t *testing.T) {
	r, whose := crowd(40, 4)
	of, n := r.People()
	if n != 40 || !slices.Equal(of, whose) {
		t.Fatalf("%d people: %v", n, of)
	}
	all := r.Targets(len(of), 0)
	if all.Tried != 40 || all.People != 40 || len(all.Rows) != len(of) || !slices.IsSorted(all.Rows) {
		t.Errorf("%+v", all)
	}
	some := r.Targets(len(of)/4, 0)
	if some.Tried != 10 {
		t.Fatalf("%d people are tried, want a quarter", some.Tried)
	}
	figures, records := make([]float64, len(some.Rows)), map[int32]int{}
	for k, i := range some.Rows {
		figures[k] = float64(i)
		records[of[i]]++
	}
	if len(records) != 10 {
		t.Errorf("records of %d people", len(records))
	}
	most, least := some.Most(figures), some.Least(figures)
	for k, i := range some.Rows {
		last, first := -1, math.MaxInt
		for row, p := range of {
			if p == of[i] {
				last, first = max(last, row), min(first, row)
			}
		}
		if records[of[i]] != int(of[i])%4+1 || most[some.Of(k)] != float64(last) || least[some.Of(k)] != float64(first) {
			t.Errorf("person %d: %d records, %v to %v", of[i], records[of[i]], least[some.Of(k)], most[some.Of(k)])
		}
	}
	figures[0] = math.NaN()
	if got := some.Most(figures); got[some.Of(0)] != got[some.Of(0)] && records[of[some.Rows[0]]] > 1 {
		t.Error("a figure that is not known hides one that is")
	}
	many, _ := crowd(2, 2)
	ids := many.Persons["who"]
	rows := make([]int, 1000)
	for i := range rows {
		rows[i] = i % 3
	}
	for i := range ids {
		ids[i] = 1
	}
	many.Original = many.Original.Gather(rows)
	if got := many.Targets(1000, 0); got.Tried != 1 || len(got.Rows) > 20 || len(got.Rows) < 10 {
		t.Errorf("somebody with 1,000 records is tried by %d", len(got.Rows))
	}
}

// TestTargetsAreOfPeople: who is tried are the same people in whichever order the records come.
func TestTargetsAreOfPeople(t *testing.T) {
	tried := func(r *measure.Release) (ids []table.RecordID) {
		for _, i := range r.Targets(12, 3).Rows {
			ids = append(ids, r.Original.ID(i))
		}
		slices.Sort(ids)
		return ids
	}
	for _, each := range []int{1, 4} {
		r, _ := crowd(60, each)
		other := *r
		other.Original = r.Original.Gather(rand.New(rand.NewPCG(1, 4)).Perm(r.Original.Rows()))
		a, b := tried(r), tried(&other)
		if len(a) < 5 || len(a) == r.Original.Rows() || !slices.Equal(a, b) {
			t.Errorf("of up to %d records each: records %v are tried, and %v in another order", each, a, b)
		}
	}
}

// TestOneEach: where everybody has one record there is nothing to tell apart, and the draw is that of records.
func TestOneEach(t *testing.T) {
	r, _ := crowd(30, 1)
	if of, n := r.People(); of != nil || n != 30 {
		t.Errorf("%v, %d", of, n)
	}
	got := r.Targets(7, 3)
	if !slices.Equal(got.Rows, measure.Drawn(30, 7)) || got.Person != nil || got.Tried != 7 || got.People != 30 ||
		got.Of(5) != 5 {
		t.Errorf("%+v", got)
	}
	if own := r.Own(); !slices.Equal(own(4), []int{4}) {
		t.Error("somebody else's record is the person's")
	}
}

// TestByPerson: units are households where these are told, and persons where the release is read by them; the two
// readings share no figure, and each leads to the other.
func TestByPerson(t *testing.T) {
	r, whose := crowd(6, 3)
	if r.ByPerson() != nil {
		t.Error("a release without households has another reading")
	}
	homes := map[table.RecordID]int32{}
	for i, p := range whose {
		if p < 4 { // persons 4 and 5 name none, and are one each
			homes[table.RecordID(i)] = p / 2
		}
	}
	r.Persons["home"], r.Household = homes, "home"
	apart := r.ByPerson()
	if apart == nil {
		t.Fatal("there is no reading by persons")
	}
	for range 2 {
		if _, n := r.People(); n != 4 {
			t.Errorf("%d households, expected 4", n)
		}
		if _, n := apart.People(); n != 6 {
			t.Errorf("%d persons, expected 6", n)
		}
	}
	if _, n := apart.ByHousehold().People(); n != 4 || apart.ByPerson() != nil || r.ByHousehold() != r {
		t.Errorf("%d households of the reading by persons", n)
	}
}

// TestBy: a release may be read by other units, which share no figure with its own: by another column, or by records; a
// reading of the same units is none, under whatever numbers.
func TestBy(t *testing.T) {
	r, whose := crowd(6, 3)
	half, same := map[table.RecordID]int32{}, map[table.RecordID]int32{}
	for i, p := range whose {
		half[table.RecordID(i)], same[table.RecordID(i)] = p%2, 90+p
	}
	r.Persons["half"], r.Persons["same"] = half, same
	for by, want := range map[string]int{"half": 2, "": len(whose), "same": 0, "who": 0} {
		other := r.By(by)
		switch {
		case want == 0 && other != nil:
			t.Errorf("by %q: the same units are another reading", by)
		case want == 0:
		case other == nil:
			t.Errorf("by %q: there is no reading", by)
		default:
			if _, n := other.People(); n != want || other.Person != by {
				t.Errorf("by %q: %d units, expected %d", by, n, want)
			}
			if _, n := r.People(); n != 6 {
				t.Errorf("by %q: the release itself has %d units", by, n)
			}
		}
	}
}

// TestReadingsAreApart: what is kept of a release in one reading is not that of another, restated or not.
func TestReadingsAreApart(t *testing.T) {
	r, whose := crowd(6, 3)
	r = r.Working()
	reduced := *r
	reduced.Owners, reduced.Work = measure.Owners{}, measure.NewWorkspace()
	r.Reduced = &reduced
	units := func(r *measure.Release) int {
		n, err := measure.PerReading(r, "number", func(r *measure.Release) (int, error) { _, n := r.People(); return n, nil })
		must.NoError(t, err)
		return n
	}
	seen := r.Against(&intruder.Intruder{})
	for name, n := range map[string][2]int{
		"as made":      {units(r.AsMade()), units(r.By("").AsMade())},
		"seen by them": {units(seen), units(seen.By(""))},
	} {
		if n != [2]int{6, len(whose)} {
			t.Errorf("%s: %d persons and %d records, expected 6 and %d", name, n[0], n[1], len(whose))
		}
	}
}
