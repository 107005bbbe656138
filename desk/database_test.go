//go:build unix

package desk

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/database/postgres"
	"github.com/dither-data/dither/database/postgres/postgrestest"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// TestDatabase: a table of a database is protected to the same bytes as the same table in a file, and a release in a
// database is measured like one in a file. A table is never written over, and one whose files cannot be put in their
// places is taken back.
func TestDatabase(t *testing.T) {
	long.Only(t, "a server of PostgreSQL")
	db := postgrestest.Start(t)
	f := newFolder(t)
	f.fixedSeed(t)
	f.people(t, 400)
	at := func(name string) string { return db + "&table=" + name }
	store := func(name string) {
		own, _, err := format.Read(ctx, f.path("people.csv"), format.Options{})
		must.NoError(t, err)
		fs := &files{}
		must.Get(fs.table(ctx, at(name), own, format.Options{}))(t)
		must.NoError(t, fs.place())
		fs.discard()
	}
	store("people")
	var notes strings.Builder
	d := &Desk{Note: func(n Note) { notes.WriteString(n.Says.String() + "\n") }}
	protect := func(from, to, plan string) *Protection {
		p := must.Get(d.Protect(
			ctx,
			ProtectRequest{
				Source:   Source{Path: from, Said: policy.Policy{Limits: "none", Class: "y"}},
				Release:  to,
				PlanOut:  f.path(plan),
				SeedFile: f.path("seed"),
			},
		))(t)
		return p
	}
	protect(f.path("people.csv"), f.path("a.csv"), "a.json")
	protect(at("people"), f.path("b.csv"), "b.json")
	if a, b := f.read(t, "a.csv"), f.read(t, "b.csv"); a != b {
		t.Error("a table of a database gives another release than its file")
	}
	p := protect(at("people"), at("release"), "c.json")
	if p.Outcome.OriginalFile.Name != "people" || p.Outcome.ReleasedFile.Name != "release" {
		t.Errorf("%q becomes %q", p.Outcome.OriginalFile.Name, p.Outcome.ReleasedFile.Name)
	}
	if !strings.Contains(notes.String(), "people has no primary key") || strings.Contains(notes.String(), "host=") {
		t.Errorf("told: %s", notes.String())
	}
	e, err := d.Evaluate(
		ctx,
		EvaluateRequest{
			Source:   Source{Path: at("people"), Said: policy.Policy{Class: "y"}},
			Released: at("release"),
			Plan:     f.path("c.json"),
		},
	)
	if err != nil || e.Outcome.ReleasedFile.Name != "release" {
		t.Fatalf("evaluate: %v", err)
	}
	if _, err := d.Protect(ctx, ProtectRequest{Source: Source{Path: at("people"),
		Said: policy.Policy{Limits: "none", Class: "y"}}, Release: at("release"), Overwrite: true}); err == nil ||
		!strings.Contains(err.Error(), "never written over") {
		t.Errorf("written over: %v", err)
	}
	if _, err := d.Protect(ctx, ProtectRequest{Source: Source{Path: f.path("people.csv"),
		Said: policy.Policy{Limits: "none", File: policy.File{Query: "SELECT 1"}}}, Release: f.path("x.csv")}); err == nil ||
		!strings.Contains(err.Error(), "put to a database") {
		t.Errorf("a query to a file: %v", err)
	}
	fs := &files{}
	must.NoError(t, fs.add(f.path("late"), func(w io.Writer) error {
		_,
			err := io.WriteString(w, "x")
		return err
	}))
	own, _, err := format.Read(ctx, f.path("people.csv"), format.Options{})
	must.NoError(t, err)
	must.Get(fs.table(ctx, at("late"), own, format.Options{}))(t)
	if err := os.WriteFile(f.path("late"), nil, 0o600); err != nil { // somebody else was quicker
		t.Fatal(err)
	}
	if err := fs.place(); err == nil {
		t.Error("a file that appeared is written over")
	}
	a := must.Get(postgres.Parse(at("late"), ""))(t)
	if err := postgres.Vacant(context.Background(), a); err != nil {
		t.Errorf("the table stays though its file could not be placed: %v", err)
	}
}
