package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// finding is how one leak was judged.
type finding struct {
	*leak
	run     int
	records int
	verdict *study.Verdict
	broken  []study.Demand // the demands that are not met
}

// noticed returns the first of the broken demands that the leak is there to break; ok is false where it broke none of
// these.
func (f *finding) noticed() (d study.Demand, ok bool) {
	if f.measures == nil && len(f.broken) > 0 {
		return f.broken[0], true
	}
	for _, name := range f.measures {
		if k := slices.IndexFunc(f.broken, func(d study.Demand) bool { return d.Measure == name }); k >= 0 {
			return f.broken[k], true
		}
	}
	return d, false
}

// everybody is the intruder whom every release is held against: one who knows all but the class. A release that only
// keeps its quasi-identifiers from being known would otherwise be judged by these alone.
const everybody = "version: 1\nintruders:\n  - name: knows all but the class\n    knows: [all]\n"

// judge plants a leak, writes the tables as a custodian would have them, and lets the desk judge the release.
func judge(ctx context.Context, l *leak, run int) (*finding, error) {
	draw := key(l, run)
	t, err := source(ctx, l, draw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.table, err)
	}
	folder, err := os.MkdirTemp("", "leaks")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	files := map[string]*table.Table{}
	if l.holdout {
		half := t.Rows() / 2
		files[in("holdout.csv")], t = t.Slice(half, t.Rows()), t.Slice(0, half)
	}
	s := stage(t, draw)
	if l.plant != nil {
		l.plant(s)
	}
	files[in(l.table+".csv")] = s.original
	if l.method == "" {
		files[in("release.csv")] = rerun.Select(
			s.released,
			func(a *table.Attribute) bool { return !slices.Contains(l.apart, a.Name) },
		)
	}
	for path, t := range files {
		if _, err := format.Write(ctx, path, t, format.Options{}); err != nil {
			return nil, err
		}
	}
	policy := l.policy
	if policy == "" {
		policy = everybody
	}
	if err := os.WriteFile(in("policy.yaml"), []byte(policy), 0o600); err != nil {
		return nil, err
	}
	v, err := l.judged(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", l.table, l.what, err)
	}
	return &finding{l, run, s.original.Rows(), v, v.Broken()}, nil
}

// judged lets the desk judge the release in the folder or, where a technique leaks, make it first.
func (l *leak) judged(ctx context.Context, in func(name string) string) (*study.Verdict, error) {
	from := desk.Source{
		Path:   in(l.table + ".csv"),
		Policy: in("policy.yaml"),
		Said:   policy.Policy{Class: class(l.table), Columns: map[string]policy.Column{}},
	}
	for _, name := range l.keep {
		from.Said.Columns[name] = policy.Column{Role: policy.Roles{"other"}}
	}
	for _, name := range l.apart {
		from.Said.Columns[name] = policy.Column{Role: policy.Roles{"identifier"}}
	}
	q := desk.EvaluateRequest{
		Source:   from,
		Released: in("release.csv"),
		Paired:   true,
		Measures: taken(l),
		SeedFile: in("seed"),
	}
	if err := os.WriteFile(q.SeedFile, []byte(seed), 0o600); err != nil {
		return nil, err
	}
	if l.holdout {
		q.Holdout = in("holdout.csv")
	}
	if l.method != "" {
		q.Plan = in("plan.json")
		made := desk.ProtectRequest{
			Source: from.Saying(
				policy.Policy{Limits: "none", Method: policy.Method{Name: l.method, Set: policy.Texts(l.set)}},
			),
			Release:  q.Released,
			PlanOut:  q.Plan,
			SeedFile: q.SeedFile,
		}
		if _, err := (&desk.Desk{}).Protect(ctx, made); err != nil {
			return nil, err
		}
	}
	e, err := (&desk.Desk{}).Evaluate(ctx, q)
	if e == nil { // a release that must not go out is an error, too, and comes with its verdict
		return nil, err
	}
	return e.Outcome.Verdict, nil
}

// seed is that of the releases that techniques make and of the attacks on all, so that the page is the same every time.
const seed = "6c65616b6c65616b6c65616b6c65616b6c65616b6c65616b6c65616b6c65616b\n"

// taken are the measures that are taken of a release: of one without a leak all, for it is said to meet the limits only
// where each of them was judged.
func taken(l *leak) []string {
	if l.measures == nil {
		return nil
	}
	out := []string{"found", "replicateduniques"}
	for _, m := range l.measures {
		if !slices.Contains([]string{"found", "replicateduniques", "lookup", "text", "name", "birth"}, m) {
			out = append(out, m)
		}
	}
	return out
}

func class(name string) string {
	for _, t := range tables {
		if t.name == name {
			return t.class
		}
	}
	return ""
}
