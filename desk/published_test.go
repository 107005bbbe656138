package desk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// TestNothingPlantedIsPublished plants what only few people hold into a table that is released almost as it is: rare
// categories, dates of birth, notes, an outlier, a rare code. None of it is in the public report or document, be the
// release withheld or not, and the internal report has it.
func TestNothingPlantedIsPublished(t *testing.T) {
	f := newFolder(t)
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("born,note,town,code,pay,age,y\n")
	towns := []string{"Northampton", "Southampton", "Easthampton", "Zwischenwasser"}
	people := long.Of(100, 400)
	for i := range people {
		town, code, pay := towns[r.IntN(4)%3], r.IntN(3), 1000+r.IntN(3000)
		if i%(people/5) == 7 { // five people
			town, code = towns[3], 77
		}
		if i == 9 {
			pay = 987654
		}
		fmt.Fprintf(
			&b,
			"19%02d-%02d-%02d,call %s at %d,%s,%d,%d,%d,%s\n",
			30+i%60,
			1+i%12,
			1+i%28,
			[]string{"Ann", "Bob", "Cyd"}[i%3],
			5550000+i%150,
			town,
			code,
			pay,
			20+r.IntN(60),
			[]string{"no", "yes"}[r.IntN(2)],
		)
	}
	path := f.put(t, "planted.csv", b.String())
	planted := regexp.MustCompile(`19\d\d-\d\d|call |5550|Zwischen|>77:|987,?654|planted\.csv`)
	for name, limits := range map[string]string{"withheld": "", "released": "none"} {
		q := ProtectRequest{
			Source: Source{
				Path: path,
				Said: policy.Policy{
					Public: true,
					Limits: limits,
					Class:  "y",
					Columns: map[string]policy.Column{
						"born": {Role: policy.Roles{"quasi-identifier"}},
						"note": {Role: policy.Roles{"confidential"}},
					},
					Method: policy.Method{Name: "rnat", Set: map[string]policy.Text{"except": "born,note,town,code,pay"}},
				},
			},
			Release:   f.path("out.csv"),
			Report:    f.path("report.html"),
			Overwrite: true,
			SeedFile:  f.fixedSeed(t),
			PlanOut:   f.path("plan.json"),
		}
		p, err := newListener().Protect(ctx, q)
		if p == nil {
			t.Fatal(err)
		}
		if got := p.Outcome.Verdict.State == study.Withheld; got != (name == "withheld") {
			t.Fatalf("%s: the verdict is %s", name, p.Outcome.Verdict.State)
		}
		var doc bytes.Buffer
		must.NoError(t, WriteJSON(&doc, p.Document()))
		page := f.read(t, "report.html")
		page, _, _ = strings.Cut(page[strings.Index(page, "<body"):], sealBegin) // a seal may hold any letters
		for what, text := range map[string]string{"report": page, "document": doc.String()} {
			if at := planted.FindStringIndex(text); at != nil {
				t.Errorf("%s: the public %s holds %q", name, what, text[max(0, at[0]-80):at[1]])
			}
		}
		for _, option := range []string{"--", "olicy", "eed"} {
			if at := strings.Index(page, option); at >= 0 {
				t.Errorf("%s: the public report tells of the custodian's options: %q", name, page[max(0, at-80):at+40])
			}
		}
		if name == "withheld" {
			if strings.Contains(page, "<svg class=\"dither") || strings.Contains(page, "town") {
				t.Error("the public report of a withheld release tells of it")
			}
			continue
		}
		for _, want := range []string{"Northampton", "In years", "others, 2 kinds", "Not drawn, because they have many " +
			"or rare values: note"} {
			if !strings.Contains(page, want) {
				t.Errorf("the public report lacks %q", want)
			}
		}
		q.Said.Public = false
		if _, err = newListener().Protect(ctx, q); err != nil {
			t.Fatal(err)
		}
		page = f.read(t, "report.html")
		if n := len(slices.Compact(slices.Sorted(slices.Values(planted.FindAllString(page, -1))))); n < 4 {
			t.Errorf("the internal report has %d of the texts, so the test proves nothing", n)
		}
	}
}

// TestPublicDocument: the documents of a public protection and a public evaluation hold neither the original's name,
// hash and size, nor a risk, a parameter or the commitment of the seed; those that are not public hold them all.
func TestPublicDocument(t *testing.T) {
	f := newFolder(t)
	path := f.people(t, long.Of(60, 300))
	sum := sha256.Sum256([]byte(f.read(t, "people.csv")))
	for _, public := range []bool{true, false} {
		q := ProtectRequest{
			Source:    Source{Path: path, Said: policy.Policy{Limits: "none", Public: public, Class: "y"}},
			Release:   f.path("out.csv"),
			Report:    f.path("r.html"),
			PlanOut:   f.path("plan.json"),
			Overwrite: true,
		}
		p := must.Get((&Desk{}).Protect(ctx, q))(t)
		v := EvaluateRequest{
			Source:    q.Source.Saying(policy.Policy{Limits: "none", Public: public}),
			Released:  q.Release,
			Plan:      q.PlanOut,
			Measures:  []string{"found", "linkage", "accuracy"},
			Report:    f.path("e.html"),
			Overwrite: true,
		}
		e := must.Get((&Desk{}).Evaluate(ctx, v))(t)
		for name, document := range map[string]any{"protect": p.Document(), "evaluate": e.Document()} {
			var b bytes.Buffer
			must.NoError(t, WriteJSON(&b, document))
			for _, secret := range []string{"people.csv", hex.EncodeToString(sum[:]), `"original"`, `"side": "risk"`, "linkage"} {
				if held := strings.Contains(b.String(), secret); held == public && (name != "protect" || secret != "linkage") {
					t.Errorf("%s, public %t: it holds %s: %t", name, public, secret, held)
				}
			}
			for _, key := range map[string][]string{"protect": {"drift"}, "evaluate": {"holdout"}}[name] {
				if held := strings.Contains(b.String(), `"`+key+`": `); held == public {
					t.Errorf("%s, public %t: it has the key %s: %t", name, public, key, held)
				}
			}
			for _, key := range []string{"notes", "corrections", "demands", "reasons", "worst", "unchecked", "gate", "parts",
				"detail"} {
				if strings.Contains(b.String(), `"`+key+`": `) == public {
					t.Errorf("%s, public %t: it has the key %s: %t", name, public, key, public)
				}
			}
			for _, secret := range []string{"seedCommitment", `"plan"`, `"parameters"`} {
				if held := strings.Contains(b.String(), secret); name == "protect" && held == public || held && public {
					t.Errorf("%s, public %t: it holds %s: %t", name, public, secret, held)
				}
			}
		}
	}
}
