package all_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
)

// TestConstantsStay: by every technique, what is one in all records of a household is so in the release, and what is
// one in all of a person's; and every record is still in its segment.
func TestConstantsStay(t *testing.T) {
	tab, person, household := studytest.Survey(120, 50)
	set := map[string]map[string]string{"kanonymise": {"k": "2"}, "localsuppression": {"k": "2"}}
	ran, anew := 0, false
	for k, m := range catalog.Methods() {
		if m.Purpose == protect.Items || k%long.Of(5, 1) != 0 { // the table has no sets of items
			continue
		}
		p, err := study.Protect(context.Background(),
			study.Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: set[m.Name]})
		if err != nil || p.Synthetic || p.Released.Rows() != tab.Rows() { // new records are of nobody
			continue
		}
		ran++
		for name, of := range map[string][]int32{"town": household, "income": household, "sex": person, "age": person} {
			if n := studytest.Differ(p.Released.Column(p.Released.Find(name)), of); n > 0 {
				t.Errorf("%s: %d units have several values of %s; told %q", m.Name, n, name,
					message.Written(study.Texts(p.OfPeople)))
			}
		}
		by, err := protect.SegmentsOf(p.Plan, p.Original)
		if err != nil || by == nil {
			continue
		}
		d, err := segments.Certify(context.Background(), by, p.Matched, p.Released)
		if err != nil || d.Stayed != d.Records || d.Outside+d.OffGrid > 0 {
			t.Errorf("%s: %+v, %v", m.Name, d, err)
		}
		anew = anew || strings.Contains(strings.Join(message.Written(p.Notes), "\n"), "are drawn among those that stay")
	}
	if ran < long.Of(8, 50) || !anew && long.Enabled() {
		t.Errorf("only %d techniques take the table, or none (%v) has draws that leave a segment", ran, !anew)
	}
}

// TestDrawnOnce: by every technique, what is the same in all records of a person is so in the release too, or the
// custodian is told that it is not; and every record is still in its segment.
func TestDrawnOnce(t *testing.T) {
	long.Only(t, "every technique that draws")
	tab, of := studytest.Stays(150)
	set := map[string]map[string]string{"kanonymise": {"k": "2"}, "localsuppression": {"k": "2"}}
	once := 0
	for _, m := range catalog.Methods() {
		if m.Purpose == protect.Items { // the table has no sets of items
			continue
		}
		p, err := study.Protect(context.Background(),
			study.Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: set[m.Name]})
		if err != nil {
			t.Logf("%s: %v", m.Name, err)
			continue
		}
		if p.Released.Rows() != tab.Rows() || p.Synthetic { // records of nobody are no person's
			continue
		}
		warned := strings.Join(message.Written(study.Texts(p.OfPeople)), "\n")
		alone, met := protect.Alone(p.Plan)
		for _, name := range []string{"sex", "town", "age", "weight"} {
			n := studytest.Several(p.Released.Column(p.Released.Find(name)), of)
			switch {
			case n > 0 && !strings.Contains(warned, name):
				t.Errorf("%s: %d people have several values of %s, and the custodian is told %q", m.Name, n, name, warned)
			case n == 0 && slices.Contains(alone, name):
				once++
			}
		}
		if len(met) == 0 && strings.Contains(warned, "takes each record") {
			t.Errorf("%s: %q", m.Name, warned)
		}
		by, err := protect.SegmentsOf(p.Plan, p.Original)
		if err != nil || by == nil {
			continue
		}
		d, err := segments.Certify(context.Background(), by, p.Matched, p.Released)
		if err != nil || d.Stayed != d.Records || d.Outside+d.OffGrid > 0 {
			t.Errorf("%s: %+v, %v", m.Name, d, err)
		}
	}
	if once < 40 {
		t.Errorf("only %d columns were drawn once", once)
	}
}

// A plan whose groups were of people is not applied to a table that does not tell whose its records are.
func TestPlanOfPeople(t *testing.T) {
	tab, _ := studytest.Stays(400)
	cols := tab.Columns()
	cols[tab.WithRole(table.Person)].Role = table.Identifier
	anonymous := must.Get(tab.WithColumns(cols))(t)
	sets := map[string]map[string]string{
		"localsuppression": {"keys": "sex,town,age"},
		"kanonymise":       {"columns": "sex,town,age"},
		"recordswap":       {"swap": "town", "keys": "sex,age"},
	}
	var methods []protect.Method
	var inner [2]protect.Method
	for _, m := range catalog.Methods() {
		if m.People != "" && m.Purpose != protect.Items { // the table has no sets of items
			methods = append(methods, m)
		}
		if k := slices.Index([]string{"rnat", "uma"}, m.Name); k >= 0 {
			inner[k] = m
		}
	}
	for _, m := range append(methods, stages.Of(inner[0], inner[1])) {
		name, set := m.Name, sets[m.Name]
		p, err := study.Protect(context.Background(),
			study.Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: set})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for told, of := range map[bool]*table.Table{true: tab, false: anonymous} {
			_, err := study.Protect(context.Background(),
				study.Request{KeepOrder: true, Table: of, Method: m, Seed: rng.SeedOf([32]byte{1}), Plan: p.Plan})
			refused := err != nil && strings.Contains(err.Error(), "the plan counts people")
			// The limits of coding are in its plan: it counts nothing in another table.
			if coded := strings.HasSuffix(name, "code"); refused == (told || coded) {
				t.Errorf("%s: whose the records are is told: %v; %v", name, told, err)
			}
		}
	}
}

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
	tab, rels := studytest.Peopled(t)
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
		studytest.Constant(t, m.Name, p.Released, p.Synthetic)
		kept := p.Restated.Relations()
		if len(kept)+len(p.Unkept) != len(rels) && !left {
			t.Errorf("%s: %d relations are kept and %d are not, of %d", m.Name, len(kept), len(p.Unkept), len(rels))
		}
		for _, r := range kept {
			b := must.Get(r.Bind(tab))(t)
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

// TestStrongerOfEntries: every technique that declares how much it protects names a stronger setting that it takes and
// that differs from the one it has, until it is at the strongest; one that declares nothing names none.
func TestStrongerOfEntries(t *testing.T) {
	for _, m := range catalog.Methods() {
		dials := 0
		for _, p := range m.New().Params() {
			if p.Noise != nil || p.Guard != nil {
				dials++
			}
		}
		q := m.New()
		for round := 0; ; round++ {
			next := study.Stronger(m, q.Params().Values())
			if len(next) > dials || round > 10 {
				t.Fatalf("%s: of %d settings these are stronger after %d steps: %v", m.Name, dials, round, next)
			}
			if len(next) == 0 {
				break
			}
			before := q.Params().Values()
			if err := q.Params().Apply(texts(next)); err != nil {
				t.Fatalf("%s does not take what is advised: %v", m.Name, err)
			}
			if fmt.Sprint(before) == fmt.Sprint(q.Params().Values()) {
				t.Fatalf("%s: %v changes nothing", m.Name, next)
			}
		}
	}
	m := must.Get(catalog.Method("segmentsynthesis"))(t)
	if got := fmt.Sprint(texts(study.Stronger(m, m.New().Params().Values()))); got != "map[leaf:50 minLeaf:21]" {
		t.Errorf("segmentsynthesis advises %s", got)
	}
}

// texts are settings as a user gives them.
func texts(settings []param.Value) map[string]string {
	set := map[string]string{}
	for _, v := range settings {
		set[v.Name] = fmt.Sprint(v.Value)
	}
	return set
}
