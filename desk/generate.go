package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// GenerateRequest asks for an invented table.
type GenerateRequest struct {
	Name      string            // of the generator
	Set       map[string]string // its parameters
	Rows      int               // at least 0; OwnRows for the generator's own number
	Output    string            // path; its extension says the format
	SeedFile  string            // path of the seed, as in ProtectRequest
	Seed      string            // in place of the file: a short seed (rng.ShortSeed)
	Overwrite bool              // replace an output that exists
}

// OwnRows asks a generator for its own number of records.
const OwnRows = -1

// Generate makes a table and writes it.
func (d *Desk) Generate(ctx context.Context, q GenerateRequest) (*table.Table, error) {
	g, err := catalog.Generator(q.Name)
	if err != nil {
		return nil, usage(err)
	}
	maker := g.New()
	if err := judge.Settle(maker.Params(), q.Set); err != nil {
		return nil, usage(fmt.Errorf("%s: %w", g.Name, err))
	}
	if q.SeedFile != "" && q.Seed != "" {
		return nil, usage(errTwoSeeds)
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
	f := &files{seed: q.SeedFile, tables: []string{q.Output}, main: q.Output, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	s, err := d.seedOf(q.SeedFile, &policy.Policy{Seed: policy.Text(q.Seed)})
	if err != nil {
		return nil, err
	}
	t, err := d.invent(ctx, maker, q.Rows, rng.New(s))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	if g.Export != nil && (q.Output == standardOutput || strings.EqualFold(filepath.Ext(q.Output), ".csv")) {
		err = f.add(q.Output, func(w io.Writer) error { _, err := w.Write(g.Export(t)); return err })
	} else {
		_, err = f.table(ctx, q.Output, t, format.Options{})
	}
	if err != nil {
		return nil, err
	}
	return t, f.place()
}

// invent makes a table.
func (d *Desk) invent(ctx context.Context, m generate.Maker, rows int, src rng.Source) (*table.Table, error) {
	p := d.begin(message.Say("work.inventing").Count("n", rows).String())
	defer p.End()
	return generate.Make(ctx, m, rows, src)
}

// Example is a made-up hospital table in a folder, and patients who were held out of it.
type Example struct {
	Table, Holdout   string // paths
	Records, HeldOut int
	Class            string
	Release, Report  string // where a release, its report and its plan may go, and a map of techniques
	Plan, Map        string
}

// NewExample writes the example into a folder, which it makes; files of an earlier one are replaced, and a folder with
// other files of these names is refused. The patients are invented and always the same.
func NewExample(ctx context.Context, folder string) (*Example, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	g, err := catalog.Generator("patients")
	if err != nil {
		return nil, err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	t, err := generate.Make(ctx, g.New(), g.Rows+g.Rows/5, rng.New([32]byte{}))
	if err != nil {
		return nil, err
	}
	e := &Example{
		Table:   in("patients.csv"),
		Holdout: in("holdout.csv"),
		Records: g.Rows,
		HeldOut: g.Rows / 5,
		Class:   t.Attr(t.WithRole(table.Class)).Name,
		Release: in("release.csv"),
		Report:  in("report.html"),
		Plan:    in("plan.json"),
		Map:     in("map.html"),
	}
	f := &files{tables: []string{e.Table, e.Holdout}, replace: true}
	defer f.discard()
	sum, err := f.table(ctx, e.Table, t.Slice(0, g.Rows), format.Options{})
	if err == nil {
		err = e.own(sum)
	}
	if err == nil {
		_, err = f.table(ctx, e.Holdout, t.Slice(g.Rows, t.Rows()), format.Options{})
	}
	if err != nil {
		return nil, err
	}
	return e, f.place()
}

// own refuses a folder whose files are not those of an earlier example: then the table, whose hash is told, is not
// there, but others are, or is another.
func (e *Example) own(sum string) error {
	old, err := os.ReadFile(e.Table)
	if h := sha256.Sum256(old); err == nil && hex.EncodeToString(h[:]) == sum {
		return nil
	}
	for _, path := range []string{e.Table, e.Holdout, e.Release, e.Report, e.Plan, e.Map} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return usage(fmt.Errorf("%s is not of an earlier example and is not replaced; name another folder", path))
		}
	}
	return nil
}
