package desk

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// beside goes through the stages of an evaluation until the release stands beside its original.
func beside(t *testing.T, q *EvaluateRequest) (*paired, *listener) {
	t.Helper()
	l := newListener()
	files := q.files(false)
	pol := must.Get(q.policy())(t)
	t.Cleanup(files.discard)
	as := task{"evaluate", q.Measures, len(q.Measures) > 0}
	p := must.Get(posed{d: &l.Desk, q: q, as: as, in: reader{Source: q.Source, pol: pol}, files: files}.begin())(t)
	o := must.Get(p.open(ctx))(t)
	b := must.Get(o.pair(ctx))(t)
	return b, l
}

// What a stage of an evaluation finds out stands in it, and the stages before stay as they were.
func TestEvaluationStagesStay(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias", "hidingfailure")
	q.Said.SensitiveFile, q.SeedFile, q.Said.Limits = f.put(t, "hide.txt", "city=Ulm\n"), f.fixedSeed(t), "none"
	q.Report, q.Record = f.path("r.html"), f.path("r.json")
	b, _ := beside(t, &q)
	if b.specs[1].Set["sensitive"] == "" {
		t.Error("the list of what is sensitive reaches no measure")
	}
	if set := b.posed.specs[1].Set; len(set) > 0 {
		t.Errorf("what the table hands to a measure reaches the request: %v", set)
	}
	o, r := *b.o, *b.r
	ready := must.Get(b.settle())(t)
	asked, steps := ready.asked, len(ready.rec.Steps)
	w := must.Get(ready.measure(ctx))(t)
	must.Get(w.place())(t)
	if got := w.c.Outcome; len(got.Measures) != 2 || got.Verdict == nil || len(got.People) != len(o.People) {
		t.Errorf("%d measures, the verdict %v", len(got.Measures), got.Verdict)
	}
	if b.o.Measures != nil || b.o.Verdict != nil || b.o.NotProtected != nil || len(b.o.Notes) != len(o.Notes) {
		t.Error("measuring changes what was known before")
	}
	if b.r.Original != r.Original || b.r.Released != r.Released || b.r.Person != r.Person {
		t.Error("measuring changes the pair of tables")
	}
	if len(ready.rec.Steps) != steps || len(ready.asked.Specs) != len(asked.Specs) {
		t.Error("writing the record changes the one that was begun")
	}
}

// Measures stay in the order in which they were named, and what is left out is said, in the order of the catalogue.
func TestOrderOfMeasures(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "sse", "bias")
	q.Said.Limits = "none"
	b, _ := beside(t, &q)
	of := func(r ready) (names []string) {
		w := must.Get(r.measure(ctx))(t)
		for _, m := range w.c.Outcome.Measures {
			names = append(names, m.Name)
		}
		return names
	}
	r := must.Get(b.settle())(t)
	named, in := of(*r), *r
	if !slices.Equal(named, []string{"sse", "bias"}) {
		t.Errorf("named: %v", named)
	}
	in.asked.InPlace = false
	in.asked.Left = []study.Measured{judge.LeftOut(r.specs[0].Measure, message.Text("too slow"))}
	in.asked.Specs = r.specs[1:]
	if names := of(in); !slices.Equal(names, []string{"bias", "sse"}) {
		t.Errorf("with one left out: %v", names)
	}
}

// Earlier releases of the request, or else of the policy, stand beside the release record by record, whether a plan, a
// pseudonym or the place says whose they are.
func TestEarlierReleases(t *testing.T) {
	f := newFolder(t)
	in, seed := f.people(t, 60), f.fixedSeed(t)
	was := f.put(t, "was.seed", strings.Repeat("7", 64)+"\n")
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\nearlier: was.csv\n")
	for name, c := range map[string]struct {
		keep      bool
		corrected bool
		pseudo    map[string]policy.Column
		request   func(*EvaluateRequest)
		told      string
	}{
		"by the plan": {request: func(q *EvaluateRequest) {
			q.Said.Earlier, q.EarlierPlan = []string{f.path("was.csv")}, []string{f.path("was.json")}
		}},
		"by a pseudonym": {pseudo: map[string]policy.Column{"name": {Identifier: "pseudonymise"}},
			request: func(q *EvaluateRequest) { q.Said.Earlier = []string{f.path("was.csv")} }},
		"by a pseudonym, with the plan of a file that was corrected since": {corrected: true,
			pseudo: map[string]policy.Column{"name": {Identifier: "pseudonymise"}},
			request: func(q *EvaluateRequest) {
				q.Said.Earlier, q.EarlierPlan = []string{f.path("was.csv")}, []string{f.path("was.json")}
			}},
		"by the place": {keep: true, request: func(q *EvaluateRequest) {
			q.Said.Earlier = []string{f.path("was.csv")}
		}},
		"of the policy": {keep: true, request: func(q *EvaluateRequest) { q.Policy = pol }},
		"in an order nobody knows of": {told: "the earlier release is not used", request: func(q *EvaluateRequest) {
			q.Policy = pol
		}},
	} {
		q := ProtectRequest{
			Source: Source{
				Path: in,
				Said: policy.Policy{
					Limits:    "none",
					KeepOrder: c.keep,
					Class:     "y",
					Columns:   c.pseudo,
					Method:    policy.Method{Name: "mdav", Set: map[string]policy.Text{"k": "3"}},
				},
			},
			Release:   f.path("out.csv"),
			PlanOut:   f.path("plan.json"),
			SeedFile:  seed,
			Overwrite: true,
		}
		before := q
		before.Release, before.PlanOut = f.path("was.csv"), f.path("was.json")
		if before.SeedFile = was; c.pseudo != nil {
			before.SeedFile = seed // other pseudonyms would be nobody's
		}
		if c.corrected {
			before.Path = f.put(t, "older.csv", f.read(t, "people.csv")+"person60,44,123.4,Kiel,yes\n")
		}
		for _, q := range []ProtectRequest{q, before} {
			if _, err := newListener().Protect(ctx, q); err != nil {
				t.Fatal(name, err)
			}
		}
		e := EvaluateRequest{Source: q.Source.Saying(policy.Policy{Limits: "none"}), Released: q.Release, Plan: q.PlanOut,
			Measures: []string{"linkage"}}
		c.request(&e)
		b, l := beside(t, &e)
		if c.told != "" {
			if len(b.r.Earlier) > 0 || !strings.Contains(l.heard(), c.told) {
				t.Errorf("%s: %d are used, and told is %q", name, len(b.r.Earlier), l.heard())
			}
			continue
		}
		if len(b.r.Earlier) != 1 {
			t.Errorf("%s: %d earlier releases: %q", name, len(b.r.Earlier), l.heard())
			continue
		}
		// The technique leaves the cities alone, so everybody is where they were.
		if j := b.r.Earlier[0].Find("city"); j < 0 || !slices.Equal(b.r.Earlier[0].Cat(j), b.r.Original.Cat(j)) {
			t.Errorf("%s: the records are beside those of others", name)
		}
	}
}

// A column that this release leaves out stands beside it where an earlier one shows it: who knows it uses both.
func TestEarlierReleaseOfWhatIsLeftOut(t *testing.T) {
	f := newFolder(t)
	q := ProtectRequest{
		Source: Source{Path: f.people(t, 60), Said: policy.Policy{Limits: "none", Class: "y",
			Method: policy.Method{Name: "mdav", Set: map[string]policy.Text{"k": "3"}}}},
		Release: f.path("was.csv"), PlanOut: f.path("was.json"), SeedFile: f.fixedSeed(t),
	}
	out := q
	out.Release, out.PlanOut, out.Said.File.LeaveOut = f.path("out.csv"), f.path("plan.json"), policy.Words{"city"}
	for _, q := range []ProtectRequest{q, out} {
		must.Get(newListener().Protect(ctx, q))(t)
	}
	e := EvaluateRequest{Source: q.Source, Released: out.Release, Plan: out.PlanOut, Measures: []string{"linkage"},
		EarlierPlan: []string{q.PlanOut}}
	e.Said.Earlier = []string{q.Release}
	b, l := beside(t, &e)
	if len(b.r.Earlier) != 1 || len(b.r.Further) != 1 || b.r.Original.Find("city") >= 0 {
		t.Fatalf("%d earlier releases, %d tables besides: %q", len(b.r.Earlier), len(b.r.Further), l.heard())
	}
	if got := names(b.r.Further[0]); !slices.Equal(got, []string{"city"}) {
		t.Errorf("%v are shown besides", got)
	}
}

// The intruders of a policy are played, and bind, where the request names none; those of the request take their place.
func TestIntrudersOfThePolicy(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "linkage")
	q.Policy = f.put(t, "p.yaml", "version: 1\nclass: y\nlimits: none\nintruders: [{name: neighbour, knows: [age]}]\n")
	own := must.Get(DescribeIntruder("city", "", false, false))(t)
	b, _ := beside(t, &q)
	if names := judge.Called(b.cast.Played); !slices.Equal(names, []string{"neighbour"}) {
		t.Errorf("of the policy: %v", names)
	}
	q.Said.Intruders = append(q.Said.Intruders, own)
	b, _ = beside(t, &q)
	if names := judge.Called(b.cast.Played); !slices.Equal(names, []string{own.Name}) {
		t.Errorf("of the request: %v", names)
	}
	e, _ := evaluate(t, q)
	against := map[string]bool{}
	for _, m := range e.Outcome.Measures {
		against[m.Intruder] = true
	}
	if len(against) != 1 || !against[own.Name] {
		t.Errorf("measured against %v", slices.Sorted(maps.Keys(against)))
	}
}
