package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// planted is a table of 400 people: 3 of those who smoke are not from the north, all from the south are ill, and two
// have a job of their own.
func planted() string {
	var b strings.Builder
	b.WriteString("smokes,region,job,outcome\n")
	for i := range 400 {
		smokes, region, job, outcome := "no", "north", []string{"clerk", "cook"}[i%2], []string{"ill", "well"}[i/2%2]
		switch {
		case i < 150:
			smokes = "yes"
		case i < 160:
			region, outcome = "south", "ill"
		case i < 280:
			region = "west"
		}
		if i < 3 {
			region = "west"
		}
		if i >= 398 {
			job = "pilot"
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s\n", smokes, region, job, outcome)
	}
	return b.String()
}

// What is handed out of itemsets and rules tells of nobody: by what was written alone, part by part.
func TestPublishedPatternsTellOfNobody(t *testing.T) {
	f := newFolder(t)
	in := Source{Path: f.put(t, "planted.csv", planted()), Said: policy.Policy{Class: "outcome"}}
	q := ItemsetsRequest{Source: in, Miner: "lcm", Set: map[string]string{"support": "2"},
		Output: f.path("sets.json"), Publish: true, People: 5}
	var said bytes.Buffer
	must.NoError(t, newListener().Itemsets(ctx, &said, q))
	var sets ItemsetsDocument
	read(t, q.Output, &sets)
	text := strings.Join(flat(sets), "\n")
	for _, gone := range []string{"job=pilot", "region=south outcome=", "smokes=yes region=west"} {
		if strings.Contains(text, gone) {
			t.Errorf("%s is told:\n%s", gone, text)
		}
	}
	if !strings.Contains(text, "region=north outcome=ill") || !strings.HasPrefix(said.String(), "MEETS THE LIMITS.") {
		t.Errorf("%s\n%s", said.String(), text)
	}
	supports := map[string]int{"": sets.Records}
	for _, s := range sets.Itemsets {
		supports[strings.Join(s.Items, " ")] = s.Count
	}
	for _, s := range sets.Itemsets { // the groups of every set, by inclusion and exclusion
		for mask := range 1 << len(s.Items) {
			n := 0
			for more := range 1 << len(s.Items) {
				if more&mask != mask {
					continue
				}
				var part []string
				for b, item := range s.Items {
					if more>>b&1 == 1 {
						part = append(part, item)
					}
				}
				count, told := supports[strings.Join(part, " ")]
				if !told {
					t.Fatalf("%v is told, and %v is not", s.Items, part)
				}
				n += count * (1 - 2*(bits.OnesCount(uint(more^mask))%2))
			}
			if n > 0 && n < 5 {
				t.Errorf("%v tells of %d people", s.Items, n)
			}
		}
	}
	rules := RulesRequest{Source: in, Miner: "lcm", Set: q.Set, Confidence: 0, Output: f.path("rules.json"), Publish: true,
		People: 5}
	must.NoError(t, newListener().Rules(ctx, &said, rules))
	var made RulesDocument
	read(t, rules.Output, &made)
	for _, r := range made.Rules {
		if away := float64(r.Count)/r.Confidence - float64(r.Count); r.Count < 5 || away > 0.5 && away < 4.5 ||
			away < 0.5 && strings.HasPrefix(r.Then[0], "outcome") {
			t.Errorf("%v of %d people, and %v who are not", r, r.Count, away)
		}
	}
	if len(made.Rules) == 0 || made.Itemsets != len(sets.Itemsets) {
		t.Errorf("%d rules of %d itemsets", len(made.Rules), made.Itemsets)
	}
	for what, q := range map[string]ItemsetsRequest{
		"no file":    {Publish: true, People: 5},
		"nobody few": {Publish: true, Output: f.path("x")},
		"closed":     {Publish: true, People: 5, Output: f.path("x"), Set: map[string]string{"kind": "closed"}},
		"estimated":  {Publish: true, People: 5, Output: f.path("x"), Law: f.path("law")},
	} {
		var u *Usage
		if q.Source, q.Miner = in, "lcm"; !errors.As(newListener().Itemsets(ctx, &said, q), &u) {
			t.Errorf("%s is not refused", what)
		}
	}
	var broken *Broken
	if q.People, q.Overwrite = 401, true; !errors.As(newListener().Itemsets(ctx, &said, q), &broken) {
		t.Error("400 are fewer than 401, and the sets go out")
	}
}

// Persons of several records are counted as people: nobody's own records hide a few.
func TestPublishedPatternsOfPersons(t *testing.T) {
	f := newFolder(t)
	var b strings.Builder
	b.WriteString("who,visit,ward\n")
	for i := range 300 {
		ward := "north"
		if i < 6 { // three visits of two people
			ward = "south"
		}
		fmt.Fprintf(&b, "p%d,%d,%s\n", i/3, i%3, ward)
	}
	in := Source{Path: f.put(t, "visits.csv", b.String()), Said: policy.Policy{
		Columns: map[string]policy.Column{"who": {Role: policy.Roles{"person"}}}}}
	q := ItemsetsRequest{Source: in, Miner: "lcm", Set: map[string]string{"support": "2"},
		Output: f.path("sets.json"), Publish: true, People: 5}
	var said bytes.Buffer
	must.NoError(t, newListener().Itemsets(ctx, &said, q))
	var sets ItemsetsDocument
	if read(t, q.Output, &sets); strings.Contains(strings.Join(flat(sets), " "), "ward=") {
		t.Errorf("six records of two people are told: %v", sets)
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	must.NoError(t, err)
}

func flat(d ItemsetsDocument) (out []string) {
	for _, s := range d.Itemsets {
		out = append(out, strings.Join(s.Items, " "))
	}
	return out
}
