package desk

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// released makes a release of people and returns a request to evaluate it by one measure.
func released(t *testing.T, f folder, measures ...string) EvaluateRequest {
	t.Helper()
	p, _ := release(t, f, func(q *ProtectRequest) { q.Said.KeepOrder = true })
	return EvaluateRequest{
		Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Class: "y"}},
		Released: p.Files.Release,
		Measures: measures,
	}
}

func evaluate(t *testing.T, q EvaluateRequest) (*Evaluation, *listener) {
	t.Helper()
	l := newListener()
	e, err := l.Evaluate(ctx, q)
	if e == nil || !errors.Is(err, refusal(e.Broken)) {
		t.Fatal(err)
	}
	return e, l
}

func TestEvaluate(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias", "segments", "bias")
	e, l := evaluate(t, q)
	o := e.Outcome
	if len(o.Measures) != 2 || o.Measures[0].Name != "bias" || o.Measures[0].Value.Score <= 0 || e.Broken != nil {
		t.Errorf("%+v", o.Measures)
	}
	if len(l.notes) != 1 || l.notes[0].Field != "unpaired" || o.Method != nil || o.Corrections != nil {
		t.Errorf("without a plan rows are taken in order, and it is said: %v", l.notes)
	}
	q.Plan = f.path("plan.json")
	e, l = evaluate(t, q)
	if o = e.Outcome; o.Method == nil || o.Method.Name != DefaultMethod || o.Measures[1].Value.Score != 1 ||
		l.notes != nil {
		t.Errorf("with the plan the certificate holds: %+v, notes %v", o.Measures[1], l.notes)
	}
	q.Said.Public = true
	if e, _ = evaluate(t, q); e.Outcome.Corrections != nil {
		t.Error("a public outcome tells the noise")
	}
	q.Unpaired, q.Plan, q.Measures = true, "", []string{"linkage"}
	if e, l = evaluate(t, q); e.Outcome.Measures[0].Err.Empty() || l.notes != nil {
		t.Errorf("rows in another order are linked: %+v, %v", e.Outcome.Measures[0], l.notes)
	}
}

// TestSameVerdict: the attacks on two tables draw the same people every time, so nobody asks until a release passes.
func TestSameVerdict(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "found")
	q.Plan = f.path("plan.json")
	q.Said.Measures = map[string]map[string]policy.Text{"found": {"people": "20"}}
	told := func() string {
		e, _ := evaluate(t, q)
		out := must.Get(json.Marshal(e.Document()))(t)
		return string(out)
	}
	first := told()
	for range 5 {
		if again := told(); again != first {
			t.Fatalf("%s\nis not\n%s", again, first)
		}
	}
	sealed := func(name string) (r record.Record) {
		q.Record = f.path(name)
		evaluate(t, q)
		must.NoError(t, json.Unmarshal([]byte(f.read(t, name)), &r))
		return r
	}
	if a, b := sealed("a.json"), sealed("b.json"); a.Commitment == b.Commitment ||
		a.Steps[0].In["original"] == b.Steps[0].In["original"] {
		t.Error("the record is sealed by a seed that follows from the tables: guesses of the original could be tested " +
			"against it")
	}
}

// TestOneFigure: those who make a release and those who look at it later ask the same people, as many, so there is one
// figure of one question, whatever the seed and the verb; another original is asked about others.
func TestOneFigure(t *testing.T) {
	f := newFolder(t)
	p, _ := release(t, f, func(q *ProtectRequest) { q.Report = f.path("report.html") })
	attacks := func(o *study.Outcome) (out []measure.Attack) {
		for _, m := range o.Measures {
			if d, ok := m.Value.Detail.(*found.Detail); ok {
				out = append(out, d.Attacked)
			}
		}
		return out
	}
	want := attacks(p.Outcome)
	if len(want) == 0 || want[0].Tried != 30 {
		t.Fatalf("nobody is found: %+v", want)
	}
	q := EvaluateRequest{
		Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Class: "y"}},
		Released: p.Files.Release,
		Plan:     f.path("plan.json"),
		Measures: []string{"found"},
	}
	check := func(verb string, o *study.Outcome) {
		t.Helper()
		if got := attacks(o); !reflect.DeepEqual(got, want) {
			t.Errorf("%s says %+v, protect %+v", verb, got, want)
		}
	}
	e, _ := evaluate(t, q)
	check("evaluate", e.Outcome)
	q.Measures, q.SeedFile = nil, f.path("other.seed")
	if e, _ = evaluate(t, q); e != nil {
		check("evaluate with every measure and a seed", e.Outcome)
	}
	q.SeedFile = ""
	a, err := newListener().Attack(ctx, AttackRequest{EvaluateRequest: q})
	if a == nil {
		t.Fatal(err)
	}
	check("attack", a.Outcome)
}

// TestNotes: what the desk tells of a release that is not its original row by row.
func TestNotes(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias")
	lines := strings.SplitAfter(f.read(t, "out.csv"), "\n")
	q.Released = f.put(t, "short.csv", strings.Join(lines[:40], ""))
	if _, l := evaluate(t, q); l.heard() != "the tables differ in length (60 and 39), so measures of single records are "+
		"not taken" {
		t.Errorf("%q", l.heard())
	}
	var narrow strings.Builder
	for _, line := range lines[:61] {
		first, rest, _ := strings.Cut(line, ",")
		_ = first
		narrow.WriteString(rest)
	}
	q.Released = f.put(t, "narrow.csv", narrow.String())
	if _, l := evaluate(t, q); !strings.HasPrefix(l.heard(), "the release lacks age; these columns are not compared\n"+
		"row i of") {
		t.Errorf("%q", l.heard())
	}
	release(t, f, func(r *ProtectRequest) {
		r.Said.Method, r.PlanOut, r.Said.KeepOrder = policy.Method{
			Name: "mdav",
			Set:  map[string]policy.Text{"k": "3"},
		}, f.path("groups.json"), true
	})
	lines = strings.SplitAfter(f.read(t, "out.csv"), "\n")
	reversed := lines[0]
	for i := 60; i > 0; i-- {
		reversed += lines[i]
	}
	q.Plan, q.Released = f.path("groups.json"), f.put(t, "reversed.csv", reversed)
	if _, l := evaluate(t, q); !strings.Contains(l.heard(), "the same values in another order: rows are not compared") {
		t.Errorf("%q", l.heard())
	}
	q.Released = f.put(t, "other.csv", strings.ReplaceAll(f.read(t, "out.csv"), "Ulm", "Bonn"))
	if _, l := evaluate(t, q); !strings.Contains(l.heard(), "but the release has other values: it may be the release of "+
		"another plan or table") {
		t.Errorf("%q", l.heard())
	}
}

// TestGeneral: a release with words where the original has numbers needs its plan, and the error is of a type that says
// so; one that cannot be read at all is not of it.
func TestGeneral(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias")
	q.Released = f.put(t, "words.csv", "age,income,city,y\n20-30,1,Ulm,no\n30-40,2,Ulm,yes\n")
	_, err := (&Desk{}).Evaluate(ctx, q)
	failed(t, "words", err, "words.csv", `"age"`, "needs its plan or its hierarchies")
	if !errors.Is(err, ErrGeneral) {
		t.Error("it is not ErrGeneral")
	}
	q.Plan = f.path("plan.json")
	if _, err := (&Desk{}).Evaluate(ctx, q); err == nil || errors.Is(err, ErrGeneral) {
		t.Errorf("with a plan that does not generalise: %v", err)
	}
	q.Plan, q.Released = "", f.put(t, "ragged.csv", "age,income,city,y\n1,2\n")
	if _, err := (&Desk{}).Evaluate(ctx, q); err == nil || errors.Is(err, ErrGeneral) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	release(t, f, func(r *ProtectRequest) {
		r.Said.Method = policy.Method{Name: "kanonymise", Set: map[string]policy.Text{"k": "4"}}
	})
	q.Released, q.Plan, q.Measures = f.path("out.csv"), f.path("plan.json"), []string{"ncp"}
	if e, _ := evaluate(t, q); !e.Outcome.Generalised || !e.Outcome.Measures[0].Err.Empty() {
		t.Errorf("with its plan a release that generalises is measured: %+v", e.Outcome.Measures[0])
	}
}

func TestEvaluateRefused(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias")
	for _, c := range []struct {
		name   string
		change func(*EvaluateRequest)
		says   string
	}{
		{"an unknown measure", func(q *EvaluateRequest) { q.Measures = []string{"biass"} }, `did you mean "bias"`},
		{"a parameter of no measure", func(q *EvaluateRequest) {
			q.Said.Measures = map[string]map[string]policy.Text{"linkage": {"k": "3"}}
		}, "set linkage.k: expected measure.name=value"},
		{"an unknown parameter", func(q *EvaluateRequest) { q.Said.Measures = map[string]map[string]policy.Text{"bias": {"gone": "3"}} }, `bias: unknown parameter "gone"`},
		{"the release as a report", func(q *EvaluateRequest) { q.Report, q.Overwrite = q.Released, true }, "is an input"},
		{"an old report", func(q *EvaluateRequest) { q.Report = f.path("plan.json") }, "exists"},
		{"two intruders of one name", func(q *EvaluateRequest) {
			q.Said.Intruders = []intruder.Intruder{{Name: "n", Knows: []string{"age"}}, {Name: "n", Knows: []string{"city"}}}
		}, `two intruders are named "n"`},
		{"an intruder who knows no column", func(q *EvaluateRequest) {
			q.Said.Intruders = []intruder.Intruder{{Name: "n", Knows: []string{"gone"}}}
		}, "gone"},
	} {
		one := q
		c.change(&one)
		_, err := (&Desk{}).Evaluate(ctx, one)
		refused(t, c.name, err, c.says)
	}
	for _, c := range []struct {
		name   string
		change func(*EvaluateRequest)
		says   string
	}{
		{"no release", func(q *EvaluateRequest) { q.Released = f.path("gone.csv") }, "gone.csv"},
		{"no hold-out", func(q *EvaluateRequest) { q.Holdout = f.path("gone.csv") }, "gone.csv"},
		{"no plan", func(q *EvaluateRequest) { q.Plan = f.path("gone.json") }, "gone.json"},
		{"no intruders", func(q *EvaluateRequest) { q.Said.IntruderFiles = []string{f.put(t, "none.yaml", "version: 1\n")} },
			"none.yaml: it declares no intruders"},
		{"no file of intruders", func(q *EvaluateRequest) { q.Said.IntruderFiles = []string{f.path("gone.yaml")} },
			"gone.yaml"},
		{"a column too many", func(q *EvaluateRequest) { q.Released = f.put(t, "wide.csv", "age,extra\n1,2\n") }, `"extra"`},
		{"no column in common", func(q *EvaluateRequest) { q.Released = f.put(t, "else.csv", "extra\n1\n") },
			"no column in common"},
	} {
		one := q
		c.change(&one)
		_, err := (&Desk{}).Evaluate(ctx, one)
		failed(t, c.name, err, c.says)
	}
}

// TestThresholds: those on measures that were not asked for do not count, unless all are taken.
func TestThresholds(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "bias")
	q.Policy = f.put(t, "p.yaml", "version: 1\nclass: y\nthresholds:\n  - {measure: bias, max: 0}\n  - {measure: "+
		"linkage, max: 0}\n")
	e, _ := evaluate(t, q)
	if e.Broken == nil || len(e.Broken.Breaches) != 1 || !strings.HasPrefix(e.Broken.Error(), "the release must not go "+
		"out: Change of correlations, and bias by type is ") {
		t.Errorf("%v", e.Broken)
	}
	q.Measures = []string{"accuracy"}
	if e, _ = evaluate(t, q); e.Broken != nil {
		t.Errorf("a threshold on what was not asked for is broken: %v", e.Broken)
	}
}

func TestAttack(t *testing.T) {
	f := newFolder(t)
	q := AttackRequest{EvaluateRequest: released(t, f, "linkage"), Riskiest: 2}
	knows := must.Get(DescribeIntruder("age~2,city", "y", false, true))(t)
	q.Plan, q.Said.Intruders = f.path("plan.json"), []intruder.Intruder{knows}
	r, err := newListener().Attack(ctx, q)
	if err != nil || len(r.Attacks) == 0 || len(r.Outcome.Measures) != 1 || r.Outcome.Measures[0].Intruder != knows.Name {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, a := range r.Attacks {
		if len(a.Riskiest) > 2 {
			t.Errorf("%d records listed, asked for 2", len(a.Riskiest))
		}
	}
	var got struct {
		Schema   string
		Attacks  []any
		Measures []struct{ Name, Intruder string }
		Holdout  *study.File
	}
	data, _ := json.Marshal(r.Document())
	if err := json.Unmarshal(data, &got); err != nil || got.Schema != "dither/attack/4" ||
		len(got.Attacks) != len(r.Attacks) ||
		got.Measures[0].Intruder != knows.Name ||
		got.Holdout != nil {
		t.Errorf("%s", data)
	}
	q.Riskiest = -1
	_, err = newListener().Attack(ctx, q)
	refused(t, "a negative number", err, "riskiest -1: expected at least 0")
	q.Riskiest, q.Said.Public = 0, true
	_, err = newListener().Attack(ctx, q)
	refused(t, "a public attack", err, "confidential")
	if !errors.Is(err, ErrPublicAttack) {
		t.Error("it is not ErrPublicAttack")
	}
}

func TestEvaluateDocument(t *testing.T) {
	f := newFolder(t)
	q := released(t, f, "accuracy", "segments")
	q.Plan, q.Holdout = f.path("plan.json"), f.path("people.csv")
	e, _ := evaluate(t, q)
	var got struct {
		Schema             string
		Original, Released study.File
		Holdout            *study.File
		Corrections        []string
		Measures           []struct {
			Name, Side, Better, Unit string
			Score, Lo, Hi            *float64
			Parts                    []struct {
				Name  message.Spoken
				Score *float64
			}
			Error string
		}
	}
	data, _ := json.Marshal(e.Document())
	must.NoError(t, json.Unmarshal(data, &got))
	if got.Schema != "dither/evaluate/4" || got.Holdout == nil || got.Holdout.Rows != 60 ||
		got.Released.Name != "out.csv" {
		t.Errorf("%s", data)
	}
	if m := got.Measures[0]; m.Name != "accuracy" || m.Side != "utility" || m.Better != "higher" || m.Score == nil ||
		*m.Lo > *m.Score ||
		len(m.Parts) == 0 {
		t.Errorf("%+v", m)
	}
}

// TestForReport: which measures are taken for a report, with which bounds, and which are left out of one on many
// records.
func TestForReport(t *testing.T) {
	none := &limit.Set{}
	n := judge.Needed(judge.Size{Records: 100, Columns: 5}, nil, none, false, true)
	if len(n.Limits) != 1 || n.Limits[0].Measure.Name != "segments" || n.Rest != nil || n.Left != nil {
		t.Errorf("without a report there are %d and %d measures", len(n.Limits), len(n.Rest))
	}
	if n = judge.Needed(judge.Size{Records: 100, Columns: 5}, nil, none, false, false); n.Limits != nil {
		t.Error("a certificate without segments is asked for")
	}
	n = judge.Needed(judge.Size{Records: judge.Large, Columns: judge.Usual}, nil, none, true, true)
	if len(n.Limits)+len(n.Rest) != len(catalog.Measures()) || n.Left != nil {
		t.Errorf("of few records %d of %d measures are taken", len(n.Rest), len(catalog.Measures()))
	}
	n = judge.Needed(judge.Size{Records: judge.Large + 1, Columns: 1}, nil,
		&limit.Set{Limits: []limit.Limit{{Measure: "dcr", Declared: true}}}, true, true)
	if len(n.Left) != slow()-1 || specOf(n.Limits, "dcr") == nil || specOf(n.Rest, "score") != nil {
		t.Errorf("of many records %d are left out, want all slow ones but that of a limit", len(n.Left))
	}
	specs, left := append(n.Rest, n.Limits...), n.Left
	for _, m := range left {
		want := "evaluate"
		if m.Side == measure.Risk {
			want = "attack"
		}
		if !strings.HasSuffix(m.Err.String(), "more than 5,000 records; dither "+want+" takes it") {
			t.Errorf("%s: %s", m.Name, m.Err)
		}
	}
	for _, c := range []struct {
		judge.Size
		says string
	}{{judge.Size{Records: 300, Columns: 400}, "100 columns"},
		{judge.Size{Records: judge.Large, Columns: 41}, "200,000 cells"}} {
		if n = judge.Needed(c.Size, nil, none, true, true); len(n.Left) != slow() ||
			!strings.Contains(n.Left[0].Err.String(), "on more than "+c.says+"; ") {
			t.Errorf("%+v: %d measures are left out: %+v", c.Size, len(n.Left), n.Left)
		}
		if s := specOf(n.Rest, "gaplinkage"); s.Set["pairs"] != strconv.Itoa(10_000_000/c.Columns*judge.Usual) {
			t.Errorf("%+v: %s pairs are compared", c.Size, s.Set["pairs"])
		}
	}
	bounded := 0
	for _, s := range specs {
		for name, bound := range s.Measure.Bounds {
			if bounded++; (s.Set[name] == bound) == (s.Measure.Name == "dcr") {
				t.Errorf("%s: %s is %q", s.Measure.Name, name, s.Set[name])
			}
		}
	}
	if bounded < 5 {
		t.Errorf("%d bounds are set", bounded)
	}
}

// slow counts the slow measures of the catalogue.
func slow() int {
	n := 0
	for _, m := range catalog.Measures() {
		if m.Effort == measure.Slow {
			n++
		}
	}
	return n
}
