package desk

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// A release that was made elsewhere goes out under no limits where its certificate holds, and is withheld where one of
// its numbers left its segment: verdict, error and document say so alike.
func TestUncertified(t *testing.T) {
	f := newFolder(t)
	text := "age,city,y\n"
	for i := range 200 {
		text += fmt.Sprintf("%d,%s,%s\n", 20+i%60, []string{"Ulm", "Bonn", "Kiel"}[i*i%3], []string{"no", "yes"}[i%60/30])
	}
	in, release, plan := f.put(t, "people.csv", text), f.path("out.csv"), f.path("plan.json")
	said := policy.Policy{Limits: "none", Class: "y", Method: policy.Method{Name: "framework"}}
	made := must.Get((&Desk{}).Protect(t.Context(), ProtectRequest{Source: Source{Path: in, Said: said}, Release: release,
		PlanOut: plan, SeedFile: f.put(t, "seed", strings.Repeat("5a", 32))}))(t)
	defer made.Close()
	data := must.Get(os.ReadFile(plan))(t)
	original, info, err := format.Read(t.Context(), in, format.Options{})
	must.NoError(t, err)
	same, moved := turned(t, data, original)
	seed := must.Get(rng.ParseSeed(strings.Repeat("5a", 32)))(t)
	for name, released := range map[string]*table.Table{"kept": same, "moved": moved} {
		p, err := (&Desk{}).Judge(t.Context(), ProtectRequest{Source: Source{Said: said}}, Sharded{Original: original,
			Released: released, Info: info, File: study.File{Name: "people.csv", Rows: 200, Columns: original.Width()},
			Name: "out", Plan: data, Fitted: true, Seed: seed})
		var broken *Broken
		if withheld := errors.As(err, &broken); withheld != (name == "moved") || err != nil && !withheld {
			t.Fatalf("%s: %v", name, err)
		}
		d := p.Document()
		if broken == nil {
			if !d.Written || p.Outcome.Verdict.State != study.Unjudged {
				t.Errorf("%s: %v", name, p.Outcome.Verdict.Line())
			}
			continue
		}
		if d.Written || d.Files.Release != "" || p.Outcome.Verdict.State != study.Withheld || broken.Unproven ||
			!strings.Contains(broken.Error(), "200 records left the segment they came from") {
			t.Errorf("%s: %v, written %v, %v", name, broken, d.Written, p.Outcome.Verdict.Line())
		}
	}
}

// turned is a table as a plan knows it, and the same with every age at the other end of the domain.
func turned(t *testing.T, plan []byte, original *table.Table) (same, moved *table.Table) {
	t.Helper()
	how, err := decodePlan("people.csv", plan)
	must.NoError(t, err)
	if same, err = original.Conform(how.Plan.Schema(), false); err != nil {
		t.Fatal(err)
	}
	cols := slices.Clone(same.Columns())
	age := same.Find("age")
	cols[age].Num = slices.Clone(cols[age].Num)
	for i, v := range cols[age].Num {
		cols[age].Num[i] = cols[age].Domain.Lo + cols[age].Domain.Hi - v
	}
	if moved, err = table.New(cols...); err != nil {
		t.Fatal(err)
	}
	return same, moved
}
