package dither_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// visits is a table of 130 records, of which two follow each other with one number.
func visits(t *testing.T) dither.Source {
	t.Helper()
	const n = 130
	r := rand.New(rand.NewPCG(31, 1))
	number, age, pay := make([]float64, n), make([]float64, n), make([]float64, n)
	town, class := make([]int32, n), make([]int32, n)
	for i := range n {
		number[i], age[i] = float64(1000+i/2), float64(20+r.IntN(60))
		pay[i] = 10*age[i] + float64(r.IntN(400))
		if town[i] = int32(r.IntN(4)); r.IntN(10) == 0 {
			town[i] = -1
		}
		if pay[i] > 700 {
			class[i] = 1
		}
	}
	return dither.Memory("visits", tabletest.Of(t, table.NumColumn("number", 1, number), table.NumColumn("age", 1, age),
		table.CatColumn("town", []string{"A", "B", "C", "D"}, town), table.NumColumn("pay", 1, pay),
		table.CatColumn("class", []string{"low", "high"}, class)))
}

// judgedBy is all that is said of a release by a technique, by what says it.
func judgedBy(t *testing.T, technique, number string) (said map[string][]message.Sentence, v *study.Verdict) {
	t.Helper()
	pol := &policy.Policy{Version: 1, Class: "class", Columns: map[string]policy.Column{
		"number": {Role: policy.Roles{number}}, "age": {Role: policy.Roles{"quasi-identifier"}},
		"town": {Role: policy.Roles{"quasi-identifier"}}, "pay": {Role: policy.Roles{"confidential"}},
	}}
	d := must.Get(dither.Open(t.Context(), visits(t), pol))(t)
	m := must.Get(catalog.Method(technique))(t)
	seed := dither.Seed(rng.SeedOf([32]byte{7}))
	r, err := dither.Protect(t.Context(), d, dither.Technique(m, nil), seed)
	if r == nil {
		t.Fatal(err)
	}
	e, err := dither.Evaluate(t.Context(), d, r.Data(), seed)
	if e == nil {
		t.Fatal(err)
	}
	said = map[string][]message.Sentence{"notes": slices.Concat(e.Notes, r.Notes())}
	for _, m := range e.Measures {
		all := append([]message.Sentence{message.Text(m.Title), message.Text(m.Summary), m.Err, m.Unit.Of}, m.Value.Notes...)
		for _, p := range m.Value.Parts {
			all = append(all, p.Name)
		}
		said[m.Name] = append(said[m.Name], all...)
	}
	for _, a := range e.Attacks {
		for _, s := range a.Sentences {
			said[s.Measure] = append(said[s.Measure], s.Says)
		}
	}
	for _, r := range e.Verdict.Reasons {
		said["verdict"] = append(said["verdict"], append(slices.Clone(r.Remedies), r.Says)...)
	}
	for _, d := range e.Verdict.Demands {
		said["verdict"] = append(said["verdict"], d.Title, d.Sentence(), d.Why)
	}
	said["verdict"] = slices.Concat(said["verdict"], e.Verdict.GoodFor, e.Verdict.NotFor)
	said["verdict"] = append(said["verdict"], e.Verdict.Sentence)
	return said, e.Verdict
}

// TestOfWhomItIsSaid: where nothing tells whose the records are, no measure and no verdict speaks of people; where a
// column tells persons apart, all that is counted is of people.
func TestOfWhomItIsSaid(t *testing.T) {
	people := regexp.MustCompile(`(?i)\b(people|persons?|patients?)\b`)
	roles := regexp.MustCompile(`[A-Za-z]+=person`)
	of := regexp.MustCompile(`\b[Oo]f (100|65|130) records\b`)
	for _, technique := range []string{"segmentsynthesis", "rankswap"}[:long.Of(1, 2)] {
		said, _ := judgedBy(t, technique, "identifier")
		for who, all := range said {
			for _, s := range all {
				if words := roles.ReplaceAllString(s.String(), ""); people.MatchString(words) {
					t.Errorf("%s, records: %s says %q", technique, who, words)
				}
			}
		}
		said, v := judgedBy(t, technique, "person")
		if !people.MatchString(v.Sentence.String()) {
			t.Errorf("%s, persons: %s", technique, v.Sentence)
		}
		for who, all := range said {
			for _, s := range all {
				if of.MatchString(s.String()) {
					t.Errorf("%s, persons: %s says %q", technique, who, s)
				}
			}
		}
	}
}
