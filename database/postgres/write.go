package postgres

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// longest is how many bytes of a name the server keeps: it cuts the rest off without an error.
const longest = 63

// types are those of the server.
var types = database.Types{
	Whole:  []string{"bigint", "smallint", "integer"},
	Broken: []string{"double precision", "real", "numeric"},
	Text:   "text",
	Truth:  "boolean",
	Date:   "date",
	Time:   "timestamp",
}

// Vacant checks, before any work, that the database can be reached, that it has no table of the address's name, and
// that one may be made there.
func Vacant(ctx context.Context, a *Address) error {
	c, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	return a.vacant(ctx, c)
}

func (a *Address) vacant(ctx context.Context, c *pgconn.PgConn) error {
	name, err := quoted(a.Table)
	if err != nil {
		return err
	}
	parts, err := split(a.Table)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := named(p); err != nil {
			return err
		}
	}
	there, err := rows(ctx, c, "SELECT to_regclass($1) IS NOT NULL", name)
	if err != nil {
		return err
	}
	if there[0][0] == "t" {
		return fmt.Errorf("the database has a table %s: a release is never written over one; drop it, or name another",
			a.Table)
	}
	may := "SELECT current_schema() IS NOT NULL AND has_schema_privilege(current_schema(), 'CREATE')"
	var schema []string
	if len(parts) == 2 {
		schema = parts[:1]
		may = "SELECT coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1), false)"
	}
	allowed, err := rows(ctx, c, may, schema...)
	if err != nil {
		return err
	}
	if allowed[0][0] != "t" {
		return fmt.Errorf("no table %s can be made there: the schema is missing, or the user may not create tables in it",
			a.Table)
	}
	return nil
}

// named returns an error for a name that the server would cut off.
func named(name string) error {
	if len(name) > longest {
		return fmt.Errorf("the name %q is longer than the %d bytes that the database keeps of one", name, longest)
	}
	return nil
}

// Pending is a new table whose rows are in the database and that nobody else sees before Commit.
type Pending struct {
	SHA256 string // of the table as Read finds it, which Read tells in its Info, too

	a *Address
	c *pgconn.PgConn
}

// Write makes a table in a transaction and fills it by COPY. Columns have the types that opt.Types names where their
// values still are of such a type, as those of Info.Types are; else whole numbers are bigint, other numbers double
// precision, dates date or timestamp, and everything else text. Until Commit nothing is there for anybody, and an error
// or an end of the connection leaves nothing.
func Write(ctx context.Context, a *Address, t *table.Table, opt dialect.Options) (*Pending, error) {
	t, err := database.Standard(t)
	if err != nil {
		return nil, err
	}
	for _, c := range t.Columns() {
		if err := named(c.Name); err != nil {
			return nil, err
		}
	}
	c, err := a.connect(ctx)
	if err != nil {
		return nil, err
	}
	p := &Pending{a: a, c: c}
	if err := p.fill(ctx, t, opt); err != nil {
		p.Discard()
		return nil, err
	}
	return p, nil
}

func (p *Pending) fill(ctx context.Context, t *table.Table, opt dialect.Options) error {
	if err := run(ctx, p.c, "BEGIN"); err != nil {
		return err
	}
	if err := p.a.vacant(ctx, p.c); err != nil {
		return err
	}
	name, err := quoted(p.a.Table)
	if err != nil {
		return err
	}
	var columns []string
	for _, c := range t.Columns() {
		columns = append(columns, database.Identifier(c.Name)+" "+types.Of(&c, opt.Types[c.Name]))
	}
	if err := run(ctx, p.c, "CREATE TABLE "+name+" ("+strings.Join(columns, ", ")+")"); err != nil {
		return err
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(csv.Write(ctx, w, t, dialect.Options{Progress: opt.Progress})) }()
	_, err = p.c.CopyFrom(ctx, r, "COPY "+name+" FROM STDIN (FORMAT csv, HEADER)")
	r.CloseWithError(io.ErrClosedPipe) // ends the writer where the server stopped reading
	if err != nil {
		return ended(ctx, err)
	}
	return p.readBack(ctx)
}

// readBack finds what the table will be known by.
func (p *Pending) readBack(ctx context.Context) error {
	cols, err := p.a.columns(ctx, p.c)
	if err != nil {
		return err
	}
	data, _, err := p.a.copyOut(ctx, p.c, cols)
	p.SHA256 = database.Digest(data)
	return err
}

// Commit makes the table visible. It is the caller's last step but for what Drop takes back.
func (p *Pending) Commit(ctx context.Context) error { return run(ctx, p.c, "COMMIT") }

// Drop takes a table back that was committed, as it must when something that belongs to it could not be written, and
// ends the connection.
func (p *Pending) Drop(ctx context.Context) error {
	name, err := quoted(p.a.Table)
	if err == nil {
		err = run(ctx, p.c, "DROP TABLE "+name)
	}
	p.Close()
	return err
}

// Discard leaves nothing of a table that is not committed. It may be called at any time, more than once.
func (p *Pending) Discard() { p.Close() }

// Close ends the connection, and with it a transaction that is open.
func (p *Pending) Close() { p.c.Close(context.Background()) }
