package desk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/syntheticrisk"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// rows are the lines of a file of a folder: its heading, and the records.
func (f folder) rows(t *testing.T, name string) (head string, records []string) {
	t.Helper()
	lines := strings.SplitAfter(f.read(t, name), "\n")
	return lines[0], lines[1 : len(lines)-1]
}

// TestPairing: which releases are compared row by row with the original, and what is told of it. Rows that are not
// those of one person must never be taken for them: everybody would look safe.
func TestPairing(t *testing.T) {
	f := newFolder(t)
	p, _ := release(t, f, func(q *ProtectRequest) {
		q.Said.Method, q.Said.KeepOrder = policy.Method{Name: "mdav", Set: map[string]policy.Text{"k": "3"}}, true
	})
	head, records := f.rows(t, "out.csv")
	reversed := slices.Clone(records)
	slices.Reverse(reversed)
	const other = "the plan states which row is whose in another release: the SHA-256 of rel.csv is not that of the " +
		"file it was written with\n"
	const order = "row i of the release is taken for row i of the original"
	for _, c := range []struct {
		name    string
		records []string
		change  func(*EvaluateRequest)
		paired  bool
		told    string
	}{
		{"as it was made, without its plan", records, func(q *EvaluateRequest) { q.Plan = "" }, true, order},
		{"as it was made", records, nil, true, ""},
		{"said to be in another order", records, func(q *EvaluateRequest) { q.Unpaired = true }, false, ""},
		{"said to be in another order, without its plan", reversed,
			func(q *EvaluateRequest) { q.Unpaired, q.Plan = true, "" }, false, ""},
		{"in another order", reversed, nil, false, other + "the plan leaves age, city, y alone, and the release has the " +
			"same values in another order: rows are not compared, and measures of single records not taken"},
		{"a sample", records[:40], nil, false, other + "the tables differ in length (60 and 40), so measures of single " +
			"records are not taken"},
		{"a sample, without its plan", records[:40], func(q *EvaluateRequest) { q.Plan = "" }, false,
			"the tables differ in length (60 and 40), so measures of single records are not taken"},
		{"twice as many", slices.Concat(records, records), nil, false, other + "the tables differ in length (60 and 120), " +
			"so measures of single records are not taken"},
	} {
		q := EvaluateRequest{
			Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Class: "y"}},
			Plan:     p.Files.Plan,
			Released: f.put(t, "rel.csv", head+strings.Join(c.records, "")),
		}
		if c.change != nil {
			c.change(&q)
		}
		l := newListener()
		loaded := must.Get(l.Load(ctx, q.Source))(t)
		e, err := l.Evaluate(ctx, withMeasures(q, "linkage", "bias"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if _, why := score(e.Outcome, "linkage"); (why == "") != c.paired || l.heard() != c.told {
			t.Errorf("%s: linkage says %q; %q was told, expected %q", c.name, why, l.heard(), c.told)
		}
		if _, why := score(e.Outcome, "bias"); why != "" {
			t.Errorf("%s: a measure that needs no pairs fails: %s", c.name, why)
		}
		if got := e.Outcome.OriginalFile; got != loaded.File || e.Outcome.ReleasedFile.Rows != len(c.records) ||
			e.Outcome.ReleasedFile.Columns != 4 {
			t.Errorf("%s: original %+v, released %+v", c.name, got, e.Outcome.ReleasedFile)
		}
	}
}

func withMeasures(q EvaluateRequest, names ...string) EvaluateRequest {
	q.Measures = names
	return q
}

// TestShuffledGeneral: a release that generalises and is in another order is read and paired by its plan; complete
// records are compared with complete records.
func TestShuffledGeneral(t *testing.T) {
	f := newFolder(t)
	p, _ := release(t, f, func(q *ProtectRequest) {
		q.Said.Method = policy.Method{Name: "kanonymise", Set: map[string]policy.Text{"k": "4"}}
	})
	if !p.Outcome.Shuffled || !p.Outcome.Generalised || p.Outcome.Original.Rows() != 60 {
		t.Errorf("the outcome does not tell how it was made: %+v", p.Outcome.ReleasedFile)
	}
	q := EvaluateRequest{
		Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Class: "y"}},
		Released: p.Files.Release,
		Plan:     p.Files.Plan,
		Measures: []string{"kanonymity", "linkage"},
	}
	e, l := evaluate(t, q)
	k := e.Outcome.Measures[0]
	if o := e.Outcome; !o.Shuffled || !o.Generalised || k.Name != "kanonymity" || !k.Err.Empty() || l.heard() != "" {
		t.Errorf("%+v, %q", k, l.heard())
	}
	if linked := e.Outcome.Measures[len(e.Outcome.Measures)-1]; !linked.Err.Empty() {
		t.Errorf("a release whose plan pairs it is not linked: %s", linked.Err)
	}
	in := f.put(t, "holes.csv", "age,city,y\n20,Ulm,no\n?,Ulm,no\n30,Bonn,yes\n40,Kiel,yes\n")
	q = EvaluateRequest{
		Source:   Source{Path: in, Said: policy.Policy{Class: "y", Complete: true}},
		Released: f.put(t, "whole.csv", "age,city,y\n20,Ulm,no\n30,?,yes\n40,Kiel,yes\n"),
		Measures: []string{"bias"},
	}
	if e, l = evaluate(t, q); !strings.Contains(l.heard(), "row i of the release") || e.Outcome.Original.Rows() != 3 ||
		e.Outcome.Released.Rows() != 3 {
		t.Errorf("a release of complete records that lost a value is not paired with them: %q", l.heard())
	}
	q.Released = in
	if e, l = evaluate(t, q); e.Outcome.Released.Rows() != 3 || e.Outcome.ReleasedFile.Rows != 4 ||
		e.Outcome.Measures[0].Value.Score != 0 {
		t.Errorf("the complete records of a table differ from themselves: %q, %+v", l.heard(), e.Outcome.Measures[0])
	}
}

// TestWrongPlan: a plan that is not the release's is refused with its name, whether it is of another table or torn at
// any byte.
func TestWrongPlan(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias")
	f.put(t, "other.csv", "height,shoe,y\n1,2,no\n2,3,yes\n3,1,no\n4,6,yes\n5,5,no\n6,6,yes\n")
	d := &Desk{}
	must.Get(d.Protect(ctx, ProtectRequest{Source: Source{Path: f.path("other.csv"),
		Said: policy.Policy{Limits: "none", Class: "y"}}, Release: f.path("o.csv"),
		PlanOut: f.path("other.json")}))(t)
	before := f.contents(t)
	q.Plan = f.path("other.json")
	_, err := d.Evaluate(ctx, q)
	failed(t, "the plan of another table", err, "other.json")
	_, err = d.Protect(
		ctx,
		ProtectRequest{
			Source:  q.Source.Saying(policy.Policy{Limits: "none"}),
			Plan:    q.Plan,
			Release: f.path("no.csv"),
			PlanOut: f.path("no.json"),
		},
	)
	failed(t, "another table by a plan", err, "people.csv")
	if !maps.Equal(before, f.contents(t)) {
		t.Errorf("a wrong plan leaves %s", f.names(t))
	}
	whole := strings.TrimSpace(f.read(t, "plan.json"))
	for cut := 0; cut < len(whole); cut += long.Of(53, 1) {
		if _, err := readPlan(f.put(t, "torn.json", whole[:cut])); err == nil ||
			!strings.Contains(err.Error(), "torn.json: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Fatalf("a plan torn at byte %d of %d: %v", cut, len(whole), err)
		}
	}
	how, err := readPlan(f.path("plan.json"))
	if err != nil || how.method.Name != DefaultMethod || how.file.Method != DefaultMethod || how.file.Shuffled ||
		how.file.Pairing == nil ||
		how.Plan == nil {
		t.Errorf("%v: %+v", err, how)
	}
}

// TestStrangeHoldout: a category that the original lacks costs a value of the hold-out, not every measure, with a plan
// and without one.
func TestStrangeHoldout(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "dcr")
	lines := strings.SplitAfter(f.read(t, "people.csv"), "\n")
	first := strings.Split(strings.TrimSpace(lines[1]), ",")
	j := slices.Index(strings.Split(strings.TrimSpace(lines[0]), ","), "city")
	first[j] = "atlantis"
	lines[1] = strings.Join(first, ",") + "\n"
	q.Holdout = f.put(t, "other.csv", strings.Join(lines, ""))
	for _, plan := range []string{"", f.path("plan.json")} {
		q.Plan = plan
		e, l := evaluate(t, q)
		if m := e.Outcome.Measures[0]; !m.Err.Empty() {
			t.Errorf("plan %q: %s", plan, m.Err)
		}
		if !strings.Contains(l.heard(), "1 record of the hold-out") || strings.Contains(l.heard(), "atlantis") {
			t.Errorf("plan %q: told %q", plan, l.heard())
		}
	}
}

// TestWithPlan: the plan gives a measure what it needs, and tells what was done.
func TestWithPlan(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "segments")
	if e, _ := evaluate(t, q); e.Outcome.Method != nil || e.Outcome.Params != nil ||
		e.Outcome.Changes[0].Action.Kind != study.Unknown {
		t.Errorf("a technique is made up: %+v", e.Outcome.Changes)
	}
	q.Plan = f.path("plan.json")
	e, _ := evaluate(t, q)
	if o := e.Outcome; o.Measures[0].Value.Score != 1 || o.Method.Name != DefaultMethod || len(o.Params) == 0 ||
		o.Shuffled {
		t.Errorf("%+v", o.Measures[0])
	}
	q.Said.Public = true
	if e, _ = evaluate(t, q); e.Outcome.Params != nil {
		t.Error("a public evaluation tells the parameters of the technique")
	}
	var acted []string
	for _, c := range e.Outcome.Changes {
		if c.Action.Kind == "" || c.Column == "" {
			t.Errorf("%+v", c)
		}
		acted = append(acted, c.Column)
	}
	if got := strings.Join(acted, " "); got != "age income city y" {
		t.Errorf("what was done is told of %s", got)
	}
	if m := e.Outcome.Measures[0]; m.Better != measure.Higher || m.Unit.Says.Empty() || m.Side == "" {
		t.Errorf("%+v", m)
	}
}

// TestPeopleOfTheHoldout: where an identifier of the hold-out repeats, membership and distance count its people, not
// its records.
func TestPeopleOfTheHoldout(t *testing.T) {
	f := newFolder(t)
	visits := func(from, people, each int) string {
		var b strings.Builder
		b.WriteString("id,age,ward\n")
		for p := from; p < from+people; p++ {
			for v := range each {
				fmt.Fprintf(&b, "p%d,%d,%c\n", p, 20+(7*p+v)%60, 'a'+rune((p+v)%5))
			}
		}
		return b.String()
	}
	roles := map[string]policy.Column{"id": {Role: policy.Roles{"person"}}}
	q := EvaluateRequest{
		Source:   Source{Path: f.put(t, "in.csv", visits(0, 120, 4)), Said: policy.Policy{Columns: roles, Limits: "none"}},
		Released: f.put(t, "out.csv", strings.ReplaceAll(visits(0, 120, 3), "p", "q")),
		Holdout:  f.put(t, "other.csv", visits(500, 110, 4)),
		Measures: []string{"membership", "dcr"},
	}
	got := must.Get((&Desk{}).Evaluate(t.Context(), q))(t)
	for _, m := range got.Outcome.Measures {
		var others float64
		switch d := m.Value.Detail.(type) {
		case *syntheticrisk.MembershipDetail:
			others = m.Value.Part("others")
		case *syntheticrisk.DcrDetail:
			others = float64(d.Controls)
		}
		if others != 110 {
			t.Errorf("%s is held against %v, expected 110 people", m.Name, others)
		}
	}
}
