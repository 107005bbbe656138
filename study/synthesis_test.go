package study_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// synthesised draws records in place of those of a table.
func synthesised(t *testing.T, tab *table.Table, name string, set map[string]string) *study.Protected {
	t.Helper()
	m := must.Get(catalog.Method(name))(t)
	p := must.Get(study.Protect(context.Background(), study.Request{Table: tab, Method: m, Set: set,
		Seed: rng.SeedOf([32]byte{8})}))(t)
	return p
}

// A fifth of the people are kept out of the fit, none of them with a record left in it; the release has as many records
// as the whole table, is nobody's, and is measured beside the others and held against these.
func TestPeopleAreKeptOut(t *testing.T) {
	whose := make([]int32, 600)
	for i := range whose {
		whose[i] = int32(i / 3 * 7 % 200)
	}
	for name, tab := range map[string]*table.Table{
		"records": protecttest.Mixed(600), "people": protecttest.Mixed(600).Owned(whose),
	} {
		p := synthesised(t, tab, "cartsynthesis", map[string]string{"leaf": "10"})
		_, n := tab.People()
		if _, held := p.Holdout.People(); held != n/5 {
			t.Errorf("%s: %d of %d people are kept out", name, held, n)
		}
		if rows := p.Original.Rows() + p.Holdout.Rows(); rows != tab.Rows() {
			t.Errorf("%s: %d records are in the fit or out of it", name, rows)
		}
		if of := p.Holdout.Owners(); of != nil {
			for _, person := range p.Original.Owners() {
				if slices.Contains(of, person) {
					t.Fatalf("%s: a person is in the fit and out of it", name)
				}
			}
		}
		if diff := math.Abs(float64(p.Released.Rows() - tab.Rows())); diff > 60 || name == "records" && diff > 0 {
			t.Errorf("%s: %d records are drawn", name, p.Released.Rows())
		}
		r := must.Get(p.Release(hierarchy.Set{}))(t)
		if r.Paired || r.Matched != nil || r.Holdout != p.Holdout || r.Original != p.Original {
			t.Errorf("%s: the release is paired, or not held against those kept out", name)
		}
		for _, c := range p.Changes {
			if c.Action.Kind != study.Drawn || !math.IsNaN(c.Changed) {
				t.Errorf("%s: column %s is said to be %s", name, c.Column, c.Action.Kind)
			}
		}
	}
}

// The same plan and seed draw the same records, whatever the table is; no one is kept out of a fit that is not made.
func TestPlanDrawsAlike(t *testing.T) {
	tab := protecttest.Mixed(400)
	p := synthesised(t, tab, "copulasynthesis", nil)
	m, _ := catalog.Method("copulasynthesis")
	again := must.Get(study.Protect(context.Background(), study.Request{Table: tab.Slice(0, 50), Method: m, Plan: p.Plan,
		Restated: p.Restated, Seed: rng.SeedOf([32]byte{8})}))(t)
	if again.Holdout != nil || again.Released.Rows() != 400 {
		t.Fatalf("%d records; kept out: %v", again.Released.Rows(), again.Holdout)
	}
	for j := range tab.Width() {
		a, b := p.Released.Column(j), again.Released.Column(j)
		if !a.Equal(&b) {
			t.Errorf("column %s differs", a.Name)
		}
	}
}

// What cannot be done to records of nobody is refused, and says what to do.
func TestRefusedOfNobody(t *testing.T) {
	m, _ := catalog.Method("cartsynthesis")
	p := synthesised(t, protecttest.Mixed(400), "cartsynthesis", nil)
	for name, q := range map[string]study.Request{
		"kept": {Keep: []string{"age"}, Plan: p.Plan}, "rounded": {RoundWeights: 3},
		"shifted": {DatesShift: study.DateShift{Days: 3}},
	} {
		q.Table, q.Method, q.Seed = protecttest.Mixed(400), m, rng.SeedOf([32]byte{1})
		_, err := study.Protect(context.Background(), q)
		if err == nil || !strings.Contains(err.Error(), "nobody") && name != "shifted" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A column that is kept makes the synthesis a partial one: each record stands for its person as before.
func TestPartialSynthesisIsPaired(t *testing.T) {
	m, _ := catalog.Method("cartsynthesis")
	tab := protecttest.Mixed(400)
	p := must.Get(study.Protect(context.Background(), study.Request{Table: tab, Method: m, Keep: []string{"age", "sex"},
		Seed: rng.SeedOf([32]byte{1}), KeepOrder: true}))(t)
	was, is := tab.Column(0), p.Released.Column(0)
	if p.Synthetic || p.Holdout != nil || protect.Synthetic(p.Plan) || !was.Equal(&is) {
		t.Error("the records do not stand for their people")
	}
}
