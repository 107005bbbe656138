package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// What holds of every kind of request: inputs stay, outputs that exist stay unless they are to be replaced, what is
// interrupted leaves nothing behind, and every piece of work that begins ends once.

// kind is one kind of request, on the files of a stock.
type kind struct {
	name    string
	inputs  []string // names of the files that it reads
	outputs []string // the fields that name what it writes
	stays   string   // what may be left of an interrupted one: a seed, a checkpoint
	works   string   // the pieces of work that it begins, in order
	ask     func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error
}

// newStock is a folder with every input that any kind of request takes: a table, a policy with a hierarchy, limits and
// an earlier release, another hierarchy, a release with its plan, a hold-out, intruders, a seed, and a saved tree.
func newStock(t *testing.T) folder {
	t.Helper()
	f := newFolder(t)
	f.fixedSeed(t)
	f.people(t, 40)
	f.put(t, "holdout.csv", f.read(t, "people.csv"))
	f.put(t, "city.csv", "Ulm;south;*\nBonn;west;*\nKiel;north;*\n")
	f.put(t, "own.csv", "Ulm;*\nBonn;*\nKiel;*\n")
	f.put(t, "limits.yaml", "limits:\n  - {measure: bias, min: 0}\n")
	f.put(t, "earlier.csv", f.read(t, "people.csv"))
	f.put(t, "p.yaml", "version: 1\nclass: y\nlimits: limits.yaml\nearlier: earlier.csv\ncolumns:\n  city: {hierarchy: "+
		"city.csv}\n  name: {role: identifier}\n")
	f.put(t, "i.yaml", "version: 1\nintruders: [{name: neighbour, knows: [city]}]\n")
	d := &Desk{}
	must.Get(d.Protect(ctx, ProtectRequest{Source: f.source().Saying(policy.Policy{Limits: "none"}),
		Release: f.path("rel.csv"), PlanOut: f.path("plan.json"), SeedFile: f.path("seed")}))(t)
	must.Get(d.Tree(ctx, TreeRequest{Source: f.source(), Form: JSON, Output: f.path("tree.json")}))(t)
	return f
}

// source is the table of a stock, with every file that a source can name.
func (f folder) source() Source {
	return Source{
		Path:   f.path("people.csv"),
		Policy: f.path("p.yaml"),
		Said:   policy.Policy{Columns: map[string]policy.Column{"city": {Hierarchy: f.path("own.csv")}}},
	}
}

// plain is the table of a stock with the policy and the hierarchy of the policy alone.
func (f folder) plain() Source { return Source{Path: f.path("people.csv"), Policy: f.path("p.yaml")} }

var kinds = []kind{
	{
		"protect",
		[]string{"people.csv", "p.yaml", "own.csv", "seed", "plan.json"},
		[]string{"release", "report", "plan"},
		"",
		"reading people.csv, protecting, measuring, measuring",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Protect(
				ctx,
				ProtectRequest{
					Source:    f.source().Saying(policy.Policy{Limits: "none"}),
					Plan:      f.path("plan.json"),
					SeedFile:  f.path("seed"),
					Release:   out["release"],
					Report:    out["report"],
					PlanOut:   out["plan"],
					Overwrite: overwrite,
				},
			)
			return err
		},
	},
	{
		"protect by the policy",
		[]string{"city.csv", "limits.yaml", "earlier.csv"},
		[]string{"release", "plan"},
		"",
		"reading people.csv, protecting, measuring",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Protect(ctx,
				ProtectRequest{Source: f.plain(), Release: out["release"], PlanOut: out["plan"], Overwrite: overwrite})
			return err
		},
	},
	{
		"evaluate",
		[]string{"earlier.csv", "limits.yaml", "people.csv", "p.yaml", "own.csv", "rel.csv", "holdout.csv", "plan.json",
			"seed", "i.yaml"},
		[]string{"report"},
		"",
		"reading people.csv, reading rel.csv, reading holdout.csv, reading earlier.csv, measuring",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Evaluate(ctx, f.evaluation(out["report"], overwrite))
			return err
		},
	},
	{"attack", []string{"people.csv", "rel.csv", "i.yaml"}, []string{"report"}, "", "reading people.csv, reading " +
		"rel.csv, reading holdout.csv, reading earlier.csv, measuring",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			q := f.evaluation(out["report"], overwrite)
			q.Measures = []string{"linkage"}
			_, err := d.Attack(ctx, AttackRequest{EvaluateRequest: q, Riskiest: 1})
			return err
		}},
	{
		"compare",
		[]string{"people.csv", "p.yaml", "own.csv", "holdout.csv", "i.yaml", "seed"},
		[]string{"results", "runs", "report"},
		"",
		"reading people.csv, reading holdout.csv, comparing",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Compare(
				ctx,
				CompareRequest{
					Tables: []Source{
						f.source().Saying(policy.Policy{IntruderFiles: policy.Files{f.path("i.yaml")}}),
						{Path: f.path("holdout.csv"), Said: policy.Policy{Class: "y"}},
					},
					Methods:   []string{"rpt"},
					Measures:  []string{"bias"},
					Folds:     2,
					Repeats:   1,
					SeedFile:  f.path("seed"),
					Results:   out["results"],
					Runs:      out["runs"],
					Report:    out["report"],
					Overwrite: overwrite,
				},
			)
			return err
		},
	},
	{"resume", []string{"people.csv", "seed"}, []string{"results"}, "cells", "reading people.csv, comparing",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Compare(
				ctx,
				CompareRequest{
					Tables:    []Source{f.plain()},
					Methods:   []string{"rpt"},
					Measures:  []string{"bias"},
					Folds:     2,
					Repeats:   1,
					Workers:   1,
					SeedFile:  f.path("seed"),
					Resume:    f.path("cells"),
					Results:   out["results"],
					Overwrite: overwrite,
				},
			)
			return err
		}},
	{
		"mine",
		[]string{"people.csv", "p.yaml", "own.csv", "seed"},
		[]string{"output", "labels"},
		"",
		"reading people.csv, mining 40 records",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Mine(
				ctx,
				MineRequest{
					Source:    f.source(),
					Miner:     "kmeans",
					Set:       map[string]string{"k": "2"},
					SeedFile:  f.path("seed"),
					Output:    out["output"],
					Labels:    out["labels"],
					Overwrite: overwrite,
				},
			)
			return err
		},
	},
	{"tree", []string{"people.csv", "p.yaml", "own.csv"}, []string{"output"}, "", "reading people.csv, mining 40 records",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Tree(ctx, TreeRequest{Source: f.source(), Output: out["output"], Overwrite: overwrite})
			return err
		}},
	{"saved tree", []string{"tree.json"}, []string{"output"}, "", "",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Tree(ctx,
				TreeRequest{Saved: f.path("tree.json"), Form: SVG, Output: out["output"], Overwrite: overwrite})
			return err
		}},
	{
		"classify",
		[]string{"people.csv", "p.yaml", "own.csv", "tree.json"},
		[]string{"output", "labels"},
		"",
		"reading people.csv",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Classify(
				ctx,
				ClassifyRequest{
					Source:    f.source(),
					Saved:     f.path("tree.json"),
					Output:    out["output"],
					Labels:    out["labels"],
					Overwrite: overwrite,
				},
			)
			return err
		},
	},
	{"generate", []string{"seed"}, []string{"output"}, "", "inventing 20 records",
		func(f folder, d *Desk, ctx context.Context, out map[string]string, overwrite bool) error {
			_, err := d.Generate(
				ctx,
				GenerateRequest{Name: "patients", Rows: 20, SeedFile: f.path("seed"), Output: out["output"], Overwrite: overwrite},
			)
			return err
		}},
}

func (f folder) evaluation(report string, overwrite bool) EvaluateRequest {
	return EvaluateRequest{
		Source:    f.source().Saying(policy.Policy{IntruderFiles: []string{f.path("i.yaml")}}),
		Released:  f.path("rel.csv"),
		Holdout:   f.path("holdout.csv"),
		Plan:      f.path("plan.json"),
		Measures:  []string{"bias"},
		SeedFile:  f.path("seed"),
		Report:    report,
		Overwrite: overwrite,
	}
}

// fresh names a new file for every output.
func (k *kind) fresh(f folder) map[string]string {
	out := map[string]string{}
	for _, field := range k.outputs {
		out[field] = f.path("new-" + field + ".csv")
	}
	return out
}

// contents reads all files of a folder.
func (f folder) contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range strings.Fields(f.names(t)) {
		all[name] = f.read(t, name)
	}
	return all
}

// TestInputsStay: no output takes the place of an input, even of one that only a policy names, and none takes that of
// an old file that is not to be replaced.
func TestInputsStay(t *testing.T) {
	f := newStock(t)
	old := f.put(t, "old.csv", "old")
	before := f.contents(t)
	for _, k := range kinds {
		for _, field := range k.outputs {
			for _, in := range k.inputs {
				out := k.fresh(f)
				out[field] = filepath.Join(string(f), ".", in)
				says := in + " is an input and is never overwritten"
				refused(t, k.name+": "+field+" over "+in, k.ask(f, &Desk{}, ctx, out, true), says)
			}
			out := k.fresh(f)
			out[field] = old
			err := k.ask(f, &Desk{}, ctx, out, false)
			refused(t, k.name+": an old "+field, err, "old.csv exists")
			if !errors.Is(err, ErrExists) {
				t.Errorf("%s: an old %s is not ErrExists", k.name, field)
			}
		}
	}
	if after := f.contents(t); !maps.Equal(before, after) {
		t.Errorf("refused requests changed the folder: %s", f.names(t))
	}
}

// stages is a desk's view of its work: what began, in order, and whether each piece ended once, and was not worked on
// afterwards.
type stages struct {
	begun  []string
	faults []string
	at     func(stage int, event string) // is told of every event; nil for none
}

type stage struct {
	s     *stages
	n     int
	ended bool
}

func (s *stages) desk() *Desk {
	return &Desk{Begin: func(work string) Progress {
		s.begun = append(s.begun, work)
		p := &stage{s, len(s.begun), false}
		s.tell(p.n, "begin")
		return p
	}}
}

func (s *stages) tell(n int, event string) {
	if s.at != nil {
		s.at(n, event)
	}
}

func (p *stage) Done(done, total int64) {
	if p.ended {
		p.s.faults = append(p.s.faults, "done after the end")
	}
}

func (p *stage) End() {
	if p.ended {
		p.s.faults = append(p.s.faults, "ended twice")
	}
	p.ended = true
	p.s.tell(p.n, "end")
}

// TestWorks: every kind of request begins the works it does, in order, and ends each once before the next.
func TestWorks(t *testing.T) {
	f := newStock(t)
	for _, k := range kinds {
		var events []string
		s := &stages{at: func(n int, event string) { events = append(events, fmt.Sprint(event, n)) }}
		if err := k.ask(f, s.desk(), ctx, k.fresh(f), true); err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		var want []string
		for n := range s.begun {
			want = append(want, fmt.Sprint("begin", n+1), fmt.Sprint("end", n+1))
		}
		if got := strings.Join(s.begun, ", "); got != k.works || !slices.Equal(events, want) || s.faults != nil {
			t.Errorf("%s: works %q, events %v, %v", k.name, got, events, s.faults)
		}
	}
}

// TestInterrupted cancels every kind of request when each piece of work begins and when it ends: it stops with
// context.Canceled or goes to its end; either all outputs are there or none, no half of one is left behind, old outputs
// keep their bytes, and what began has ended.
func TestInterrupted(t *testing.T) {
	for _, k := range kinds {
		works, stopped := 0, 0
		if k.works != "" {
			works = len(strings.Split(k.works, ", "))
		}
		for n := 0; n <= works; n += long.Of(2, 1) {
			for _, event := range []string{"begin", "end"} {
				if event == "end" && !long.Enabled() {
					continue
				}
				f := newStock(t)
				before := f.contents(t)
				interrupted, cancel := context.WithCancel(ctx)
				open := 0
				s := &stages{at: func(stage int, now string) {
					open += map[string]int{"begin": 1, "end": -1}[now]
					if stage == n && now == event {
						cancel()
					}
				}}
				if n == 0 {
					cancel()
				}
				err := k.ask(f, s.desk(), interrupted, k.fresh(f), false)
				what := fmt.Sprintf("%s, cancelled at the %s of work %d", k.name, event, n)
				if err != nil {
					stopped++
				}
				if open != 0 || s.faults != nil {
					t.Errorf("%s: %d works did not end, %v", what, open, s.faults)
				}
				var i *Interrupted
				if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, &i) {
					t.Errorf("%s: %v", what, err)
				}
				for field, path := range k.fresh(f) {
					if _, gone := os.Stat(path); (gone == nil) != (err == nil) {
						t.Errorf("%s: it ends with %v, and of %s there is %v", what, err, field, gone)
					}
					os.Remove(path)
				}
				if k.stays != "" {
					os.Remove(f.path(k.stays))
				}
				if after := f.contents(t); !maps.Equal(before, after) {
					t.Errorf("%s: it leaves %s", what, f.names(t))
				}
				cancel()
			}
		}
		if stopped < works/long.Of(2, 1) {
			t.Errorf("%s: of the interruptions of %d works %d stopped it", k.name, works, stopped)
		}
	}
}

// TestFailedWrite: when an output cannot be written nothing is left behind.
func TestFailedWrite(t *testing.T) {
	f := newStock(t)
	before := f.contents(t)
	q := ProtectRequest{
		Source:  f.plain().Saying(policy.Policy{Limits: "none"}),
		Release: f.path("new.unknown"),
		PlanOut: f.path("new.json"),
	}
	_, err := (&Desk{}).Protect(ctx, q)
	refused(t, "a format that nobody writes", err, "new.unknown")
	if after := f.contents(t); !maps.Equal(before, after) {
		t.Errorf("a release that failed leaves %s", f.names(t))
	}
	broken := errors.New("no space left")
	made := &files{shown: []string{f.path("new.csv")}}
	err = made.add(f.path("new.csv"), func(w io.Writer) error { w.Write(bytes.Repeat([]byte("x"), 1<<16)); return broken })
	made.discard()
	if !errors.Is(err, broken) || !maps.Equal(before, f.contents(t)) {
		t.Errorf("%v; a disk that is full leaves %s", err, f.names(t))
	}
}

// TestModes: what is confidential is its owner's alone, and what may be shown can be read.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // permissions are not Unix's
	}
	f := newStock(t)
	secret := map[string][]string{
		"protect":    {"report", "plan"},
		"evaluate":   {"report"},
		"attack":     {"report"},
		"mine":       {"output", "labels"},
		"tree":       {"output"},
		"saved tree": {"output"},
		"classify":   {"output", "labels"},
	}
	for _, k := range kinds {
		must.NoError(t, k.ask(f, &Desk{}, ctx, k.fresh(f), true))
		for field, path := range k.fresh(f) {
			want := fs.FileMode(0o644)
			if slices.Contains(secret[k.name], field) || k.name == "protect by the policy" && field == "plan" {
				want = 0o600
			}
			if st, err := os.Stat(path); err != nil || field != "release" && k.name != "generate" && st.Mode().Perm() != want {
				t.Errorf("%s: %s has mode %v, want %v", k.name, field, st.Mode().Perm(), want)
			}
			os.Remove(path) // what replaces a file has its mode
		}
	}
	public := f.evaluation(f.path("public.html"), false)
	public.Said.Public, public.SeedFile = true, f.path("fresh")
	must.Get((&Desk{}).Evaluate(ctx, public))(t)
	release(t, f, func(q *ProtectRequest) { q.Report, q.Said.Public = f.path("public2.html"), true })
	for name, want := range map[string]fs.FileMode{"public.html": 0o644, "public2.html": 0o644, "fresh": 0o600,
		"cells": 0o600} {
		if st, err := os.Stat(f.path(name)); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, want mode %v", name, err, want)
		}
	}
}
