// Package store reads tables of SQLite and DuckDB files, and writes tables into new tables of them. Package database
// says how: NULL alone is missing, texts stay texts, and columns of a release have types by their values.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // the driver duckdb
	_ "modernc.org/sqlite"             // the driver sqlite

	"github.com/dither-data/dither/database"
)

// kind is a kind of file.
type kind struct {
	name       string
	extensions []string
	magic      string // at an offset of the file
	offset     int64
	source     func(path string, write bool) string // for the driver of that name
	first      string                               // what every connection begins with
	types      database.Types
	plain      []string // types whose values need no cast to text
	numbers    []string // types of numbers, by how they begin
	dates      []string
}

var kinds = []kind{
	{
		name: "sqlite", extensions: []string{".sqlite", ".sqlite3", ".db"}, magic: "SQLite format 3\x00",
		source: func(path string, write bool) string {
			mode := "ro"
			if write {
				mode = "rwc"
			}
			return "file:" + (&url.URL{Path: path}).EscapedPath() + "?mode=" + mode
		},
		types: database.Types{
			Whole:  []string{"INTEGER"},
			Broken: []string{"REAL"},
			Text:   "TEXT",
			Date:   "DATE",
			Time:   "DATETIME",
		},
		plain: []string{"INT", "REAL", "DOUB", "FLOA", "NUM", "DEC"},
		numbers: []string{
			"INT",
			"REAL",
			"DOUB",
			"FLOA",
			"NUM",
			"DEC",
			"BIGINT",
			"SMALLINT",
			"TINYINT",
			"MEDIUMINT",
			"UNSIGNED",
		},
		dates: []string{"DATE", "TIMESTAMP"},
	},
	{
		name: "duckdb", extensions: []string{".duckdb", ".ddb"}, magic: "DUCK", offset: 8,
		source: func(path string, write bool) string {
			mode := "READ_ONLY"
			if write {
				mode = "READ_WRITE"
			}
			return path + "?access_mode=" + mode
		},
		// Nothing confidential is spilled to the disk, nothing is loaded from anywhere, and no other file is read or written.
		first: "SET temp_directory = ''; SET autoinstall_known_extensions = false; SET autoload_known_extensions = " +
			"false; SET enable_external_access = false",
		types: database.Types{
			Whole:  []string{"BIGINT"},
			Broken: []string{"DOUBLE"},
			Text:   "VARCHAR",
			Truth:  "BOOLEAN",
			Date:   "DATE",
			Time:   "TIMESTAMP",
		},
		plain: []string{
			"TINYINT",
			"SMALLINT",
			"INTEGER",
			"BIGINT",
			"UTINYINT",
			"USMALLINT",
			"UINTEGER",
			"FLOAT",
			"DOUBLE",
			"VARCHAR",
		},
		numbers: []string{
			"TINYINT",
			"SMALLINT",
			"INTEGER",
			"BIGINT",
			"HUGEINT",
			"UTINYINT",
			"USMALLINT",
			"UINTEGER",
			"UBIGINT",
			"UHUGEINT",
			"FLOAT",
			"DOUBLE",
			"DECIMAL",
		},
		dates: []string{"DATE", "TIMESTAMP"},
	},
}

// File is an open file.
type File struct {
	db   *sql.DB
	kind *kind
}

// Open opens a file that is there, by what it holds; to write, a file that is not there yet is made, by its name.
func Open(path string, write bool) (*File, error) {
	k, err := kindOf(path, write)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open(k.name, k.source(path, write))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // one transaction sees one state
	if k.first != "" {
		if _, err := db.Exec(k.first); err != nil {
			db.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return &File{db, k}, nil
}

// Close closes it.
func (f *File) Close() error { return f.db.Close() }

func kindOf(path string, write bool) (*kind, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && write {
		for i, k := range kinds {
			for _, e := range k.extensions {
				if strings.EqualFold(filepath.Ext(path), e) {
					return &kinds[i], nil
				}
			}
		}
		return nil, fmt.Errorf("%s: expected a name that ends in %s", path, extensions())
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for i, k := range kinds {
		head := make([]byte, len(k.magic))
		if _, err := file.ReadAt(head, k.offset); err == nil || errors.Is(err, io.EOF) {
			if string(head) == k.magic {
				return &kinds[i], nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not a valid SQLite or DuckDB file", path)
}

func extensions() string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.extensions...)
	}
	return strings.Join(all, ", ")
}

// begins reports whether a type is one of some.
func begins(typ string, with []string) bool {
	for _, w := range with {
		if strings.HasPrefix(strings.ToUpper(typ), w) {
			return true
		}
	}
	return false
}

// columns asks what a SELECT answers, without its rows.
func (f *File) columns(ctx context.Context, tx *sql.Tx, from string) ([]database.Column, error) {
	rows, err := tx.QueryContext(ctx, "SELECT * FROM "+from+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	var cols []database.Column
	seen := map[string]bool{}
	for _, t := range types {
		c := database.Column{Name: t.Name(), Type: t.DatabaseTypeName()}
		if seen[c.Name] {
			return nil, fmt.Errorf("two columns of the query are called %q: name one of them otherwise (AS)", c.Name)
		}
		seen[c.Name] = true
		switch {
		case begins(c.Type, f.kind.numbers):
			c.Holds = database.Numbers
		case begins(c.Type, f.kind.dates):
			c.Holds = database.Dates
		}
		cols = append(cols, c)
	}
	return cols, rows.Err()
}
