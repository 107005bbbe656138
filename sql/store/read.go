package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// Read reads a table, in the order in which its rows were put in, or the answer to a query. Exactly one of the two is
// given. Cost: O(rows), and memory for the text of all of them besides the table.
func (f *File) Read(ctx context.Context, name, query string, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	from := database.Identifier(name)
	if query != "" {
		from = "(" + strings.TrimRight(strings.TrimSpace(query), ";") + "\n) AS asked"
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer tx.Rollback()
	cols, err := f.columns(ctx, tx, from)
	if err != nil {
		return nil, nil, err
	}
	data, err := f.text(ctx, tx, from, cols, query == "")
	if err != nil {
		return nil, nil, err
	}
	return database.Parse(ctx, data, cols, opt)
}

// text is all rows as package database reads them.
func (f *File) text(
	ctx context.Context,
	tx *sql.Tx,
	from string,
	cols []database.Column,
	ordered bool,
) ([]byte, error) {
	var list []string
	var b bytes.Buffer
	for j, c := range cols {
		id := database.Identifier(c.Name)
		if !begins(c.Type, f.kind.plain) {
			id = fmt.Sprintf("CAST(%s AS %s)", id, f.kind.types.Text)
		}
		list = append(list, id)
		comma(&b, j)
		quote(&b, c.Name)
	}
	b.WriteByte('\n')
	sql := "SELECT " + strings.Join(list, ", ") + " FROM " + from
	if ordered && f.rowid(ctx, tx, from) {
		sql += " ORDER BY rowid"
	}
	rows, err := tx.QueryContext(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := make([]any, len(cols))
	at := make([]any, len(cols))
	for j := range at {
		at[j] = &values[j]
	}
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return nil, err
		}
		for j, v := range values {
			comma(&b, j)
			cell(&b, v)
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), rows.Err()
}

// rowid reports whether rows have numbers by which they can be put in order: those of a view have none.
func (f *File) rowid(ctx context.Context, tx *sql.Tx, from string) bool {
	rows, err := tx.QueryContext(ctx, "SELECT rowid FROM "+from+" LIMIT 0")
	if err != nil {
		return false
	}
	rows.Close()
	return true
}

func comma(b *bytes.Buffer, j int) {
	if j > 0 {
		b.WriteByte(',')
	}
}

// cell writes a value: nothing for NULL.
func cell(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case nil:
	case int64:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), v, 10))
	case float64:
		if v == v { // NaN is no value
			b.Write(strconv.AppendFloat(b.AvailableBuffer(), v, 'f', -1, 64))
		}
	case float32:
		if v == v {
			b.Write(strconv.AppendFloat(b.AvailableBuffer(), float64(v), 'f', -1, 32))
		}
	case []byte:
		quote(b, string(v))
	case string:
		quote(b, v)
	default: // the other whole numbers of DuckDB
		fmt.Fprint(b, v)
	}
}

// quote writes a text, in quotes where it would be read as something else without them.
func quote(b *bytes.Buffer, s string) {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && strings.TrimSpace(s) == s {
		b.WriteString(s)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(s, `"`, `""`))
	b.WriteByte('"')
}
