package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// GenerateRequest asks for a table of invented people.
type GenerateRequest struct {
	Name      string // of the generator
	Rows      int    // at least 0; OwnRows for the generator's own number
	Output    string // path; its extension says the format
	SeedFile  string // path of the seed, as in ProtectRequest
	Overwrite bool   // replace an output that exists
}

// OwnRows asks a generator for its own number of records.
const OwnRows = -1

// Generate makes a table and writes it.
func (d *Desk) Generate(ctx context.Context, q GenerateRequest) (*table.Table, error) {
	g, err := generate.Find(q.Name)
	if err != nil {
		return nil, usage(err)
	}
	if q.Output == "" {
		return nil, usage(errors.New("the table has no name"))
	}
	if q.Rows == OwnRows {
		q.Rows = g.Rows
	}
	if q.Rows < 0 {
		return nil, number("rows", q.Rows, "expected 0 or more")
	}
	if err := vacant([]string{q.Output}, q.Overwrite, q.SeedFile); err != nil {
		return nil, err
	}
	s, err := seed(q.SeedFile)
	if err != nil {
		return nil, err
	}
	t := g.New(q.Rows, rng.New(s))
	_, err = format.Write(ctx, q.Output, t, format.Options{})
	return t, err
}

// Example is a made-up hospital table in a folder, and patients who were held out of it.
type Example struct {
	Table, Holdout   string // paths
	Records, HeldOut int
	Class            string
	Release, Report  string // where a release, its report and its plan may go
	Plan             string
}

// NewExample writes the example into a folder, which it makes; files of an earlier one are replaced. The patients are invented and always the same.
func NewExample(ctx context.Context, folder string) (*Example, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	g, err := generate.Find("patients")
	if err != nil {
		return nil, err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	t := g.New(g.Rows+g.Rows/5, rng.New([32]byte{}))
	e := &Example{Table: in("patients.csv"), Holdout: in("holdout.csv"), Records: g.Rows, HeldOut: g.Rows / 5, Class: t.Attr(t.WithRole(table.Class)).Name,
		Release: in("release.csv"), Report: in("report.html"), Plan: in("plan.json")}
	if _, err := format.Write(ctx, e.Table, t.Slice(0, g.Rows), format.Options{}); err != nil {
		return nil, err
	}
	_, err = format.Write(ctx, e.Holdout, t.Slice(g.Rows, t.Rows()), format.Options{})
	return e, err
}
