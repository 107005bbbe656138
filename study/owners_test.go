package study

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
)

// lookout is a measure that fails where a release does not know whose its records are, a person's records are on both
// sides of a fold, or what a person has in all records is released differently.
type lookout struct{ of []int32 }

func (lookout) Params() param.Set { return nil }

func (l lookout) Measure(_ context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	of, people := r.People()
	if of == nil || people >= len(of) {
		return measure.Value{}, errors.New("it is not known whose the records are")
	}
	if r.Intruder.Person != "patient" {
		return measure.Value{}, errors.New("the intruder cannot tell the records of a person")
	}
	inside := map[int32]bool{}
	for i := range r.Original.Rows() {
		inside[l.of[r.Original.ID(i)]] = true
	}
	if len(inside) != people {
		return measure.Value{}, fmt.Errorf("%d people, want %d", people, len(inside))
	}
	for i := range r.Holdout.Rows() {
		if inside[l.of[r.Holdout.ID(i)]] {
			return measure.Value{}, errors.New("somebody is on both sides")
		}
	}
	if n := studytest.Several(r.Released.Column(r.Released.Find("town")), of); n > 0 {
		return measure.Value{}, fmt.Errorf("%d people have several towns", n)
	}
	return measure.Exact(float64(people), nil), nil
}

// TestCompareOfPeople: a comparison knows whose the records are, in its folds, its releases and its measures.
func TestCompareOfPeople(t *testing.T) {
	tab, shuffled := studytest.Stays(90)
	of := make([]int32, len(shuffled))
	for i, p := range shuffled {
		of[tab.ID(i)] = p
	}
	m := must.Get(catalog.Method("pram"))(t)
	look := measure.Measure{
		Card:     card.Card{Name: "lookout"},
		Side:     measure.Risk,
		Intruder: true,
		Range:    table.Everything(),
		New:      func() measure.Meter { return lookout{of} },
	}
	c := mustCompare(
		t,
		CompareRequest{
			Version:  "test",
			Data:     []DataSet{{Name: "stays", Table: tab}},
			Folds:    3,
			Repeats:  1,
			Settings: []Setting{{Name: "pram", Method: m}},
			Measures: Against([]Spec{{Measure: look}}, []intruder.Intruder{{Name: "x", Knows: []string{"town"}}}),
		},
	)
	total := 0.0
	for _, cell := range c.Cells {
		if cell.Err != "" || !cell.Scores[0].Err.Empty() {
			t.Fatalf("setting %d: %s%s", cell.Setting, cell.Err, cell.Scores[0].Err)
		}
		total += cell.Scores[0].Score
	}
	if total != 2*2*90 { // everybody outside two of three folds, of the original and the release
		t.Errorf("%v people in all folds", total)
	}
}

// TestSlips: persons whose keys differ by a slip are one by that reading, and others by none.
func TestSlips(t *testing.T) {
	tab := must.Get(table.New(table.CatColumn("id", []string{"A1", "A2", "B7", "C9"}, []int32{0, 0, 1, 2, 3, 3})))(t)
	persons := Persons(tab, []string{"id"})
	same := [][2]table.RecordID{{tab.ID(2), tab.ID(0)}}
	out := Besides(tab, []profile.Reading{{Columns: []string{"id"}, Keyed: true, Same: same}}, persons)
	if len(out) != 1 || out[0].By == "id" {
		t.Fatalf("%+v", out)
	}
	apart, one := persons["id"], persons[out[0].By]
	for i := range tab.Rows() {
		for k := range tab.Rows() {
			a, b := tab.ID(i), tab.ID(k)
			if want := apart[a] == apart[b] || i < 3 && k < 3; (one[a] == one[b]) != want {
				t.Errorf("records %d and %d are one person's: %v", i, k, !want)
			}
		}
	}
}
