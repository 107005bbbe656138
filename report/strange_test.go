package report

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// patients is a table made in Go: numbers, categories, a class, and what was diagnosed as sets.
func patients(t *testing.T) *table.Table {
	r := rand.New(rand.NewPCG(1, 1))
	age, pay, sex, ill := make([]float64, 300), make([]float64, 300), make([]int32, 300), make([]int32, 300)
	for i := range age {
		age[i], pay[i], sex[i] = float64(20+r.IntN(50)), float64(1000+r.IntN(3000)), int32(r.IntN(2))
		if age[i] > 45 || r.IntN(5) == 0 {
			ill[i] = 1
		}
	}
	tab := tabletest.Of(t, table.NumColumn("age", 1, age), table.CatColumn("sex", []string{"f", "m"}, sex),
		table.NumColumn("pay", 1, pay), table.CatColumn("ill", []string{"no", "yes"}, ill))
	return tabletest.Insert(tab, 1, tabletest.Baskets("diagnoses", 300))
}

// TestSetsThroughTheHouse takes a table with a column of a kind that no technique, measure or chart knows from the
// profile to the report: it is released as it is, and every place that would otherwise be silent about it says so.
func TestSetsThroughTheHouse(t *testing.T) {
	long.Only(t, "transactions from a file to a page")
	ctx := context.Background()
	tab := patients(t)
	prof, err := profile.Of(ctx, tab)
	must.NoError(t, err)
	if c := prof.Columns[1]; c.Kind != "set-valued" || c.Missing == 0 || c.Distinct < 20 ||
		c.Suggest.Role != table.Confidential {
		t.Errorf("the profile of the sets is %+v", c)
	}
	tab, _, err = profile.Roles(tab, prof, "ill", map[string]table.Role{"diagnoses": table.Quasi | table.Confidential})
	must.NoError(t, err)
	if tab, err = (&policy.Policy{}).Apply(tab); err != nil {
		t.Fatal(err)
	}
	for k, name := range []string{"framework", "mdav", "kanonymise", "cliff", "recordswap"} {
		if k > 1 && !long.Enabled() {
			break
		}
		m := must.Get(catalog.Method(name))(t)
		set := map[string]string{}
		if name == "recordswap" {
			set["keys"] = "age,sex"
		}
		p, err := study.Protect(ctx,
			study.Request{Table: tab, Method: m, Set: set, Seed: rng.SeedOf([32]byte{1}), KeepOrder: name != "mdav"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		const says = "left alone, since the technique knows numbers and categories only: diagnoses (set-valued)"
		if !strings.Contains(strings.Join(message.Written(p.Notes), "\n"), says) {
			t.Errorf("%s: the notes do not say that the sets are left alone: %q", name, p.Notes)
		}
		was, is := p.Matched.Column(p.Matched.Find("diagnoses")), p.Released.Column(p.Released.Find("diagnoses"))
		if was.Differ(&is) > 0 || p.Changes[1].Changed != 0 {
			t.Errorf("%s: the sets are changed", name)
		}
		r, err := p.Release(nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var specs []study.Spec
		for _, m := range catalog.Measures() {
			specs = append(specs, study.Spec{Measure: m})
		}
		o := &study.Outcome{Method: &m.Card, Changes: p.Changes, Notes: p.Notes, Original: p.Matched, Released: p.Released}
		if _, ok := p.Plan.(noisemodel.Recoder); ok {
			o.Generalised = true
		}
		if o.Measures, err = study.Evaluate(ctx, r, specs, rng.New([32]byte{1}), nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, m := range o.Measures {
			if notes := strings.Join(message.Written(m.Value.Notes), "\n"); m.Err.Empty() &&
				strings.Contains(notes, "not at diagnoses (set-valued)") == m.Sets {
				t.Errorf("%s: %s says wrongly whether it looks at the sets: %q", name, m.Name, notes)
			}
		}
		o.NotProtected = study.Limits(o)
		for _, public := range []bool{false, true} {
			var page bytes.Buffer
			if err := HTML(&page, o, Options{Public: public}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !strings.Contains(page.String(), "Sets of items, which are not drawn") {
				t.Errorf("%s: the report (public: %v) does not say that sets are not drawn", name, public)
			}
		}
		var text bytes.Buffer
		if err := Text(&text, o, Screen{Verbose: true}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// TestSetsReleasedElsewhere compares a release that came from a file: its items may be labelled in another order, and
// lack some.
func TestSetsReleasedElsewhere(t *testing.T) {
	tab := patients(t)
	rel := tab.Gather(rows(tab.Rows()))
	c := rel.Column(1).Compact() // alphabetical now
	rel = must.Get(rel.WithColumn(1, c))(t)
	r, missing, err := study.Pair(tab, rel, nil, nil)
	if err != nil || len(missing) > 0 {
		t.Fatal(err, missing)
	}
	for _, ch := range study.Differences(r) {
		if ch.Changed != 0 {
			t.Errorf("column %q, released as it is, is said to have changed in %v of the records", ch.Column, ch.Changed)
		}
	}
	i := intruder.Intruder{Name: "neighbour", Secret: []string{"diagnoses"}}
	if _, err := i.On(tab.Attrs()); err == nil ||
		err.Error() != `intruder "neighbour": column "diagnoses" is set-valued, and no risk measure covers such columns` {
		t.Errorf("an intruder who wants sets: %v", err)
	}
	if err := (&measure.Release{Original: tab, Released: tab.Select(0, 2, 3, 4, 1)}).Check(); err == nil {
		t.Error("tables of other columns are compared")
	}
}

func rows(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
