package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// score returns the value of the first measure of a name, and why it was not taken.
func score(o *study.Outcome, name string) (float64, string) {
	for _, m := range o.Measures {
		if m.Name == name {
			return m.Value.Score, m.Err.String()
		}
	}
	return 0, "not asked for"
}

// TestRandomOrder: a release is written in a random order, the same records as in the order of the original; its plan
// pairs them, so that evaluating finds what protecting did.
func TestRandomOrder(t *testing.T) {
	f := newFolder(t)
	for k, c := range []struct {
		method, set string
		complete    bool
	}{{"framework", "", false}, {"mdav", "k=3", false}, {"kanonymise", "k=4", false}, {"sample", "share=0.5", false},
		{"localsuppression", "k=3", false}, {"framework", "", true}} {
		if k > 0 && !long.Enabled() {
			break
		}
		in := f.people(t, 60)
		if c.complete {
			in = f.put(t, "people.csv", strings.Replace(f.read(t, "people.csv"), "Bonn", "?", 3))
		}
		name := func(q *ProtectRequest) {
			q.Said.Method.Name, q.Said.Complete, q.Report = c.method, c.complete, f.path("r.html")
			q.Path = in
			if key, v, ok := strings.Cut(c.set, "="); ok {
				q.Said.Method.Set = map[string]policy.Text{key: policy.Text(v)}
			}
		}
		keep := func(q *ProtectRequest) { name(q); q.Said.KeepOrder = true }
		made := func(change func(*ProtectRequest)) (*Protection, []string) {
			q := ProtectRequest{
				Source:    Source{Said: policy.Policy{Limits: "none", Class: "y"}},
				Release:   f.path("out.csv"),
				SeedFile:  f.fixedSeed(t),
				PlanOut:   f.path("plan.json"),
				Overwrite: true,
			}
			change(&q)
			p, err := newListener().Protect(ctx, q)
			if err != nil {
				t.Fatal(c.method, err)
			}
			_, rows := f.rows(t, "out.csv")
			return p, rows
		}
		_, ordered := made(keep)
		p, random := made(name)
		if slices.Equal(ordered, random) {
			t.Errorf("%s: the release keeps the order of the original", c.method)
		}
		if sorted(ordered) != sorted(random) {
			t.Errorf("%s: the order changes the records", c.method)
		}
		if !p.Outcome.Shuffled ||
			strings.Contains(strings.Join(message.Written(study.Texts(p.Outcome.NotProtected)), " "), "keep their order") {
			t.Errorf("%s: the outcome does not say that the order is random", c.method)
		}
		for _, complete := range []bool{c.complete, false} {
			q := EvaluateRequest{
				Source:   Source{Path: in, Said: policy.Policy{Class: "y", Complete: complete}},
				Released: f.path("out.csv"),
				Plan:     f.path("plan.json"),
				SeedFile: f.path("seed"),
				Measures: []string{"linkage", "segments"},
			}
			e, l := evaluate(t, q)
			was, _ := score(p.Outcome, "linkage")
			is, why := score(e.Outcome, "linkage")
			if was != is || why != "" || l.heard() != "" && !complete {
				t.Errorf("%s: linkage is %v and was %v where the release was made; %s %s", c.method, is, was, why, l.heard())
			}
			if strings.HasPrefix(c.method, "framework") && complete == c.complete {
				if s, why := score(e.Outcome, "segments"); s != 1 {
					t.Errorf("the certificate is %v: %s", s, why)
				}
			}
		}
	}
}

func sorted(rows []string) string {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, cmp.Compare[string])
	return strings.Join(rows, "")
}

// TestWhoIsWho: what happens to a release in a random order by what is known of it. Nobody must be taken for somebody
// else.
func TestWhoIsWho(t *testing.T) {
	f := newFolder(t)
	release(t, f, func(q *ProtectRequest) {
		q.Said.Method = policy.Method{Name: "mdav", Set: map[string]policy.Text{"k": "3"}}
	})
	head, records := f.rows(t, "out.csv")
	f.put(t, "same.csv", head+strings.Join(records, ""))
	first := records[0]
	records[0], records[1] = records[1], first
	f.put(t, "touched.csv", head+strings.Join(records, ""))
	f.put(t, "moved.csv", strings.Replace(f.read(t, "people.csv"), "person0,", "nobody,", 1))
	old := f.read(t, "plan.json")
	from, to := strings.Index(old, ` "pairing"`), strings.Index(old, ` "plan"`)
	f.put(t, "old.json", old[:from]+old[to:])
	const random, single = "as in a release in random order", "measures of single records"
	for _, c := range []struct {
		name   string
		change func(*EvaluateRequest)
		paired bool
		told   []string // nil for nothing
		field  string
	}{
		{"the plan", func(q *EvaluateRequest) {}, true, nil, ""},
		{"a copy under another name", func(q *EvaluateRequest) { q.Released = f.path("same.csv") }, true, nil, ""},
		{"the plan, and yet not to be paired", func(q *EvaluateRequest) { q.Unpaired = true }, false, nil, ""},
		{"no plan", func(q *EvaluateRequest) { q.Plan = "" }, false, []string{random, single}, "pairing"},
		{"no plan, and said to be paired", func(q *EvaluateRequest) { q.Plan, q.Paired = "", true }, true, nil, ""},
		{"no plan, and said not to be paired", func(q *EvaluateRequest) { q.Plan, q.Unpaired = "", true }, false, nil, ""},
		{"two rows changed places", func(q *EvaluateRequest) { q.Released = f.path("touched.csv") }, false,
			[]string{"the SHA-256 of touched.csv is not", single}, ""},
		{"another original", func(q *EvaluateRequest) { q.Path = f.path("moved.csv") }, false,
			[]string{"the SHA-256 of moved.csv is not", single}, ""},
		{"a plan that was written when plans held no pairs", func(q *EvaluateRequest) { q.Plan = f.path("old.json") }, false,
			[]string{"in random order, but not which row is whose", single}, "paired"},
		{"such a plan, and said to be paired", func(q *EvaluateRequest) { q.Plan, q.Paired = f.path("old.json"), true }, true,
			nil, ""},
	} {
		q := EvaluateRequest{
			Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Class: "y"}},
			Released: f.path("out.csv"),
			Plan:     f.path("plan.json"),
			Measures: []string{"linkage"},
		}
		c.change(&q)
		e, l := evaluate(t, q)
		if _, why := score(e.Outcome, "linkage"); (why == "") != c.paired {
			t.Errorf("%s: linkage says %q", c.name, why)
		}
		for _, s := range c.told {
			if !strings.Contains(l.heard(), s) {
				t.Errorf("%s: %q was told, expected %q", c.name, l.heard(), s)
			}
		}
		if c.told == nil && l.heard() != "" || c.field != "" && l.notes[len(l.notes)-1].Field != c.field {
			t.Errorf("%s: %+v", c.name, l.notes)
		}
	}
	q := EvaluateRequest{
		Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Class: "y"}},
		Released: f.path("out.csv"),
		Paired:   true,
		Unpaired: true,
	}
	_, err := (&Desk{}).Evaluate(ctx, q)
	refused(t, "both", err, "rows are either paired or not")
	q.Unpaired, q.Released = false, f.put(t, "short.csv", head+first)
	_, err = (&Desk{}).Evaluate(ctx, q)
	refused(t, "another length", err, "paired: the tables differ in length (60 and 1)")
}

// TestPlanForAnother: a plan with pairs is applied to another table, and has pairs for it only where a plan is written
// again.
func TestPlanForAnother(t *testing.T) {
	f := newFolder(t)
	release(t, f, nil)
	f.people(t, 30)
	next := f.put(t, "next.csv", f.read(t, "people.csv"))
	l := newListener()
	q := ProtectRequest{
		Source:   Source{Path: next, Said: policy.Policy{Limits: "none", Class: "y"}},
		Plan:     f.path("plan.json"),
		SeedFile: f.path("seed"),
		Release:  f.path("next-out.csv"),
	}
	must.Get(l.Protect(ctx, q))(t)
	if len(l.notes) != 2 || !strings.Contains(l.notes[0].Says.String(), "age -> city") || l.notes[1].Field != "planout" ||
		l.notes[1].Says.String() != "the records are in a random order, and nothing records which row is whose" {
		t.Errorf("%+v", l.notes)
	}
	v := EvaluateRequest{Source: q.Source, Released: q.Release, Plan: q.Plan, Measures: []string{"linkage"}}
	e, l := evaluate(t, v)
	if says := strings.Join(message.Written(e.Document().Notes), "\n"); !strings.Contains(says, "another release") ||
		!strings.Contains(says, "the figures of risk are wrong") {
		t.Errorf("the document does not say that the plan is another's: %q", says)
	}
	if !strings.Contains(l.heard(), "which row is whose in another release") || e.Outcome.Measures[0].Err.Empty() {
		t.Errorf("%s, %+v", l.heard(), e.Outcome.Measures)
	}
	q.Overwrite, q.PlanOut = true, f.path("next.json")
	must.Get((&Desk{}).Protect(ctx, q))(t)
	v.Plan = q.PlanOut
	e, l = evaluate(t, v)
	if !e.Outcome.Measures[0].Err.Empty() || l.heard() != "" || len(e.Outcome.Params) == 0 {
		t.Errorf("%s, %+v", l.heard(), e.Outcome.Measures)
	}
}

// TestKeptOrderIsWarnedOf: users who keep the order are told which columns follow the row number, also an identifier
// that is dropped; others are told nothing.
func TestKeptOrderIsWarnedOf(t *testing.T) {
	f := newFolder(t)
	var b strings.Builder
	b.WriteString("number,ward,age,y\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%d,%s,%d,%s\n", 5000+i, []string{"A", "C", "B"}[i/20], 20+i*37%61, []string{"no", "yes"}[i*7/3%2])
	}
	q := ProtectRequest{
		Source:    Source{Path: f.put(t, "in.csv", b.String()), Said: policy.Policy{Limits: "none", Class: "y"}},
		Release:   f.path("out.csv"),
		PlanOut:   f.path("plan.json"),
		Overwrite: true,
	}
	for _, keep := range []bool{true, false} {
		q.Said.KeepOrder = keep
		p := must.Get(newListener().Protect(ctx, q))(t)
		notes := strings.Join(message.Written(p.Outcome.Notes), "\n")
		if strings.Contains(notes, "follow the row number") != keep || strings.Contains(notes, "number (sorted, or nearly "+
			"so); ward (equal values stand together); do not keep the order") != keep {
			t.Errorf("order kept %v: %s", keep, notes)
		}
	}
}

// TestKey: a column that both files hold says who is who, whatever the order; the release is judged without it, and
// that it has to stay behind is said.
func TestKey(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 60)
	head, records := f.rows(t, "people.csv")
	slices.Reverse(records)
	q := EvaluateRequest{Source: Source{Path: in, Said: policy.Policy{Class: "y"}}, Released: f.path("rel.csv"),
		Measures: []string{"linkage"}, Key: "name"}
	for _, c := range []struct {
		name, text string
		paired     bool
	}{
		{"another order", head + strings.Join(records, ""), true},
		{"fewer", head + strings.Join(records[:40], ""), false},
	} {
		f.put(t, "rel.csv", c.text)
		b, l := beside(t, &q)
		have := b.r.Original
		if !c.paired {
			have = b.r.Matched
		}
		if b.r.Paired != c.paired || have == nil || !slices.Equal(have.Num(0), b.r.Released.Num(0)) || l.heard() != "" {
			t.Errorf("%s: paired %v, told %q", c.name, b.r.Paired, l.heard())
		}
		if len(b.o.Identifying) > 0 || b.r.Released.Find("name") >= 0 {
			t.Errorf("%s: the key is judged: %+v", c.name, b.o.Identifying)
		}
		e, _ := evaluate(t, q)
		if !slices.ContainsFunc(e.Outcome.Verdict.Reasons, func(r study.Reason) bool {
			return strings.Contains(r.Remedy().String(), "name out of the file that goes out")
		}) {
			t.Errorf("%s: %+v", c.name, e.Outcome.Verdict.Reasons)
		}
	}
	for says, c := range map[string]struct{ key, text string }{
		"key nam: people.csv has no such column":                {"nam", head + records[0]},
		"key city: the original: row 4 has the value of row 1;": {"city", head + records[0]},
		"key name: the release: row 2 has the value of row 1;":  {"name", head + records[0] + records[0]},
		"key name: the release: row 1 has a value that the":     {"name", head + "x" + records[0]},
		"key name: the release: there is no such column":        {"name", "age,city\n30,Ulm\n"},
	} {
		q.Key = c.key
		f.put(t, "rel.csv", c.text)
		_, err := newListener().Evaluate(ctx, q)
		refused(t, says, err, says)
	}
	q.Unpaired = true
	_, err := newListener().Evaluate(ctx, q)
	refused(t, "both", err, "rows are paired by a key, or else")
}
