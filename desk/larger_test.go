package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// census writes a table of so many people, of more records than are shuffled or routed at a time.
func (f folder) census(t *testing.T, rows int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,sex,job,income,id,class\n")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		age, class := 18+r.IntN(60), "low"
		income := 500 * r.IntN(100+age)
		if income > 30_000 && r.IntN(9) > 0 {
			class = "high"
		}
		job := "?"
		if r.IntN(50) > 0 {
			job = string(rune('a' + r.IntN(1+age/10)))
		}
		fmt.Fprintf(&b, "%d,%c,%s,%d,n%d,%s\n", age, "mf"[r.IntN(2)], job, income, i%5000, class)
	}
	return f.put(t, "census.csv", b.String())
}

// onLinux skips a test of tables larger than the memory elsewhere; with CI=true it fails instead.
func onLinux(t *testing.T) {
	t.Helper()
	switch {
	case runtime.GOOS == "linux":
	case os.Getenv("CI") == "true":
		t.Fatal("columns are on the heap alone on this system")
	default:
		t.Skip("columns are on the heap alone on this system")
	}
}

// A table that is larger than the memory is released byte by byte as one in memory, whatever the memory, and is told
// the same of; its certificate is of all records.
func TestLargerThanTheMemory(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	rows, memories := 140_000, []int64{1 << 20, 8 << 20} // as many as do not fit into the larger memory, either
	if !long.Enabled() {
		rows, memories = 1_500, []int64{1 << 14}
	}
	path, seed := f.census(t, rows), f.fixedSeed(t)
	roles := map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}} // an identifier, which is dropped
	ask := func(memory int64, change func(*ProtectRequest)) (string, *Protection) {
		q := ProtectRequest{
			Source: Source{
				Path:   path,
				Memory: memory,
				Said:   policy.Policy{Limits: "none", Class: "class", Columns: roles, Method: policy.Method{Name: "framework"}},
			},
			Release:   f.path("out.csv"),
			SeedFile:  seed,
			Overwrite: true,
		}
		if change != nil {
			change(&q)
		}
		p := must.Get(newListener().Protect(ctx, q))(t)
		if memory > 0 != (p.Outcome.Original.Space() != nil) {
			t.Errorf("a memory of %d bytes, and the table is in the wrong place", memory)
		}
		return f.read(t, "out.csv"), p
	}
	for name, change := range map[string]func(*ProtectRequest){
		"random order": nil,
		"same order":   func(q *ProtectRequest) { q.Said.KeepOrder, q.Said.Method.Name = true, "rpt" },
		"limits":       func(q *ProtectRequest) { q.Said.Limits, q.Said.Method.Name = "default", "framework" },
		"no technique": func(q *ProtectRequest) { q.Said.Method.Name = "" },
	} {
		if name == "limits" && !long.Enabled() {
			continue // which are of a part of the people where there are more
		}
		want, here := ask(0, change)
		for _, memory := range memories {
			got, there := ask(memory, change)
			if got != want {
				t.Errorf("%s: another release in %d bytes of memory", name, memory)
			}
			if fmt.Sprint(there.Outcome.Changes) != fmt.Sprint(here.Outcome.Changes) ||
				there.Outcome.Verdict.State != here.Outcome.Verdict.State {
				t.Errorf("%s: other words in %d bytes of memory: %+v, %+v", name, memory, there.Outcome.Changes,
					there.Outcome.Verdict.State)
			}
			for _, m := range there.Outcome.Measures {
				if m.Name == "segments" &&
					(m.Value.Score != 1 || !strings.Contains(fmt.Sprintf("%+v", m.Value.Detail), fmt.Sprint("Records:", rows))) {
					t.Errorf("%s: the certificate is %+v", name, m.Value.Detail)
				}
			}
			if sampled := strings.Contains(strings.Join(message.Written(there.Outcome.Notes), " "),
				"50,000 of the "+numfmt.Count(float64(rows))+" records"); sampled != (name == "limits" && rows > 50_000) {
				t.Errorf("%s: it is told in the wrong place that some are tried: %v", name, there.Outcome.Notes)
			}
			if err := errors.Join(there.Close(), here.Close()); err != nil {
				t.Error(err)
			}
		}
	}
	var docs [2][]byte
	for k, memory := range []int64{0, memories[0]} {
		i, err := (&Desk{}).Inspect(ctx,
			Source{Path: path, Memory: memory, Said: policy.Policy{Class: "class", Columns: roles}})
		must.NoError(t, err)
		if docs[k], err = json.Marshal(i.Document()); err != nil {
			t.Fatal(err)
		}
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	if !alike(t, docs[0], docs[1]) {
		t.Error("a table larger than the memory has another profile")
	}
}

// The plan of a table that is larger than the memory is that of one in memory but for who is who, and makes the same
// release where it is applied, whatever the memory.
func TestPlanLargerThanTheMemory(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	path, seed := f.census(t, long.Of(3_000, 70_000)), f.fixedSeed(t)
	little := long.Of[int64](1<<14, 1<<20)
	ask := func(memory int64, out, plan string, from string) {
		q := ProtectRequest{
			Source: Source{
				Path:   path,
				Memory: memory,
				Said: policy.Policy{
					Limits:  "none",
					Class:   "class",
					Columns: map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}},
				},
			},
			Release:   f.path(out),
			SeedFile:  seed,
			Overwrite: true,
		}
		if q.Said.Method.Name, q.Said.KeepOrder = "framework", true; plan != "" {
			q.PlanOut = f.path(plan)
		}
		if from != "" {
			q.Said.Method.Name, q.Plan = "", f.path(from)
		}
		p := must.Get(newListener().Protect(ctx, q))(t)
		if from != "" && (p.Outcome.Drift == nil || p.Outcome.Drift.Leaves == nil || p.Outcome.Drift.Leaves.PSI != 0) {
			t.Errorf("the drift of the table of the plan is %+v", p.Outcome.Drift)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	ask(0, "here.csv", "here.json", "")
	ask(little, "there.csv", "there.json", "")
	ask(little, "again.csv", "", "there.json")
	var plans [2]map[string]any
	for k, name := range []string{"here.json", "there.json"} {
		must.NoError(t, json.Unmarshal([]byte(f.read(t, name)), &plans[k]))
	}
	if plans[0]["pairing"] == nil || plans[1]["pairing"] != nil {
		t.Error("who is who is kept in the wrong plan")
	}
	delete(plans[0], "pairing")
	delete(plans[0], "notice") // which says that it keeps who is who
	delete(plans[1], "notice")
	if d := cmp.Diff(plans[0], plans[1]); d != "" {
		t.Error("the plan of a table larger than the memory is another: ", d)
	}
	if here := f.read(t, "here.csv"); here != f.read(t, "there.csv") || here != f.read(t, "again.csv") {
		t.Error("the plan of a table larger than the memory makes another release")
	}
}

// What takes memory for every record is refused with what to do instead, and nothing is written.
func TestTooLarge(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	path := f.census(t, long.Of(7_000, 20_000))
	for want, change := range map[string]func(*ProtectRequest){
		"use one that is not": func(q *ProtectRequest) { q.Said.Method.Name = "rankswap" },
		"complete":            func(q *ProtectRequest) { q.Said.Complete = true },
		"merge-variants":      func(q *ProtectRequest) { q.Said.File.Merge = true },
		"blank-lookups":       func(q *ProtectRequest) { q.Said.BlankLookups = true },
		"tells whose": func(q *ProtectRequest) {
			q.Said.Columns = map[string]policy.Column{"id": {Role: policy.Roles{"person", "identifier"}}}
		},
		"=identifier":           func(q *ProtectRequest) { q.Said.Columns = nil },
		"number of bytes above": func(q *ProtectRequest) { q.Memory = -1 },
		"are read in memory": func(q *ProtectRequest) {
			q.Path = f.put(t, "t.arff", "@relation r\n@attribute x "+
				"numeric\n@data\n1\n")
		},
		"damaged or cut short":   func(q *ProtectRequest) { q.Path = f.put(t, "c.csv", "\x1f\x8b and so on") },
		"iconv -f windows-1252 ": func(q *ProtectRequest) { q.Path = f.put(t, "w.csv", "a,class\n\xe4,x\n") },
	} {
		records := map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}}
		q := ProtectRequest{
			Source: Source{
				Path:   path,
				Memory: 1,
				Said:   policy.Policy{Limits: "none", Class: "class", Columns: records, Method: policy.Method{Name: "framework"}},
			},
			Release: f.path("out.csv"),
		}
		change(&q)
		_, err := (&Desk{}).Protect(ctx, q)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q: %v", want, err)
		}
		if _, err := os.Stat(f.path("out.csv")); err == nil {
			t.Fatalf("%q: something was written", want)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := (&Desk{}).Protect(ended, ProtectRequest{Source: Source{Path: path, Memory: 1,
		Said: policy.Policy{Limits: "none", Class: "class", Method: policy.Method{Name: "framework"}}},
		Release: f.path("out.csv")}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// A report on a release that is larger than the memory draws its columns as one in memory, has the same figures where
// the measures are the same, and says what it leaves out.
func TestReportLargerThanTheMemory(t *testing.T) {
	long.Only(t, "all measures of 60,000 records")
	onLinux(t)
	f := newFolder(t)
	path, seed := f.census(t, 60_000), f.fixedSeed(t)
	var pages [2]string
	var made [2]*Protection
	for k, memory := range []int64{0, 1 << 20} {
		q := ProtectRequest{
			Source: Source{
				Path:   path,
				Memory: memory,
				Said: policy.Policy{
					Limits:   "none",
					Class:    "class",
					Columns:  map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}},
					Measures: map[string]map[string]policy.Text{"bias": {"dm": "false"}},
				},
			},
			Release:   f.path("out.csv"),
			SeedFile:  seed,
			Overwrite: true,
			Report:    f.path("r.html"),
		}
		var err error
		if made[k], err = newListener().Protect(ctx, q); err != nil {
			t.Fatal(err)
		}
		pages[k] = f.read(t, "r.html")
	}
	for j := range made[0].Outcome.Released.Width() {
		of := func(page string) string {
			_, rest, _ := strings.Cut(page, fmt.Sprintf(`id="column-%d`, j+1))
			drawing, _, _ := strings.Cut(rest, "</svg>")
			return drawing
		}
		if here := of(pages[0]); here == "" || here != of(pages[1]) {
			t.Errorf("column %d is drawn otherwise", j+1)
		}
	}
	for _, m := range made[1].Outcome.Measures {
		card := must.Get(catalog.Measure(m.Name))(t)
		at := slices.IndexFunc(made[0].Outcome.Measures,
			func(o study.Measured) bool { return o.Name == m.Name && o.Intruder == m.Intruder })
		if at < 0 {
			t.Fatalf("%s is not taken in memory", m.Name)
		}
		here := made[0].Outcome.Measures[at]
		switch left := strings.Contains(m.Err.String(), "all records in memory"); {
		case card.Shards != "":
			if fmt.Sprint(m.Value) != fmt.Sprint(here.Value) || !m.Err.Equal(here.Err) {
				t.Errorf("%s: %v (%s), in memory %v (%s)", m.Name, m.Value, m.Err, here.Value, here.Err)
			}
		case left != (card.Side != measure.Risk) && card.Effort != measure.Slow:
			t.Errorf("%s is left out: %v (%s)", m.Name, left, m.Err)
		case left && !strings.Contains(pages[1], "eeds all records in memory"):
			t.Errorf("the page does not say that %s is left out", m.Name)
		}
	}
	if !strings.Contains(pages[1], "50,000 of the 60,000 records") {
		t.Error("the page does not say that some people are tried")
	}
	for _, p := range made {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A table in Parquet or compressed is released as in memory, and a release goes into such files: each kind once, and
// from each to each in a long test.
func TestPackedLargerThanTheMemory(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	path, seed := f.census(t, long.Of(1_500, 80_000)), f.fixedSeed(t)
	little := long.Of[int64](1<<14, 1<<18)
	ask := func(memory int64, in, out string) string {
		q := ProtectRequest{
			Source: Source{
				Path:   in,
				Memory: memory,
				Said: policy.Policy{
					Limits:  "none",
					Class:   "class",
					Columns: map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}},
				},
			},
			Release:   f.path(out),
			SeedFile:  seed,
			Overwrite: true,
		}
		p, err := newListener().Protect(ctx, q)
		if err != nil {
			t.Fatal(in, err)
		}
		if memory > 0 != (p.Outcome.Original.Space() != nil) {
			t.Errorf("%s: a memory of %d bytes, and the table is in the wrong place", in, memory)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		return f.read(t, out)
	}
	tab, _, err := format.Read(ctx, path, format.Options{})
	must.NoError(t, err)
	for i, name := range []string{"census.parquet", "census.csv.gz", "census.csv.zst"} {
		must.Get(format.Write(ctx, f.path(name), tab, format.Options{}))(t)
		for k, out := range []string{"out.csv", "out.parquet", "out.csv.gz"} {
			if i != k && !long.Enabled() {
				continue
			}
			if ask(0, f.path(name), out) != ask(little, f.path(name), out) {
				t.Errorf("%s as %s: another release", name, out)
			}
		}
	}
}
