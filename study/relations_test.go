package study_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
)

// Every record that is drawn keeps every relation, and what is one for a person or household stays one, whatever the
// randomness, and however many records are drawn, of whom.
func TestDrawnRecordsKeepRelations(t *testing.T) {
	tab, rels := studytest.Peopled(t)
	for _, c := range []struct {
		name string
		set  map[string]string
	}{
		{"cartsynthesis", map[string]string{"leaf": "5"}},
		{"cartsynthesis", map[string]string{"rows": "2000", "order": "given"}},
		{"cartsynthesis", map[string]string{"rows": "50", "like": "region=region1"}},
		{"copulasynthesis", map[string]string{"rows": "2000"}},
		{"copulasynthesis", map[string]string{"rows": "50", "like": "blood=blood1"}},
		{"bayesiannetwork", map[string]string{"rows": "1500"}},
		{"segmentsynthesis", nil},
	} {
		m := must.Get(catalog.Method(c.name))(t)
		for seed := range long.Of[byte](1, 3) {
			p, err := study.Protect(context.Background(), study.Request{Table: tab, Method: m, Set: c.set, KeepOrder: true,
				Seed: rng.SeedOf([32]byte{seed, 9}), Relations: study.Relations{Declared: rels}})
			if err != nil {
				t.Fatalf("%s %v: %v", c.name, c.set, err)
			}
			name := fmt.Sprint(c.name, c.set, seed)
			studytest.Constant(t, name, p.Released, p.Synthetic)
			kept := p.Restated.Relations()
			if len(kept)+len(p.Unkept) != len(rels) || len(kept) < len(rels)-1 {
				t.Errorf("%s: %d relations are kept and %d are named as not, of %d", name, len(kept), len(p.Unkept), len(rels))
			}
			for _, r := range kept {
				b := must.Get(r.Bind(tab))(t)
				if states := b.States(p.Released); slices.Contains(states, relation.Broken) {
					t.Errorf("%s: a record breaks %s", name, r)
				}
			}
			if k := p.Released.Find("region"); c.set["like"] == "region=region1" {
				for i, code := range p.Released.Cat(k) {
					if p.Released.Attr(k).Labels[code] != "region1" {
						t.Fatalf("%s: record %d is not like that", name, i)
					}
				}
			}
		}
	}
}

// TestSaysOfRelations: what few records break is said in one line, as relations that nearly every record keeps, and
// columns that come out empty are named.
func TestSaysOfRelations(t *testing.T) {
	var found []relation.Found
	for k := range 5 {
		found = append(found, relation.Found{
			Relation: relation.Relation{Kind: relation.Order, Columns: []string{"a" + strconv.Itoa(k), "b"}},
			Checked:  4000, Broken: k,
		})
	}
	r := study.Relations{Found: found}
	says := []string{}
	for _, s := range append(r.Errors(), r.Holding()...) {
		says = append(says, s.String())
	}
	want := []string{
		"4 relations are broken by a few records, which may be errors: a1 <= b (one record); a2 <= b (2 records); " +
			"a3 <= b (3 records) and 1 more",
		"5 relations between columns hold in nearly every record, and a release keeps them where it can: a0 <= b; a1 <= b; " +
			"a2 <= b and 2 more",
	}
	if !slices.Equal(says, want) {
		t.Errorf("said %q", says)
	}
	gaps := []int32{0, -1, -1, -1, 1}
	tab := must.Get(table.New(table.CatColumn("code", []string{"x", "y"}, []int32{0, 1, 0, 1, 1}),
		table.CatColumn("text", []string{"X", "Y"}, []int32{0, 1, 0, 1, 1})))(t)
	rels := []relation.Relation{{Kind: relation.Determines, Columns: []string{"code", "text"}}}
	by, _, err := relation.Restate(tab, rels, relation.RestateOptions{})
	must.NoError(t, err)
	for _, codes := range [][]int32{gaps, tab.Cat(0)} {
		released := must.Get(table.New(table.CatColumn("code", []string{"x", "y"}, codes),
			table.CatColumn("text", []string{"X", "Y"}, codes)))(t)
		p := study.Protected{Original: tab, Released: released, Restated: by}
		emptied := slices.ContainsFunc(p.OfRelations(), func(s message.Sentence) bool {
			return strings.HasPrefix(s.String(), "what text follows from")
		})
		if emptied != (codes[1] < 0) {
			t.Errorf("codes %v: said %q", codes, p.OfRelations())
		}
	}
}

// TestBoundKeepsDeclared: where the noise bounds what is learned, a relation that was found is not kept, and said not
// to be; one that is declared is.
func TestBoundKeepsDeclared(t *testing.T) {
	tab, rels := studytest.Peopled(t)
	m := must.Get(catalog.Method("warner"))(t)
	k := slices.IndexFunc(rels, func(r relation.Relation) bool { return r.Kind == relation.OnlyTogether })
	for _, declared := range []bool{false, true} {
		q := study.Request{Table: tab, Method: m, KeepOrder: true, Seed: rng.SeedOf([32]byte{3})}
		if declared {
			q.Relations.Declared = rels[k : k+1]
		} else {
			q.Relations.Found = []relation.Found{{Relation: rels[k]}}
		}
		p := must.Get(study.Protect(context.Background(), q))(t)
		if kept := len(p.Restated.Relations()) == 1; kept != declared || (len(p.Unkept) == 1) == declared {
			t.Errorf("declared %v: kept %v, %d not", declared, kept, len(p.Unkept))
		}
	}
}

// TestPlanOfAnotherTable: a plan keeps its relations in a table that breaks them, and it is said which.
func TestPlanOfAnotherTable(t *testing.T) {
	tab, rels := studytest.Peopled(t)
	m := must.Get(catalog.Method("extframework"))(t)
	q := study.Request{Table: tab, Method: m, KeepOrder: true, Seed: rng.SeedOf([32]byte{3}),
		Relations: study.Relations{Declared: rels}}
	first := must.Get(study.Protect(context.Background(), q))(t)
	days := slices.Clone(tab.Num(tab.Find("days")))
	for i := range 40 {
		days[i] = 0
	}
	q.Plan, q.Restated, q.Relations = first.Plan, first.Restated, study.Relations{}
	again, err := study.Protect(context.Background(), q)
	if err != nil || len(again.Broken) > 0 {
		t.Fatalf("%v of the same table", err)
	}
	q.Table = tab.WithNum(tab.Find("days"), days)
	other := must.Get(study.Protect(context.Background(), q))(t)
	if len(other.Broken) != 1 || other.Broken[0].String() != "days = out - in" || other.Broken[0].Broken < 20 {
		t.Errorf("%+v are broken", other.Broken)
	}
	if rel, err := other.Release(nil); err != nil || rel.Segments != nil || rel.AsMade().Segments == nil {
		t.Errorf("segments are of what the technique saw: %v", err)
	}
}

// TestCertificateOfRestated: the certificate counts what the technique saw, and is whole.
func TestCertificateOfRestated(t *testing.T) {
	tab, rels := studytest.Peopled(t)
	m := must.Get(catalog.Method("extframework"))(t)
	p := must.Get(study.Protect(context.Background(), study.Request{Table: tab, Method: m, KeepOrder: true,
		Seed: rng.SeedOf([32]byte{3}), Relations: study.Relations{Declared: rels}}))(t)
	rel := must.Get(p.Release(nil))(t)
	segments := must.Get(catalog.Measure("segments"))(t)
	got, err := study.Evaluate(context.Background(), rel, []study.Spec{{Measure: segments}}, rng.New([32]byte{1}), nil)
	if err != nil || got[0].Value.Score != 1 {
		t.Errorf("%v, %v", got[0].Value.Score, err)
	}
}

// TestBlankedWithItsLabel: where a label is blanked so that nobody is looked up by it, its code goes with it, although
// the intruder does not know the person's code: the release would tell the label by it.
func TestBlankedWithItsLabel(t *testing.T) {
	const n, kinds = 200, 10
	codes, texts, x := make([]int32, n), make([]int32, n), make([]float64, n)
	names, labels := []string{}, []string{}
	for k := range kinds + 1 {
		names, labels = append(names, "c"+strconv.Itoa(k)), append(labels, "kind "+strconv.Itoa(k))
	}
	for i := range n {
		codes[i], x[i] = int32(i%kinds), float64(i*7%50)
	}
	codes[5] = kinds // one person alone
	copy(texts, codes)
	tab := must.Get(table.New(table.CatColumn("code", names, codes), table.CatColumn("text", labels, texts),
		table.NumColumn("x", 1, x)))(t)
	r := must.Get(relation.Parse("code -> text"))(t)
	m := must.Get(catalog.Method("sadp"))(t)
	p := must.Get(study.Protect(context.Background(), study.Request{Table: tab, Method: m, KeepOrder: true,
		Seed: rng.SeedOf([32]byte{3}), Relations: study.Relations{Declared: []relation.Relation{r}},
		Blank: []intruder.Intruder{{Name: "label", Knows: []string{"text"}}}}))(t)
	if len(p.Blanked) == 0 || !p.Released.MissingAt(5, 0) || !p.Released.MissingAt(5, 1) {
		t.Errorf("blanked %v: code missing %v, text missing %v", p.Blanked, p.Released.MissingAt(5, 0),
			p.Released.MissingAt(5, 1))
	}
}
