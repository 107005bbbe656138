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
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// someTechniques are those of the test without DITHER_LONG: one of every way to make a release.
var someTechniques = map[string]bool{"extframework": true, "kanonymise": true, "localsuppression": true, "sadp": true,
	"pram": true, "shuffle": true, "mdav": true, "gadp": true, "rankswap": true, "generalise": true, "capt": true,
	"segmentsynthesis": true, "cartsynthesis": true, "copulasynthesis": true, "bayesiannetwork": true}

// TestEveryTechniqueKeepsRelations: a release of any technique breaks no relation that it is said to keep, and what it
// cannot keep is named. Where a technique generalises, what it says is checked as far as single values stand there.
func TestEveryTechniqueKeepsRelations(t *testing.T) { everyTechniqueKeeps(t, false, someTechniques) }

// TestEveryTechniqueKeepsShares is the same where sums keep their total and shares.
func TestEveryTechniqueKeepsShares(t *testing.T) {
	everyTechniqueKeeps(t, true, map[string]bool{"extframework": true, "kanonymise": true, "localsuppression": true,
		"sadp": true, "mdav": true, "rankswap": true, "segmentsynthesis": true, "cartsynthesis": true})
}

// everyTechniqueKeeps tries some techniques, and all with DITHER_LONG.
func everyTechniqueKeeps(t *testing.T, shares bool, some map[string]bool) {
	tab, rels := peopled(t)
	made := 0
	for _, m := range catalog.Methods() {
		if !long.Enabled() && !some[m.Name] {
			continue
		}
		p, err := study.Protect(context.Background(), study.Request{Table: tab, Method: m, KeepOrder: true,
			Seed: rng.SeedOf([32]byte{3}), Relations: study.Relations{Declared: rels, Shares: shares}})
		if err != nil {
			if m.Purpose != protect.Hides && !strings.Contains(err.Error(), "sets") &&
				!strings.Contains(err.Error(), "missing") {
				t.Logf("%s: %v", m.Name, err)
			}
			continue
		}
		made++
		if p.Restated == nil {
			if m.Purpose != protect.Samples && m.Purpose != protect.Baselines {
				t.Errorf("%s keeps no relation", m.Name)
			}
			continue
		}
		left := m.Suppresses || slices.Contains(m.Claims, protect.Recodes) // some are left to the technique
		byParts := slices.Contains(p.Restated.Computed(), "total")
		if shares && (byParts != (len(p.Restated.ByParts) > 0) || byParts != left && !study.Private(p.Plan)) {
			t.Errorf("%s: the total is computed: %v, and %v is said", m.Name, byParts, p.Restated.ByParts)
		}
		constant(t, m.Name, p)
		kept := p.Restated.Relations()
		if len(kept)+len(p.Unkept) != len(rels) && !left {
			t.Errorf("%s: %d relations are kept and %d are not, of %d", m.Name, len(kept), len(p.Unkept), len(rels))
		}
		for _, r := range kept {
			b, err := r.Bind(tab)
			if err != nil {
				t.Fatal(err)
			}
			broken, holds := 0, 0
			for _, s := range b.States(p.Released) {
				switch s {
				case relation.Broken:
					broken++
				case relation.Holds:
					holds++
				case relation.Unknown:
				}
			}
			if broken > 0 || holds == 0 && m.Purpose != protect.Generalises && m.Purpose != protect.Aggregates {
				t.Errorf("%s: %s is broken in %d records and holds in %d", m.Name, r, broken, holds)
			}
		}
	}
	if made < len(some)-1 {
		t.Errorf("%d releases were made", made)
	}
}

// Every record that is drawn keeps every relation, and what is one for a person or household stays one, whatever the
// randomness, and however many records are drawn, of whom.
func TestDrawnRecordsKeepRelations(t *testing.T) {
	tab, rels := peopled(t)
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
		m, err := catalog.Method(c.name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range long.Of[byte](1, 3) {
			p, err := study.Protect(context.Background(), study.Request{Table: tab, Method: m, Set: c.set, KeepOrder: true,
				Seed: rng.SeedOf([32]byte{seed, 9}), Relations: study.Relations{Declared: rels}})
			if err != nil {
				t.Fatalf("%s %v: %v", c.name, c.set, err)
			}
			name := fmt.Sprint(c.name, c.set, seed)
			constant(t, name, p)
			kept := p.Restated.Relations()
			if len(kept)+len(p.Unkept) != len(rels) || len(kept) < len(rels)-1 {
				t.Errorf("%s: %d relations are kept and %d are named as not, of %d", name, len(kept), len(p.Unkept), len(rels))
			}
			for _, r := range kept {
				b, err := r.Bind(tab)
				if err != nil {
					t.Fatal(err)
				}
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

// peopled is a table with relations of every kind, of people with three records and households of two people. Region is
// the household's, and blood the person's.
func peopled(t *testing.T) (*table.Table, []relation.Relation) {
	tab, rels := relationtest.Table(600, 0.02, 11)
	n := tab.Rows()
	cols := tab.Columns()
	for k := range cols {
		if cols[k].Name == "code" {
			cols[k].Role = table.Class
		}
	}
	for _, c := range []struct {
		name    string
		role    table.Role
		records int // that have one value
		values  int
	}{
		{"pid", table.Identifier | table.Person, 3, n / 3}, {"hid", table.Identifier | table.Household, 6, n / 6},
		{"region", table.Quasi, 6, 5}, {"blood", table.Quasi, 3, 4},
	} {
		col := table.Column{Attribute: table.Attribute{Name: c.name, Kind: table.Categorical, Role: c.role}}
		for v := range c.values {
			col.Labels = append(col.Labels, c.name+strconv.Itoa(v))
		}
		for i := range n {
			col.Cat = append(col.Cat, int32(i/c.records*7%c.values))
		}
		cols = append(cols, col)
	}
	out, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return out, rels
}

// constant fails where what is one for a household or a person differs in the release. Graphical models draw records of
// nobody in particular, which their notes say.
func constant(t *testing.T, name string, p *study.Protected) {
	if p.Synthetic && p.Released.Households() == nil {
		return
	}
	for column, records := range map[string]int{"region": 6, "blood": 3} {
		c := p.Released.Column(p.Released.Find(column))
		first := map[table.RecordID]string{}
		for i := range p.Released.Rows() {
			unit := p.Released.ID(i) / table.RecordID(records)
			if p.Synthetic { // which draws households here
				if unit = table.RecordID(p.Released.Households()[i]); column == "blood" {
					continue
				}
			}
			value := string(c.AppendKey(nil, i))
			if was, ok := first[unit]; ok && was != value {
				t.Errorf("%s: %s differs inside a unit", name, column)
				break
			}
			first[unit] = value
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
	tab, err := table.New(table.CatColumn("code", []string{"x", "y"}, []int32{0, 1, 0, 1, 1}),
		table.CatColumn("text", []string{"X", "Y"}, []int32{0, 1, 0, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	rels := []relation.Relation{{Kind: relation.Determines, Columns: []string{"code", "text"}}}
	by, _, err := relation.Restate(tab, rels, relation.RestateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, codes := range [][]int32{gaps, tab.Cat(0)} {
		released, err := table.New(table.CatColumn("code", []string{"x", "y"}, codes),
			table.CatColumn("text", []string{"X", "Y"}, codes))
		if err != nil {
			t.Fatal(err)
		}
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
	tab, rels := peopled(t)
	m, err := catalog.Method("warner")
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(rels, func(r relation.Relation) bool { return r.Kind == relation.OnlyTogether })
	for _, declared := range []bool{false, true} {
		q := study.Request{Table: tab, Method: m, KeepOrder: true, Seed: rng.SeedOf([32]byte{3})}
		if declared {
			q.Relations.Declared = rels[k : k+1]
		} else {
			q.Relations.Found = []relation.Found{{Relation: rels[k]}}
		}
		p, err := study.Protect(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if kept := len(p.Restated.Relations()) == 1; kept != declared || (len(p.Unkept) == 1) == declared {
			t.Errorf("declared %v: kept %v, %d not", declared, kept, len(p.Unkept))
		}
	}
}

// TestPlanOfAnotherTable: a plan keeps its relations in a table that breaks them, and it is said which.
func TestPlanOfAnotherTable(t *testing.T) {
	tab, rels := peopled(t)
	m, err := catalog.Method("extframework")
	if err != nil {
		t.Fatal(err)
	}
	q := study.Request{Table: tab, Method: m, KeepOrder: true, Seed: rng.SeedOf([32]byte{3}),
		Relations: study.Relations{Declared: rels}}
	first, err := study.Protect(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
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
	other, err := study.Protect(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(other.Broken) != 1 || other.Broken[0].String() != "days = out - in" || other.Broken[0].Broken < 20 {
		t.Errorf("%+v are broken", other.Broken)
	}
	if rel, err := other.Release(nil); err != nil || rel.Segments != nil || rel.AsMade().Segments == nil {
		t.Errorf("segments are of what the technique saw: %v", err)
	}
}

// TestCertificateOfRestated: the certificate counts what the technique saw, and is whole.
func TestCertificateOfRestated(t *testing.T) {
	tab, rels := peopled(t)
	m, err := catalog.Method("extframework")
	if err != nil {
		t.Fatal(err)
	}
	p, err := study.Protect(context.Background(), study.Request{Table: tab, Method: m, KeepOrder: true,
		Seed: rng.SeedOf([32]byte{3}), Relations: study.Relations{Declared: rels}})
	if err != nil {
		t.Fatal(err)
	}
	rel, err := p.Release(nil)
	if err != nil {
		t.Fatal(err)
	}
	segments, err := catalog.Measure("segments")
	if err != nil {
		t.Fatal(err)
	}
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
	tab, err := table.New(table.CatColumn("code", names, codes), table.CatColumn("text", labels, texts),
		table.NumColumn("x", 1, x))
	if err != nil {
		t.Fatal(err)
	}
	r, err := relation.Parse("code -> text")
	if err != nil {
		t.Fatal(err)
	}
	m, err := catalog.Method("sadp")
	if err != nil {
		t.Fatal(err)
	}
	p, err := study.Protect(context.Background(), study.Request{Table: tab, Method: m, KeepOrder: true,
		Seed: rng.SeedOf([32]byte{3}), Relations: study.Relations{Declared: []relation.Relation{r}},
		Blank: []intruder.Intruder{{Name: "label", Knows: []string{"text"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Blanked) == 0 || !p.Released.MissingAt(5, 0) || !p.Released.MissingAt(5, 1) {
		t.Errorf("blanked %v: code missing %v, text missing %v", p.Blanked, p.Released.MissingAt(5, 0),
			p.Released.MissingAt(5, 1))
	}
}
