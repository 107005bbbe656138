package desk

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
)

// A release that is larger than the memory has the figures of one in memory, to the last digit, whatever the memory;
// what needs all records is left out with the reason, and risks are of some people.
func TestEvaluateLargerThanTheMemory(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	path, seed := f.census(t, long.Of(1_500, 60_000)), f.fixedSeed(t)
	source := Source{
		Path: path,
		Said: policy.Policy{Class: "class", Columns: map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}}},
	}
	for name, keep := range map[string]bool{"in order": true, "in a random order": false} {
		q := ProtectRequest{
			Source:    source.Saying(policy.Policy{Limits: "none", KeepOrder: keep, Method: policy.Method{Name: "framework"}}),
			Release:   f.path("out.csv"),
			PlanOut:   f.path("plan.json"),
			SeedFile:  seed,
			Overwrite: true,
		}
		must.Get(newListener().Protect(ctx, q))(t)
		take := func(memory int64, measures []string) *Evaluation {
			e := EvaluateRequest{
				Source: source.Saying(
					policy.Policy{Limits: "none", Measures: map[string]map[string]policy.Text{"bias": {"dm": "false"}}},
				),
				Released: f.path("out.csv"),
				Measures: measures,
			}
			if e.Memory = memory; keep {
				e.Plan = f.path("plan.json")
			}
			e.Unpaired = !keep
			out, err := newListener().Evaluate(ctx, e)
			if err != nil {
				t.Fatal(name, err)
			}
			if memory > 0 != (out.Outcome.Original.Space() != nil) {
				t.Errorf("%s: a memory of %d bytes, and the tables are in the wrong place", name, memory)
			}
			return out
		}
		here := must.Get(json.Marshal(take(0, walkers()).Document()))(t)
		for _, memory := range long.Of([]int64{1}, []int64{1, 1 << 20, 8 << 20}) {
			out := take(memory, walkers())
			there, err := json.Marshal(out.Document())
			must.NoError(t, errors.Join(err, out.Close()))
			if !alike(t, here, there) {
				t.Errorf("%s: other figures in %d bytes of memory:\n%s\n%s", name, memory, there, here)
			}
		}
		asked := []string{"bias", "uniqueness"} // all would take long where some people are tried
		if !keep && long.Enabled() {
			asked = nil
		}
		out := take(long.Of[int64](1, 1<<20), asked)
		for _, m := range out.Outcome.Measures {
			card := must.Get(catalog.Measure(m.Name))(t)
			walks := card.Shards != "" || keep || !long.Enabled() // fewer people than are tried
			if left := strings.Contains(m.Err.String(), "all records in memory"); left == walks && m.Name != "segments" ||
				walks && keep && !m.Err.Empty() {
				t.Errorf("%s: %s is left out: %v (%s)", name, m.Name, left, m.Err)
			}
		}
		if told := strings.Contains(strings.Join(message.Written(out.Outcome.Notes), " "),
			"50,000 of the 60,000 records"); told != (keep && long.Enabled()) {
			t.Errorf("%s: it is told in the wrong place that some people are tried: %q", name, out.Outcome.Notes)
		}
		if err := out.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What takes memory for every record of two tables is refused with what to do instead.
func TestEvaluateTooLarge(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	path := f.census(t, long.Of(3_000, 51_000))
	source := Source{
		Path: path,
		Said: policy.Policy{Class: "class", Columns: map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}}},
	}
	must.Get(newListener().Protect(ctx,
		ProtectRequest{Source: source.Saying(policy.Policy{Limits: "none", Method: policy.Method{Name: "rpt"}}),
			Release: f.path("out.csv"), PlanOut: f.path("plan.json")}))(t)
	for want, change := range map[string]func(*EvaluateRequest){
		"take measures that do not": func(q *EvaluateRequest) { q.Measures = []string{"accuracy", "sse"} },
		"(record)":                  func(q *EvaluateRequest) { q.Record = f.path("r.json") },
		"(holdout)":                 func(q *EvaluateRequest) { q.Holdout = path },
		"(earlier)":                 func(q *EvaluateRequest) { q.Said.Earlier = []string{path} },
		"let rows be unpaired":      func(q *EvaluateRequest) { q.Plan = f.path("plan.json") },
		"which the release holds":   func(q *EvaluateRequest) { q.Released = path },
		"read in memory":            func(q *EvaluateRequest) { q.Released = "-" },
	} {
		q := EvaluateRequest{Source: source.Saying(policy.Policy{Limits: "none"}), Released: f.path("out.csv")}
		q.Memory = 1
		if change(&q); slices.Equal(q.Measures, []string{"accuracy", "sse"}) && !long.Enabled() {
			continue // a part of so few people is all of them
		}
		_, err := (&Desk{}).Evaluate(ctx, q)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q: %v", want, err)
		}
		for _, name := range []string{"r.html", "r.json"} {
			if _, err := os.Stat(f.path(name)); err == nil {
				t.Errorf("%q: %s was written", want, name)
			}
		}
	}
	if names := walkers(); !slices.Contains(names, "sse") || slices.Contains(names, "accuracy") {
		t.Errorf("measures of tables larger than the memory are %v", names)
	}
}

// alike reports whether the document of a table larger than the memory is that of the same table in it, but for the
// sentence that relations were not looked for, which the first one must say and the second must not.
func alike(t *testing.T, here, there []byte) bool {
	t.Helper()
	var docs [2]any
	var told [2]int
	for k, doc := range [][]byte{here, there} {
		must.NoError(t, json.Unmarshal(doc, &docs[k]))
		docs[k], told[k] = withoutLarge(docs[k])
	}
	return told[0] == 0 && told[1] > 0 && reflect.DeepEqual(docs[0], docs[1])
}

// large is the sentence as a list of notes has it, without its stop.
var large = strings.TrimSuffix(message.Say("relation.large").String(), ".")

// withoutLarge removes the sentence from a document, and what held nothing else; n is how often it was there.
func withoutLarge(doc any) (out any, n int) {
	switch d := doc.(type) {
	case map[string]any:
		for key, v := range d {
			kept, k := withoutLarge(v)
			d[key], n = kept, n+k
		}
	case []any:
		list := make([]any, 0, len(d))
		for _, v := range d {
			kept, k := withoutLarge(v)
			m, is := kept.(map[string]any)
			text, _ := kept.(string)
			switch {
			case is && m["key"] == "relation.large", text != "" && strings.EqualFold(text, large):
				n++
				continue
			case is && k > 0 && (isEmpty(m["items"]) || isEmpty(m["blocks"])):
				n += k
				continue
			}
			list, n = append(list, kept), n+k
		}
		return list, n
	}
	return doc, n
}

func isEmpty(v any) bool {
	list, is := v.([]any)
	return is && len(list) == 0
}
