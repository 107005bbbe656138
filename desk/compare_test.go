package desk

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
)

func comparison(t *testing.T, f folder) CompareRequest {
	t.Helper()
	return CompareRequest{
		Tables:   []Source{{Path: f.people(t, 60), Said: policy.Policy{Class: "y"}}},
		Methods:  []string{"framework", "rpt"},
		Measures: []string{"bias"},
		Folds:    2,
		Repeats:  2,
		SeedFile: f.fixedSeed(t),
	}
}

func TestCompare(t *testing.T) {
	f := newFolder(t)
	q := comparison(t, f)
	q.Set = []Assignment{{"framework.spread", "10,20"}, {"minLeaf", "5"}}
	q.Results, q.Runs, q.Report, q.Utility, q.Times = f.path("r.json"), f.path("r.csv"), f.path("r.html"), "bias", true
	l := newListener()
	c, err := l.Compare(ctx, q)
	if err != nil || c.Err() != nil || c.Failed != 0 || c.Runs != 3*2*2 || l.notes != nil {
		t.Fatalf("%v, %d of %d failed, notes %v", err, c.Failed, c.Runs, l.notes)
	}
	var d struct {
		CompareDocument
		Document any `json:"document"` // which is written only
	}
	must.NoError(t, json.Unmarshal([]byte(f.read(t, "r.json")), &d))
	if d.Schema != "dither/compare/3" || d.Folds != 2 || d.Repeats != 2 || len(d.Settings) != 4 || len(d.Cells) != 2+12 ||
		d.Data[0].Name != "people" ||
		d.Data[0].Parameters["minLeaf"] != "5" {
		t.Errorf("%+v", d)
	}
	if d.Settings[1].Name != "framework spread=10" || d.Settings[1].Varied["spread"] != "10" ||
		d.Settings[0].Method != "" ||
		d.Measures[0].Label != "bias" {
		t.Errorf("settings %+v", d.Settings)
	}
	if d.Cells[0].Seconds == nil || d.Cells[0].Scores[0].Score != 0 || d.Summaries[0].Mean != 0 {
		t.Errorf("the original has no bias: %+v", d.Cells[0])
	}
	rows, err := csv.NewReader(strings.NewReader(f.read(t, "r.csv"))).ReadAll()
	if err != nil || len(rows) != 15 || rows[0][4] != "bias" || rows[0][len(rows[0])-1] != "seconds" || rows[1][4] != "0" {
		t.Errorf("%v: %v", err, rows[:2])
	}
	if !strings.Contains(strings.ToLower(f.read(t, "r.html")[:200]), "<!doctype html>") {
		t.Error("the report is no page")
	}
	q.Times, q.Workers, q.Overwrite = false, 1, true
	one, err := l.Compare(ctx, q)
	if err != nil || one.Document().Cells[0].Seconds != nil {
		t.Errorf("%v: seconds that nobody asked for", err)
	}
	if one.Document().Cells[5].Scores[0].Score != c.Document().Cells[5].Scores[0].Score {
		t.Error("workers change a figure")
	}
}

// TestResume: the checkpoint keeps finished runs, a torn line is cut off, and one of another comparison is refused.
func TestResume(t *testing.T) {
	f := newFolder(t)
	q := comparison(t, f)
	q.SeedFile, q.Resume = "", f.path("runs")
	first := must.Get(newListener().Compare(ctx, q))(t)
	if got := f.names(t); !strings.Contains(got, "runs.seed") {
		t.Errorf("the seed is not beside the checkpoint: %s", got)
	}
	kept := f.read(t, "runs")
	f.put(t, "runs", kept[:len(kept)*2/3])
	l := newListener()
	second, err := l.Compare(ctx, q)
	if err != nil || !strings.Contains(l.heard(), "finished runs") {
		t.Fatalf("%v, %s", err, l.heard())
	}
	a, _ := json.Marshal(first.Document())
	b, _ := json.Marshal(second.Document())
	if string(a) != string(b) || strings.Count(f.read(t, "runs"), "\n") != strings.Count(kept, "\n") {
		t.Error("a comparison that went on ends otherwise")
	}
	q.Repeats = 1
	_, err = newListener().Compare(ctx, q)
	failed(t, "another comparison", err, "runs: line 1", "another comparison")
	if !errors.Is(err, study.ErrOtherRequest) {
		t.Error("it is not ErrOtherRequest")
	}
	q.Resume = f.put(t, "text", "hello\n")
	_, err = newListener().Compare(ctx, q)
	failed(t, "no checkpoint", err, "text: line 1")
	if f.read(t, "text") != "hello\n" {
		t.Error("what is no checkpoint is written to")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	q.Resume = f.path("fresh")
	var i *Interrupted
	if _, err := newListener().Compare(stopped, q); err == nil {
		t.Error("an interrupted comparison ends well")
	} else if errors.As(err, &i) && (i.Checkpoint != q.Resume || !strings.Contains(err.Error(), "goes on from there")) {
		t.Errorf("%v", err)
	}
}

func TestCompareRefused(t *testing.T) {
	f := newFolder(t)
	old := f.put(t, "old", "x")
	for _, c := range []struct {
		name   string
		change func(*CompareRequest)
		says   string
	}{
		{"no table", func(q *CompareRequest) { q.Tables = nil }, "needs a table"},
		{"no technique", func(q *CompareRequest) { q.Methods = nil }, "needs techniques"},
		{"one fold", func(q *CompareRequest) { q.Folds = 1 }, "folds 1: expected at least 2"},
		{"no repeat", func(q *CompareRequest) { q.Repeats = 0 }, "repeats 0: expected at least 1"},
		{"less than no worker", func(q *CompareRequest) { q.Workers = -1 }, "workers -1"},
		{"standard input twice", func(q *CompareRequest) { q.Tables = append(q.Tables, Source{Path: "-"}) },
			"only be the first table"},
		{"an unknown technique", func(q *CompareRequest) { q.Methods = []string{"framwork"} }, `did you mean "framework"`},
		{"an unknown measure", func(q *CompareRequest) { q.Measures = []string{"biass"} }, `did you mean "bias"`},
		{"a parameter of neither", func(q *CompareRequest) { q.Set = []Assignment{{"mdav.k", "3"}} }, `set mdav.k=3: "mdav" is neither a technique nor a measure`},
		{"a parameter varied twice", func(q *CompareRequest) {
			q.Set = []Assignment{{"framework.spread", "3"}, {"framework.spread", "4"}}
		}, "varied twice"},
		{"an unknown parameter", func(q *CompareRequest) { q.Set = []Assignment{{"framework.sprad", "3"}} }, `framework: unknown parameter "sprad"`},
		{"an unknown parameter of a measure", func(q *CompareRequest) { q.Set = []Assignment{{"bias.sprad", "3"}} }, `bias: unknown parameter "sprad"`},
		{"an axis that is not taken", func(q *CompareRequest) { q.Utility = "accuracy" }, "utility accuracy: not a measure " +
			"of the comparison"},
		{"a risk that is not taken", func(q *CompareRequest) { q.Risk = "linkage" }, "risk linkage: not a measure of the " +
			"comparison"},
		{"old results", func(q *CompareRequest) { q.Results = old }, "old exists"},
		{"one output twice", func(q *CompareRequest) { q.Results, q.Runs = f.path("a"), f.path("a") }, "two outputs"},
		{"the table as a checkpoint", func(q *CompareRequest) { q.Resume = q.Tables[0].Path }, "is an input"},
	} {
		q := comparison(t, f)
		c.change(&q)
		_, err := (&Desk{}).Compare(ctx, q)
		refused(t, c.name, err, c.says)
	}
}

// TestFailedRuns: runs that fail are counted and told; only when all fail is that an error, and the results are there.
func TestFailedRuns(t *testing.T) {
	f := newFolder(t)
	q := CompareRequest{
		Tables:   []Source{{Path: f.put(t, "odd.csv", "k,l\na,x\nb,x\na,y\nb,y\n")}},
		Methods:  []string{"framework", "capt"},
		Measures: []string{"accuracy"},
		Folds:    2,
		Repeats:  1,
		Runs:     f.path("r.csv"),
	}
	l := newListener()
	c, err := l.Compare(ctx, q)
	if err != nil || c.Err() != nil || c.Failed != 2 || c.Runs != 4 ||
		!strings.HasPrefix(l.heard(), "2 of 4 runs failed; the first: odd, framework: ") {
		t.Errorf("%v, %+v, %s", err, c, l.heard())
	}
	if rows := f.read(t, "r.csv"); !strings.Contains(rows, "odd,framework,1,1,,") ||
		!strings.Contains(rows, "accuracy: ") {
		t.Errorf("the failures are not in the rows: %s", rows)
	}
	q.Methods, q.Overwrite = q.Methods[:1], true
	if c, err = newListener().Compare(ctx, q); err != nil || c.Err() == nil ||
		!strings.HasPrefix(c.Err().Error(), "every run failed; the first: odd, framework: ") {
		t.Errorf("%v", err)
	}
}

// TestDeal: a parameter goes to those it names, or to all.
func TestDeal(t *testing.T) {
	fw, _ := catalog.Method("framework")
	bias, _ := catalog.Measure("bias")
	linkage, _ := catalog.Measure("linkage")
	r := &study.CompareRequest{}
	rest, err := deal(r, []protect.Method{fw}, []measure.Measure{bias, linkage},
		[]Assignment{{"framework.spread", "10,20"}, {"framework.p", "0.1,0.2"}, {"minLeaf", "7"}})
	if err != nil || len(r.Settings) != 4 || r.Settings[1].Name != "framework spread=10 p=0.2" || len(rest) != 1 ||
		rest["minLeaf"] != "7" ||
		len(r.Measures) != 2 {
		t.Errorf("%v: %+v, %v", err, r.Settings, rest)
	}
	q := CompareRequest{Methods: []string{"framework"}}
	r = &study.CompareRequest{}
	if _, err := q.choose(r); err != nil || len(r.Measures) != len(catalog.Measures())-slow() {
		t.Errorf("%v: %d measures by default, want all but the slow ones", err, len(r.Measures))
	}
	for _, s := range r.Measures {
		for name, bound := range s.Measure.Bounds {
			if s.Set[name] != bound {
				t.Errorf("%s is not bounded as for a report: %s is %q", s.Measure.Name, name, s.Set[name])
			}
		}
	}
	q.Set = []Assignment{{"pairs", "7"}}
	r = &study.CompareRequest{}
	must.Get(q.choose(r))(t)
	for _, s := range r.Measures {
		if s.Set["pairs"] != "" {
			t.Errorf("the bound on %s wins over the request's", s.Measure.Name)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[Number]string{1.5: "1.5", Number(math.NaN()): "null", Number(math.Inf(1)): "null",
		Number(math.Inf(-1)): "null"} {
		data, err := json.Marshal(v)
		if err != nil || string(data) != want {
			t.Errorf("%v is written as %s", float64(v), data)
		}
		var back Number
		if err := json.Unmarshal(data, &back); err != nil || want == "null" != math.IsNaN(float64(back)) ||
			want != "null" && back != v {
			t.Errorf("%s is read as %v", data, float64(back))
		}
	}
	var b strings.Builder
	if err := WriteJSON(&b, map[string]string{"a": "<b>"}); err != nil || b.String() != "{\n \"a\": \"<b>\"\n}\n" {
		t.Errorf("%q", b.String())
	}
}

// TestMeasured: a measure that failed has its reason and no figure.
func TestMeasured(t *testing.T) {
	docs := MeasureDocuments(
		[]study.Measured{
			{Err: message.Text("no pairs")},
			{
				Value: measure.Value{
					Score: math.NaN(),
					Lo:    1,
					Hi:    2,
					Parts: []measure.Part{{Key: "k", Name: message.Name("p"), Score: 3}},
					Notes: []message.Sentence{measure.Sample(10, 30)},
				},
			},
		},
	)
	if !math.IsNaN(float64(docs[0].Score)) || docs[0].Error.String() != "no pairs" || docs[0].Notes == nil {
		t.Errorf("%+v", docs[0])
	}
	if d := docs[1]; !math.IsNaN(float64(d.Score)) || d.Lo != 1 || d.Hi != 2 || d.Parts[0].Key != "k" ||
		d.Parts[0].Name.String() != "p" ||
		d.Parts[0].Score != 3 ||
		d.Notes[0].Key() != "measure.note.sample" {
		t.Errorf("%+v", d)
	}
	if data, _ := json.Marshal(struct{ M, C any }{MeasureDocuments(nil), changes(nil)}); string(
		data,
	) != `{"M":[],"C":[]}` {
		t.Errorf("nothing is written as %s, not as empty lists", data)
	}
}
