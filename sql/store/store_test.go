package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

func opened(t *testing.T, path string, write bool) *File {
	t.Helper()
	f, err := Open(path, write)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func text(t *testing.T, x *table.Table) string {
	t.Helper()
	x, err := database.Standard(x)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := csv.Write(t.Context(), &b, x, dialect.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const people = "id,born,seen,zip,smokes,weight,note,gone\n" +
	"3,1961-05-01,2020-01-01 13:00:00,01234,yes,70.5,\"NA\",\n" +
	"1,,,99999,no,80.0,\"\",\n" +
	"2,1970-12-31,2021-06-01 00:00:00,00001,,,\"a \"\"quoted\"\", text\nin two lines\",\n"

// TestRoundTrip: a table that is put into either kind of file comes out the same, with names that hold anything; no
// table is written over, and what fails or is interrupted leaves nothing.
func TestRoundTrip(t *testing.T) {
	original, _, err := csv.Read(
		t.Context(),
		[]byte(people),
		dialect.Options{
			Missing: []string{""},
			Kinds:   map[string]table.Kind{"zip": table.Categorical, "note": table.Categorical},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"t.sqlite", "t.duckdb"} {
		path := filepath.Join(t.TempDir(), name)
		f := opened(t, path, true)
		for _, to := range []string{"people", `x"; DROP TABLE people; --`} {
			if err := f.Write(t.Context(), to, original); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, info, err := f.Read(t.Context(), to, "", dialect.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if text(t, got) != text(t, original) || len(info.SHA256) != 64 {
				t.Errorf("%s: written\n%s\nread\n%s", name, text(t, original), text(t, got))
			}
			if at := got.Attr(got.Find("zip")); at.Kind != table.Categorical {
				t.Errorf("%s: zip is %v", name, at.Kind)
			}
			if err := f.Write(t.Context(), to, original); err == nil {
				t.Errorf("%s: a table is written over", name)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.Write(ctx, "late", original); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: interrupted: %v", name, err)
		}
		if _, _, err := f.Read(t.Context(), "late", "", dialect.Options{}); err == nil {
			t.Errorf("%s: an interrupted table is there", name)
		}
		asked, _, err := f.Read(
			t.Context(),
			"",
			"SELECT zip, id AS \"n\" FROM people WHERE id > 1 ORDER BY id;",
			dialect.Options{},
		)
		if err != nil || text(t, asked) != "zip,n\n00001,2\n01234,3\n" {
			t.Errorf("%s: asked: %v, %v", name, asked, err)
		}
		for _, query := range []string{"DELETE FROM people", "nothing"} {
			if _, _, err := f.Read(t.Context(), "", query, dialect.Options{}); err == nil {
				t.Errorf("%s: %s is read", name, query)
			}
		}
		f.Close()
		r := opened(t, path, false)
		if err := r.Write(t.Context(), "more", original); err == nil {
			t.Errorf("%s: what is open to read is written", name)
		}
	}
}

// TestOpen: a file is what it holds, and only one that is to be written is made.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text.sqlite"), []byte("id,name\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		write bool
	}{{"text.sqlite", false}, {"text.sqlite", true}, {"none.sqlite", false}, {"new.csv", true}, {".", false}} {
		if f, err := Open(filepath.Join(dir, c.name), c.write); err == nil {
			f.Close()
			t.Errorf("%s is opened", c.name)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	if !strings.Contains(extensions(), ".duckdb") {
		t.Error(extensions())
	}
}

// TestForeign: values of other types, as other programs put them in, come out as texts and numbers.
func TestForeign(t *testing.T) {
	for name, c := range map[string]struct{ sql, want string }{
		"t.sqlite": {"CREATE TABLE p (a INTEGER, b REAL, c TEXT, d DATE, e BLOB, f NUMERIC); INSERT INTO p VALUES (1, 1.5, " +
			"'x', '2020-01-31', x'41', 7), (2, NULL, '02', '2021-12-01', x'42', 8)",
			"a,b,c,d,e,f\n1,1.5,x,2020-01-31,A,7\n2,,02,2021-12-01,B,8\n"},
		"t.duckdb": {"CREATE TABLE p (a UTINYINT, b DECIMAL(5,2), c VARCHAR, d DATE, e TIMESTAMP, f HUGEINT, g BOOLEAN, h " +
			"DOUBLE); INSERT INTO p VALUES (1, 1.5, 'x', '2020-01-31', '2020-01-31 10:00:00', 7, true, 'NaN'), (2, NULL, " +
			"'02', '2021-12-01', '2021-12-01 11:30:00', 8, false, 1)",
			"a,b,c,d,e,f,g,h\n1,1.5,x,2020-01-31,2020-01-31 10:00:00,7,true,\n2,,02,2021-12-01,2021-12-01 11:30:00,8,false,1\n"},
	} {
		f := opened(t, filepath.Join(t.TempDir(), name), true)
		if _, err := f.db.ExecContext(t.Context(), c.sql); err != nil {
			t.Fatal(err)
		}
		got, _, err := f.Read(t.Context(), "p", "", dialect.Options{})
		if err != nil || text(t, got) != c.want {
			t.Errorf("%s: %q, %v", name, text(t, got), err)
		}
	}
}
