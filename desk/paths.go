package desk

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/database/postgres"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/table"
)

// A path names a file, standard input or output, or a table of a database. This file knows what each is read by, and
// what people call it.

// readAs reads what a path names, of a database the answer to a query where there is one.
func (d *Desk) readAs(ctx context.Context, path, query string, opt format.Options) (*table.Table, *format.Info, error) {
	switch {
	case postgres.Is(path):
		return fromDatabase(ctx, path, query, opt)
	case query != "":
		return nil, nil, &Usage{Field: "query", Err: errors.New("a query is put to a database, and the table is a file")}
	}
	if err := database.Unknown(path); err != nil {
		return nil, nil, usage(err)
	}
	if path != standardInput {
		return format.Read(ctx, path, opt)
	}
	if d.In == nil {
		return nil, nil, usage(errors.New("there is no standard input to read a table from"))
	}
	return format.ReadFrom(ctx, nameOf(path), d.In, opt)
}

// nameOf returns the name of a file without its folder.
func nameOf(path string) string {
	if path == standardInput {
		return "standard input"
	}
	if postgres.Is(path) {
		return postgres.Name(path)
	}
	return filepath.Base(path)
}

// OutputName is the name of an output for people.
func OutputName(path string) string {
	if path == standardOutput {
		return "standard output"
	}
	if postgres.Is(path) {
		return postgres.Name(path)
	}
	return path
}

// trimmed is the name of a data set: that of its file without the extension.
func trimmed(path string) string {
	name := nameOf(path)
	if path != standardInput {
		name = format.Unpacked(name)
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}
