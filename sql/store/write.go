package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/table"
)

// every is after how many rows a writer looks whether it is to end.
const every = 1 << 12

// Write makes a new table and fills it, in one transaction: an error leaves nothing of it. A table that is there is
// never written over. Whole numbers, other numbers, dates and times have the types of the database for them, everything
// else is text.
func (f *File) Write(ctx context.Context, name string, t *table.Table) error {
	t, err := database.Standard(t)
	if err != nil {
		return err
	}
	c, err := f.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	exec := func(sql string) error {
		_, err := c.ExecContext(ctx, sql)
		return err
	}
	if err := exec("BEGIN"); err != nil {
		return err
	}
	if err := f.fill(ctx, c, name, t, exec); err != nil {
		c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return err
	}
	return exec("COMMIT")
}

func (f *File) fill(ctx context.Context, c *sql.Conn, name string, t *table.Table, exec func(string) error) error {
	id := database.Identifier(name)
	var columns, texts []string
	for _, c := range t.Columns() {
		columns = append(columns, database.Identifier(c.Name)+" "+f.kind.types.Of(&c, ""))
		texts = append(texts, database.Identifier(c.Name)+" "+f.kind.types.Text)
	}
	if err := exec("CREATE TABLE " + id + " (" + strings.Join(columns, ", ") + ")"); err != nil {
		return err
	}
	if f.kind.name == "sqlite" {
		return insert(ctx, c, id, t)
	}
	// DuckDB takes rows quickly through an appender, which asks for the very types of the columns: all texts go into a
	// table of the transaction, and are cast from there.
	const staged = "dither staged"
	if err := exec("CREATE TEMP TABLE " + database.Identifier(staged) + " (" + strings.Join(texts,
		", ") + ")"); err != nil {
		return err
	}
	if err := c.Raw(func(d any) error { return appended(ctx, d.(driver.Conn), staged, t) }); err != nil {
		return err
	}
	if err := exec("INSERT INTO " + id + " SELECT * FROM " + database.Identifier(staged)); err != nil {
		return err
	}
	return exec("DROP TABLE " + database.Identifier(staged))
}

// insert fills a table of SQLite.
func insert(ctx context.Context, c *sql.Conn, id string, t *table.Table) error {
	s, err := c.PrepareContext(ctx, "INSERT INTO "+id+" VALUES (?"+strings.Repeat(", ?", t.Width()-1)+")")
	if err != nil {
		return err
	}
	defer s.Close()
	values := make([]any, t.Width())
	for i := range t.Rows() {
		if i%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j := range values {
			values[j] = value(t, i, j)
		}
		if _, err := s.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return nil
}

// value is what is bound: NULL, a number, or a text, which dates are, too.
func value(t *table.Table, i, j int) any {
	at := t.Attr(j)
	switch {
	case t.MissingAt(i, j):
		return nil
	case at.Kind != table.Numeric:
		return at.Labels[t.Cat(j)[i]]
	case at.Dates != "":
		return string(at.AppendValue(nil, t.Num(j)[i]))
	}
	v := t.Num(j)[i]
	if n := int64(v); at.Step >= 1 && float64(n) == v {
		return n
	}
	return v
}

// appended fills a table of texts.
func appended(ctx context.Context, d driver.Conn, name string, t *table.Table) (err error) {
	a, err := duckdb.NewAppender(d, "temp", "main", name)
	if err != nil {
		return err
	}
	defer func() {
		if e := a.Close(); err == nil {
			err = e
		}
	}()
	values := make([]driver.Value, t.Width())
	var text []byte
	for i := range t.Rows() {
		if i%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j := range values {
			at := t.Attr(j)
			switch {
			case t.MissingAt(i, j):
				values[j] = nil
			case at.Kind == table.Numeric:
				text = at.AppendValue(text[:0], t.Num(j)[i])
				values[j] = string(text)
			default:
				values[j] = at.Labels[t.Cat(j)[i]]
			}
		}
		if err := a.AppendRow(values...); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}
