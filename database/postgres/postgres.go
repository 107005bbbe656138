// Package postgres reads a table of a PostgreSQL database, or the answer to a query, and writes a release into a new
// table.
//
// A table is named by an address: postgres://user@host/database?table=schema.name. The rest of it is that of
// PostgreSQL's own library: host, port, service, sslmode and so on, with the same environment variables and the same
// files. A password never stands in an address, where everybody on the computer could read it: it comes from
// PGPASSWORD, the password file or the service file.
//
// A server has 15 seconds to accept a connection (connect_timeout=SECONDS in the address says otherwise) and may then
// be silent for 10 minutes (idle_timeout=SECONDS). A statement takes as long as it takes, unless statement_timeout is
// set.
//
// Data go both ways by COPY, as comma-separated text, which package format/csv reads and writes on all cores: NULL is
// an empty cell, an empty text a quoted one. So nothing that is a value in the database is missing here, and the other
// way round.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// Address names a table of a database, or a query to it.
type Address struct {
	Table string // as it is written in SQL, in up to two parts; empty where Query is set
	Query string // a SELECT; empty where Table is set

	idle   time.Duration // that the server may be silent
	config *pgconn.Config
}

func init() { database.Register(database.Driver{Is: Is, Read: readFrom, Write: writeTo}) }

// readFrom reads the table at an address.
func readFrom(ctx context.Context, address string, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	a, err := Parse(address, "")
	if err != nil {
		return nil, nil, err
	}
	t, info, err := Read(ctx, a, opt)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", Name(address), err)
	}
	return t, info, err
}

// writeTo writes a table into a new one at an address.
func writeTo(ctx context.Context, address string, t *table.Table, opt dialect.Options) (sum string, err error) {
	a, err := Parse(address, "")
	if err != nil {
		return "", err
	}
	p, err := Write(ctx, a, t, opt)
	if err != nil {
		return "", fmt.Errorf("%s: %w", Name(address), err)
	}
	defer p.Close()
	return p.SHA256, p.Commit(ctx)
}

// Is reports whether a path is an address of a database, not a file.
func Is(path string) bool {
	scheme, _, ok := strings.Cut(path, ":")
	return ok && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// Name is what people call the data of an address: its table. It holds nothing of how the database is reached.
func Name(path string) string {
	if u, err := url.Parse(path); err == nil {
		if t := u.Query().Get("table"); t != "" {
			return t
		}
	}
	return "query"
}

// errPassword says why an address with a password is refused, and what to do instead.
var errPassword = errors.New("the address holds a password, which everybody on this computer could read: leave it " +
	"out, and put it into the password file (~/.pgpass), a service file or PGPASSWORD")

// errAddress shows nothing of an address that cannot be read: a password may be in it.
var errAddress = errors.New("the address of the database cannot be read; it is like " +
	"postgres://user@host/database?table=patients")

// Parse reads an address, with a query where it names no table. Errors tell no part of a password.
func Parse(path, query string) (*Address, error) {
	u, err := url.Parse(path)
	if err != nil {
		return nil, errAddress
	}
	if u.Opaque != "" || !strings.HasPrefix(path[len(u.Scheme):], "://") {
		return nil, errAddress
	}
	q := u.Query()
	if _, set := u.User.Password(); set || q.Has("password") || q.Has("sslpassword") {
		return nil, errPassword
	}
	a := &Address{Table: q.Get("table"), Query: query, idle: idle}
	if q.Has(idleTimeout) {
		seconds, err := strconv.Atoi(q.Get(idleTimeout))
		if err != nil || seconds < 1 || seconds > 1e6 {
			return nil, fmt.Errorf("%s is not a number of seconds from 1 to 1000000", idleTimeout)
		}
		a.idle = time.Duration(seconds) * time.Second
	}
	q.Del("table")
	q.Del(idleTimeout)
	u.RawQuery = q.Encode()
	switch {
	case a.Table == "" && a.Query == "":
		return nil, errors.New("the address names no table: add ?table=NAME to it, or give a query")
	case a.Table != "" && a.Query != "":
		return nil, errors.New("the address names a table and there is a query, too; leave one of them out")
	}
	if a.Table != "" {
		if _, err := quoted(a.Table); err != nil {
			return nil, err
		}
	}
	if a.config, err = pgconn.ParseConfig(u.String()); err != nil { // the error may hold more than should be told
		return nil, errors.New("the address of the database, or what the environment adds to it, cannot be used; it is " +
			"like postgres://user@host/database?table=patients")
	}
	if a.config.ConnectTimeout == 0 {
		a.config.ConnectTimeout = connecting
	}
	a.config.RuntimeParams["application_name"] = "dither"
	a.config.RuntimeParams["datestyle"] = "ISO, YMD"
	a.config.RuntimeParams["timezone"] = "UTC"
	a.config.RuntimeParams["extra_float_digits"] = "1"
	a.config.RuntimeParams["client_encoding"] = "UTF8"
	a.config.RuntimeParams["synchronize_seqscans"] = "off" // else a table without a key may be read from its middle
	return a, nil
}

// told is an error in the words of the server, without its detail, which may quote values.
func told(err error) error {
	var server *pgconn.PgError
	if !errors.As(err, &server) {
		return err
	}
	if valued[server.Code[:2]] { // the message itself quotes a value
		return fmt.Errorf("a value that does not fit%s (SQLSTATE %s)", in(server), server.Code)
	}
	return fmt.Errorf("%s (SQLSTATE %s)", server.Message, server.Code)
}

// valued are the classes of errors whose messages quote values: data exceptions, and constraints.
var valued = map[string]bool{"22": true, "23": true}

func in(e *pgconn.PgError) string {
	if e.ColumnName == "" {
		return ""
	}
	return fmt.Sprintf(" column %q", e.ColumnName)
}

// quoted is the name of a table in SQL. A name is split at its first point; a part in double quotes may hold points.
func quoted(name string) (string, error) {
	parts, err := split(name)
	if err != nil {
		return "", err
	}
	for k, p := range parts {
		parts[k] = database.Identifier(p)
	}
	return strings.Join(parts, "."), nil
}

// split cuts the name of a table into its schema and itself.
func split(name string) (parts []string, err error) {
	bad := fmt.Errorf("%q is not a valid table name: expected name or schema.name", name)
	if strings.ContainsRune(name, 0) {
		return nil, bad
	}
	for rest := name; ; {
		part, quotes := rest, strings.HasPrefix(rest, `"`)
		if quotes {
			end := 1
			for end < len(rest) && (rest[end] != '"' || end+1 < len(rest) && rest[end+1] == '"') {
				if rest[end] == '"' {
					end++
				}
				end++
			}
			if end >= len(rest) {
				return nil, bad
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
		} else {
			part, rest = rest, ""
			if k := strings.IndexByte(part, '.'); k >= 0 {
				part, rest = part[:k], part[k:]
			}
		}
		if parts = append(parts, part); part == "" || len(parts) > 2 {
			return nil, bad
		}
		if rest == "" {
			return parts, nil
		}
		if rest[0] != '.' {
			return nil, bad
		}
		rest = rest[1:]
	}
}

// rows runs a statement with parameters and returns the texts of its answer; NULL is "".
func rows(ctx context.Context, c *pgconn.PgConn, sql string, params ...string) (out [][]string, err error) {
	values := make([][]byte, len(params))
	for k, p := range params {
		values[k] = []byte(p)
	}
	answer := c.ExecParams(ctx, sql, values, nil, nil, nil)
	for answer.NextRow() {
		var cells []string
		for _, v := range answer.Values() {
			cells = append(cells, string(v))
		}
		out = append(out, cells)
	}
	if _, err := answer.Close(); err != nil {
		return nil, ended(ctx, err)
	}
	return out, nil
}

// run executes statements without parameters.
func run(ctx context.Context, c *pgconn.PgConn, sql string) error {
	_, err := c.Exec(ctx, sql).ReadAll()
	return ended(ctx, err)
}

// ended is the error of a request to the server: that of the context where it is at an end.
func ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return told(err)
	}
	return fmt.Errorf("the connection to the database broke: %w", silent(err))
}
