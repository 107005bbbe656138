//go:build unix

package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/database/postgres/postgrestest"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// TestPostgres runs the tests on one server, each on a database of its own.
func TestPostgres(t *testing.T) {
	long.Only(t, "a server")
	server := postgrestest.Start(t)
	for name, test := range map[string]func(t *testing.T, db string){"read": testRead, "snapshot": testSnapshot,
		"write": testWrite, "names": testNames, "cut": testCut, "errors": testErrors} {
		t.Run(name, func(t *testing.T) {
			ask(t, server, "CREATE DATABASE "+name)
			test(t, strings.Replace(server, "/postgres?", "/"+name+"?", 1))
		})
	}
}

// ask runs statements as the custodian would.
func ask(t testing.TB, address, sql string) {
	t.Helper()
	c := open(t, address)
	defer c.Close(t.Context())
	must.Get(c.Exec(t.Context(), sql).ReadAll())(t)
}

func parsed(t testing.TB, address, name, query string) *Address {
	t.Helper()
	if name != "" {
		address += "&table=" + url.QueryEscape(name)
	}
	return must.Get(Parse(address, query))(t)
}

func read(t *testing.T, a *Address, opt dialect.Options) (*table.Table, *dialect.Info) {
	t.Helper()
	got, info, err := Read(t.Context(), a, opt)
	must.NoError(t, err)
	return got, info
}

// text is a table as the package writes it.
func text(t *testing.T, x *table.Table) string {
	t.Helper()
	x = must.Get(database.Standard(x))(t)
	var b bytes.Buffer
	must.NoError(t, csv.Write(t.Context(), &b, x, dialect.Options{}))
	return b.String()
}

const patients = `CREATE DOMAIN code AS text CHECK (length(value) = 5);
CREATE TYPE sex AS ENUM ('f', 'm');
CREATE TABLE patients (id int PRIMARY KEY, born date, seen timestamptz, at timestamp, zip code, sex sex, smokes boolean, weight numeric(5,1), score real, note text, fee money, n bigint, empty text);
INSERT INTO patients VALUES
	(3, '1961-05-01', '2020-01-01 13:00:00+02', '2020-01-01 08:30:00', '01234', 'f', true, 70.0, 1.5, 'NA', 12.5, 900719925474099, NULL),
	(1, NULL, NULL, '2021-12-31 23:59:59', '99999', 'm', false, 80.5, NULL, '', NULL, NULL, NULL),
	(2, '1970-12-31', '2021-06-01 00:00:00+00', NULL, '00001', NULL, NULL, NULL, -2.25, 'a "quoted", text
in two lines', -3, 5, NULL);`

// testRead: rows come by their key, NULL alone is missing, texts that look like numbers are texts, and numbers are
// numbers.
func testRead(t *testing.T, db string) {
	ask(t, db, patients)
	got, info := read(t, parsed(t, db, "patients", ""), dialect.Options{Missing: dialect.DefaultMissing})
	want := "id,born,seen,at,zip,sex,smokes,weight,score,note,fee,n,empty\n" +
		"1,,,2021-12-31 23:59:59,99999,m,f,80.5,,\"\",,,\n" +
		"2,1970-12-31,2021-06-01 00:00:00,,00001,,,,-2.25,\"a \"\"quoted\"\", text\nin two lines\",-3.0,5,\n" +
		"3,1961-05-01,2020-01-01 11:00:00,2020-01-01 08:30:00,01234,f,t,70.0,1.50,\"NA\",12.5,900719925474099,\n"
	if s := strings.ReplaceAll(text(t, got), ",NA,", ",\"NA\","); s != want {
		t.Errorf("read\n%s\nexpected\n%s", s, want)
	}
	for name, kind := range map[string]table.Kind{"born": table.Numeric, "seen": table.Numeric, "zip": table.Categorical,
		"smokes": table.Categorical, "weight": table.Numeric, "n": table.Numeric, "empty": table.Categorical} {
		if at := got.Attr(got.Find(name)); at.Kind != kind {
			t.Errorf("%s is %v", name, at.Kind)
		}
	}
	if info.Types["weight"] != "numeric(5,1)" || info.Types["id"] != "integer" || len(info.Notes) != 1 {
		t.Errorf("%v, %q", info.Types, info.Notes)
	}
	asked, info := read(t, parsed(t, db, "", "SELECT zip, n AS \"N\" FROM patients WHERE n > 0 ORDER BY n;"),
		dialect.Options{Missing: []string{"5"}})
	if s := text(t, asked); s != "zip,N\n00001,\n01234,900719925474099\n" || len(info.Notes) > 0 {
		t.Errorf("asked: %q, %q", s, info.Notes)
	}
	ask(t, db, "CREATE VIEW v AS SELECT zip FROM patients; CREATE TABLE none (x int)")
	if _, info := read(t, parsed(t, db, "v", ""), dialect.Options{}); len(info.Notes) != 1 ||
		!strings.Contains(info.Notes[0].String(), "no primary key") {
		t.Errorf("a view: %q", info.Notes)
	}
	if none, _ := read(t, parsed(t, db, "none", ""), dialect.Options{}); none.Rows() != 0 ||
		none.Attr(0).Kind != table.Numeric {
		t.Errorf("an empty table has %d rows of %v", none.Rows(), none.Attr(0).Kind)
	}
	odd, info := read(t, parsed(t, db, "", "SELECT 'NaN'::float8 AS nan, 9007199254740993 AS long, 'Infinity'::real AS "+
		"far, '{a,b}'::text[] AS list UNION ALL SELECT 1, 2, 3, NULL ORDER BY 2"), dialect.Options{})
	if s := text(t, odd); s != "nan,long,far,list\n1,2,3,\n,9007199254740993,Infinity,\"{a,b}\"\n" ||
		odd.Attr(0).Kind != table.Numeric ||
		len(info.Notes) != 2 {
		t.Errorf("odd values: %q, %q", s, info.Notes)
	}
	kinds, _ := read(t, parsed(t, db, "patients", ""),
		dialect.Options{Kinds: map[string]table.Kind{"id": table.Categorical}})
	if kinds.Attr(0).Kind != table.Categorical {
		t.Error("kinds that are asked for do not win")
	}
}

// testSnapshot: rows that are read in pieces are those of one moment, in the order of the key, whatever happens
// meanwhile, and each once.
func testSnapshot(t *testing.T, db string) {
	ask(t, db, "CREATE TABLE many (v int, k bigint PRIMARY KEY); INSERT INTO many SELECT k % 1000, -k FROM "+
		"generate_series(1, 250000) AS s(k) ORDER BY random()")
	ctx, stop := context.WithCancel(t.Context())
	var moved atomic.Int64
	done := make(chan struct{})
	go func() { // rows move from one piece to another all the time
		defer close(done)
		c, err := parsed(t, db, "many", "").connect(ctx)
		if err != nil {
			return
		}
		defer c.Close(context.Background())
		for ctx.Err() == nil {
			k := moved.Add(1)
			if _, err := c.Exec(ctx, fmt.Sprintf("UPDATE many SET k = CASE WHEN k = %d THEN %d ELSE %d END WHERE k IN (%d, %d)",
				-k, k, -k, -k, k)).ReadAll(); err != nil {
				return
			}
		}
	}()
	defer func() { stop(); <-done }()
	for range 5 {
		got, _ := read(t, parsed(t, db, "many", ""), dialect.Options{})
		keys := got.Num(1)
		if got.Rows() != 250_000 || !slices.IsSorted(keys) {
			t.Fatalf("%d rows, sorted %v", got.Rows(), slices.IsSorted(keys))
		}
		for i := 1; i < len(keys); i++ {
			if keys[i] == keys[i-1] {
				t.Fatalf("the key in row %d is there twice", i)
			}
		}
	}
	if moved.Load() < 10 {
		t.Errorf("only %d changes were made meanwhile", moved.Load())
	}
}

// TestCuts: ranges of keys cover all of them once, at the ends of the whole numbers, too.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		lo, hi  int64
		n, want int
	}{{0, 0, 8, 1}, {1, 10, 8, 1}, {1, 120_000, 8, 2}, {-500_000, 500_000, 8, 8}, {math.MinInt64, math.MaxInt64, 3, 3},
		{math.MaxInt64 - 1, math.MaxInt64, 2, 1}} {
		parts := cuts(c.lo, c.hi, c.n)
		if len(parts) != c.want || parts[0][0] != c.lo || parts[len(parts)-1][1] != c.hi {
			t.Errorf("%d to %d: %v", c.lo, c.hi, parts)
		}
		for k := 1; k < len(parts); k++ {
			if parts[k][0] != parts[k-1][1]+1 || parts[k][0] > parts[k][1] {
				t.Errorf("%d to %d: %v", c.lo, c.hi, parts)
			}
		}
	}
}

// testWrite: what is written is read again, with the types of the original, nobody sees it before it is committed, and
// no table is written over.
func testWrite(t *testing.T, db string) {
	ask(t, db, patients)
	original, info := read(t, parsed(t, db, "patients", ""), dialect.Options{})
	to := parsed(t, db, "release", "")
	must.NoError(t, Vacant(t.Context(), to))
	p, err := Write(t.Context(), to, original, info.Like(dialect.Options{}))
	must.NoError(t, err)
	if _, _, err := Read(t.Context(), to, dialect.Options{}); err == nil {
		t.Error("a release is seen before it is committed")
	}
	must.NoError(t, p.Commit(t.Context()))
	p.Close()
	back, again := read(t, to, dialect.Options{})
	if text(t, back) != text(t, original) || again.SHA256 != p.SHA256 || len(p.SHA256) != 64 {
		t.Errorf("written\n%s\nread\n%s", text(t, original), text(t, back))
	}
	for name, typ := range map[string]string{"id": "integer", "born": "date", "seen": "timestamp without time zone",
		"smokes": "boolean", "weight": "numeric(5,1)", "score": "real", "zip": "text", "fee": "double precision",
		"n": "bigint"} {
		if again.Types[name] != typ {
			t.Errorf("%s is %s, expected %s", name, again.Types[name], typ)
		}
	}
	if err := Vacant(t.Context(), to); err == nil || !strings.Contains(err.Error(), "never written over") {
		t.Errorf("a table that is there: %v", err)
	}
	if _, err := Write(t.Context(), to, original, dialect.Options{}); err == nil {
		t.Error("a table is written over")
	}
	p = must.Get(Write(t.Context(), parsed(t, db, "second", ""), original, dialect.Options{}))(t)
	p.Discard()
	if err := Vacant(t.Context(), parsed(t, db, "second", "")); err != nil {
		t.Errorf("after a release was discarded: %v", err)
	}
	p, err = Write(t.Context(), parsed(t, db, "third", ""), original, dialect.Options{})
	if err != nil || p.Commit(t.Context()) != nil || p.Drop(t.Context()) != nil {
		t.Fatal("a release cannot be taken back")
	}
	if err := Vacant(t.Context(), parsed(t, db, "third", "")); err != nil {
		t.Errorf("after a release was taken back: %v", err)
	}
	ask(t, db, "CREATE SCHEMA closed; CREATE ROLE guest LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	for _, name := range []string{"closed.x", "missing.x", "x"} {
		if err := Vacant(t.Context(), parsed(t, strings.Replace(db, "custodian@", "guest@", 1), name, "")); err == nil ||
			!strings.Contains(err.Error(), "can be made there") && !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// testNames: names are names, whatever they hold.
func testNames(t *testing.T, db string) {
	evil := []string{`x"; DROP TABLE canary; --`, `a.b`, `Größe "1"`, `x' OR 'y`, "new\nline", `%s %d \`}
	var columns, values []string
	var cols []table.Column
	for k, name := range evil {
		columns, values = append(columns, database.Identifier(name)+" text"), append(values, "'v'")
		cols = append(cols, table.CatColumn(fmt.Sprintf("%s%d", name, k), []string{"v"}, []int32{0}))
	}
	ask(t, db, "CREATE TABLE canary (x int); CREATE SCHEMA "+database.Identifier(evil[0]))
	for _, name := range evil {
		full := database.Identifier(evil[0]) + "." + database.Identifier(name)
		ask(
			t,
			db,
			"CREATE TABLE "+full+" ("+strings.Join(
				columns,
				",",
			)+"); INSERT INTO "+full+" VALUES ("+strings.Join(values, ",")+")",
		)
		got, _ := read(t, parsed(t, db, full, ""), dialect.Options{})
		for j := range got.Width() {
			if got.Attr(j).Name != evil[j] {
				t.Errorf("column %d is called %q", j, got.Attr(j).Name)
			}
		}
		release := must.Get(table.New(cols...))(t)
		to := database.Identifier(evil[0]) + "." + database.Identifier(name+" release")
		p, err := Write(t.Context(), parsed(t, db, to, ""), release, dialect.Options{})
		if err == nil {
			err = p.Commit(t.Context())
		}
		must.NoError(t, err)
		p.Close()
		if back, _ := read(t, parsed(t, db, to, ""), dialect.Options{}); text(t, back) != text(t, release) {
			t.Errorf("%q: %q", name, text(t, back))
		}
	}
	read(t, parsed(t, db, "canary", ""), dialect.Options{})
	for _, bad := range []string{"a.b.c", "", ".", "a.", `"a`, `"a"b`, "a\x00"} {
		if q, err := quoted(bad); err == nil {
			t.Errorf("%q is the table %s", bad, q)
		}
	}
}

// cutting is a proxy that cuts connections after so many bytes in either direction.
func cutting(t *testing.T, db string, after int64) string {
	t.Helper()
	u, _ := url.Parse(db)
	socket := filepath.Join(u.Query().Get("host"), ".s.PGSQL.5432")
	address := serving(t, func(in net.Conn) {
		out, err := net.Dial("unix", socket)
		if err != nil {
			in.Close()
			return
		}
		cut := func() { in.Close(); out.Close() }
		for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
			go func() { io.CopyN(way[1], way[0], after); cut() }()
		}
	})
	return fmt.Sprintf("postgres://custodian@%s/%s?sslmode=disable", address, strings.Trim(u.Path, "/"))
}

// testCut: a connection that breaks is an error, whenever it does, and leaves nothing of a release.
func testCut(t *testing.T, db string) {
	ask(t, db, "CREATE TABLE many (k int PRIMARY KEY, v text); INSERT INTO many SELECT k, repeat('x', 100) FROM "+
		"generate_series(1, 5000) AS s(k)")
	all, _ := read(t, parsed(t, db, "many", ""), dialect.Options{})
	for _, after := range []int64{0, 50, 500, 2_000, 100_000, 500_000} {
		cut := cutting(t, db, after)
		if got, _, err := Read(t.Context(), parsed(t, cut, "many", ""), dialect.Options{}); err == nil {
			t.Errorf("cut after %d bytes, %d rows are read", after, got.Rows())
		}
		if p, err := Write(t.Context(), parsed(t, cut, "release", ""), all, dialect.Options{}); err == nil {
			p.Discard()
			t.Errorf("cut after %d bytes, all is written", after)
		}
		gone := false
		for range 3000 { // the server notices by and by
			if gone = Vacant(t.Context(), parsed(t, db, "release", "")) == nil; gone {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if !gone {
			t.Errorf("cut after %d bytes, a table is left", after)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, _, err := Read(ctx, parsed(t, db, "", "SELECT pg_sleep(86400)"), dialect.Options{}) // outlasts the test
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// testErrors: errors say what is wrong, and no value and no password.
func testErrors(t *testing.T, db string) {
	ask(t, db, "CREATE TABLE p (secret text); INSERT INTO p VALUES ('hunter2')")
	for query, says := range map[string]string{
		"SELECT secret::int FROM p":                             "SQLSTATE 22P02",
		"SELECT nothing FROM p":                                 `column "nothing" does not exist`,
		"SELECT 1 AS x, 2 AS x":                                 `two columns of the query are called "x"`,
		"DELETE FROM p":                                         "syntax error",
		"SELECT 1) AS a; DROP TABLE p; SELECT (1":               "SQLSTATE 42601",
		"WITH d AS (DELETE FROM p RETURNING 1) SELECT * FROM d": "SQLSTATE",
	} {
		_, _, err := Read(t.Context(), parsed(t, db, "", query), dialect.Options{})
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", query, err)
		}
	}
	read(t, parsed(t, db, "p", ""), dialect.Options{})
	for _, address := range []string{"postgres://u:hunter2@h/d?table=p", "postgres://u@h/d?table=p&password=hunter2",
		"postgres://h:hunter2/d?table=p", "postgres://u:hunter2%zz@h/d?table=p", "postgres://h/d",
		"POSTGRES://u:hunter2@h/d?table=p", "Postgresql://u:hunter2@h/d?table=p",
		"postgres:/u:hunter2@h/d?table=p", "postgres:u:hunter2@h/d?table=p"} {
		if _, err := Parse(address, ""); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := Parse("postgres://h/d?table=x", "SELECT 1"); err == nil {
		t.Error("a table and a query")
	}
	if _, _, err := Read(t.Context(), parsed(t, "postgres://u@127.0.0.1:1/d?sslmode=disable", "p", ""),
		dialect.Options{}); err == nil || !strings.Contains(err.Error(), "no database answers at 127.0.0.1, port 1") {
		t.Errorf("nobody there: %v", err)
	}
	if _, _, err := Read(t.Context(), parsed(t, db, "missing", ""), dialect.Options{}); err == nil ||
		!strings.Contains(err.Error(), "does not exist") {
		t.Errorf("no such table: %v", err)
	}
}

func open(t testing.TB, address string) *pgconn.PgConn {
	t.Helper()
	return must.Get(parsed(t, address, "x", "").connect(t.Context()))(t)
}
